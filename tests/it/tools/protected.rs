//! What no script may change of hermes's own, however the granted directory lies to it: around it, above it, or by links.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use hermes_tests::Cli;
use tempfile::TempDir;

/// Configuration of a user, and one that a hostile script would rather have.
const OWN: &str = "security: {redact_secrets: true}\n";
const HOSTILE: &str = "code_execution:\\n  mode: project\\n";

/// Deletes a link, moves it away, and writes to a path behind it.
fn attack(link: &str, path: &str, content: &str) -> String {
    format!(
        r#"
from hermes_tools import patch, write_file
print(patch(mode="patch", patch="*** Begin Patch\n*** Delete File: {link}\n*** End Patch")["success"])
print(patch(mode="patch", patch="*** Begin Patch\n*** Move File: {link} -> moved\n*** End Patch")["success"])
print("error" in write_file("{path}", "{content}"))
"#
    )
}

fn place(directories: &[&str]) -> TempDir {
    let place = tempfile::tempdir().unwrap();
    for directory in directories {
        fs::create_dir_all(place.path().join(directory)).unwrap();
    }
    place
}

fn run(workdir: &Path, hermes: &Path, user: &Path, code: &str) -> String {
    let workdir = workdir.to_str().unwrap();
    // Another home is no reason to compile the module again.
    let cache = std::env::var_os("XDG_CACHE_HOME").map_or_else(
        || std::env::home_dir().unwrap().join(".cache"),
        PathBuf::from,
    );
    let ended = Cli::new(["run", "--workdir", workdir, "--code", code])
        .env("HERMES_HOME", hermes)
        .env("HOME", user)
        .env("XDG_CACHE_HOME", cache)
        .run();
    ended.exits(0);
    ended.stdout
}

#[test]
fn no_link_on_the_way_to_the_configuration_is_taken_away() {
    let place = place(&["dot/v1", "hh", "user"]);
    let at = |name: &str| place.path().join(name);
    fs::write(at("dot/v1/hermes.yaml"), OWN).unwrap();
    symlink("v1", at("dot/current")).unwrap();
    symlink(at("dot/current/hermes.yaml"), at("hh/config.yaml")).unwrap();
    let code = attack("current", "current/hermes.yaml", HOSTILE);
    let told = run(&at("dot"), &at("hh"), &at("user"), &code);
    assert_eq!(told, "False\nFalse\nTrue\n");
    assert_eq!(fs::read_to_string(at("hh/config.yaml")).unwrap(), OWN);
    assert!(at("dot/current").is_symlink());
}

#[test]
fn no_link_on_the_way_to_the_home_is_taken_away() {
    let place = place(&["w/h", "user"]);
    let at = |name: &str| place.path().join(name);
    symlink("l2", at("w/l1")).unwrap();
    symlink("h", at("w/l2")).unwrap();
    for link in ["l2", "l1"] {
        let code = attack(link, &format!("{link}/config.yaml"), HOSTILE);
        let told = run(&at("w"), &at("w/l1"), &at("user"), &code);
        assert_eq!(told, "False\nFalse\nTrue\n", "{link}");
    }
    assert!(at("w/l1").is_symlink() && at("w/l2").is_symlink());
    assert!(!at("w/h/config.yaml").exists());
}

#[test]
fn no_link_on_the_way_to_keys_is_taken_away() {
    let place = place(&["dot/v1/ssh", "user", "hh"]);
    let at = |name: &str| place.path().join(name);
    symlink("v1", at("dot/current")).unwrap();
    symlink(at("dot/current/ssh"), at("user/.ssh")).unwrap();
    let code = attack("current", "current/ssh/authorized_keys", "evil");
    let told = run(&at("dot"), &at("hh"), &at("user"), &code);
    assert_eq!(told, "False\nFalse\nTrue\n");
    assert!(at("dot/current").is_symlink() && !at("user/.ssh/authorized_keys").exists());
}

#[test]
fn a_link_to_a_directory_that_is_missing_is_not_taken_away_either() {
    let place = place(&["w", "user"]);
    let at = |name: &str| place.path().join(name);
    symlink("gone", at("w/link")).unwrap();
    let code = attack("link", "link/h/config.yaml", HOSTILE);
    let told = run(&at("w"), &at("w/link/h"), &at("user"), &code);
    assert_eq!(told, "False\nFalse\nTrue\n");
    assert!(at("w/link").is_symlink() && !at("w/gone").exists());
}

#[test]
fn no_profile_and_no_root_of_one_is_written() {
    const WRITE: &str = r#"
from hermes_tools import write_file
for home in ("", "profiles/office/", "profiles/other/", "profiles/new/"):
    for name in ("config.yaml", ".env", "auth.json", "vault/x", "config.yaml/x"):
        if "error" not in write_file(home + name, "{}"):
            print(home + name)
for name in ("notes/x", "profiles/office/notes/x"):
    print("error" in write_file(name, "text"))
"#;
    for home in ["h", "h/profiles/office"] {
        let place = place(&["h/profiles/office", "h/profiles/other", "user"]);
        let at = |name: &str| place.path().join(name);
        let told = run(&at("h"), &at(home), &at("user"), WRITE);
        assert_eq!(told, "False\nFalse\n", "{home}");
    }
}

#[test]
fn a_home_that_is_missing_can_still_come_to_be() {
    const WRITE: &str = r#"
from hermes_tools import write_file
for path in ("a", "a/h", "a/h/profiles", "a/h/config.yaml/x", "a/h/vault"):
    print("error" in write_file(path, "x"))
"#;
    let place = place(&["w", "user"]);
    let at = |name: &str| place.path().join(name);
    let told = run(&at("w"), &at("w/a/h"), &at("user"), WRITE);
    assert_eq!(told, "True\n".repeat(5));
    assert!(!at("w/a").exists());
}

