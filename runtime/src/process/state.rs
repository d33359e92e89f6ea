//! What a session's shell keeps between commands: its directory, exported variables, functions and aliases.
//!
//! The variables travel in files of a private directory that goes with the session. A command's changes are taken
//! over only when it ended by itself; one that was killed changes nothing. A command knows the directory and may put
//! anything there: what is read back is a regular file of bounded size or nothing, and no link is followed.

use std::fs::{self, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use super::private::{PrivateDirectory, SHELL_PREFIX};
use crate::system;

const COMMAND_FILE: &str = "command";
const SNAPSHOT_FILE: &str = "environment";
const NEW_SNAPSHOT_FILE: &str = "environment.new";
const PUT_BY_FILE: &str = "environment.before";
const NEW_CWD_FILE: &str = "cwd.new";

/// Holds the state of one session's shell.
#[derive(Debug)]
pub(super) struct State {
    directory: PrivateDirectory,
    cwd: PathBuf,
    /// Whether the session's commands can begin: what is read before the first of them has been read.
    has_begun: bool,
}

impl State {
    /// Makes the private directory (mode 0700) of a shell that starts in `cwd`.
    pub(super) fn new(cwd: &Path) -> io::Result<Self> {
        // The session's variables lie in it.
        Ok(Self {
            directory: PrivateDirectory::new(SHELL_PREFIX)?,
            cwd: cwd.to_owned(),
            has_begun: false,
        })
    }

    /// Returns a state that is the same now and shares nothing with this one.
    ///
    /// # Errors
    /// Fails where what this one keeps cannot be read, or is more than 16 MiB.
    pub(super) fn copied(&self) -> io::Result<Self> {
        let mut copy = Self::new(&self.cwd)?;
        copy.has_begun = self.has_begun;
        match read(&self.directory().join(SNAPSHOT_FILE), MAX_SNAPSHOT) {
            Ok(snapshot) => replace(&copy.directory().join(SNAPSHOT_FILE), &snapshot)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => (),
            Err(error) => return Err(error),
        }
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

    /// Tells whether the session's commands can begin.
    pub(super) fn has_begun(&self) -> bool {
        self.has_begun
    }

    /// Keeps nothing of what was kept so far, for the session is to begin now.
    pub(super) fn clear(&mut self) -> io::Result<()> {
        self.has_begun = false;
        remove(&self.directory().join(SNAPSHOT_FILE))
    }

    /// Puts what is kept now by, to go back to it.
    pub(super) fn put_by(&self) -> io::Result<()> {
        let put_by = self.directory().join(PUT_BY_FILE);
        remove(&put_by)?;
        match fs::copy(self.directory().join(SNAPSHOT_FILE), put_by) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// Goes back to what was put by last.
    pub(super) fn go_back(&self) -> io::Result<()> {
        let snapshot = self.directory().join(SNAPSHOT_FILE);
        remove(&snapshot)?;
        match fs::rename(self.directory().join(PUT_BY_FILE), snapshot) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// Takes note that the session's commands can begin.
    pub(super) fn begin(&mut self) {
        self.has_begun = true;
    }

    /// Goes back to `start` if the current directory is gone, or to the nearest one above that is there; returns whether it was.
    pub(super) fn recover(&mut self, start: &Path) -> bool {
        let is_gone = !self.cwd.is_dir();
        if is_gone {
            let there = start.ancestors().find(|directory| directory.is_dir());
            there.unwrap_or(start).clone_into(&mut self.cwd);
        }
        is_gone
    }

    /// Hands the text of the next command over and forgets what an earlier, killed one left.
    ///
    /// # Errors
    /// Fails where a command has put something into the directory that is in the way of every later one.
    pub(super) fn prepare(&self, command: &[u8]) -> io::Result<()> {
        let snapshot = fs::symlink_metadata(self.directory().join(SNAPSHOT_FILE));
        if snapshot.is_ok_and(|snapshot| !snapshot.is_file()) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        for name in [NEW_SNAPSHOT_FILE, NEW_CWD_FILE] {
            remove(&self.directory().join(name))?;
        }
        replace(&self.directory().join(COMMAND_FILE), command)
    }

    /// Tells whether a shell that has ended never came to the command that was handed over.
    pub(super) fn holds_command(&self) -> bool {
        let command = fs::symlink_metadata(self.directory().join(COMMAND_FILE));
        command.is_ok_and(|command| command.is_file() && command.len() > 0)
    }

    /// Takes over what a command that ended by itself left, and returns the directory in which it ended.
    ///
    /// A command that saved nothing, for it replaced its shell by another program, changes nothing: `None`.
    pub(super) fn take_over(&self) -> Option<PathBuf> {
        let path = |name| self.directory().join(name);
        let cwd = read(&path(NEW_CWD_FILE), MAX_PATH_FILE).ok()?;
        if !fs::symlink_metadata(path(NEW_SNAPSHOT_FILE))
            .ok()?
            .is_file()
        {
            return None;
        }
        fs::rename(path(NEW_SNAPSHOT_FILE), path(SNAPSHOT_FILE)).ok()?;
        Some(system::path_of_shell(cwd.strip_suffix(b"\n")?))
    }

    /// Has the next command start in a directory, if that is there; returns it if it is another one.
    pub(super) fn enter(&mut self, cwd: PathBuf) -> Option<PathBuf> {
        if cwd == self.cwd || !cwd.is_dir() {
            return None;
        }
        self.cwd.clone_from(&cwd);
        Some(cwd)
    }
}

/// Bytes that are read of a file with a path in it.
const MAX_PATH_FILE: u64 = 64 << 10;
/// Bytes of variables, functions and aliases that are copied.
const MAX_SNAPSHOT: u64 = 16 << 20;

/// Reads a small regular file.
///
/// # Errors
/// Fails for a larger one, and for anything else that stands in its place.
fn read(path: &Path, max_bytes: u64) -> io::Result<Vec<u8>> {
    let file = system::without_links(OpenOptions::new().read(true)).open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let mut bytes = Vec::new();
    file.take(max_bytes.saturating_add(1))
        .read_to_end(&mut bytes)?;
    // A length that does not fit the type is too much in any case.
    if u64::try_from(bytes.len()).is_ok_and(|count| count <= max_bytes) {
        Ok(bytes)
    } else {
        let text = format!("they are more than {max_bytes} bytes");
        Err(io::Error::new(io::ErrorKind::FileTooLarge, text))
    }
}

/// Removes a file that may be missing.
fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Writes a file anew, in place of whatever is there.
fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    remove(path)?;
    let mut options = OpenOptions::new();
    let mut file = system::hide_new_file(options.write(true).create_new(true)).open(path)?;
    file.write_all(content)
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
        state.prepare(b"true").unwrap();
        assert_eq!(fs::read_to_string(&victim).unwrap(), "whole");
        let command = state.directory().join(COMMAND_FILE);
        assert_eq!(fs::read_to_string(command).unwrap(), "true");
    }

    #[test]
    fn what_is_no_regular_file_is_not_taken_over() {
        for plant in ["mkfifo", "mkdir"] {
            for name in [NEW_CWD_FILE, NEW_SNAPSHOT_FILE] {
                let state = State::new(Path::new("/")).unwrap();
                fs::write(state.directory().join(NEW_CWD_FILE), "/tmp\n").unwrap();
                fs::write(state.directory().join(NEW_SNAPSHOT_FILE), "").unwrap();
                let place = state.directory().join(name);
                fs::remove_file(&place).unwrap();
                assert!(Command::new(plant).arg(&place).status().unwrap().success());
                assert_eq!(state.take_over(), None, "{plant} {name}");
                assert_eq!(state.cwd(), Path::new("/"));
            }
        }
    }

    #[test]
    fn a_link_in_place_of_the_new_directory_is_not_followed() {
        let state = State::new(Path::new("/")).unwrap();
        let elsewhere = state.directory().join("elsewhere");
        fs::write(&elsewhere, "/tmp\n").unwrap();
        fs::write(state.directory().join(NEW_SNAPSHOT_FILE), "").unwrap();
        symlink(&elsewhere, state.directory().join(NEW_CWD_FILE)).unwrap();
        assert_eq!(state.take_over(), None);
    }
}
