//! Where the entries of a protected directory really are: people keep single files elsewhere and link to them.
//!
//! What is looked at is bounded, for such a directory may hold a whole program.

use std::collections::VecDeque;
use std::fs;
use std::path::{Path, PathBuf};

use super::super::{lexically_normal, resolve_existing};

/// Links that are followed one after the other.
const MAX_LINKS: usize = 20;

/// Levels of directories below a row of a table in which links are looked for.
const MAX_LEVELS: usize = 2;

/// Entries that are looked at below one row of a table, those of upper levels first.
const MAX_ENTRIES: usize = 200;

/// A file or directory of a home that is kept elsewhere, by way of a symbolic link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Link {
    /// The path below the home by which it is known.
    pub(super) inner: PathBuf,
    /// Where it is; it need not be there yet.
    pub(super) target: PathBuf,
}

/// Finds out where a row of a table and the links in it lead, now.
pub(super) fn links(home: &Path, row: &str) -> Vec<Link> {
    let mut links = Vec::new();
    let path = home.join(row);
    let inner = PathBuf::from(row);
    if let Some(target) = real(&path) {
        let inner = inner.clone();
        links.push(Link { inner, target });
    }
    let mut left = MAX_ENTRIES;
    let mut directories = VecDeque::from([(path, inner, 1)]);
    while let Some((path, inner, level)) = directories.pop_front() {
        let Ok(entries) = fs::read_dir(&path) else {
            continue;
        };
        for entry in entries.flatten() {
            let Some(fewer) = left.checked_sub(1) else {
                return links;
            };
            left = fewer;
            let (path, inner) = (entry.path(), inner.join(entry.file_name()));
            let is_link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
            // A link that leads to a directory above the home would make all that the user has one of its entries.
            let target = real(&path).filter(|target| is_link && !is_in(home, target));
            if let Some(target) = target {
                let inner = inner.clone();
                links.push(Link { inner, target });
            }
            if level < MAX_LEVELS {
                directories.push_back((path, inner, level + 1));
            }
        }
    }
    links
}

/// Tells whether a home lies in a directory.
fn is_in(home: &Path, directory: &Path) -> bool {
    resolve_existing(home).starts_with(directory)
}

/// Returns every path by which an absolute one is known: as it is named, without `..` and without symbolic links.
///
/// A directory before a `..` may be missing now and be there later.
pub(super) fn spellings(path: &Path) -> Vec<PathBuf> {
    let normal = lexically_normal(path);
    let mut spellings = vec![
        path.to_owned(),
        lexically_normal(&resolve_existing(path)),
        resolve_existing(&normal),
        normal,
    ];
    spellings.sort();
    spellings.dedup();
    spellings
}

/// Returns where a path leads, if that is elsewhere; the file itself need not be there.
fn real(path: &Path) -> Option<PathBuf> {
    let mut target = path.to_owned();
    for _ in 0..MAX_LINKS {
        let Ok(next) = target.read_link() else { break };
        target = target.parent().unwrap_or(Path::new("/")).join(next);
    }
    let target = resolve_existing(&target);
    (target != path).then_some(target)
}

#[cfg(all(test, unix))]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn links_are_found_two_levels_deep_and_never_one_to_what_holds_the_home() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().canonicalize().unwrap();
        let home = root.join("home");
        fs::create_dir_all(home.join("vault/a/b")).unwrap();
        fs::create_dir(root.join("kept")).unwrap();
        for (link, target) in [
            ("vault/one", "../../kept/one"),
            ("vault/a/two", "../../../kept/two"),
            ("vault/a/b/three", "../../../../kept/three"),
            ("vault/up", "../.."),
            ("vault/loop", "loop"),
        ] {
            symlink(target, home.join(link)).unwrap();
        }
        let mut found = links(&home, "vault");
        found.retain(|link| link.target.starts_with(root.join("kept")) || link.target == root);
        found.sort_by(|left, right| left.inner.cmp(&right.inner));
        let link = |inner: &str, target: &str| Link {
            inner: inner.into(),
            target: root.join(target),
        };
        let expected = [
            link("vault/a/two", "kept/two"),
            link("vault/one", "kept/one"),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_full_directory_hides_no_link_above_it() {
        let place = tempfile::tempdir().unwrap();
        let home = place.path().canonicalize().unwrap();
        fs::create_dir_all(home.join("vault/full")).unwrap();
        for index in 0..=MAX_ENTRIES {
            fs::write(home.join(format!("vault/full/{index}")), "").unwrap();
        }
        for index in 0..9 {
            symlink("/kept", home.join(format!("vault/{index}"))).unwrap();
        }
        assert_eq!(links(&home, "vault").len(), 9);
    }

    #[test]
    fn a_path_is_known_without_what_it_leaves_again() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().canonicalize().unwrap();
        assert!(spellings(&root.join("gone/../x")).contains(&root.join("x")));
        fs::create_dir_all(root.join("far/near")).unwrap();
        symlink("far/near", root.join("link")).unwrap();
        let found = spellings(&root.join("link/../x"));
        for name in ["link/../x", "far/x", "x"] {
            assert!(found.contains(&root.join(name)), "{name}: {found:?}");
        }
    }
}
