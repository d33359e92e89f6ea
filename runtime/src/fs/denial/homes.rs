//! The user's home directory and the directory of hermes's own data, by every path that leads to them.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use super::links::{Link, links, spellings};
use super::write::{HERMES_CONFIG, OF_HERMES, OF_USER};
use crate::config::hermes_home;

/// Holds both directories, each as it is named and without symbolic links.
#[derive(Debug, Clone, Default)]
pub(crate) struct Homes {
    user: Vec<PathBuf>,
    hermes: Vec<PathBuf>,
    /// What of these directories lies elsewhere, by the path below that it has there.
    elsewhere: Vec<(Home, Link)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Home {
    User,
    Hermes,
}

impl Home {
    /// Returns the files and directories in it that are not to be changed.
    fn rows(self) -> impl Iterator<Item = &'static str> {
        let (rows, config) = match self {
            Self::User => (&OF_USER[..], None),
            Self::Hermes => (&OF_HERMES[..], Some(HERMES_CONFIG)),
        };
        rows.iter().copied().chain(config)
    }
}

impl Homes {
    /// Returns the directories of the user who runs this process.
    pub(crate) fn from_environment() -> Self {
        Self::of(std::env::home_dir(), hermes_home()).with_links()
    }

    /// Returns these directories; `.hermes` in the user's home is one of hermes's own in any case.
    pub(crate) fn of(user: Option<PathBuf>, hermes: Option<PathBuf>) -> Self {
        let usual = user.as_ref().map(|user| user.join(".hermes"));
        let mut homes = Self::default();
        for (home, path) in [
            (Home::User, user),
            (Home::Hermes, hermes),
            (Home::Hermes, usual),
        ] {
            // A relative or empty home is none.
            if let Some(path) = path.filter(|path| path.is_absolute()) {
                homes.add(home, &path);
            }
        }
        homes
    }

    fn add(&mut self, home: Home, path: &Path) {
        for place in spellings(path) {
            if place.parent().is_none() {
                // The root as a home would make every file the user's own; what the tables name is so nevertheless.
                let files = home.rows().map(|row| {
                    let (inner, target) = (PathBuf::from(row), place.join(row));
                    (home, Link { inner, target })
                });
                self.elsewhere.extend(files);
            } else if home == Home::User {
                self.user.push(place);
            } else {
                self.hermes.push(place);
            }
        }
    }

    /// Finds out where the files and directories that are not to be changed really are, now, and links in these directories: people keep them
    /// elsewhere, and a file that is not there yet can be made through its link.
    #[must_use]
    pub(crate) fn with_links(mut self) -> Self {
        let user = self.user.iter().map(|place| (Home::User, &**place));
        let hermes = self.hermes.iter().map(|place| (Home::Hermes, &**place));
        let whole = user.chain(hermes).flat_map(|(home, place)| {
            let rows = home.rows().flat_map(|row| links(place, row));
            rows.map(move |link| (home, link)).collect::<Vec<_>>()
        });
        let of_root = self.elsewhere.iter().flat_map(|(home, link)| {
            let links = links(Path::new("/"), &link.inner.to_string_lossy());
            links.into_iter().map(|link| (*home, link))
        });
        let found: Vec<_> = whole.chain(of_root).collect();
        self.elsewhere.extend(found);
        self
    }

    /// Returns the part of a path below the user's home.
    pub(crate) fn below_user<'p>(&self, path: &'p Path) -> Option<Cow<'p, Path>> {
        let plain = below(&self.user, path).map(Cow::Borrowed);
        plain.or_else(|| self.linked(Home::User, path).map(Cow::Owned))
    }

    /// Returns the part of a path below the directory of hermes.
    pub(crate) fn below_hermes<'p>(&self, path: &'p Path) -> Option<Cow<'p, Path>> {
        let plain = below(&self.hermes, path).map(Cow::Borrowed);
        plain.or_else(|| self.linked(Home::Hermes, path).map(Cow::Owned))
    }

    /// Returns the path below a home by which a path is reached through a link there.
    fn linked(&self, home: Home, path: &Path) -> Option<PathBuf> {
        let mut links = self.elsewhere.iter().filter(|(of, _)| *of == home);
        links.find_map(|(_, link)| {
            let rest = path.strip_prefix(&link.target).ok()?;
            // Joining an empty path would add a trailing slash.
            let is_itself = rest.as_os_str().is_empty();
            Some(if is_itself {
                link.inner.clone()
            } else {
                link.inner.join(rest)
            })
        })
    }
}

fn below<'p>(homes: &[PathBuf], path: &'p Path) -> Option<&'p Path> {
    homes.iter().find_map(|home| path.strip_prefix(home).ok())
}

#[cfg(all(test, unix))]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn what_is_kept_elsewhere_is_known_by_where_it_is() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().canonicalize().unwrap();
        let at = |name: &str| root.join(name);
        for directory in ["user", "hermes", "kept/ssh"] {
            fs::create_dir_all(at(directory)).unwrap();
        }
        fs::write(at("kept/config"), "").unwrap();
        symlink(at("kept/config"), at("hermes/config.yaml")).unwrap();
        symlink("../kept/gone", at("hermes/.env")).unwrap();
        symlink(at("kept/ssh"), at("user/.ssh")).unwrap();
        symlink("loop", at("hermes/loop")).unwrap();
        let homes = Homes::of(Some(at("user")), Some(at("hermes"))).with_links();
        for (path, hermes, user) in [
            ("kept/config", Some("config.yaml"), None),
            ("kept/gone", Some(".env"), None),
            ("kept/ssh", None, Some(".ssh")),
            ("kept/ssh/id", None, Some(".ssh/id")),
            ("hermes/config.yaml", Some("config.yaml"), None),
            ("kept/other", None, None),
            ("kept", None, None),
        ] {
            let path = at(path);
            let hermes = hermes.map(|inner| Cow::Borrowed(Path::new(inner)));
            let user = user.map(|inner| Cow::Borrowed(Path::new(inner)));
            assert_eq!(homes.below_hermes(&path), hermes, "{}", path.display());
            assert_eq!(homes.below_user(&path), user, "{}", path.display());
        }
    }

    #[test]
    fn a_home_is_known_without_a_directory_that_is_missing_and_left_again() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().canonicalize().unwrap();
        let homes = Homes::of(None, Some(root.join("gone/../h")));
        let path = root.join("h/config.yaml");
        let inner = homes.below_hermes(&path);
        assert_eq!(inner.as_deref(), Some(Path::new("config.yaml")));
    }

    #[test]
    fn of_the_root_as_a_home_only_what_the_tables_name_is_known() {
        let homes = Homes::of(Some("/".into()), Some("/x/..".into()));
        for (path, hermes, user) in [
            ("/config.yaml", Some("config.yaml"), None),
            ("/vault/a", Some("vault/a"), None),
            ("/.ssh/id", None, Some(".ssh/id")),
            ("/tmp/config.yaml", None, None),
            ("/tmp", None, None),
        ] {
            let path = Path::new(path);
            let found = (homes.below_hermes(path), homes.below_user(path));
            let found = (found.0.as_deref(), found.1.as_deref());
            assert_eq!(found, (hermes.map(Path::new), user.map(Path::new)));
        }
    }
}
