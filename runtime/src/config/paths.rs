//! The user's directories.

use std::path::{Path, PathBuf};

use crate::text::spill;

/// Environment variable that names the directory of the user's own data.
const HOME_ENV: &str = "HERMES_HOME";

/// Directory of stored web pages below the user's own.
const WEB_CACHE: &str = "cache/web";

/// Name of the configuration in the directory of the user's own data.
const CONFIG: &str = "config.yaml";

/// Returns the path of the configuration; `None` where the user has no home.
pub(crate) fn config_file() -> Option<PathBuf> {
    Some(data_directory()?.join(CONFIG))
}

/// Returns the directory of spill files; `None` where the user has no home.
pub(crate) fn spill_directory() -> Option<PathBuf> {
    Some(spill::spill_dir(&data_directory()?))
}

/// Returns the directory of stored web pages; `None` where the user has no home.
pub(crate) fn web_cache_directory() -> Option<PathBuf> {
    Some(data_directory()?.join(WEB_CACHE))
}

/// Returns the directory of the user's own data: `HERMES_HOME`, else `~/.hermes`.
pub(crate) fn data_directory() -> Option<PathBuf> {
    hermes_home().or_else(user_hermes_home)
}

/// Returns the directory of the user's own data that the environment names; a relative one begins where this process runs, and `~` is the
/// user's home.
pub(crate) fn hermes_home() -> Option<PathBuf> {
    let named = std::env::var_os(HOME_ENV).filter(|value| !value.is_empty())?;
    let named = with_home(named.into(), etcetera::home_dir().ok().as_deref());
    std::path::absolute(named).ok()
}

/// Returns the directory of the user's own data where the environment names none: `~/.hermes`. A home that is no absolute path is none: what
/// it means would depend on where a program is started.
pub(crate) fn user_hermes_home() -> Option<PathBuf> {
    let home = etcetera::home_dir().ok();
    let home = home.filter(|home| home.is_absolute())?;
    Some(home.join(".hermes"))
}

/// Puts the home directory in the place of a leading `~`, which no shell replaces in a file of variables.
fn with_home(named: PathBuf, home: Option<&Path>) -> PathBuf {
    match (named.strip_prefix("~"), home) {
        (Ok(rest), Some(home)) => home.join(rest),
        _ => named,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_leading_tilde_is_the_home_and_any_other_is_a_name() {
        for (named, expected) in [
            ("~", "/home/u"),
            ("~/h", "/home/u/h"),
            ("~v/h", "~v/h"),
            ("/x/~", "/x/~"),
            ("h", "h"),
        ] {
            let found = with_home(named.into(), Some(Path::new("/home/u")));
            assert_eq!(found, Path::new(expected), "{named}");
        }
        assert_eq!(with_home("~/h".into(), None), Path::new("~/h"));
    }
}
