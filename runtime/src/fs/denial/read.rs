//! Which files no script gets to read: stores of credentials, files of environment variables, and devices.
//!
//! A path is judged by its text. Whoever opens a file judges the path that the handle has as well, so that neither a
//! symbolic link nor one that is swapped in at the right moment shows what is denied under its own name.

use std::path::{Path, PathBuf};

use super::super::scope::shown;
use super::super::{Place, RegularFile, device};
use super::links::links;
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
    /// What is denied there and lies elsewhere, by way of a symbolic link.
    elsewhere: Vec<(PathBuf, ReadDenial)>,
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
            let of_profiles = links(place, Path::new(PROFILES)).links.into_iter();
            let of_profiles = of_profiles.filter_map(|link| {
                // Of the directory itself, and of those that hold nothing, no entry is denied as a whole.
                let denial = home_entry(profiles::inner(&link.inner)?)?;
                Some((link.target, denial))
            });
            let of_rows = HOME_ENTRIES.into_iter().flat_map(|(entry, denial)| {
                let links = links(place, Path::new(entry)).links.into_iter();
                links.map(move |link| (link.target, denial))
            });
            of_profiles.chain(of_rows)
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
        let in_home = self.homes.iter().find_map(|home| below_home(path, home));
        let elsewhere = || {
            let mut places = self.elsewhere.iter();
            places.find_map(|(place, denial)| strip_prefix(path, place).map(|_| *denial))
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

/// Judges a path in a directory of user data, or in one of a profile in it.
fn below_home(path: &Path, home: &Path) -> Option<ReadDenial> {
    let inner = strip_prefix(path, home)?;
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
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use std::sync::Arc;

    use super::*;
    use crate::fs::{Access, Grants, Scope};

    fn denials() -> ReadDenials {
        ReadDenials::with_homes([PathBuf::from("/h/.hermes")])
    }

    #[test]
    fn every_row_of_the_tables_is_denied_and_its_neighbours_are_not() {
        for (entry, denial) in HOME_ENTRIES {
            for inner in [
                entry.to_owned(),
                entry.to_uppercase(),
                format!("{entry}/below/it"),
                format!("profiles/work/{entry}"),
            ] {
                let path = format!("/h/.hermes/{inner}");
                assert_eq!(denials().check(Path::new(&path)), Some(denial), "{path}");
            }
            for allowed in [format!("/h/.hermes/{entry}x"), format!("/h/other/{entry}x")] {
                assert_eq!(denials().check(Path::new(&allowed)), None, "{allowed}");
            }
        }
        for name in ENVIRONMENT_NAMES {
            for path in [format!("/any/where/{name}"), name.to_uppercase()] {
                let denial = Some(ReadDenial::Environment);
                assert_eq!(denials().check(Path::new(&path)), denial, "{path}");
            }
        }
        for path in [
            ".env.example",
            "/x/env",
            "/x/.env.d/a",
            "/x/.env/lib/a.py",
            "/x/auth.json",
            "/x/vault/a",
            "/h/.hermes/config.yaml",
            "/h/.hermes/cache/exec/stdout-0.txt",
            "/h/.hermes/profiles/auth.json",
            "/h/.hermes",
            "/",
        ] {
            assert_eq!(denials().check(Path::new(path)), None, "{path}");
        }
    }

    #[test]
    fn the_home_of_a_profile_denies_what_the_home_above_it_holds() {
        let denials = ReadDenials::with_homes([PathBuf::from("/h/data/profiles/work")]);
        for path in [
            "/h/data/profiles/work/auth.json",
            "/h/data/auth.json",
            "/h/data/profiles/other/vault/x",
        ] {
            let denial = Some(ReadDenial::Credentials);
            assert_eq!(denials.check(Path::new(path)), denial, "{path}");
        }
        assert_eq!(denials.check(Path::new("/h/auth.json")), None);
    }

    #[test]
    fn a_home_behind_a_link_is_known_by_both_names() {
        let place = tempfile::tempdir().unwrap();
        let real = place.path().canonicalize().unwrap().join("real");
        std::fs::create_dir(&real).unwrap();
        let link = real.with_file_name("link");
        std::os::unix::fs::symlink(&real, &link).unwrap();
        let denials = ReadDenials::with_homes([link.clone()]);
        for home in [real, link] {
            let path = home.join("mcp-tokens/x.json");
            assert_eq!(denials.check(&path), Some(ReadDenial::Credentials));
        }
    }

    #[test]
    fn what_a_home_keeps_elsewhere_is_denied_where_it_is() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().canonicalize().unwrap();
        for directory in ["h/vault/deep", "h/profiles/work/vault", "kept"] {
            std::fs::create_dir_all(root.join(directory)).unwrap();
        }
        for (link, name) in [
            ("h/auth.json", "auth"),
            ("h/vault/v", "v"),
            ("h/vault/deep/w", "w"),
            ("h/profiles/work/vault/x", "x"),
            ("h/notes", "notes"),
        ] {
            std::os::unix::fs::symlink(root.join("kept").join(name), root.join(link)).unwrap();
        }
        let denials = ReadDenials::with_homes([root.join("gone/../h")]);
        let credentials = Some(ReadDenial::Credentials);
        for (path, expected) in [
            ("h/auth.json", credentials),
            ("kept/auth", credentials),
            ("kept/v", credentials),
            ("kept/w", credentials),
            ("kept/x", credentials),
            ("kept/notes", None),
            ("kept/vv", None),
            ("kept", None),
        ] {
            assert_eq!(denials.check(&root.join(path)), expected, "{path}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn an_opened_file_is_judged_though_the_link_to_it_leads_elsewhere_by_now() {
        let root = tempfile::tempdir().unwrap();
        std::fs::write(root.path().join(".env"), "KEY=x").unwrap();
        std::fs::write(root.path().join("plain"), "x").unwrap();
        let link = root.path().join("link");
        std::os::unix::fs::symlink(".env", &link).unwrap();
        let scope = Arc::new(Scope::open(root.path()).unwrap());
        let place = Grants::of(scope).place("link", Access::Read).unwrap();
        let opened = place.open().unwrap();
        std::fs::remove_file(&link).unwrap();
        std::os::unix::fs::symlink("plain", &link).unwrap();
        let denials = denials();
        assert_eq!(
            denials.check_opened(&place, &opened),
            Some(ReadDenial::Environment)
        );
        assert_eq!(denials.check_opened(&place, &place.open().unwrap()), None);
    }

    #[test]
    fn a_denial_says_why() {
        let rows = [
            (
                ReadDenial::Environment,
                "Access denied: x/.env is an environment file, which usually holds secrets. A file such as .env.example shows the names without them. (Defense-in-depth — not a security boundary; the terminal tool can still bypass.)",
            ),
            (
                ReadDenial::Credentials,
                "Access denied: x/.env holds credentials of Hermes, which only its own tools use. (Defense-in-depth — not a security boundary; the terminal tool can still bypass.)",
            ),
            (
                ReadDenial::Cache,
                "Access denied: x/.env is a cache of Hermes whose texts are not to be read unchecked. (Defense-in-depth — not a security boundary; the terminal tool can still bypass.)",
            ),
            (
                ReadDenial::Device,
                "Cannot read 'x/.env': this is a device file that would block or produce infinite output.",
            ),
        ];
        for (denial, expected) in rows {
            assert_eq!(denial.explain("x/.env"), expected);
        }
    }
}
