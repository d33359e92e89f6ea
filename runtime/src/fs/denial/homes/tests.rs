//! Which paths belong to the homes: through links, below profiles, and where something is missing.

#![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use std::fs;
use std::os::unix::fs::symlink;

use super::*;

#[test]
fn what_is_kept_elsewhere_is_known_by_where_it_is() {
    let place = tempfile::tempdir().unwrap();
    let root = place.path().canonicalize().unwrap();
    let at = |name: &str| root.join(name);
    for directory in ["user", "hermes", "kept/ssh"] {
        fs::create_dir_all(at(directory)).unwrap();
    }
    fs::write(at("kept/config"), "").unwrap();
    symlink(at("kept/config"), at("hermes/config.yaml")).unwrap();
    symlink("../kept/gone", at("hermes/.env")).unwrap();
    symlink(at("kept/ssh"), at("user/.ssh")).unwrap();
    symlink("loop", at("hermes/loop")).unwrap();
    let homes = Homes::of(Some(at("user")), Some(at("hermes"))).with_links();
    for (path, hermes, user) in [
        ("kept/config", Some("config.yaml"), None),
        ("kept/gone", Some(".env"), None),
        ("kept/ssh", None, Some(".ssh")),
        ("kept/ssh/id", None, Some(".ssh/id")),
        ("hermes/config.yaml", Some("config.yaml"), None),
        ("kept/other", None, None),
        ("kept", None, None),
    ] {
        let path = at(path);
        let hermes = hermes.map(|inner| Cow::Borrowed(Path::new(inner)));
        let user = user.map(|inner| Cow::Borrowed(Path::new(inner)));
        assert_eq!(
            homes.below(Home::Hermes, &path).next(),
            hermes,
            "{}",
            path.display()
        );
        assert_eq!(
            homes.below(Home::User, &path).next(),
            user,
            "{}",
            path.display()
        );
    }
}

#[test]
fn every_link_and_missing_directory_on_the_way_leads_on_and_every_name_is_known() {
    let place = tempfile::tempdir().unwrap();
    let root = place.path().canonicalize().unwrap();
    let at = |name: &str| root.join(name);
    for directory in ["h", "dot/v1/ssh", "user", "kept"] {
        fs::create_dir_all(at(directory)).unwrap();
    }
    for (link, target) in [
        ("l1", "l2"),
        ("l2", "h"),
        ("dot/current", "v1"),
        ("dot/way", "current/hermes.yaml"),
        ("h/config.yaml", "../dot/way"),
        ("h/vault", "../kept/gone/vault"),
        ("user/.ssh", "../dot/current/ssh"),
        ("user/.config", "../dot/v1"),
        ("dot/other", "v1"),
    ] {
        symlink(target, at(link)).unwrap();
    }
    let homes = Homes::of(Some(at("user")), Some(at("l1"))).with_links();
    for (path, leads_on) in [
        ("l1", true),
        ("l2", true),
        ("h", true),
        ("dot", true),
        ("dot/current", true),
        ("dot/v1", true),
        ("kept/gone", true),
        ("user", true),
        ("user/.config", true),
        ("user/.hermes", true),
        ("user/.hermes/cache", true),
        ("h/profiles", true),
        ("h/profiles/new", false),
        ("h/profiles/new/cache", true),
        ("H/Profiles", true),
        ("h/profiles/new/notes", false),
        ("dot/other", false),
        ("h/notes", false),
        ("user/notes", false),
        ("kept/gone/notes", false),
    ] {
        assert_eq!(homes.leads_on(&at(path)), leads_on, "{path}");
    }
    for (path, is_profile) in [
        ("h/profiles/new", true),
        ("l1/Profiles/new", true),
        ("h/profiles", false),
        ("h/profiles/new/cache", false),
        ("h", false),
    ] {
        assert_eq!(homes.is_profile(&at(path)), is_profile, "{path}");
    }
    for (path, is_config) in [
        ("l1/config.yaml", true),
        ("l2/config.yaml", true),
        ("h/config.yaml", true),
        ("h/config.yaml/x", true),
        ("h/Config.YAML", true),
        ("dot/way", true),
        ("dot/current/hermes.yaml", true),
        ("dot/v1/hermes.yaml", true),
        ("dot/v1/other.yaml", false),
        ("h/config.yaml.bak", false),
    ] {
        assert_eq!(homes.is_hermes_config(&at(path)), is_config, "{path}");
    }
    for path in ["user/.ssh/x", "dot/current/ssh/x", "dot/v1/ssh/x"] {
        let path = at(path);
        let inner = homes.below(Home::User, &path).next();
        assert_eq!(inner.as_deref(), Some(Path::new(".ssh/x")));
    }
}

