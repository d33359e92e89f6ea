//! Which directories hold hermes's data: the one that is named, its profiles, and where it is a profile itself, the one that holds all profiles.
//!
//! Each of them has a configuration and credentials of its own, whichever of them this process uses.

use std::path::{Path, PathBuf};

use super::links::spellings;
use super::prefix::strip_prefix;

/// Directory of hermes's data in which every profile has a directory like the whole.
pub(super) const PROFILES: &str = "profiles";

/// Profiles of a directory in which links are looked for.
const MAX_PROFILES: usize = 50;

/// Returns every directory of data that belongs with an absolute one, by every path that it is known by.
///
/// Of the profiles these are the ones that are there now; [`inner`] knows the others by their names.
pub(super) fn homes(home: &Path) -> Vec<PathBuf> {
    let mut homes = spellings(home);
    let roots: Vec<_> = homes.iter().filter_map(|home| root_of(home)).collect();
    homes.extend(roots.iter().flat_map(|root| spellings(root)));
    homes.sort();
    homes.dedup();
    let profiles: Vec<_> = homes.iter().flat_map(|home| profiles(home)).collect();
    homes.extend(profiles.iter().flat_map(|profile| spellings(profile)));
    homes.sort();
    homes.dedup();
    homes
}

/// Returns the directory of all profiles' data, for the one of a profile.
fn root_of(home: &Path) -> Option<PathBuf> {
    let parent = home.parent().filter(|parent| parent.ends_with(PROFILES))?;
    parent.parent().map(Path::to_owned)
}

/// Returns the directories of the profiles in one of hermes's data.
fn profiles(home: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let entries = std::fs::read_dir(home.join(PROFILES)).into_iter().flatten();
    let paths = entries.flatten().map(|entry| entry.path());
    paths.take(MAX_PROFILES).filter(|path| path.is_dir())
}

/// Returns the path below the directory of its profile, for a path below that of hermes's data.
pub(super) fn inner(path: &Path) -> Option<&Path> {
    let mut components = strip_prefix(path, Path::new(PROFILES))?.components();
    components.next()?;
    Some(components.as_path())
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use super::*;

    #[test]
    fn a_profile_belongs_with_its_root_and_its_neighbours() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().canonicalize().unwrap();
        for directory in ["h/profiles/a", "h/profiles/b", "other/profiles/c"] {
            std::fs::create_dir_all(root.join(directory)).unwrap();
        }
        std::fs::write(root.join("h/profiles/file"), "").unwrap();
        let all = ["h", "h/profiles/a", "h/profiles/b"].map(|path| root.join(path));
        assert_eq!(homes(&root.join("h")), all);
        assert_eq!(homes(&root.join("h/profiles/a")), all);
        let new = homes(&root.join("h/profiles/new"));
        assert!(new.contains(&root.join("h")) && new.contains(&root.join("h/profiles/b")));
    }

    #[cfg(unix)]
    #[test]
    fn a_profile_and_a_home_behind_links_are_known_by_each_name() {
        use std::os::unix::fs::symlink;

        let place = tempfile::tempdir().unwrap();
        let root = place.path().canonicalize().unwrap();
        for directory in ["h/profiles", "kept/work"] {
            std::fs::create_dir_all(root.join(directory)).unwrap();
        }
        symlink("../../kept/work", root.join("h/profiles/office")).unwrap();
        symlink("h/profiles/office", root.join("mine")).unwrap();
        for home in ["h", "mine", "h/profiles/office"] {
            let found = homes(&root.join(home));
            for known in ["h", "h/profiles/office", "kept/work"] {
                assert!(found.contains(&root.join(known)), "{home}: {found:?}");
            }
        }
    }

    #[test]
    fn a_path_below_a_profile_is_one_below_a_home() {
        for (path, expected) in [
            ("profiles/a/config.yaml", Some("config.yaml")),
            ("Profiles/a/vault/x", Some("vault/x")),
            ("profiles/a", Some("")),
            ("profiles", None),
            ("config.yaml", None),
        ] {
            assert_eq!(inner(Path::new(path)), expected.map(Path::new), "{path}");
        }
    }
}
