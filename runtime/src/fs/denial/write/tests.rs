use super::*;

fn denials() -> WriteDenials {
    let homes = Homes::of(Some("/home/u".into()), Some("/data/hermes".into()));
    WriteDenials {
        homes,
        own_program: Some("/opt/hermes-exec".into()),
        kept: Vec::new(),
        safe_roots: None,
    }
}

fn reason(path: &str) -> Option<String> {
    denials().reason("shown", [], [Path::new(path); 2])
}

#[test]
fn keys_and_accounts_are_denied_and_what_looks_like_them_is_not() {
    let denied = [
        "/home/u/.ssh/id_ed25519",
        "/home/u/.ssh/config.d/x",
        "/home/u/.netrc",
        "/home/u/.aws/credentials",
        "/home/u/.config/gh/hosts.yml",
        "/data/hermes/.env",
        "/home/u/.hermes/.env",
        "/data/hermes/sessions/a/b",
        "/data/hermes/state.db-wal",
        "/etc/sudoers.d/x",
        "/opt/hermes-exec",
    ];
    let expected = "Write denied: 'shown' is a protected system/credential file.";
    for path in denied {
        assert_eq!(reason(path).as_deref(), Some(expected), "{path}");
    }
    for path in [
        "/home/u/.ssh/config",
        "/home/u/.sshx/id",
        "/home/u/project/.env",
        "/home/u/project/.ssh/id",
        "/home/u/.config/other",
        "/data/hermes/notes/x",
        "/home/v/.netrc",
    ] {
        assert_eq!(reason(path), None, "{path}");
    }
}

#[test]
fn the_path_and_what_it_leads_to_are_both_judged() {
    let (key, other) = (Path::new("/home/u/.ssh/id"), Path::new("/home/u/x"));
    assert!(denials().reason("x", [key], [other; 2]).is_some());
    assert!(denials().reason("x", [other], [key; 2]).is_some());
    assert!(denials().reason("x", [other], [other; 2]).is_none());
}

#[test]
fn the_tables_hold_for_every_profile_and_in_any_case() {
    for path in [
        "/data/hermes/profiles/office/.env",
        "/data/hermes/profiles/office/auth.json",
        "/data/hermes/profiles/new/vault/x",
        "/home/u/.hermes/profiles/a/mcp-tokens/x",
        "/data/hermes/Vault/x",
        "/home/u/.SSH/config",
    ] {
        assert!(reason(path).is_some(), "{path}");
    }
    for path in [
        "/data/hermes/profiles/office/notes",
        "/data/profiles/office/.env",
    ] {
        assert_eq!(reason(path), None, "{path}");
    }
}

#[test]
#[expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]
fn what_has_to_be_a_directory_is_not_made_a_file() {
    let place = tempfile::tempdir().unwrap();
    let root = place.path().canonicalize().unwrap();
    for directory in ["u/.config", "u/.hermes/profiles/a"] {
        std::fs::create_dir_all(root.join(directory)).unwrap();
    }
    std::fs::write(root.join("u/.hermes/profiles/README"), "").unwrap();
    let homes = Homes::of(Some(root.join("u")), Some(root.join("gone/h"))).with_links();
    let denials = WriteDenials::of(homes);
    for (path, is_denied) in [
        ("gone", true),
        ("gone/h", true),
        ("gone/h/cache", true),
        ("gone/h/profiles", true),
        ("gone/h/profiles/new", true),
        ("gone/h/profiles/new/cache", true),
        ("u/.hermes/profiles/new", true),
        ("u/.hermes/profiles/README", false),
        // They are there, and no tool replaces a directory.
        ("u", false),
        ("u/.config", false),
        ("u/.hermes", false),
        ("u/.hermes/profiles/a", false),
        ("gone/h/notes", false),
        ("gone/other", false),
    ] {
        let reason = denials.reason("x", [], [&*root.join(path); 2]);
        assert_eq!(reason.is_some(), is_denied, "{path}");
    }
}

