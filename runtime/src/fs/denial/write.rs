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
pub(crate) const SSH_CONFIG: &str = ".ssh/config";

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
    /// With any, nothing outside of them may be changed.
    safe_roots: Vec<PathBuf>,
}

impl WriteDenials {
    /// Returns what is denied in this process: the variable is read now.
    pub(crate) fn from_environment(homes: Homes) -> Self {
        let roots = env::var_os(SAFE_ROOT_ENV).unwrap_or_default();
        Self {
            homes,
            own_program: env::current_exe().ok(),
            kept: Vec::new(),
            safe_roots: Vec::new(),
        }
        .with_safe_roots(env::split_paths(&roots))
    }

    /// Returns what is denied to a user of a test.
    #[cfg(test)]
    pub(crate) fn of(homes: Homes) -> Self {
        Self {
            homes,
            ..Self::default()
        }
    }

    /// Denies everything outside of these directories, if there are any.
    #[must_use]
    pub(crate) fn with_safe_roots(mut self, roots: impl IntoIterator<Item = PathBuf>) -> Self {
        let roots = roots
            .into_iter()
            .filter(|root| !root.as_os_str().is_empty());
        self.safe_roots = roots
            .map(|root| match (root.strip_prefix("~"), env::home_dir()) {
                (Ok(rest), Some(home)) => home.join(rest),
                _ => root,
            })
            .map(|root| system::canonicalize(&root).unwrap_or(root))
            .collect();
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
    /// `others` are the absolute paths of the file before all symbolic links are followed and `landing` is the one after.
    pub(crate) fn reason<'p>(
        &self,
        shown: &str,
        others: impl IntoIterator<Item = &'p Path>,
        landing: &Path,
    ) -> Option<String> {
        let mut others = others.into_iter();
        if others.any(|path| self.is_protected(path)) || self.is_protected(landing) {
            return Some(format!(
                "Write denied: '{shown}' is a protected system/credential file."
            ));
        }
        let is_safe = self.safe_roots.is_empty()
            || self.safe_roots.iter().any(|root| landing.starts_with(root));
        (!is_safe).then(|| {
            let roots: Vec<_> = self.safe_roots.iter().map(|root| root.to_string_lossy()).collect();
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
            || self.kept.iter().any(|file| is_kept(file, path))
    }
}

/// Tells whether a change of a path would change what a file holds, or which file its name is.
fn is_kept(file: &Path, path: &Path) -> bool {
    let is_path = |other: &PathBuf| other.as_os_str().eq_ignore_ascii_case(path);
    // Links are followed now: scripts can make some.
    let way = Way::of(file);
    is_path(&file.to_owned())
        || way.names.iter().any(is_path)
        || way.passed.iter().any(is_path) && !is_directory(path)
}

/// Tells whether there is a directory, which no tool for files can take away or replace, and not only a link to one.
fn is_directory(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|entry| entry.is_dir())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn denials() -> WriteDenials {
        let homes = Homes::of(Some("/home/u".into()), Some("/data/hermes".into()));
        WriteDenials {
            homes,
            own_program: Some("/opt/hermes-exec".into()),
            kept: Vec::new(),
            safe_roots: Vec::new(),
        }
    }

    fn reason(path: &str) -> Option<String> {
        denials().reason("shown", [], Path::new(path))
    }

    #[test]
    fn keys_and_accounts_are_denied_and_what_looks_like_them_is_not() {
        let denied = [
            "/home/u/.ssh/id_ed25519",
            "/home/u/.ssh/config.d/x",
            "/home/u/.netrc",
            "/home/u/.aws/credentials",
            "/home/u/.config/gh/hosts.yml",
            "/data/hermes/.env",
            "/home/u/.hermes/.env",
            "/data/hermes/sessions/a/b",
            "/data/hermes/state.db-wal",
            "/etc/sudoers.d/x",
            "/opt/hermes-exec",
        ];
        let expected = "Write denied: 'shown' is a protected system/credential file.";
        for path in denied {
            assert_eq!(reason(path).as_deref(), Some(expected), "{path}");
        }
        for path in [
            "/home/u/.ssh/config",
            "/home/u/.sshx/id",
            "/home/u/project/.env",
            "/home/u/project/.ssh/id",
            "/home/u/.config/other",
            "/data/hermes/notes/x",
            "/home/v/.netrc",
        ] {
            assert_eq!(reason(path), None, "{path}");
        }
    }

    #[test]
    fn the_path_and_what_it_leads_to_are_both_judged() {
        let (key, other) = (Path::new("/home/u/.ssh/id"), Path::new("/home/u/x"));
        assert!(denials().reason("x", [key], other).is_some());
        assert!(denials().reason("x", [other], key).is_some());
        assert!(denials().reason("x", [other], other).is_none());
    }

    #[test]
    fn the_tables_hold_for_every_profile_and_in_any_case() {
        for path in [
            "/data/hermes/profiles/work/.env",
            "/data/hermes/profiles/work/auth.json",
            "/data/hermes/profiles/new/vault/x",
            "/home/u/.hermes/profiles/a/mcp-tokens/x",
            "/data/hermes/Vault/x",
            "/home/u/.SSH/config",
        ] {
            assert!(reason(path).is_some(), "{path}");
        }
        for path in [
            "/data/hermes/profiles/work/notes",
            "/data/profiles/work/.env",
        ] {
            assert_eq!(reason(path), None, "{path}");
        }
    }

    #[test]
    #[expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]
    fn what_has_to_be_a_directory_is_not_made_a_file() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().canonicalize().unwrap();
        std::fs::create_dir_all(root.join("u/.config")).unwrap();
        let homes = Homes::of(Some(root.join("u")), Some(root.join("gone/h"))).with_links();
        let denials = WriteDenials::of(homes);
        for (path, is_denied) in [
            ("gone", true),
            ("gone/h", true),
            ("gone/h/cache", true),
            ("gone/h/profiles", true),
            ("gone/h/profiles/new", true),
            ("u/.hermes", true),
            // They are there, and no tool replaces a directory.
            ("u", false),
            ("u/.config", false),
            ("gone/h/notes", false),
            ("gone/other", false),
        ] {
            let reason = denials.reason("x", [], &root.join(path));
            assert_eq!(reason.is_some(), is_denied, "{path}");
        }
    }

