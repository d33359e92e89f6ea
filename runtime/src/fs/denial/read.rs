//! Which files no script gets to read: stores of credentials, files of environment variables, and devices.
//!
//! A path is judged by its text. Whoever opens a file judges the path that the handle has as well, so that neither a
//! symbolic link nor one that is swapped in at the right moment shows what is denied under its own name.

use std::path::{Path, PathBuf};

use super::super::scope::shown;
use super::super::{Place, RegularFile, device};
use super::links::{Link, links};
use super::prefix::strip_prefix;
use super::profiles::{self, PROFILES};
use super::way::Way;
use crate::config::{hermes_home, user_hermes_home};

/// What every denial of this file ends with, but for that of devices.
const CAVEAT: &str =
    "(Defense-in-depth — not a security boundary; the terminal tool can still bypass.)";

/// Entries below the directory of the user's data; a directory stands for all that is in it.
const HOME_ENTRIES: [(&str, ReadDenial); 11] = [
    ("skills/.hub", ReadDenial::Cache),
    ("auth.json", ReadDenial::Credentials),
    ("auth.lock", ReadDenial::Credentials),
    (".anthropic_oauth.json", ReadDenial::Credentials),
    (".env", ReadDenial::Credentials),
    ("webhook_subscriptions.json", ReadDenial::Credentials),
    ("auth/google_oauth.json", ReadDenial::Credentials),
    ("cache/bws_cache.json", ReadDenial::Credentials),
    ("mcp-tokens", ReadDenial::Credentials),
    ("browser-profile", ReadDenial::Credentials),
    ("vault", ReadDenial::Credentials),
];

/// Names that are denied in every directory. `.env.example` is not one of them.
const ENVIRONMENT_NAMES: [&str; 7] = [
    ".env",
    ".env.local",
    ".env.development",
    ".env.production",
    ".env.test",
    ".env.staging",
    ".envrc",
];

/// Says what a denied file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReadDenial {
    /// Text from other people that nobody has looked at yet.
    Cache,
    Credentials,
    Environment,
    /// A device, or what the kernel makes up about processes.
    Device,
}

impl ReadDenial {
    /// Returns what to tell a script that wrote the path like this.
    pub(crate) fn explain(self, given: &str) -> String {
        let path = shown(given);
        let reason = match self {
            Self::Cache => "is a cache of Hermes whose texts are not to be read unchecked.",
            Self::Credentials => "holds credentials of Hermes, which only its own tools use.",
            Self::Environment => {
                "is an environment file, which usually holds secrets. A file such as .env.example shows the names without them."
            }
            Self::Device => return device::refusal(path),
        };
        format!("Access denied: {path} {reason} {CAVEAT}")
    }
}

/// Knows which files are denied, given where the user's data lie.
#[derive(Debug, Clone, Default)]
pub(crate) struct ReadDenials {
    /// Each directory of user data, as it was named and without symbolic links.
    homes: Vec<PathBuf>,
    /// What is denied there, or is a profile or holds them, and lies elsewhere, by way of a symbolic link.
    elsewhere: Vec<Link>,
}

impl ReadDenials {
    /// Returns the denials for the user of this process: `HERMES_HOME` counts, and `~/.hermes` does in any case.
    pub(crate) fn of_user() -> Self {
        Self::with_homes([hermes_home(), user_hermes_home()].into_iter().flatten())
    }

    /// Returns the denials for these directories of user data. Links in them are looked for now.
    pub(crate) fn with_homes(homes: impl IntoIterator<Item = PathBuf>) -> Self {
        let absolute = |home: PathBuf| std::path::absolute(&home).unwrap_or(home);
        let homes = homes.into_iter().map(absolute);
        let mut known: Vec<_> = homes.flat_map(|home| profiles::homes(&home)).collect();
        known.sort();
        known.dedup();
        let real = known.iter().filter(|home| Way::is_plain(home));
        let elsewhere = real.flat_map(|place| {
            let rows = HOME_ENTRIES.into_iter().map(|(row, _)| row);
            let entries = rows.chain([PROFILES]);
            entries.flat_map(|entry| links(place, Path::new(entry)).links)
        });
        Self {
            elsewhere: elsewhere.collect(),
            homes: known,
        }
    }

    /// Judges a path by its text.
    pub(crate) fn check(&self, path: &Path) -> Option<ReadDenial> {
        if device::is_device(path) {
            return Some(ReadDenial::Device);
        }
        let mut homes = self.homes.iter();
        let in_home = homes.find_map(|home| below_home(strip_prefix(path, home)?));
        let elsewhere = || {
            let mut links = self.elsewhere.iter();
            links.find_map(|link| below_home(&link.inner_of(path)?))
        };
        in_home.or_else(elsewhere).or_else(|| {
            let name = path.file_name()?;
            let mut denied = ENVIRONMENT_NAMES.iter();
            let is_denied = denied.any(|denied| name.eq_ignore_ascii_case(denied));
            is_denied.then_some(ReadDenial::Environment)
        })
    }

    /// Judges the path of a script before anything is opened: as it was written, and the place that it means.
    pub(crate) fn check_place(&self, place: &Place) -> Option<ReadDenial> {
        self.check(Path::new(place.given()))
            .or_else(|| self.check(&place.absolute()))
    }

    /// Judges the file that was opened at a place, wherever links led to.
    pub(crate) fn check_opened(&self, place: &Place, opened: &RegularFile) -> Option<ReadDenial> {
        // Where the system does not tell the path of a handle, following the links once more is the next best.
        let resolved = || place.resolved().ok().map(|target| target.absolute());
        let real = opened.real_path().or_else(resolved)?;
        self.check(&real)
    }
}

/// Judges a path below a directory of user data, or below one of a profile in it.
fn below_home(inner: &Path) -> Option<ReadDenial> {
    let in_profile = || home_entry(profiles::inner(inner)?);
    home_entry(inner).or_else(in_profile)
}

fn home_entry(inner: &Path) -> Option<ReadDenial> {
    let row = HOME_ENTRIES
        .iter()
        .find(|(entry, _)| strip_prefix(inner, Path::new(entry)).is_some());
    row.map(|(_, denial)| *denial)
}

#[cfg(test)]
mod tests;
