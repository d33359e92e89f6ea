//! The user's home directory and the directories of hermes's own data, by every path that leads to them.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::links::{Link, links, spellings};
use super::prefix::{is_in, strip_plain_prefix, strip_prefix};
use super::profiles::{self, PROFILES};
use super::way::Way;
use super::write::{HERMES_CONFIG, OF_HERMES, OF_USER, SSH_CONFIG};
use crate::config::hermes_home;

/// Holds the directories, each as it is named, after each symbolic link on the way, and without any.
#[derive(Debug, Clone, Default)]
pub(crate) struct Homes {
    user: Vec<PathBuf>,
    hermes: Vec<PathBuf>,
    /// What of these directories lies elsewhere, by the path below that it has there.
    elsewhere: Vec<(Home, Link)>,
    /// What is passed on the way to all of it, in small letters.
    passed: BTreeSet<OsString>,
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

    /// Returns what may be kept elsewhere: the rows, and what holds more of them.
    fn entries(self) -> impl Iterator<Item = &'static str> {
        let profiles = (self == Self::Hermes).then_some(PROFILES);
        self.rows().chain(profiles)
    }

    /// Tells whether a path below this home is on the way to a row.
    fn is_above_row(self, inner: &Path) -> bool {
        let is_above = |row: &str| {
            strip_prefix(Path::new(row), inner).is_some_and(|rest| !rest.as_os_str().is_empty())
        };
        let is_profiles = || inner.as_os_str().eq_ignore_ascii_case(PROFILES);
        self.rows().any(is_above) || self == Self::Hermes && is_profiles()
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
        // A relative or empty home is none.
        let is_home = |path: &PathBuf| path.is_absolute();
        let mut homes = Self::default();
        for path in user.into_iter().filter(is_home) {
            homes.add(Home::User, spellings(&path));
        }
        for path in [hermes, usual].into_iter().flatten().filter(is_home) {
            homes.add(Home::Hermes, profiles::homes(&path));
        }
        homes
    }

    fn add(&mut self, home: Home, places: Vec<PathBuf>) {
        for place in places {
            self.pass(Way::of(&place).passed);
            if place.parent().is_none() {
                // The root as a home would make every file the user's own; what the tables name is so nevertheless.
                let files = home.entries().map(|row| {
                    let (inner, target) = (PathBuf::from(row), place.join(row));
                    (home, Link { inner, target })
                });
                self.elsewhere.extend(files);
            } else if home == Home::User {
                self.user.push(place);
            } else if !self.hermes.contains(&place) {
                self.hermes.push(place);
            }
        }
    }

    fn pass(&mut self, entries: impl IntoIterator<Item = PathBuf>) {
        let entries = entries.into_iter();
        self.passed
            .extend(entries.map(|entry| entry.as_os_str().to_ascii_lowercase()));
    }

    /// Finds out where the files and directories that are not to be changed really are, now, and links in these directories: people keep them
    /// elsewhere, and a file that is not there yet can be made through its link.
    #[must_use]
    pub(crate) fn with_links(mut self) -> Self {
        let user = self.user.iter().map(|place| (Home::User, place));
        let hermes = self.hermes.iter().map(|place| (Home::Hermes, place));
        // The other names of a directory lead to the same entries.
        let real = user
            .chain(hermes)
            .filter(|(_, place)| Way::is_plain(place))
            .flat_map(|(home, place)| {
                home.entries()
                    .map(move |row| (home, links(place, Path::new(row))))
            });
        let of_root = self
            .elsewhere
            .iter()
            .map(|(home, link)| (*home, links(Path::new("/"), &link.inner)));
        let found: Vec<_> = real.chain(of_root).collect();
        for (home, found) in found {
            let links = found.links.into_iter();
            self.elsewhere.extend(links.map(|link| (home, link)));
            self.pass(found.passed);
        }
        self
    }

    /// Tells whether a path is, or lies below, a directory of hermes.
    pub(crate) fn is_in_hermes(&self, path: &Path) -> bool {
        self.is_of_hermes(path, |_| true)
    }

    /// Tells whether a path is one of hermes's configurations, or would lie below one.
    pub(crate) fn is_hermes_config(&self, path: &Path) -> bool {
        self.is_of_hermes(path, |inner| is_in(&[HERMES_CONFIG], inner))
    }

    /// Tells whether a path is the configuration of the SSH client.
    pub(crate) fn is_ssh_config(&self, path: &Path) -> bool {
        self.is_of_user(path, |inner| inner == Path::new(SSH_CONFIG))
    }

    /// Tells whether a path below the user's home is of a kind, by any way that it is below.
    pub(super) fn is_of_user(&self, path: &Path, is: impl Fn(&Path) -> bool) -> bool {
        self.below(Home::User, path).any(|inner| is(&inner))
    }

    /// Tells whether a path below a directory of hermes is of a kind, by any way that it is below.
    pub(super) fn is_of_hermes(&self, path: &Path, is: impl Fn(&Path) -> bool) -> bool {
        self.below(Home::Hermes, path).any(|inner| is(&inner))
    }

    /// Tells whether a path has to be a directory, or a link to one, for something that is not to be changed to be where it is.
    pub(super) fn leads_on(&self, path: &Path) -> bool {
        let is_above = |home: Home| {
            self.names(home, path).any(|inner| {
                let below_profile = profiles::inner(&inner).filter(|_| home == Home::Hermes);
                // The directory itself is another matter: see `is_profile`.
                let below_profile = below_profile.filter(|inner| !inner.as_os_str().is_empty());
                home.is_above_row(&inner)
                    || below_profile.is_some_and(|inner| home.is_above_row(inner))
            })
        };
        self.passed.contains(&path.as_os_str().to_ascii_lowercase())
            || is_above(Home::User)
            || is_above(Home::Hermes)
    }

    /// Tells whether a path is that of a profile's directory by its name, whatever is there.
    pub(super) fn is_profile(&self, path: &Path) -> bool {
        self.names(Home::Hermes, path)
            .any(|inner| profiles::inner(&inner).is_some_and(|inner| inner.as_os_str().is_empty()))
    }

    /// Returns the path below each home, and below each of its profiles first.
    fn below<'p>(&self, home: Home, path: &'p Path) -> impl Iterator<Item = Cow<'p, Path>> {
        self.names(home, path).flat_map(move |inner| {
            let of_profile = if home == Home::Hermes {
                below_profile(&inner)
            } else {
                None
            };
            of_profile.into_iter().chain([inner])
        })
    }

    /// Returns the path below each home.
    fn names<'p>(&self, home: Home, path: &'p Path) -> impl Iterator<Item = Cow<'p, Path>> {
        let homes = match home {
            Home::User => &self.user,
            Home::Hermes => &self.hermes,
        };
        let plain = homes
            .iter()
            .filter_map(|home| strip_plain_prefix(path, home));
        let plain = plain.map(Cow::Borrowed);
        let links = self.elsewhere.iter().filter(move |(of, _)| *of == home);
        let linked = links.filter_map(move |(_, link)| link.inner_of(path).map(Cow::Owned));
        plain.chain(linked)
    }
}

fn below_profile<'p>(inner: &Cow<'p, Path>) -> Option<Cow<'p, Path>> {
    match inner {
        Cow::Borrowed(inner) => profiles::inner(inner).map(Cow::Borrowed),
        Cow::Owned(inner) => profiles::inner(inner).map(|inner| Cow::Owned(inner.to_owned())),
    }
}

#[cfg(all(test, unix))]
mod tests;
