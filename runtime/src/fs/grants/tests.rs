//! That no accepted path leads out, by its text, by planted links, or by a swap during use.

#![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use std::error::Error as _;
use std::fs;
use std::io::{self, Read as _};
use std::os::unix::fs::symlink;
use std::thread;

use proptest::prelude::*;
use tempfile::TempDir;

use super::*;

const SECRET: &str = "outside";

/// A granted directory beside a secret, with links that lead out planted in it.
fn planted() -> (TempDir, Arc<Scope>) {
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
    (place, Arc::new(scope))
}

/// Finds a path in a scope that is the only grant.
fn resolve(scope: &Arc<Scope>, path: &str) -> Result<Place, PathRefusal> {
    Grants::of(Arc::clone(scope)).place(path, Access::Read)
}

fn read(place: &Place) -> io::Result<String> {
    let mut text = String::new();
    place.dir().open(place.path())?.read_to_string(&mut text)?;
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
            resolve(&scope, path).unwrap().path(),
            Path::new("a/file"),
            "{path}"
        );
    }
    for path in [".", "a/..", &root, &format!("{root}/")] {
        let resolved = resolve(&scope, path).unwrap();
        assert_eq!(resolved.path(), Path::new("."), "{path}");
        assert_eq!(resolved.display(), root);
    }
}

#[test]
fn paths_that_leave_are_refused_by_name() {
    let (_place, scope) = planted();
    let root = scope.root().to_str().unwrap().to_owned();
    for path in ["..", "../secret", "/etc/passwd", "/", "~/x", "~"] {
        let text = resolve(&scope, path).unwrap_err().to_string();
        let expected = format!(
            "Access denied: '{path}' lies outside the working directory granted to this script."
        );
        assert_eq!(text, expected);
    }
    for path in [format!("{root}ly/file"), format!("{root}/../secret")] {
        assert_eq!(
            resolve(&scope, &path).unwrap_err(),
            PathRefusal::Outside(path)
        );
    }
    assert_eq!(resolve(&scope, "").unwrap_err(), PathRefusal::Empty);
    assert_eq!(resolve(&scope, "a\0b").unwrap_err(), PathRefusal::Nul);
}

#[test]
fn a_scope_reached_through_a_link_accepts_both_absolute_names() {
    let place = tempfile::tempdir().unwrap();
    fs::create_dir(place.path().join("real")).unwrap();
    symlink("real", place.path().join("link")).unwrap();
    let scope = Arc::new(Scope::open(place.path().join("link")).unwrap());
    for name in ["real", "link"] {
        let path = place.path().canonicalize().unwrap().join(name).join("x");
        let resolved = resolve(&scope, path.to_str().unwrap()).unwrap();
        assert_eq!(resolved.path(), Path::new("x"));
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
        let link = resolve(&scope, path).unwrap();
        let error = read(&link).unwrap_err();
        assert_eq!(
            link.explain(&error, "read"),
            format!(
                "Access denied: '{path}' lies outside the working directory granted to this script."
            )
        );
    }
    assert_eq!(read(&resolve(&scope, "in").unwrap()).unwrap(), "inside");
}

#[test]
fn a_link_swapped_in_during_use_never_escapes() {
    let (place, scope) = planted();
    let (target, spare) = (scope.root().join("swap"), place.path().join("spare"));
    fs::write(&target, "inside").unwrap();
    let path = resolve(&scope, "swap").unwrap();
    let swapper = thread::spawn(move || {
        for _ in 0..2_000 {
            symlink("../secret", &spare).unwrap();
            fs::rename(&spare, &target).unwrap();
            fs::write(&spare, "inside").unwrap();
            fs::rename(&spare, &target).unwrap();
        }
    });
    while !swapper.is_finished() {
        if let Ok(text) = read(&path) {
            assert_eq!(text, "inside");
        }
    }
    swapper.join().unwrap();
    assert_eq!(read(&path).unwrap(), "inside");
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
        if let Ok(resolved) = resolve(&scope, &path) {
            let plain = |part| matches!(part, Component::Normal(_) | Component::CurDir);
            prop_assert!(resolved.path().components().all(plain), "{path}");
            if let Ok(text) = read(&resolved) {
                prop_assert_eq!(text, "inside", "{}", path);
            }
        }
    }
}

#[test]
fn a_further_directory_may_be_read_or_changed_as_granted() {
    let place = tempfile::tempdir().unwrap();
    let root = place.path().canonicalize().unwrap();
    for name in ["work", "read", "write", "read/inner"] {
        fs::create_dir(root.join(name)).unwrap();
    }
    let open = |name: &str| Arc::new(Scope::open(root.join(name)).unwrap());
    let grants = Grants::of(open("work"))
        .with(open("read"), Access::Read)
        .with(open("write"), Access::Write)
        .with(open("read/inner"), Access::Write);
    let path = |name: &str| root.join(name).to_str().unwrap().to_owned();
    let rows = [
        ("work/x", Access::Write, Ok("work/x")),
        ("read/x", Access::Read, Ok("read/x")),
        ("read/x", Access::Write, Err("may only be read")),
        ("read/inner/x", Access::Write, Ok("read/inner/x")),
        ("write/x", Access::Write, Ok("write/x")),
        ("write/../read/x", Access::Read, Ok("read/x")),
        ("x", Access::Read, Err("lies outside")),
    ];
    for (name, access, expected) in rows {
        let found = grants
            .place(&path(name), access)
            .map(|place| place.display());
        match expected {
            Ok(expected) => assert_eq!(found.unwrap(), path(expected)),
            Err(part) => assert!(found.unwrap_err().to_string().contains(part), "{name}"),
        }
    }
    let relative = grants.place("../write/x", Access::Write).unwrap();
    assert_eq!(
        (relative.display(), relative.given()),
        (path("write/x"), "../write/x")
    );
}

#[test]
fn without_a_working_directory_only_absolute_paths_mean_something() {
    let (_place, scope) = planted();
    let grants = Grants::default().with(Arc::clone(&scope), Access::Read);
    assert_eq!(
        grants.place("file", Access::Read).unwrap_err(),
        PathRefusal::NoWorkdir("file".to_owned())
    );
    let absolute = scope.root().join("file");
    let place = grants
        .place(absolute.to_str().unwrap(), Access::Read)
        .unwrap();
    assert_eq!(read(&place).unwrap(), "inside");
    assert_eq!(
        Grants::default().place("file", Access::Read).unwrap_err(),
        PathRefusal::NothingGranted
    );
}

#[test]
fn the_whole_host_is_reached_through_links_and_from_the_working_directory() {
    let (place, scope) = planted();
    let grants = Grants::whole_host(Arc::clone(&scope)).unwrap();
    assert!(!grants.is_confined());
    let secret = place.path().join("secret").canonicalize().unwrap();
    for path in [
        "../secret",
        "out",
        "absolute",
        "up/secret",
        secret.to_str().unwrap(),
    ] {
        let found = grants.place(path, Access::Read).unwrap();
        assert_eq!(found.absolute(), secret, "{path}");
        assert_eq!(read(&found).unwrap(), SECRET);
    }
    let missing = grants.place("a/new/file", Access::Write).unwrap();
    assert_eq!(missing.absolute(), scope.root().join("a/new/file"));
    let home = std::env::home_dir().unwrap();
    let below_home = grants.place("~/no-such-file", Access::Read).unwrap();
    assert_eq!(
        below_home.absolute(),
        home.canonicalize().unwrap().join("no-such-file")
    );
}
