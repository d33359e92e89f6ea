//! What a session's shell keeps between commands: its directory, exported variables, functions and aliases.
//!
//! The variables travel in files of a private directory that goes with the session. A command's changes are taken
//! over only when it ended by itself; one that was killed changes nothing. A command knows the directory and may put
//! anything there: what is read back is a regular file of bounded size or nothing, and no link is followed.

use std::fmt::Write as _;
use std::fs::{self, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use super::private::{PrivateDirectory, SHELL_PREFIX};
use crate::system;

/// Name of the variable that holds the private directory's path.
pub(super) const STATE_VARIABLE: &str = "HERMES_SHELL_STATE";

const COMMAND_FILE: &str = "command";
const SNAPSHOT_FILE: &str = "environment";
const NEW_SNAPSHOT_FILE: &str = "environment.new";
const NEW_CWD_FILE: &str = "cwd.new";

/// Saves the state in bash. Text and not a function, which would become a part of the state.
macro_rules! save_in_bash {
    () => {
        r#"{ command set +euvxC; { command export -p; command declare -f; command alias -p; } >"$HERMES_SHELL_STATE/environment.new"; command pwd >"$HERMES_SHELL_STATE/cwd.new"; } 2>/dev/null"#
    };
}

/// Saves the state in a plain shell.
macro_rules! save_in_sh {
    () => {
        r#"{ set +euvxC; command export -p >"$HERMES_SHELL_STATE/environment.new"; command pwd >"$HERMES_SHELL_STATE/cwd.new"; } 2>/dev/null"#
    };
}

/// Wraps a command for bash: wait for the word to go, restore the state, run the command, save the state at whatever exit it takes.
/// A command that sets a trap of its own for the exit has its state saved when it comes to its end.
///
/// The first argument is the directory to start in. The wrapper is one line, so that line numbers in error messages
/// are the command's own, and it starts no program, so that a session with a broken `PATH` can still repair it. What a
/// session makes of variables, functions and options shows only in its own commands: the wrapper names no function by
/// accident, and says nothing of a variable that it may not set or under an option that prints what runs.
pub(super) const BASH_WRAPPER: &str = concat!(
    r#"read -r REPLY || exit 1; unset REPLY; exec </dev/null 2>&1; shopt -s expand_aliases; "#,
    r#"[ -r "$HERMES_SHELL_STATE/environment" ] && . "$HERMES_SHELL_STATE/environment" >/dev/null 2>&1; "#,
    r#"command cd -- "$1" 2>/dev/null; command shift; "#,
    "command trap '",
    save_in_bash!(),
    "' EXIT; ",
    r#"command eval -- "$(<"$HERMES_SHELL_STATE/command")"; { command set +euvxC -- "$?"; } >/dev/null 2>&1; "#,
    save_in_bash!(),
    r#"; command exit "$1""#,
);

/// Wraps a command for a plain shell, which keeps directory and exported variables only.
///
/// The command is read before the session's `PATH` is restored. The space in front of it keeps a command such as `-x` from
/// being an option of `eval`, for which not every shell has `--`.
pub(super) const SH_WRAPPER: &str = concat!(
    r#"read -r REPLY || exit 1; unset REPLY; exec </dev/null 2>&1; hermes_command=$(cat "$HERMES_SHELL_STATE/command"); "#,
    r#"[ -r "$HERMES_SHELL_STATE/environment" ] && . "$HERMES_SHELL_STATE/environment" >/dev/null 2>&1; "#,
    r#"cd -- "$1" 2>/dev/null; shift; "#,
    "trap '",
    save_in_sh!(),
    "' EXIT; ",
    r#"eval " $hermes_command"; { set +euvxC -- "$?"; } >/dev/null 2>&1; "#,
    save_in_sh!(),
    r#"; exit "$1""#,
);

/// Holds the state of one session's shell.
#[derive(Debug)]
pub(super) struct State {
    directory: PrivateDirectory,
    cwd: PathBuf,
}

impl State {
    /// Makes the private directory (mode 0700) of a shell that starts in `cwd`.
    pub(super) fn new(cwd: &Path) -> io::Result<Self> {
        // The session's variables lie in it.
        Ok(Self {
            directory: PrivateDirectory::new(SHELL_PREFIX)?,
            cwd: cwd.to_owned(),
        })
    }

    /// Makes the state of a shell that reads these files first, as far as they are there.
    pub(super) fn begin(cwd: &Path, init_files: &[PathBuf]) -> io::Result<Self> {
        let state = Self::new(cwd)?;
        if !init_files.is_empty() {
            let lines: String = init_files.iter().map(|path| reading(path)).collect();
            replace(&state.directory().join(SNAPSHOT_FILE), &lines)?;
        }
        Ok(state)
    }

    /// Returns a state that is the same now and shares nothing with this one.
    pub(super) fn copied(&self) -> io::Result<Self> {
        let copy = Self::new(&self.cwd)?;
        let Some(mut snapshot) = read(&self.directory().join(SNAPSHOT_FILE), MAX_SNAPSHOT) else {
            return Ok(copy);
        };
        // The variables hold the place of the state, too.
        let place = copy.directory().to_string_lossy().replace('\'', r"'\''");
        // Writing to a string cannot fail.
        let _ = write!(snapshot, "\nexport {STATE_VARIABLE}='{place}'\n");
        replace(&copy.directory().join(SNAPSHOT_FILE), &snapshot)?;
        Ok(copy)
    }

    /// Returns the private directory.
    pub(super) fn directory(&self) -> &Path {
        self.directory.path()
    }

    /// Returns the directory in which the next command starts.
    pub(super) fn cwd(&self) -> &Path {
        &self.cwd
    }

    /// Tells whether the private directory is still there.
    pub(super) fn is_kept(&self) -> bool {
        self.directory().is_dir()
    }

    /// Goes back to `start` if the current directory is gone; returns whether it was.
    pub(super) fn recover(&mut self, start: &Path) -> bool {
        let is_gone = !self.cwd.is_dir();
        if is_gone {
            start.clone_into(&mut self.cwd);
        }
        is_gone
    }

    /// Hands the text of the next command over and forgets what an earlier, killed one left.
    ///
    /// # Errors
    /// Fails where a command has put something into the directory that is in the way of every later one.
    pub(super) fn prepare(&self, command: &str) -> io::Result<()> {
        let snapshot = fs::symlink_metadata(self.directory().join(SNAPSHOT_FILE));
        if snapshot.is_ok_and(|snapshot| !snapshot.is_file()) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        for name in [NEW_SNAPSHOT_FILE, NEW_CWD_FILE] {
            match fs::remove_file(self.directory().join(name)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        replace(&self.directory().join(COMMAND_FILE), command)
    }

    /// Takes over what a command that ended by itself left; returns the new directory if it differs.
    ///
    /// A command that saved nothing, for it replaced its shell by another program, changes nothing.
    pub(super) fn take_over(&mut self, keeps_cwd: bool) -> Option<PathBuf> {
        let path = |name| self.directory.path().join(name);
        let cwd = read(&path(NEW_CWD_FILE), MAX_PATH_FILE)?;
        if !fs::symlink_metadata(path(NEW_SNAPSHOT_FILE))
            .ok()?
            .is_file()
        {
            return None;
        }
        fs::rename(path(NEW_SNAPSHOT_FILE), path(SNAPSHOT_FILE)).ok()?;
        let cwd = system::path_of_shell(cwd.strip_suffix('\n')?);
        if keeps_cwd || cwd == self.cwd || !cwd.is_dir() {
            return None;
        }
        self.cwd.clone_from(&cwd);
        Some(cwd)
    }
}

/// Returns the line with which a shell reads a file, if it can.
fn reading(path: &Path) -> String {
    let path = path.to_string_lossy().replace('\'', r"'\''");
    format!("[ -r '{path}' ] && . '{path}'\n")
}

/// Bytes that are read of a file with a path in it.
const MAX_PATH_FILE: u64 = 64 << 10;
/// Bytes of variables, functions and aliases that are copied.
const MAX_SNAPSHOT: u64 = 16 << 20;

/// Reads a small regular file; `None` for anything else that stands in its place.
fn read(path: &Path, max_bytes: u64) -> Option<String> {
    let file = system::without_links(OpenOptions::new().read(true)).open(path);
    let file = file.ok()?;
    if !file.metadata().ok()?.is_file() {
        return None;
    }
    let mut text = String::new();
    file.take(max_bytes).read_to_string(&mut text).ok()?;
    Some(text)
}

/// Writes a file anew, in place of whatever is there.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut options = OpenOptions::new();
    let mut file = system::hide_new_file(options.write(true).create_new(true)).open(path)?;
    file.write_all(text.as_bytes())
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use std::os::unix::fs::{PermissionsExt as _, symlink};
    use std::process::Command;

    use super::*;

    #[test]
    fn nobody_else_may_look_into_the_directory() {
        let state = State::new(Path::new("/")).unwrap();
        let mode = fs::metadata(state.directory())
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(mode & 0o7777, 0o700);
    }

    #[test]
    fn a_link_in_place_of_the_command_is_replaced_and_not_followed() {
        let state = State::new(Path::new("/")).unwrap();
        let victim = state.directory().join("victim");
        fs::write(&victim, "whole").unwrap();
        symlink(&victim, state.directory().join(COMMAND_FILE)).unwrap();
        state.prepare("true").unwrap();
        assert_eq!(fs::read_to_string(&victim).unwrap(), "whole");
        let command = state.directory().join(COMMAND_FILE);
        assert_eq!(fs::read_to_string(command).unwrap(), "true");
    }

    #[test]
    fn what_is_no_regular_file_is_not_taken_over() {
        for plant in ["mkfifo", "mkdir"] {
            for name in [NEW_CWD_FILE, NEW_SNAPSHOT_FILE] {
                let mut state = State::new(Path::new("/")).unwrap();
                fs::write(state.directory().join(NEW_CWD_FILE), "/tmp\n").unwrap();
                fs::write(state.directory().join(NEW_SNAPSHOT_FILE), "").unwrap();
                let place = state.directory().join(name);
                fs::remove_file(&place).unwrap();
                assert!(Command::new(plant).arg(&place).status().unwrap().success());
                assert_eq!(state.take_over(false), None, "{plant} {name}");
                assert_eq!(state.cwd(), Path::new("/"));
            }
        }
    }

    #[test]
    fn a_link_in_place_of_the_new_directory_is_not_followed() {
        let mut state = State::new(Path::new("/")).unwrap();
        let elsewhere = state.directory().join("elsewhere");
        fs::write(&elsewhere, "/tmp\n").unwrap();
        fs::write(state.directory().join(NEW_SNAPSHOT_FILE), "").unwrap();
        symlink(&elsewhere, state.directory().join(NEW_CWD_FILE)).unwrap();
        assert_eq!(state.take_over(false), None);
    }
}
