//! The files that no script may change: keys, tokens and accounts of the user, of the system and of hermes itself.
//!
//! It is a net below the grants and not a boundary: what a shell command may do, it may do to these files as well.

use std::env;
use std::path::{Path, PathBuf};

use super::Homes;
use super::prefix::is_in;
use super::way::Way;
use crate::system;

/// Environment variable that names the only directories that may be written to, separated as in `PATH`.
const SAFE_ROOT_ENV: &str = "HERMES_WRITE_SAFE_ROOT";

/// Below the user's home, as files or directories.
pub(super) const OF_USER: [&str; 13] = [
    ".aws",
    ".azure",
    ".config/gcloud",
    ".config/gh",
    ".docker",
    ".git-credentials",
    ".gnupg",
    ".kube",
    ".netrc",
    ".npmrc",
    ".pgpass",
    ".pypirc",
    ".ssh",
];

/// The one file of `.ssh` that holds no keys; changing it needs approval instead.
pub(super) const SSH_CONFIG: &str = ".ssh/config";

const OF_SYSTEM: [&str; 4] = [
    "/etc/passwd",
    "/etc/shadow",
    "/etc/sudoers",
    "/etc/sudoers.d",
];

/// Below the directory of hermes, as files or directories.
pub(super) const OF_HERMES: [&str; 17] = [
    ".anthropic_oauth.json",
    ".env",
    "auth.json",
    "auth.lock",
    "auth/google_oauth.json",
    "browser-profile",
    "cache/bws_cache.json",
    "hermes-agent",
    "mcp-tokens",
    "pairing",
    "sessions",
    "state.db",
    "state.db-journal",
    "state.db-shm",
    "state.db-wal",
    "vault",
    "webhook_subscriptions.json",
];

/// The configuration, below the directory of hermes; no script changes it.
pub(super) const HERMES_CONFIG: &str = "config.yaml";

/// Says which files may not be changed.
#[derive(Debug, Clone, Default)]
pub(crate) struct WriteDenials {
    homes: Homes,
    /// The program that runs scripts.
    own_program: Option<PathBuf>,
    /// Files whose text runs outside of the sandbox.
    kept: Vec<PathBuf>,
    /// Where there are such, nothing outside of them may be changed.
    safe_roots: Option<Vec<PathBuf>>,
}

impl WriteDenials {
    /// Returns what is denied in this process: the variable is read now.
    pub(crate) fn from_environment(homes: Homes) -> Self {
        let denials = Self {
            homes,
            own_program: env::current_exe().ok(),
            ..Self::default()
        };
        match env::var_os(SAFE_ROOT_ENV) {
            Some(roots) if !roots.is_empty() => denials.with_safe_roots(env::split_paths(&roots)),
            _ => denials,
        }
    }

    /// Returns what is denied to a user of a test.
    #[cfg(test)]
    pub(crate) fn of(homes: Homes) -> Self {
        Self {
            homes,
            ..Self::default()
        }
    }

    /// Denies everything outside of these directories: everything at all where none of them has a name.
    #[must_use]
    pub(crate) fn with_safe_roots(mut self, roots: impl IntoIterator<Item = PathBuf>) -> Self {
        let roots = roots
            .into_iter()
            .filter(|root| !root.as_os_str().is_empty());
        let roots = roots
            .map(|root| match (root.strip_prefix("~"), env::home_dir()) {
                (Ok(rest), Some(home)) => home.join(rest),
                _ => root,
            })
            .map(|root| system::canonicalize(&root).unwrap_or(root))
            .collect();
        self.safe_roots = Some(roots);
        self
    }

    /// Denies changes of these files, too, of what their paths pass and of what they lead to; a relative path begins where this process runs.
    pub(crate) fn keep(&mut self, files: &[PathBuf]) {
        let absolute = files
            .iter()
            .filter_map(|file| std::path::absolute(file).ok());
        self.kept.extend(absolute);
    }

    /// Returns why a file may not be changed; `shown` is how the script named it.
    ///
    /// `others` are the absolute paths of the file before all symbolic links are followed. `entry` is the one of them that goes when the file
    /// is deleted or moved, and `landing` the one after: what changes is one of these two.
    pub(crate) fn reason<'p>(
        &self,
        shown: &str,
        others: impl IntoIterator<Item = &'p Path>,
        [entry, landing]: [&Path; 2],
    ) -> Option<String> {
        let mut others = others.into_iter();
        if others.any(|path| self.is_protected(path)) || self.is_protected(landing) {
            return Some(format!(
                "Write denied: '{shown}' is a protected system/credential file."
            ));
        }
        let safe_roots = self.safe_roots.as_ref()?;
        let is_below = |path: &Path| safe_roots.iter().any(|root| path.starts_with(root));
        let is_safe = is_below(entry) && is_below(landing);
        (!is_safe).then(|| {
            let roots: Vec<_> = safe_roots.iter().map(|root| root.to_string_lossy()).collect();
            format!(
                "Write denied: '{shown}' is outside {SAFE_ROOT_ENV} ({}). Unset the variable or add this path's directory prefix.",
                roots.join(", ")
            )
        })
    }

    fn is_protected(&self, path: &Path) -> bool {
        let is_key = |inner: &Path| is_in(&OF_USER, inner) && inner != Path::new(SSH_CONFIG);
        self.homes.is_of_user(path, is_key)
            || self
                .homes
                .is_of_hermes(path, |inner| is_in(&OF_HERMES, inner))
            || is_in(&OF_SYSTEM, path)
            || self.own_program.as_deref() == Some(path)
            || self.homes.leads_on(path) && !is_directory(path)
            // Of a plain file among the profiles nobody makes a directory.
            || self.homes.is_profile(path) && !is_directory(path) && !is_file(path)
            || self.kept.iter().any(|file| is_kept(file, path))
    }
}

/// Tells whether a change of a path would change what a file holds, or which file its name is.
fn is_kept(file: &Path, path: &Path) -> bool {
    let is_path = |other: &PathBuf| other.as_os_str().eq_ignore_ascii_case(path);
    // Below a file that is missing, a directory would be made in its place.
    let holds = |name: &PathBuf| {
        let mut parts = path.components();
        name.components().all(|own| {
            parts.next().is_some_and(|part| {
                let own = own.as_os_str();
                own.eq_ignore_ascii_case(part.as_os_str())
            })
        })
    };
    // Links are followed now: scripts can make some.
    let way = Way::of(file);
    holds(&file.to_owned())
        || way.names.iter().any(holds)
        || way.passed.iter().any(is_path) && !is_directory(path)
}

/// Tells whether there is a directory, which no tool for files can take away or replace, and not only a link to one.
fn is_directory(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|entry| entry.is_dir())
}

/// Tells whether there is a plain file, and not only a link to one.
fn is_file(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|entry| entry.is_file())
}

#[cfg(test)]
mod tests;