#[cfg(unix)]
#[test]
#[expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]
fn a_key_that_is_kept_elsewhere_is_denied_where_it_is() {
    let place = tempfile::tempdir().unwrap();
    let root = place.path().canonicalize().unwrap();
    for directory in ["u/.ssh/config.d", "u/.hermes/vault", "keys"] {
        std::fs::create_dir_all(root.join(directory)).unwrap();
    }
    for (link, name) in [
        ("u/.ssh/authorized_keys", "ak"),
        ("u/.ssh/config.d/x", "x"),
        ("u/.ssh/config", "config"),
        ("u/.hermes/vault/v", "v"),
        ("u/.hermes/config.yaml", "hermes"),
        ("u/notes", "notes"),
    ] {
        std::os::unix::fs::symlink(root.join("keys").join(name), root.join(link)).unwrap();
    }
    let homes = Homes::of(Some(root.join("u")), None).with_links();
    let denials = WriteDenials::of(homes.clone());
    for (name, is_denied) in [
        ("ak", true),
        ("x", true),
        ("v", true),
        // A human is asked about it instead.
        ("config", false),
        // Another guard refuses it.
        ("hermes", false),
        ("notes", false),
    ] {
        let path = root.join("keys").join(name);
        let reason = denials.reason("x", [], [&*path; 2]);
        assert_eq!(reason.is_some(), is_denied, "{name}");
    }
    let config = root.join("keys/config");
    assert!(homes.is_ssh_config(&config));
}

#[cfg(unix)]
#[test]
#[expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]
fn files_that_are_kept_are_denied_by_every_path_and_so_is_the_way_to_them() {
    let place = tempfile::tempdir().unwrap();
    let root = place.path().canonicalize().unwrap();
    std::fs::create_dir_all(root.join("dot/v1")).unwrap();
    for (link, target) in [("dot/current", "v1"), (".bashrc", "dot/current/rc")] {
        std::os::unix::fs::symlink(target, root.join(link)).unwrap();
    }
    let mut denials = WriteDenials::default();
    denials.keep(&[".bashrc", "gone/deep/rc"].map(|file| root.join(file)));
    for (path, is_denied) in [
        (".bashrc", true),
        (".BashRC", true),
        ("dot/current/rc", true),
        ("dot/v1/rc", true),
        ("dot/current", true),
        ("gone/deep/rc", true),
        ("gone/deep/rc/x", true),
        ("Gone/deep/RC/x/y", true),
        (".bashrc/x", true),
        ("gone/deep/rc2", false),
        ("gone", true),
        ("gone/deep", true),
        ("dot/v1", false),
        ("dot/v1/other", false),
        ("gone/other", false),
        (".bashrc2", false),
    ] {
        let reason = denials.reason("x", [], [&root.join(path); 2]);
        assert_eq!(reason.is_some(), is_denied, "{path}");
    }
}

#[test]
fn safe_roots_deny_everything_else() {
    let denials = denials().with_safe_roots(["/nowhere/a", "", "/nowhere/b"].map(PathBuf::from));
    let reason = |path: &str| denials.reason("x", [], [Path::new(path); 2]);
    assert_eq!(reason("/nowhere/a/x"), None);
    // A link that lies outside is outside, and so is what one inside leads to.
    let (inside, outside) = (Path::new("/nowhere/a/x"), Path::new("/nowhere/x"));
    for pair in [[inside, outside], [outside, inside]] {
        assert!(denials.reason("x", [], pair).is_some(), "{pair:?}");
    }
    assert_eq!(
        reason("/nowhere/ab").as_deref(),
        Some(
            "Write denied: 'x' is outside HERMES_WRITE_SAFE_ROOT (/nowhere/a, /nowhere/b). Unset the variable or add this path's directory prefix."
        )
    );
    let denials = self::denials().with_safe_roots([PathBuf::new(), PathBuf::new()]);
    assert_eq!(
        denials
            .reason("x", [], [Path::new("/nowhere/a/x"); 2])
            .as_deref(),
        Some(
            "Write denied: 'x' is outside HERMES_WRITE_SAFE_ROOT (). Unset the variable or add this path's directory prefix."
        )
    );
}
