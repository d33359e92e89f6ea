//! That files change all or none, whichever step fails, and that nothing stays behind.

#![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::sync::Arc;

use super::*;
use crate::fs::{Access, Grants, Scope};
use crate::tools::granted::Granted;

fn place(granted: &Granted, name: &str) -> Place {
    let scope = Scope::open(granted.path("")).unwrap();
    let grants = Grants::of(Arc::new(scope));
    grants.place(name, Access::Write).unwrap()
}

/// Returns all files below a directory with their contents, and the empty directories.
fn tree(root: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut open = vec![root.to_owned()];
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            let name = path
                .strip_prefix(root)
                .unwrap()
                .to_str()
                .unwrap()
                .to_owned();
            if path.is_dir() {
                found.insert(format!("{name}/"), String::new());
                open.push(path);
            } else {
                found.insert(name, fs::read_to_string(path).unwrap());
            }
        }
    }
    found
}

#[test]
fn a_failure_at_any_moment_restores_every_file() {
    let mut outcomes = Vec::new();
    for allowed_looks in 0.. {
        let granted = Granted::new();
        granted.put("old", "old content");
        granted.put("moved", "moved content");
        granted.put("gone", "gone content");
        fs::set_permissions(granted.path("old"), fs::Permissions::from_mode(0o640)).unwrap();
        let before = tree(&granted.path(""));
        let [old, new, moved, target, gone] =
            ["old", "a/b/new", "moved", "c/target", "gone"].map(|name| place(&granted, name));
        let file = target::read(&old, &ReadDenials::default())
            .unwrap()
            .unwrap();
        let steps = [
            Step::Write {
                place: &old,
                shown: "old",
                old: Some(&file),
                like: None,
                content: b"new content",
            },
            Step::Write {
                place: &new,
                shown: "a/b/new",
                old: None,
                like: None,
                content: b"added",
            },
            Step::Rename {
                from: &moved,
                to: &target,
                shown: "moved",
            },
            Step::Delete {
                place: &gone,
                shown: "gone",
            },
        ];
        let looks = Cell::new(0);
        let result = apply(&steps, &ReadDenials::default(), &|| {
            looks.set(looks.get() + 1);
            looks.get() > allowed_looks
        });
        let after = tree(&granted.path(""));
        match result {
            Ok(()) => {
                let expected = [
                    ("a/", ""),
                    ("a/b/", ""),
                    ("a/b/new", "added"),
                    ("c/", ""),
                    ("c/target", "moved content"),
                    ("old", "new content"),
                ];
                let expected = expected.map(|(name, text)| (name.to_owned(), text.to_owned()));
                assert_eq!(after, BTreeMap::from(expected));
                break;
            }
            Err(ApplyFault::Failed {
                failures,
                is_restored,
            }) => {
                assert!(is_restored, "{failures:?}");
                assert_eq!(after, before, "after {allowed_looks} looks");
                let mode = fs::metadata(granted.path("old"))
                    .unwrap()
                    .permissions()
                    .mode();
                assert_eq!(mode & 0o777, 0o640);
                outcomes.push(failures[0].to_string());
            }
            Err(ApplyFault::Stale) => panic!("nothing else changes the files"),
        }
    }
    outcomes.dedup();
    assert_eq!(
        outcomes,
        [
            "Failed to update old: Failed to write 'old': the cell has ended",
            "Failed to add a/b/new: Failed to write 'a/b/new': the cell has ended",
            "Failed to move moved: Failed to move 'moved': the cell has ended",
            "Failed to delete gone: Failed to delete 'gone': the cell has ended",
        ]
    );
}

#[test]
fn files_that_changed_meanwhile_stop_everything() {
    let granted = Granted::new();
    granted.put("x", "one");
    let x = place(&granted, "x");
    let file = target::read(&x, &ReadDenials::default()).unwrap().unwrap();
    granted.put("x", "two");
    let [write, add, rename, delete] = [
        Step::Write {
            place: &x,
            shown: "x",
            old: Some(&file),
            like: None,
            content: b"three",
        },
        Step::Write {
            place: &x,
            shown: "x",
            old: None,
            like: None,
            content: b"three",
        },
        Step::Rename {
            from: &x,
            to: &x,
            shown: "x",
        },
        Step::Delete {
            place: &place(&granted, "y"),
            shown: "y",
        },
    ];
    for step in [write, add, rename, delete] {
        assert!(matches!(
            apply(&[step], &ReadDenials::default(), &|| false),
            Err(ApplyFault::Stale)
        ));
    }
    assert_eq!(granted.get("x"), "two");
}

#[test]
fn a_rename_never_replaces_a_file() {
    let granted = Granted::new();
    granted.put("from", "1");
    granted.put("to", "2");
    let error = rename(&place(&granted, "from"), &place(&granted, "to")).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
    assert_eq!(
        (granted.get("from"), granted.get("to")),
        ("1".into(), "2".into())
    );
}
