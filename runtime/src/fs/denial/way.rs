//! The way from the root to a path: what the system passes before it arrives, and what the path is called after each symbolic link.
//!
//! Whoever takes away or replaces an entry that is passed makes the path lead elsewhere, or nowhere.

use std::path::{Component, Path, PathBuf};

use super::super::lexically_normal;

/// Links that are followed on one way, as many as Linux follows.
const MAX_LINKS: usize = 40;

/// The way to one path, as it is now.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Way {
    /// Directories, links to directories, and what would have to be a directory and is missing: each without a link before its last name.
    pub(super) passed: Vec<PathBuf>,
    /// What the path is called after each link that was followed. The last one has no links.
    pub(super) names: Vec<PathBuf>,
}

impl Way {
    /// Follows an absolute path; nothing of it need be there.
    pub(super) fn of(path: &Path) -> Self {
        Self::between(PathBuf::new(), path)
    }

    /// Follows a path that begins in a directory whose own path has no links.
    pub(super) fn between(mut real: PathBuf, path: &Path) -> Self {
        let mut way = Self::default();
        let mut rest = path.to_owned();
        let mut links = 0;
        loop {
            let mut parts = rest.components();
            let Some(part) = parts.next() else { break };
            let mut after = parts.as_path().to_owned();
            match part {
                Component::Normal(name) => {
                    real.push(name);
                    if after.components().next().is_some() {
                        way.passed.push(real.clone());
                    }
                    if let Ok(target) = real.read_link() {
                        links += 1;
                        if links > MAX_LINKS {
                            break;
                        }
                        real.pop();
                        after = target.join(after);
                        way.names.push(lexically_normal(&real.join(&after)));
                    }
                }
                // Where the directory before it is missing, it leaves that one all the same: the directory can come to be.
                Component::ParentDir => {
                    real.pop();
                }
                Component::RootDir | Component::Prefix(_) => real.push(part),
                Component::CurDir => {}
            }
            rest = after;
        }
        if way.names.last() != Some(&real) {
            way.names.push(real);
        }
        way
    }

    /// Tells whether a path has no link on its way, nor anything else that its real path has not.
    pub(super) fn is_plain(path: &Path) -> bool {
        let way = Self::of(path);
        matches!(way.names.as_slice(), [name] if name.as_os_str() == path.as_os_str())
    }
}

/// Returns the absolute paths that a symbolic link is called by, from the one it names to the real one; none for anything else.
pub(crate) fn link_names(link: &Path) -> Vec<PathBuf> {
    if link.is_symlink() {
        Way::of(link).names
    } else {
        Vec::new()
    }
}

/// Tells whether an absolute path is one of those that a symbolic link is called by.
pub(crate) fn leads_to(link: &Path, path: &Path) -> bool {
    link_names(link).iter().any(|name| name == path)
}

#[cfg(all(test, unix))]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    /// Returns what is passed below the test's directory, and the names, without the part before it.
    fn way(root: &Path, path: &str) -> (Vec<String>, Vec<String>) {
        let inner = |paths: Vec<PathBuf>| {
            let inner = paths.iter().filter_map(|path| path.strip_prefix(root).ok());
            let inner = inner.filter(|path| !path.as_os_str().is_empty());
            inner.map(|path| path.display().to_string()).collect()
        };
        let way = Way::of(&root.join(path));
        (inner(way.passed), inner(way.names))
    }

    #[test]
    fn every_entry_and_every_name_on_the_way_is_told() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().canonicalize().unwrap();
        fs::create_dir_all(root.join("dot/v1")).unwrap();
        fs::create_dir_all(root.join("hh/in")).unwrap();
        for (link, target) in [
            ("dot/current", "v1".to_owned()),
            ("hh/config", format!("{}/dot/current/x", root.display())),
            ("one", "two".to_owned()),
            ("two", "gone/deep".to_owned()),
            ("up", "dot/current/../y".to_owned()),
            ("loop", "loop".to_owned()),
        ] {
            symlink(target, root.join(link)).unwrap();
        }
        let rows: [(&str, &[&str], &[&str]); 5] = [
            (
                "hh/config",
                &["hh", "dot", "dot/current", "dot/v1"],
                &["dot/current/x", "dot/v1/x"],
            ),
            (
                "one/a",
                &["one", "two", "gone", "gone/deep"],
                &["two/a", "gone/deep/a"],
            ),
            ("up", &["dot", "dot/current", "dot/v1"], &["dot/y"]),
            ("hh/in/../gone/../x", &["hh", "hh/in", "hh/gone"], &["hh/x"]),
            ("hh/in", &["hh"], &["hh/in"]),
        ];
        for (path, passed, names) in rows {
            let (found_passed, mut found_names) = way(&root, path);
            assert_eq!(found_passed, passed, "{path}");
            found_names.dedup();
            assert_eq!(found_names, names, "{path}");
        }
        assert!(way(&root, "loop").1.iter().all(|name| name == "loop"));
    }
}
