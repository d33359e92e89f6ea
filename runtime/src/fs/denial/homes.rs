//! The user's home directory and the directory of hermes's own data, by every path that leads to them.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use super::super::resolve_existing;
use super::write::{HERMES_CONFIG, OF_HERMES, OF_USER};
use crate::config::hermes_home;
use crate::system;

/// Links that are followed one after the other.
const MAX_LINKS: usize = 20;

/// Holds both directories, each as it is named and without symbolic links.
#[derive(Debug, Clone, Default)]
pub(crate) struct Homes {
    user: Vec<PathBuf>,
    hermes: Vec<PathBuf>,
    /// Where links in these directories lead, by the path below that they have there.
    links: Vec<Link>,
}

/// A file or directory that is kept elsewhere, by way of a symbolic link.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Link {
    home: Home,
    inner: PathBuf,
    target: PathBuf,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Home {
    User,
    Hermes,
}

impl Homes {
    /// Returns the directories of the user who runs this process.
    pub(crate) fn from_environment() -> Self {
        Self::of(std::env::home_dir(), hermes_home()).with_links()
    }

    /// Returns these directories; `.hermes` in the user's home is one of hermes's own in any case.
    pub(crate) fn of(user: Option<PathBuf>, hermes: Option<PathBuf>) -> Self {
        let usual = user.as_ref().map(|user| user.join(".hermes"));
        let mut hermes = spellings(hermes);
        hermes.extend(spellings(usual));
        Self {
            user: spellings(user),
            hermes,
            links: Vec::new(),
        }
    }

    /// Finds out where the files and directories that are not to be changed really are, now: people keep them elsewhere, and a file that is
    /// not there yet can be made through its link.
    #[must_use]
    pub(crate) fn with_links(mut self) -> Self {
        let user = self
            .user
            .iter()
            .map(|place| (Home::User, place, &OF_USER[..]));
        let hermes = self.hermes.iter();
        let hermes = hermes.map(|place| (Home::Hermes, place, &OF_HERMES[..]));
        let config = [HERMES_CONFIG];
        let configs = self.hermes.iter();
        let configs = configs.map(|place| (Home::Hermes, place, &config[..]));
        let rows = user.chain(hermes).chain(configs);
        let links = rows.flat_map(|(home, place, rows)| {
            rows.iter().filter_map(move |inner| {
                let target = real(&place.join(inner))?;
                let inner = PathBuf::from(inner);
                Some(Link {
                    home,
                    inner,
                    target,
                })
            })
        });
        self.links = links.collect();
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
        let mut links = self.links.iter().filter(|link| link.home == home);
        links.find_map(|link| {
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

fn spellings(path: Option<PathBuf>) -> Vec<PathBuf> {
    // A relative or empty home is none; the root as a home would make every file the user's own.
    let Some(path) = path.filter(|path| path.is_absolute() && path.parent().is_some()) else {
        return Vec::new();
    };
    let mut spellings = vec![path.clone()];
    spellings.extend(
        system::canonicalize(&path)
            .ok()
            .filter(|real| *real != path),
    );
    spellings
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
}
