//! Where the entries of a protected directory really are: people keep single files elsewhere and link to them.
//!
//! What is looked at is bounded, for such a directory may hold a whole program.

use std::collections::VecDeque;
use std::fs;
use std::path::{Path, PathBuf};

use super::super::{lexically_normal, resolve_existing};
use super::prefix::strip_plain_prefix;
use super::way::Way;

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

impl Link {
    /// Returns the path below the home by which a path without needless separators is known, if it is or lies below what is kept elsewhere.
    pub(super) fn inner_of(&self, path: &Path) -> Option<PathBuf> {
        let rest = strip_plain_prefix(path, &self.target)?;
        // Joining an empty path would add a trailing slash.
        Some(if rest.as_os_str().is_empty() {
            self.inner.clone()
        } else {
            self.inner.join(rest)
        })
    }
}

/// What was found about a row of a table.
#[derive(Debug, Default)]
pub(super) struct Links {
    /// Each link by every name that it has on its way, the last of which is where it leads.
    pub(super) links: Vec<Link>,
    /// What is passed on these ways.
    pub(super) passed: Vec<PathBuf>,
}

/// Finds out where a row of a table and the links in it lead, now, by the home's path without links.
pub(super) fn links(home: &Path, row: &Path) -> Links {
    let path = home.join(row);
    let inner = row.to_owned();
    let mut found = Links::default();
    let way = Way::between(home.to_owned(), row);
    found.add(way, &inner, |name| *name != path);
    let mut left = MAX_ENTRIES;
    let mut directories = VecDeque::from([(path, inner, 1)]);
    while let Some((path, inner, level)) = directories.pop_front() {
        let Ok(entries) = fs::read_dir(&path) else {
            continue;
        };
        for entry in entries.flatten() {
            let Some(fewer) = left.checked_sub(1) else {
                return found;
            };
            left = fewer;
            let (path, inner) = (entry.path(), inner.join(entry.file_name()));
            if entry.file_type().is_ok_and(|kind| kind.is_symlink()) {
                // A link that leads to a directory above the home would make all that the user has one of its entries.
                let is_kept = |name: &PathBuf| *name != path && !home.starts_with(name);
                found.add(Way::of(&path), &inner, is_kept);
            }
            if level < MAX_LEVELS {
                directories.push_back((path, inner, level + 1));
            }
        }
    }
    found
}

impl Links {
    fn add(&mut self, way: Way, inner: &Path, is_kept: impl Fn(&PathBuf) -> bool) {
        let names = way.names.into_iter().filter(is_kept);
        self.links.extend(names.map(|target| Link {
            inner: inner.to_owned(),
            target,
        }));
        self.passed.extend(way.passed);
    }
}

/// Returns every path by which an absolute one is known: as it is named, without `..`, after each symbolic link and without any.
///
/// A directory before a `..` may be missing now and be there later.
pub(super) fn spellings(path: &Path) -> Vec<PathBuf> {
    let normal = lexically_normal(path);
    let mut spellings = vec![lexically_normal(&resolve_existing(path))];
    spellings.extend(Way::of(path).names);
    spellings.extend(Way::of(&normal).names);
    // The components of a path are without needless separators and dots.
    spellings.extend([path.components().collect(), normal]);
    spellings.sort();
    spellings.dedup();
    spellings
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
        let mut found = links(&home, Path::new("vault")).links;
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
        assert_eq!(links(&home, Path::new("vault")).links.len(), 9);
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
