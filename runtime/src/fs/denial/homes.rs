//! The user's home directory and the directories of hermes's own data, by every path that leads to them.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::links::{Link, links, spellings};
use super::prefix::{is_in, strip_plain_prefix, strip_prefix};
use super::profiles::{self, PROFILES};
use super::way::Way;
use super::write::{HERMES_CONFIG, OF_HERMES, OF_USER};
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
            .flat_map(|(home, place)| home.entries().map(move |row| (home, links(place, row))));
        let of_root = self.elsewhere.iter().map(|(home, link)| {
            let row = link.inner.to_string_lossy();
            (*home, links(Path::new("/"), &row))
        });
        let found: Vec<_> = real.chain(of_root).collect();
        for (home, found) in found {
            let links = found.links.into_iter();
            self.elsewhere.extend(links.map(|link| (home, link)));
            self.pass(found.passed);
        }
        self
    }

    /// Returns the part of a path below the user's home.
    pub(crate) fn below_user<'p>(&self, path: &'p Path) -> Option<Cow<'p, Path>> {
        self.below(Home::User, path).next()
    }

    /// Returns the part of a path below the directory of hermes, or below the one of a profile there.
    pub(crate) fn below_hermes<'p>(&self, path: &'p Path) -> Option<Cow<'p, Path>> {
        self.below(Home::Hermes, path).next()
    }

    /// Tells whether a path is one of hermes's configurations, or would lie below one.
    pub(crate) fn is_hermes_config(&self, path: &Path) -> bool {
        self.below(Home::Hermes, path)
            .any(|inner| is_in(&[HERMES_CONFIG], &inner))
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
            self.below(home, path)
                .any(|inner| home.is_above_row(&inner))
        };
        self.passed.contains(&path.as_os_str().to_ascii_lowercase())
            || is_above(Home::User)
            || is_above(Home::Hermes)
    }

    /// Returns the path below each home, and below each of its profiles first.
    fn below<'p>(&self, home: Home, path: &'p Path) -> impl Iterator<Item = Cow<'p, Path>> {
        let homes = match home {
            Home::User => &self.user,
            Home::Hermes => &self.hermes,
        };
        let plain = homes
            .iter()
            .filter_map(|home| strip_plain_prefix(path, home));
        let plain = plain.map(Cow::Borrowed);
        let links = self.elsewhere.iter().filter(move |(of, _)| *of == home);
        let linked = links.filter_map(move |(_, link)| {
            let rest = strip_plain_prefix(path, &link.target)?;
            // Joining an empty path would add a trailing slash.
            let is_itself = rest.as_os_str().is_empty();
            Some(Cow::Owned(if is_itself {
                link.inner.clone()
            } else {
                link.inner.join(rest)
            }))
        });
        plain.chain(linked).flat_map(move |inner| {
            let of_profile = if home == Home::Hermes {
                below_profile(&inner)
            } else {
                None
            };
            of_profile.into_iter().chain([inner])
        })
    }
}

fn below_profile<'p>(inner: &Cow<'p, Path>) -> Option<Cow<'p, Path>> {
    match inner {
        Cow::Borrowed(inner) => profiles::inner(inner).map(Cow::Borrowed),
        Cow::Owned(inner) => profiles::inner(inner).map(|inner| Cow::Owned(inner.to_owned())),
    }
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
    fn every_link_and_missing_directory_on_the_way_leads_on_and_every_name_is_known() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().canonicalize().unwrap();
        let at = |name: &str| root.join(name);
        for directory in ["h", "dot/v1/ssh", "user", "kept"] {
            fs::create_dir_all(at(directory)).unwrap();
        }
        for (link, target) in [
            ("l1", "l2"),
            ("l2", "h"),
            ("dot/current", "v1"),
            ("dot/way", "current/hermes.yaml"),
            ("h/config.yaml", "../dot/way"),
            ("h/vault", "../kept/gone/vault"),
            ("user/.ssh", "../dot/current/ssh"),
            ("user/.config", "../dot/v1"),
            ("dot/other", "v1"),
        ] {
            symlink(target, at(link)).unwrap();
        }
        let homes = Homes::of(Some(at("user")), Some(at("l1"))).with_links();
        for (path, leads_on) in [
            ("l1", true),
            ("l2", true),
            ("h", true),
            ("dot", true),
            ("dot/current", true),
            ("dot/v1", true),
            ("kept/gone", true),
            ("user", true),
            ("user/.config", true),
            ("user/.hermes", true),
            ("user/.hermes/cache", true),
            ("h/profiles", true),
            ("h/profiles/new", true),
            ("H/Profiles", true),
            ("h/profiles/new/notes", false),
            ("dot/other", false),
            ("h/notes", false),
            ("user/notes", false),
            ("kept/gone/notes", false),
        ] {
            assert_eq!(homes.leads_on(&at(path)), leads_on, "{path}");
        }
        for (path, is_config) in [
            ("l1/config.yaml", true),
            ("l2/config.yaml", true),
            ("h/config.yaml", true),
            ("h/config.yaml/x", true),
            ("h/Config.YAML", true),
            ("dot/way", true),
            ("dot/current/hermes.yaml", true),
            ("dot/v1/hermes.yaml", true),
            ("dot/v1/other.yaml", false),
            ("h/config.yaml.bak", false),
        ] {
            assert_eq!(homes.is_hermes_config(&at(path)), is_config, "{path}");
        }
        for path in ["user/.ssh/x", "dot/current/ssh/x", "dot/v1/ssh/x"] {
            let path = at(path);
            let inner = homes.below_user(&path);
            assert_eq!(inner.as_deref(), Some(Path::new(".ssh/x")));
        }
    }

    #[test]
    fn every_profile_and_the_root_of_one_have_files_of_hermes() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().canonicalize().unwrap();
        let at = |name: &str| root.join(name);
        for directory in ["h/profiles/work", "kept/far/vault", "kept/all/x"] {
            fs::create_dir_all(at(directory)).unwrap();
        }
        symlink("../../kept/far", at("h/profiles/far")).unwrap();
        symlink("../auth", at("kept/far/auth.json")).unwrap();
        fs::create_dir_all(at("other")).unwrap();
        symlink("../kept/all", at("other/profiles")).unwrap();
        let rows = [
            ("h/config.yaml", "config.yaml"),
            ("h/profiles/work/config.yaml", "config.yaml"),
            ("h/profiles/new/vault/x", "vault/x"),
            ("h/profiles/far/.env", ".env"),
            ("kept/far/.env", ".env"),
            ("kept/auth", "auth.json"),
        ];
        for home in ["h", "h/profiles/work", "h/profiles/new", "h/profiles/far"] {
            let homes = Homes::of(None, Some(at(home))).with_links();
            for (path, expected) in rows {
                let path = at(path);
                let inner = homes.below_hermes(&path);
                assert_eq!(
                    inner.as_deref(),
                    Some(Path::new(expected)),
                    "{home} {path:?}"
                );
            }
            assert_eq!(homes.below_hermes(&at("profiles/work/config.yaml")), None);
        }
        let homes = Homes::of(None, Some(at("other"))).with_links();
        for path in ["kept/all/x/config.yaml", "kept/all/new/config.yaml"] {
            assert!(homes.is_hermes_config(&at(path)), "{path}");
        }
    }

    #[test]
    fn a_home_in_another_one_is_judged_by_both() {
        let homes = Homes::of(Some("/u".into()), Some("/u".into()));
        let path = Path::new("/u/.hermes/config.yaml");
        assert!(homes.is_hermes_config(path));
        assert!(homes.is_of_hermes(path, |inner| inner == Path::new(".hermes/config.yaml")));
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
