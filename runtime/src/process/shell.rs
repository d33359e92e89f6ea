//! Runs shell commands of one session, one at a time, outside the sandbox.
//!
//! A command sees a scrubbed environment, no input and a directory that the session keeps. When its run is over, no
//! process that it started is left. When its future is dropped they are ended at once, and the next command waits for it.

use std::convert::Infallible;
use std::future::pending;
use std::io;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;

use rustix::process::Pid;
use thiserror::Error;
use tokio::io::AsyncReadExt as _;
use tokio::process::{Child, ChildStdout, Command};
use tokio::sync::Mutex;
use tokio::time::{sleep, timeout};

use super::environment::Environment;
use super::state::{BASH_WRAPPER, SH_WRAPPER, STATE_VARIABLE, State};
use super::tree::Tree;
use super::window::{Pieces, Window};

const CHUNK_BYTES: usize = 64 * 1024;
/// How long output is awaited after the command's processes have ended; only a process of a stranger could hold it up.
const DRAIN_LIMIT: Duration = Duration::from_secs(1);

/// Runs the shell commands of one session and keeps their state.
#[derive(Debug)]
pub(crate) struct Shell {
    environment: Environment,
    /// Locked by a command until none of its processes is left.
    state: Arc<Mutex<Option<State>>>,
}

impl Shell {
    /// Makes a shell whose first command sees `environment`; nothing is started yet.
    pub(crate) fn new(environment: Environment) -> Self {
        Self {
            environment,
            state: Arc::default(),
        }
    }

    /// Runs one command to its end or its time limit; commands of one shell wait for each other.
    pub(crate) async fn run(&self, run: Run<'_>) -> Result<Finished, ShellFault> {
        let mut slot = Arc::clone(&self.state).lock_owned().await;
        let state = match &mut *slot {
            Some(state) => state,
            empty => empty.insert(State::new(run.start).map_err(ShellFault::State)?),
        };
        state.recover(run.start);
        let cwd = run.workdir.map(|workdir| state.cwd().join(workdir));
        let cwd = match cwd {
            Some(cwd) if !cwd.is_dir() => return Err(ShellFault::Workdir(cwd)),
            Some(cwd) => cwd,
            None => state.cwd().to_owned(),
        };
        state.prepare(run.command).map_err(ShellFault::State)?;
        let mut child = self.start(state, &cwd).map_err(ShellFault::Start)?;
        let (leader, marker) = (leader(&child)?, marker(state));
        // The marker is the session's: the processes of the next command would be taken for those of this one.
        let tree = Tree::new(leader, marker, slot);
        let mut window = Window::default();
        let mut output = child.stdout.take();
        let ending = tokio::select! {
            status = watch(&mut child, &mut output, &mut window) => Ending::of(status.map_err(ShellFault::Start)?),
            () = sleep(run.timeout) => Ending::TimedOut,
        };
        let slot = tree.end().await;
        let new_cwd = match ending {
            Ending::Exited(_) => {
                // The pipe may hold what was written last; if a stranger keeps it open, what came so far is enough.
                let _ = timeout(DRAIN_LIMIT, drain(&mut output, &mut window)).await;
                let mut slot = slot;
                let state = slot.as_deref_mut().and_then(Option::as_mut);
                state.and_then(|state| state.take_over(run.workdir.is_some()))
            }
            // What is written from here on is the shell's account of its own death.
            Ending::TimedOut => None,
        };
        Ok(Finished {
            output: window.into_pieces(),
            ending,
            new_cwd,
        })
    }

    /// Starts bash, or the plain shell where there is none.
    fn start(&self, state: &State, cwd: &Path) -> io::Result<Child> {
        let spawn = |program: &str, wrapper: &str| {
            Command::new(program)
                .args(["-c", wrapper, program])
                .arg(cwd)
                .env_clear()
                .envs(self.environment.variables())
                .env(STATE_VARIABLE, state.directory())
                .current_dir(cwd)
                .stdin(Stdio::null())
                .stdout(Stdio::piped())
                .stderr(Stdio::null())
                .process_group(0)
                .spawn()
        };
        match spawn("bash", BASH_WRAPPER) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => spawn("sh", SH_WRAPPER),
            started => started,
        }
    }
}

/// Describes one command to run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Run<'a> {
    pub(crate) command: &'a str,
    /// Where the session's first command starts.
    pub(crate) start: &'a Path,
    /// A directory for this command only, relative to the session's.
    pub(crate) workdir: Option<&'a Path>,
    pub(crate) timeout: Duration,
}

/// What came out of a command.
#[derive(Debug)]
pub(crate) struct Finished {
    pub(crate) output: Pieces,
    pub(crate) ending: Ending,
    /// The session's directory, if the command changed it.
    pub(crate) new_cwd: Option<PathBuf>,
}

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    /// By itself, with this exit code; negative is the number of a signal.
    Exited(i32),
    /// It was killed at its time limit.
    TimedOut,
}

impl Ending {
    fn of(status: ExitStatus) -> Self {
        // A status without a code has a signal; the last case does not occur for a process that was waited for.
        Self::Exited(
            status
                .code()
                .or_else(|| Some(-status.signal()?))
                .unwrap_or(-1),
        )
    }
}

/// Says why a command could not be run.
#[derive(Debug, Error)]
pub(crate) enum ShellFault {
    #[error("cannot start a shell")]
    Start(#[source] io::Error),
    #[error("cannot keep the shell's state")]
    State(#[source] io::Error),
    #[error("workdir is not an existing directory: {}", .0.display())]
    Workdir(PathBuf),
}

fn leader(child: &Child) -> Result<Pid, ShellFault> {
    // A child that was just started and not waited for has a number, and it is positive.
    let pid = child.id().and_then(|pid| Pid::from_raw(pid.cast_signed()));
    pid.ok_or_else(|| ShellFault::Start(io::ErrorKind::NotFound.into()))
}

fn marker(state: &State) -> Vec<u8> {
    let mut marker = format!("{STATE_VARIABLE}=").into_bytes();
    marker.extend_from_slice(state.directory().as_os_str().as_encoded_bytes());
    marker
}

/// Reads output until the command itself has ended.
async fn watch(
    child: &mut Child,
    output: &mut Option<ChildStdout>,
    window: &mut Window,
) -> io::Result<ExitStatus> {
    tokio::select! {
        status = child.wait() => status,
        never = drain_and_wait(output, window) => match never {},
    }
}

/// Reads output until its end, and then does nothing: a command may close its output and go on.
async fn drain_and_wait(output: &mut Option<ChildStdout>, window: &mut Window) -> Infallible {
    drain(output, window).await;
    pending().await
}

/// Reads output until its end.
async fn drain(output: &mut Option<ChildStdout>, window: &mut Window) {
    let Some(pipe) = output else { return };
    let mut chunk = vec![0; CHUNK_BYTES];
    // A pipe that cannot be read any more is as good as one that ended.
    while let Ok(count @ 1..) = pipe.read(&mut chunk).await {
        window.push(chunk.split_at(count).0);
    }
    *output = None;
}

#[cfg(test)]
mod tests;