    #[cfg(unix)]
    #[test]
    #[expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]
    fn a_key_that_is_kept_elsewhere_is_denied_where_it_is() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().canonicalize().unwrap();
        for directory in ["u/.ssh/config.d", "u/.hermes/vault", "keys"] {
            std::fs::create_dir_all(root.join(directory)).unwrap();
        }
        for (link, name) in [
            ("u/.ssh/authorized_keys", "ak"),
            ("u/.ssh/config.d/x", "x"),
            ("u/.ssh/config", "config"),
            ("u/.hermes/vault/v", "v"),
            ("u/.hermes/config.yaml", "hermes"),
            ("u/notes", "notes"),
        ] {
            std::os::unix::fs::symlink(root.join("keys").join(name), root.join(link)).unwrap();
        }
        let homes = Homes::of(Some(root.join("u")), None).with_links();
        let denials = WriteDenials::of(homes.clone());
        for (name, is_denied) in [
            ("ak", true),
            ("x", true),
            ("v", true),
            // A human is asked about it instead.
            ("config", false),
            // Another guard refuses it.
            ("hermes", false),
            ("notes", false),
        ] {
            let path = root.join("keys").join(name);
            let reason = denials.reason("x", [], &path);
            assert_eq!(reason.is_some(), is_denied, "{name}");
        }
        let config = root.join("keys/config");
        assert_eq!(
            homes.below_user(&config).as_deref(),
            Some(Path::new(SSH_CONFIG))
        );
    }

    #[cfg(unix)]
    #[test]
    #[expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]
    fn files_that_are_kept_are_denied_by_every_path_and_so_is_the_way_to_them() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().canonicalize().unwrap();
        std::fs::create_dir_all(root.join("dot/v1")).unwrap();
        for (link, target) in [("dot/current", "v1"), (".bashrc", "dot/current/rc")] {
            std::os::unix::fs::symlink(target, root.join(link)).unwrap();
        }
        let mut denials = WriteDenials::default();
        denials.keep(&[".bashrc", "gone/deep/rc"].map(|file| root.join(file)));
        for (path, is_denied) in [
            (".bashrc", true),
            (".BashRC", true),
            ("dot/current/rc", true),
            ("dot/v1/rc", true),
            ("dot/current", true),
            ("gone/deep/rc", true),
            ("gone", true),
            ("gone/deep", true),
            ("dot/v1", false),
            ("dot/v1/other", false),
            ("gone/other", false),
            (".bashrc2", false),
        ] {
            let reason = denials.reason("x", [], &root.join(path));
            assert_eq!(reason.is_some(), is_denied, "{path}");
        }
    }

    #[test]
    fn safe_roots_deny_everything_else() {
        let denials =
            denials().with_safe_roots(["/nowhere/a", "", "/nowhere/b"].map(PathBuf::from));
        let reason = |path: &str| denials.reason("x", [], Path::new(path));
        assert_eq!(reason("/nowhere/a/x"), None);
        assert_eq!(
            reason("/nowhere/ab").as_deref(),
            Some(
                "Write denied: 'x' is outside HERMES_WRITE_SAFE_ROOT (/nowhere/a, /nowhere/b). Unset the variable or add this path's directory prefix."
            )
        );
    }
}
