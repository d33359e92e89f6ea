//! The user's directories.

use std::path::PathBuf;

use crate::text::spill;

/// Environment variable that names the directory of the user's own data.
const HOME_ENV: &str = "HERMES_HOME";

/// Returns the directory of spill files: below `HERMES_HOME`, else below `~/.hermes`; `None` where the user has no home.
pub(crate) fn spill_directory() -> Option<PathBuf> {
    let home = std::env::var_os(HOME_ENV)
        .filter(|value| !value.is_empty())
        .map(PathBuf::from)
        .or_else(|| Some(etcetera::home_dir().ok()?.join(".hermes")))?;
    Some(spill::spill_dir(&home))
}
