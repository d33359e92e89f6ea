//! The user's home directory and the directory of hermes's own data, by every path that leads to them.

use std::path::{Path, PathBuf};

use crate::config::hermes_home;
use crate::system;

/// Holds both directories, each as it is named and without symbolic links.
#[derive(Debug, Clone, Default)]
pub(crate) struct Homes {
    user: Vec<PathBuf>,
    hermes: Vec<PathBuf>,
}

impl Homes {
    /// Returns the directories of the user who runs this process.
    pub(crate) fn from_environment() -> Self {
        Self::of(std::env::home_dir(), hermes_home())
    }

    /// Returns these directories; `.hermes` in the user's home is one of hermes's own in any case.
    pub(crate) fn of(user: Option<PathBuf>, hermes: Option<PathBuf>) -> Self {
        let usual = user.as_ref().map(|user| user.join(".hermes"));
        let mut hermes = spellings(hermes);
        hermes.extend(spellings(usual));
        Self {
            user: spellings(user),
            hermes,
        }
    }

    /// Returns the part of a path below the user's home.
    pub(crate) fn below_user<'p>(&self, path: &'p Path) -> Option<&'p Path> {
        below(&self.user, path)
    }

    /// Returns the part of a path below the directory of hermes.
    pub(crate) fn below_hermes<'p>(&self, path: &'p Path) -> Option<&'p Path> {
        below(&self.hermes, path)
    }
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
