//! What may not be read, by names, in profiles, and through links.

#![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::sync::Arc;

use super::*;
use crate::fs::{Access, Grants, Scope};

fn denials() -> ReadDenials {
    ReadDenials::with_homes([PathBuf::from("/h/.hermes")])
}

#[test]
fn every_row_of_the_tables_is_denied_and_its_neighbours_are_not() {
    for (entry, denial) in HOME_ENTRIES {
        for inner in [
            entry.to_owned(),
            entry.to_uppercase(),
            format!("{entry}/below/it"),
            format!("profiles/office/{entry}"),
        ] {
            let path = format!("/h/.hermes/{inner}");
            assert_eq!(denials().check(Path::new(&path)), Some(denial), "{path}");
        }
        for allowed in [format!("/h/.hermes/{entry}x"), format!("/h/other/{entry}x")] {
            assert_eq!(denials().check(Path::new(&allowed)), None, "{allowed}");
        }
    }
    for name in ENVIRONMENT_NAMES {
        for path in [format!("/any/where/{name}"), name.to_uppercase()] {
            let denial = Some(ReadDenial::Environment);
            assert_eq!(denials().check(Path::new(&path)), denial, "{path}");
        }
    }
    for path in [
        ".env.example",
        "/x/env",
        "/x/.env.d/a",
        "/x/.env/lib/a.py",
        "/x/auth.json",
        "/x/vault/a",
        "/h/.hermes/config.yaml",
        "/h/.hermes/cache/exec/stdout-0.txt",
        "/h/.hermes/profiles/auth.json",
        "/h/.hermes",
        "/",
    ] {
        assert_eq!(denials().check(Path::new(path)), None, "{path}");
    }
}

#[test]
fn the_home_of_a_profile_denies_what_the_home_above_it_holds() {
    let denials = ReadDenials::with_homes([PathBuf::from("/h/data/profiles/office")]);
    for path in [
        "/h/data/profiles/office/auth.json",
        "/h/data/auth.json",
        "/h/data/profiles/other/vault/x",
    ] {
        let denial = Some(ReadDenial::Credentials);
        assert_eq!(denials.check(Path::new(path)), denial, "{path}");
    }
    assert_eq!(denials.check(Path::new("/h/auth.json")), None);
}

#[test]
fn a_home_behind_a_link_is_known_by_both_names() {
    let place = tempfile::tempdir().unwrap();
    let real = place.path().canonicalize().unwrap().join("real");
    std::fs::create_dir(&real).unwrap();
    let link = real.with_file_name("link");
    std::os::unix::fs::symlink(&real, &link).unwrap();
    let denials = ReadDenials::with_homes([link.clone()]);
    for home in [real, link] {
        let path = home.join("mcp-tokens/x.json");
        assert_eq!(denials.check(&path), Some(ReadDenial::Credentials));
    }
}

