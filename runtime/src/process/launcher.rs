//! Starts the shell of one command, cut off from the host's terminal and held back until it is let go.
//!
//! The shell waits for a line on its input before it runs anything, so that it can be marked first. A session of its
//! own, where the system has `setsid`, takes the host's terminal away: no password prompt can wait for an answer.

use std::env::consts::EXE_EXTENSION;
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use tokio::io::AsyncWriteExt as _;
use tokio::process::{Child, Command};

use super::environment::Environment;
use super::inheritance::plain_start;
use super::wrapper::{BASH_WRAPPER, SH_WRAPPER, STATE_VARIABLE};
use crate::system;

/// Starts bash, or the plain shell where there is none, in a directory; the state lies in another one.
///
/// # Errors
/// Fails where there is no shell, where the directory is gone, or where no process can be started.
pub(super) fn start(environment: &Environment, state: &Path, cwd: &Path) -> io::Result<Child> {
    let find = |name| find(environment.path(), name);
    let (name, shell, wrapper) = match (find("bash"), find("sh")) {
        (Some(bash), _) => ("bash", bash, BASH_WRAPPER),
        (None, Some(sh)) => ("sh", sh, SH_WRAPPER),
        (None, None) => return Err(io::Error::new(io::ErrorKind::NotFound, "no bash and no sh")),
    };
    let mut command = if let Some(setsid) = find("setsid") {
        // It is no group leader yet, so it needs no fork, and the shell has the number that is seen here.
        let mut command = Command::new(setsid);
        command.arg(shell);
        command
    } else {
        system::group_of_its_own(Command::new(shell))
    };
    let _start = plain_start();
    command
        .args(["-c", wrapper, name])
        .arg(cwd)
        .env_clear()
        .envs(environment.variables())
        .env(STATE_VARIABLE, state)
        .current_dir(cwd)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
}

/// Lets a shell run its command, whose input is empty.
pub(super) async fn let_go(child: &mut Child) {
    if let Some(mut input) = child.stdin.take() {
        // A shell that has died already needs no word.
        let _ = input.write_all(b"\n").await;
    }
}

/// Finds a program in the directories of a search path.
fn find(path: &OsStr, name: &str) -> Option<PathBuf> {
    std::env::split_paths(path)
        .filter(|directory| directory.is_absolute() && !system::has_foreign_shell(directory))
        .chain(system::shell_directories())
        .map(|directory| directory.join(name).with_extension(EXE_EXTENSION))
        .find(|program| system::is_executable(program))
}
