//! The user's directories.

use std::path::PathBuf;

use crate::text::spill;

/// Environment variable that names the directory of the user's own data.
const HOME_ENV: &str = "HERMES_HOME";

/// Returns the directory of spill files: below `HERMES_HOME`, else below `~/.hermes`; `None` where the user has no home.
pub(crate) fn spill_directory() -> Option<PathBuf> {
    let home = hermes_home().or_else(user_hermes_home)?;
    Some(spill::spill_dir(&home))
}

/// Returns the directory of the user's own data that the environment names.
pub(crate) fn hermes_home() -> Option<PathBuf> {
    std::env::var_os(HOME_ENV)
        .filter(|value| !value.is_empty())
        .map(PathBuf::from)
}

/// Returns the directory of the user's own data where the environment names none: `~/.hermes`.
pub(crate) fn user_hermes_home() -> Option<PathBuf> {
    Some(etcetera::home_dir().ok()?.join(".hermes"))
}
