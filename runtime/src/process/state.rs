//! What a session's shell keeps between commands: its directory, exported variables, functions and aliases.
//!
//! The variables travel in files of a private directory that goes with the session. A command's changes are taken
//! over only when it ended by itself; one that was killed changes nothing.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// Name of the variable that holds the private directory's path; it also marks the session's processes.
pub(super) const STATE_VARIABLE: &str = "HERMES_SHELL_STATE";

const DIRECTORY_PREFIX: &str = "hermes-shell-";
const COMMAND_FILE: &str = "command";
const SNAPSHOT_FILE: &str = "environment";
const NEW_SNAPSHOT_FILE: &str = "environment.new";
const NEW_CWD_FILE: &str = "cwd.new";

/// Wraps a command for bash: restore the state, run the command, save the state at whatever exit it takes.
///
/// The first argument is the directory to start in. The wrapper is one line, so that line numbers in error messages
/// are the command's own, and it starts no program, so that a session with a broken `PATH` can still repair it.
pub(super) const BASH_WRAPPER: &str = concat!(
    r#"exec 2>&1; shopt -s expand_aliases; "#,
    r#"[ -r "$HERMES_SHELL_STATE/environment" ] && . "$HERMES_SHELL_STATE/environment" >/dev/null 2>&1; "#,
    r#"cd -- "$1" && shift; "#,
    r#"trap '{ set +eux; { command export -p; command declare -f; command alias -p; } >"$HERMES_SHELL_STATE/environment.new"; command pwd >"$HERMES_SHELL_STATE/cwd.new"; } 2>/dev/null' EXIT; "#,
    r#"eval "$(<"$HERMES_SHELL_STATE/command")""#,
);

/// Wraps a command for a plain shell, which keeps directory and exported variables only.
///
/// The command is read before the session's `PATH` is restored.
pub(super) const SH_WRAPPER: &str = concat!(
    r#"exec 2>&1; hermes_command=$(cat "$HERMES_SHELL_STATE/command"); "#,
    r#"[ -r "$HERMES_SHELL_STATE/environment" ] && . "$HERMES_SHELL_STATE/environment" >/dev/null 2>&1; "#,
    r#"cd -- "$1" && shift; "#,
    r#"trap '{ set +eux; command export -p >"$HERMES_SHELL_STATE/environment.new"; command pwd >"$HERMES_SHELL_STATE/cwd.new"; } 2>/dev/null' EXIT; "#,
    r#"eval "$hermes_command""#,
);

/// Holds the state of one session's shell.
#[derive(Debug)]
pub(super) struct State {
    directory: TempDir,
    cwd: PathBuf,
}

impl State {
    /// Makes the private directory (mode 0700) of a shell that starts in `cwd`.
    pub(super) fn new(cwd: &Path) -> io::Result<Self> {
        let directory = tempfile::Builder::new()
            .prefix(DIRECTORY_PREFIX)
            .tempdir()?;
        Ok(Self {
            directory,
            cwd: cwd.to_owned(),
        })
    }

    /// Returns the private directory.
    pub(super) fn directory(&self) -> &Path {
        self.directory.path()
    }

    /// Returns the directory in which the next command starts.
    pub(super) fn cwd(&self) -> &Path {
        &self.cwd
    }

    /// Goes back to `start` if the current directory is gone.
    pub(super) fn recover(&mut self, start: &Path) {
        if !self.cwd.is_dir() {
            start.clone_into(&mut self.cwd);
        }
    }

    /// Hands the text of the next command over and forgets what an earlier, killed one left.
    pub(super) fn prepare(&self, command: &str) -> io::Result<()> {
        for name in [NEW_SNAPSHOT_FILE, NEW_CWD_FILE] {
            match fs::remove_file(self.directory().join(name)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        fs::write(self.directory().join(COMMAND_FILE), command)
    }

    /// Takes over what a command that ended by itself left; returns the new directory if it differs.
    ///
    /// A command that saved nothing, for it replaced its shell by another program, changes nothing.
    pub(super) fn take_over(&mut self, keeps_cwd: bool) -> Option<PathBuf> {
        let path = |name| self.directory.path().join(name);
        let cwd = fs::read_to_string(path(NEW_CWD_FILE)).ok()?;
        fs::rename(path(NEW_SNAPSHOT_FILE), path(SNAPSHOT_FILE)).ok()?;
        let cwd = PathBuf::from(cwd.strip_suffix('\n')?);
        if keeps_cwd || cwd == self.cwd || !cwd.is_dir() {
            return None;
        }
        self.cwd.clone_from(&cwd);
        Some(cwd)
    }
}
