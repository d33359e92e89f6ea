//! That no accepted path leads out, by its text, by planted links, or by a swap during use.

#![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use std::error::Error as _;
use std::fs;
use std::io::Read as _;
use std::os::unix::fs::symlink;
use std::thread;

use proptest::prelude::*;
use tempfile::TempDir;

use super::*;

const SECRET: &str = "outside";

/// A scope beside a secret, with links that lead out planted in it.
fn planted() -> (TempDir, Scope) {
    let place = tempfile::tempdir().unwrap();
    let root = place.path().join("granted");
    fs::create_dir_all(root.join("a/b")).unwrap();
    fs::write(place.path().join("secret"), SECRET).unwrap();
    fs::write(root.join("file"), "inside").unwrap();
    fs::write(root.join("a/file"), "inside").unwrap();
    symlink("../secret", root.join("out")).unwrap();
    symlink("..", root.join("up")).unwrap();
    symlink("../../..", root.join("a/b/up")).unwrap();
    symlink(place.path().join("secret"), root.join("absolute")).unwrap();
    symlink("a/file", root.join("in")).unwrap();
    let scope = Scope::open(&root).unwrap();
    (place, scope)
}

fn read(scope: &Scope, path: &RelPath) -> io::Result<String> {
    let mut text = String::new();
    scope
        .dir()
        .open(path.as_path())?
        .read_to_string(&mut text)?;
    Ok(text)
}

#[test]
fn paths_inside_are_normalised() {
    let (_place, scope) = planted();
    let root = scope.root().to_str().unwrap().to_owned();
    for path in [
        "a/file",
        "./a//file",
        "a/b/../file",
        "a/file/",
        &format!("{root}/a/./file"),
    ] {
        assert_eq!(
            scope.resolve(path).unwrap().as_path(),
            Path::new("a/file"),
            "{path}"
        );
    }
    for path in [".", "a/..", &root, &format!("{root}/")] {
        let resolved = scope.resolve(path).unwrap();
        assert_eq!(resolved.as_path(), Path::new("."), "{path}");
        assert_eq!(scope.display(&resolved), root);
    }
}

#[test]
fn paths_that_leave_are_refused_by_name() {
    let (_place, scope) = planted();
    let root = scope.root().to_str().unwrap().to_owned();
    for path in [
        "..",
        "../secret",
        "a/../../granted/file",
        "/etc/passwd",
        "/",
        "~/x",
        "~",
    ] {
        let text = scope.resolve(path).unwrap_err().to_string();
        let expected = format!(
            "Access denied: '{path}' lies outside the working directory granted to this script."
        );
        assert_eq!(text, expected);
    }
    for path in [format!("{root}ly/file"), format!("{root}/../secret")] {
        assert_eq!(scope.resolve(&path), Err(PathRefusal::Outside(path)));
    }
    assert_eq!(scope.resolve(""), Err(PathRefusal::Empty));
    assert_eq!(scope.resolve("a\0b"), Err(PathRefusal::Nul));
}

#[test]
fn a_scope_reached_through_a_link_accepts_both_absolute_names() {
    let place = tempfile::tempdir().unwrap();
    fs::create_dir(place.path().join("real")).unwrap();
    symlink("real", place.path().join("link")).unwrap();
    let scope = Scope::open(place.path().join("link")).unwrap();
    for name in ["real", "link"] {
        let path = place.path().canonicalize().unwrap().join(name).join("x");
        let resolved = scope.resolve(path.to_str().unwrap()).unwrap();
        assert_eq!(resolved.as_path(), Path::new("x"));
    }
}

#[test]
fn a_missing_directory_is_an_error_with_its_cause_and_a_hint() {
    let error = Scope::open("/no/such/directory").unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot open the working directory '/no/such/directory'; give the path of an existing directory that this user may read"
    );
    let source = error.source().unwrap().downcast_ref::<io::Error>().unwrap();
    assert_eq!(source.kind(), io::ErrorKind::NotFound);
}

#[test]
fn links_that_lead_out_are_refused_at_open_and_inner_links_work() {
    let (_place, scope) = planted();
    for path in ["out", "out/", "up/secret", "a/b/up/secret", "absolute"] {
        let error = read(&scope, &scope.resolve(path).unwrap()).unwrap_err();
        assert_eq!(
            Scope::explain(&error, "read", path),
            format!(
                "Access denied: '{path}' lies outside the working directory granted to this script."
            )
        );
    }
    assert_eq!(
        read(&scope, &scope.resolve("in").unwrap()).unwrap(),
        "inside"
    );
}

#[test]
fn a_link_swapped_in_during_use_never_escapes() {
    let (place, scope) = planted();
    let (target, spare) = (scope.root().join("swap"), place.path().join("spare"));
    fs::write(&target, "inside").unwrap();
    let path = scope.resolve("swap").unwrap();
    let swapper = thread::spawn(move || {
        for _ in 0..2_000 {
            symlink("../secret", &spare).unwrap();
            fs::rename(&spare, &target).unwrap();
            fs::write(&spare, "inside").unwrap();
            fs::rename(&spare, &target).unwrap();
        }
    });
    while !swapper.is_finished() {
        if let Ok(text) = read(&scope, &path) {
            assert_eq!(text, "inside");
        }
    }
    swapper.join().unwrap();
    assert_eq!(read(&scope, &path).unwrap(), "inside");
}

fn component() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "", ".", "..", "a", "b", "file", "in", "out", "up", "absolute", "secret", "granted", "~",
    ])
}

proptest! {
    #[test]
    fn no_accepted_path_ever_leaves(
        parts in prop::collection::vec(component(), 0..9),
        lead in prop::sample::select(vec!["", "/", "ROOT/", "ROOT", "//", "./"]),
        trail in prop::sample::select(vec!["", "/", "/.", "/.."]),
    ) {
        let (_place, scope) = planted();
        let lead = lead.replace("ROOT", scope.root().to_str().unwrap());
        let path = format!("{lead}{}{trail}", parts.join("/"));
        if let Ok(resolved) = scope.resolve(&path) {
            let plain = |part| matches!(part, Component::Normal(_) | Component::CurDir);
            prop_assert!(resolved.as_path().components().all(plain), "{path}");
            if let Ok(text) = read(&scope, &resolved) {
                prop_assert_eq!(text, "inside", "{}", path);
            }
        }
    }
}