#[test]
fn what_a_home_keeps_elsewhere_is_denied_where_it_is() {
    let place = tempfile::tempdir().unwrap();
    let root = place.path().canonicalize().unwrap();
    for directory in ["h/vault/deep", "h/profiles/office/vault", "kept"] {
        std::fs::create_dir_all(root.join(directory)).unwrap();
    }
    for (link, name) in [
        ("h/auth.json", "auth"),
        ("h/vault/v", "v"),
        ("h/vault/deep/w", "w"),
        ("h/profiles/office/vault/x", "x"),
        ("h/notes", "notes"),
    ] {
        std::os::unix::fs::symlink(root.join("kept").join(name), root.join(link)).unwrap();
    }
    let denials = ReadDenials::with_homes([root.join("gone/../h")]);
    let credentials = Some(ReadDenial::Credentials);
    for (path, expected) in [
        ("h/auth.json", credentials),
        ("kept/auth", credentials),
        ("kept/v", credentials),
        ("kept/w", credentials),
        ("kept/x", credentials),
        ("kept/notes", None),
        ("kept/vv", None),
        ("kept", None),
    ] {
        assert_eq!(denials.check(&root.join(path)), expected, "{path}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_opened_file_is_judged_though_the_link_to_it_leads_elsewhere_by_now() {
    let root = tempfile::tempdir().unwrap();
    std::fs::write(root.path().join(".env"), "KEY=x").unwrap();
    std::fs::write(root.path().join("plain"), "x").unwrap();
    let link = root.path().join("link");
    std::os::unix::fs::symlink(".env", &link).unwrap();
    let scope = Arc::new(Scope::open(root.path()).unwrap());
    let place = Grants::of(scope).place("link", Access::Read).unwrap();
    let opened = place.open().unwrap();
    std::fs::remove_file(&link).unwrap();
    std::os::unix::fs::symlink("plain", &link).unwrap();
    let denials = denials();
    assert_eq!(
        denials.check_opened(&place, &opened),
        Some(ReadDenial::Environment)
    );
    assert_eq!(denials.check_opened(&place, &place.open().unwrap()), None);
}

#[test]
fn a_denial_says_why() {
    let rows = [
        (
            ReadDenial::Environment,
            "Access denied: x/.env is an environment file, which usually holds secrets. A file such as .env.example shows the names without them. (Defense-in-depth — not a security boundary; the terminal tool can still bypass.)",
        ),
        (
            ReadDenial::Credentials,
            "Access denied: x/.env holds credentials of Hermes, which only its own tools use. (Defense-in-depth — not a security boundary; the terminal tool can still bypass.)",
        ),
        (
            ReadDenial::Cache,
            "Access denied: x/.env is a cache of Hermes whose texts are not to be read unchecked. (Defense-in-depth — not a security boundary; the terminal tool can still bypass.)",
        ),
        (
            ReadDenial::Device,
            "Cannot read 'x/.env': this is a device file that would block or produce infinite output.",
        ),
    ];
    for (denial, expected) in rows {
        assert_eq!(denial.explain("x/.env"), expected);
    }
}

#[test]
fn every_profile_is_known_where_the_directory_of_all_is_a_link() {
    let place = tempfile::tempdir().unwrap();
    let root = place.path().canonicalize().unwrap();
    for directory in ["h", "kept/single"] {
        std::fs::create_dir_all(root.join(directory)).unwrap();
    }
    for number in 0..61 {
        std::fs::create_dir_all(root.join(format!("profs/p{number}"))).unwrap();
    }
    std::os::unix::fs::symlink("../profs", root.join("h/profiles")).unwrap();
    std::os::unix::fs::symlink("../kept/single", root.join("profs/single")).unwrap();
    let denials = ReadDenials::with_homes([root.join("h")]);
    let credentials = Some(ReadDenial::Credentials);
    // The last one comes to be when the denials are made already.
    let profiles = (0..=61).map(|number| format!("p{number}"));
    for profile in profiles.chain(["single".to_owned()]) {
        for (inner, expected) in [
            ("auth.json", credentials),
            ("Vault/x", credentials),
            ("skills/.hub/x", Some(ReadDenial::Cache)),
            ("notes", None),
        ] {
            for path in [
                format!("profs/{profile}/{inner}"),
                format!("h/profiles/{profile}/{inner}"),
            ] {
                assert_eq!(denials.check(&root.join(&path)), expected, "{path}");
            }
        }
    }
    for (path, expected) in [
        ("kept/single/auth.json", credentials),
        ("kept/auth.json", None),
        ("profs/auth.json", None),
        ("profs", None),
    ] {
        assert_eq!(denials.check(&root.join(path)), expected, "{path}");
    }
}

#[test]
fn a_home_whose_path_is_no_text_is_known_by_its_bytes() {
    let root = tempfile::tempdir().unwrap();
    let home = root.path().join(OsStr::from_bytes(b"u\xff"));
    std::fs::create_dir(&home).unwrap();
    let scope = Arc::new(Scope::open(&home).unwrap());
    let denials = ReadDenials::with_homes([home]);
    for grants in [
        Grants::of(Arc::clone(&scope)),
        Grants::whole_host(scope).unwrap(),
    ] {
        let place = grants.place("auth.json", Access::Read).unwrap();
        let denial = Some(ReadDenial::Credentials);
        assert_eq!(denials.check_place(&place), denial);
    }
}