#[test]
fn instructions_are_not_changed_behind_a_link_to_them() {
    const WRITE: &str = r#"
from hermes_tools import write_file
print(write_file("real/x.md", "evil")["error"].split(" (")[0])
print("error" in write_file("real/y.md", "good"))
"#;
    let place = place(&["w/real", "user", "hh"]);
    let at = |name: &str| place.path().join(name);
    fs::write(at("w/real/x.md"), "own").unwrap();
    symlink("real/x.md", at("w/CLAUDE.md")).unwrap();
    let told = run(&at("w"), &at("hh"), &at("user"), WRITE);
    let refusal = "BLOCKED: write to protected agent-instruction file(s)";
    assert_eq!(told, format!("{refusal}\nFalse\n"));
    assert_eq!(fs::read_to_string(at("w/real/x.md")).unwrap(), "own");
}

/// Tells which links of a place lead where.
fn links(place: &Path, names: &[&str]) -> Vec<Option<PathBuf>> {
    let link = |name: &&str| fs::read_link(place.join(name)).ok();
    names.iter().map(link).collect()
}

#[test]
fn no_link_is_moved_to_where_another_step_of_the_patch_can_use_it() {
    for mode in ["strict", "project"] {
        // Each leads nowhere or to a file where it lies, and to the home where it would be moved.
        for (link, target, new) in [
            ("sub/dl", "hh", "d"),
            ("sub/dl", "../gone", "d"),
            ("dl", "gone", "d"),
        ] {
            let place = place(&["w/hh", "w/sub", "w/deep/er", "user"]);
            let at = |name: &str| place.path().join(name);
            symlink(target, at("w").join(link)).unwrap();
            let code = format!(
                "from hermes_tools import patch, write_file\nwrite_file('f', '{HOSTILE}')\nanswer = patch(mode='patch', patch='*** Begin Patch\\n*** Move File: {link} -> {new}\\n*** Move File: f -> {new}/config.yaml\\n*** End Patch')\nprint(answer['success'])"
            );
            let workdir = at("w");
            let workdir = workdir.to_str().unwrap();
            let ended = Cli::new(["run", "--mode", mode, "--workdir", workdir, "--code", &code])
                .env("HERMES_HOME", at("w/hh"))
                .run();
            ended.exits(0).prints("False\n");
            assert!(!at("w/hh/config.yaml").exists(), "{mode} {link}");
            let kept = links(&at("w"), &[link, new]);
            assert_eq!(kept, [Some(PathBuf::from(target)), None], "{mode}");
        }
    }
}

#[test]
fn a_link_to_a_file_is_deleted_and_moved_itself_in_every_mode() {
    for mode in ["strict", "project"] {
        let place = place(&["w/bin", "w/lib", "w/docs"]);
        let at = |name: &str| place.path().join("w").join(name);
        fs::write(at("lib/tool"), "tool").unwrap();
        symlink("../lib/tool", at("bin/tool")).unwrap();
        symlink("../lib/tool", at("bin/old")).unwrap();
        symlink("../lib/tool", at("bin/elsewhere")).unwrap();
        let steps = |steps: &str| {
            format!(
                "print(patch(mode='patch', patch='*** Begin Patch\\n{steps}\\n*** End Patch')['success'])\n"
            )
        };
        let code = "from hermes_tools import patch\n".to_owned()
            + &steps("*** Delete File: bin/tool")
            + &steps("*** Move File: bin/old -> bin/new")
            + &steps("*** Move File: bin/elsewhere -> docs/elsewhere");
        let workdir = place.path().join("w");
        let workdir = workdir.to_str().unwrap();
        Cli::new(["run", "--mode", mode, "--workdir", workdir, "--code", &code])
            .run()
            .exits(0)
            .prints("True\nTrue\nFalse\n");
        let target = Some(PathBuf::from("../lib/tool"));
        assert_eq!(
            links(
                &at("."),
                &["bin/tool", "bin/old", "bin/new", "bin/elsewhere"]
            ),
            [None, None, target.clone(), target],
            "{mode}"
        );
        assert_eq!(fs::read_to_string(at("lib/tool")).unwrap(), "tool");
    }
}

#[test]
fn a_home_is_protected_below_a_directory_whose_name_is_no_text() {
    const ATTACK: &str = r#"
from hermes_tools import patch, read_file, search_files, write_file
print(patch(mode="patch", patch="*** Move File: h/auth.json -> leak.txt").get("success", False))
print(*("error" in answer for answer in (
    read_file("h/auth.json"),
    read_file("leak.txt"),
    write_file("h/config.yaml", "code_execution: {mode: project}\n"),
    write_file(".ssh/id", "x"),
    write_file("notes", "x"),
)))
print("secret" in str(search_files("secr.t")))
"#;
    let place = place(&[]);
    let user = place.path().join(OsStr::from_bytes(b"u\xff"));
    fs::create_dir_all(user.join("h")).unwrap();
    fs::write(user.join("h/auth.json"), "secret").unwrap();
    let workdir = place.path().join("w");
    symlink(&user, &workdir).unwrap();
    let told = run(&workdir, &user.join("h"), &user, ATTACK);
    assert_eq!(told, "False\nTrue True True True False\nFalse\n");
    assert!(user.join("h/auth.json").exists() && !user.join(".ssh").exists());
}