#[test]
fn every_profile_and_the_root_of_one_have_files_of_hermes() {
    let place = tempfile::tempdir().unwrap();
    let root = place.path().canonicalize().unwrap();
    let at = |name: &str| root.join(name);
    for directory in ["h/profiles/office", "kept/far/vault", "kept/all/x"] {
        fs::create_dir_all(at(directory)).unwrap();
    }
    symlink("../../kept/far", at("h/profiles/far")).unwrap();
    symlink("../auth", at("kept/far/auth.json")).unwrap();
    fs::create_dir_all(at("other")).unwrap();
    symlink("../kept/all", at("other/profiles")).unwrap();
    let rows = [
        ("h/config.yaml", "config.yaml"),
        ("h/profiles/office/config.yaml", "config.yaml"),
        ("h/profiles/new/vault/x", "vault/x"),
        ("h/profiles/far/.env", ".env"),
        ("kept/far/.env", ".env"),
        ("kept/auth", "auth.json"),
    ];
    for home in ["h", "h/profiles/office", "h/profiles/new", "h/profiles/far"] {
        let homes = Homes::of(None, Some(at(home))).with_links();
        for (path, expected) in rows {
            let path = at(path);
            let inner = homes.below(Home::Hermes, &path).next();
            assert_eq!(
                inner.as_deref(),
                Some(Path::new(expected)),
                "{home} {path:?}"
            );
        }
        assert_eq!(
            homes
                .below(Home::Hermes, &at("profiles/office/config.yaml"))
                .next(),
            None
        );
    }
    let homes = Homes::of(None, Some(at("other"))).with_links();
    for path in ["kept/all/x/config.yaml", "kept/all/new/config.yaml"] {
        assert!(homes.is_hermes_config(&at(path)), "{path}");
    }
}

#[test]
fn a_home_in_another_one_is_judged_by_both() {
    let homes = Homes::of(Some("/u".into()), Some("/u".into()));
    let path = Path::new("/u/.hermes/config.yaml");
    assert!(homes.is_hermes_config(path));
    assert!(homes.is_of_hermes(path, |inner| inner == Path::new(".hermes/config.yaml")));
}

#[test]
fn a_home_is_known_without_a_directory_that_is_missing_and_left_again() {
    let place = tempfile::tempdir().unwrap();
    let root = place.path().canonicalize().unwrap();
    let homes = Homes::of(None, Some(root.join("gone/../h")));
    let path = root.join("h/config.yaml");
    let inner = homes.below(Home::Hermes, &path).next();
    assert_eq!(inner.as_deref(), Some(Path::new("config.yaml")));
}

#[test]
fn of_the_root_as_a_home_only_what_the_tables_name_is_known() {
    let homes = Homes::of(Some("/".into()), Some("/x/..".into()));
    for (path, hermes, user) in [
        ("/config.yaml", Some("config.yaml"), None),
        ("/vault/a", Some("vault/a"), None),
        ("/.ssh/id", None, Some(".ssh/id")),
        ("/tmp/config.yaml", None, None),
        ("/tmp", None, None),
    ] {
        let path = Path::new(path);
        let found = (
            homes.below(Home::Hermes, path).next(),
            homes.below(Home::User, path).next(),
        );
        let found = (found.0.as_deref(), found.1.as_deref());
        assert_eq!(found, (hermes.map(Path::new), user.map(Path::new)));
    }
}
