//! Paths that are no text: each guard knows a file by the bytes of its path.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::PathBuf;

use super::*;

/// Returns what each kind of mode grants in a working directory.
fn grants(workdir: &Path) -> [Grants; 2] {
    let scope = Arc::new(Scope::open(workdir).unwrap());
    let host = Grants::whole_host(Arc::clone(&scope)).unwrap();
    [Grants::of(scope), host]
}

fn target(grants: &Grants, path: &str) -> Target {
    Target::of(&grants.place(path, Access::Write).unwrap()).unwrap()
}

fn directory(granted: &Granted, name: &[u8]) -> PathBuf {
    let path = granted.path("").join(OsStr::from_bytes(name));
    fs::create_dir(&path).unwrap();
    path
}

#[tokio::test]
async fn homes_in_a_directory_whose_name_is_no_text_are_protected() {
    let granted = Granted::new();
    let home = directory(&granted, b"u\xff");
    fs::create_dir(home.join("h")).unwrap();
    symlink("../keys", home.join(".aws")).unwrap();
    symlink(&home, granted.path("link")).unwrap();
    let homes = Homes::of(Some(home.clone()), Some(home.join("h"))).with_links();
    let guards = WriteGuards::of(homes.clone(), WriteDenials::of(homes));
    let [granted_home, host] = grants(&home);
    let [outer, outer_host] = grants(&granted.path(""));
    // An absolute link cannot be followed below a handle.
    fs::remove_file(granted.path("link")).unwrap();
    symlink(home.file_name().unwrap(), granted.path("link")).unwrap();
    for (grants, start) in [
        (granted_home, ""),
        (host, ""),
        (outer, "link/"),
        (outer_host, "link/"),
    ] {
        for (path, expected) in [
            (".ssh/id", "Write denied: "),
            (".netrc", "Write denied: "),
            (".config", "Write denied: "),
            ("h/auth.json", "Write denied: "),
            ("h/profiles/new/.env", "Write denied: "),
            ("h/config.yaml", "Refusing to write to Hermes config file: "),
            (
                ".ssh/config",
                "BLOCKED: write to the SSH client configuration ",
            ),
            (
                "CLAUDE.md",
                "BLOCKED: write to protected agent-instruction ",
            ),
            ("notes", ""),
        ] {
            let target = target(&grants, &format!("{start}{path}"));
            let context = &granted.context;
            let refusal = guards.check(&[&target], None, context).await.err();
            let refusal = refusal.map(|refusal| refusal.to_string());
            let refusal = refusal.unwrap_or_default();
            assert!(refusal.starts_with(expected), "{start}{path}: {refusal}");
            assert_eq!(refusal.is_empty(), expected.is_empty(), "{refusal}");
        }
    }
}

#[tokio::test]
async fn what_an_instruction_file_leads_to_is_known_below_a_name_that_is_no_text() {
    let room = Room::new();
    directory(&room.granted, b"d\xff");
    symlink(OsStr::from_bytes(b"d\xff"), room.granted.path("l1")).unwrap();
    let text = OsStr::from_bytes(b"d\xff/x.md");
    symlink(text, room.granted.path("CLAUDE.md")).unwrap();
    for grants in grants(&room.granted.path("")) {
        for (path, is_refused) in [("l1/x.md", true), ("CLAUDE.md", true), ("l1/y.md", false)] {
            let target = target(&grants, path);
            let context = &room.granted.context;
            let answer = room.guards.check(&[&target], None, context).await;
            assert_eq!(answer.is_err(), is_refused, "{path}");
        }
    }
}

#[tokio::test]
async fn an_approval_for_longer_holds_for_one_path_though_others_look_the_same() {
    let granted = Granted::new();
    let guards = WriteGuards::of(Homes::default(), WriteDenials::default());
    let (human, context) = human(Approval::Session);
    let names: [&[u8]; 5] = [
        b"d\xff",
        b"d\xfe",
        b"d\xef\xbf\xbd",
        br"d\xFF",
        b"a, b -> c",
    ];
    let directories = names.map(|name| directory(&granted, name));
    for _ in 0..2 {
        for grants in directories.iter().flat_map(|directory| grants(directory)) {
            let target = target(&grants, "AGENTS.md");
            assert_eq!(guards.check(&[&target], None, &context).await, Ok(()));
        }
    }
    let asked = human.1.lock().unwrap();
    let texts: Vec<_> = asked.iter().map(|request| request.text.clone()).collect();
    let root = granted.shown("");
    let expected = [
        format!(r#""{root}/d\xFF/AGENTS.md""#),
        format!(r#""{root}/d\xFE/AGENTS.md""#),
        format!("{root}/d\u{fffd}/AGENTS.md"),
        format!(r"{root}/d\xFF/AGENTS.md"),
        format!(r#""{root}/a, b -> c/AGENTS.md""#),
    ];
    assert_eq!(texts, expected);
}
