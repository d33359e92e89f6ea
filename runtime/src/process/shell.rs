//! Runs shell commands of one session, one at a time, outside the sandbox.
//!
//! A command sees a scrubbed environment, no input, no terminal and a directory that the session keeps. When its run is
//! over, no process that it started is left. When its future is dropped they are ended at once, and the next command waits for it.

use std::convert::Infallible;
use std::future::pending;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::sync::{Arc, MutexGuard, PoisonError};
use std::time::Duration;

use thiserror::Error;
use tokio::io::AsyncReadExt as _;
use tokio::process::{Child, ChildStdout};
use tokio::sync::Mutex;
use tokio::task::JoinSet;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::environment::Environment;
use super::launcher;
use super::state::State;
use super::tree::Tree;
use crate::system;
use crate::text::transcript::Transcript;

const CHUNK_BYTES: usize = 64 * 1024;
/// Chunks that are read of what was written before a command's end; a pipe holds less, unless somebody goes on writing.
const LAST_CHUNKS: usize = 16;

/// Pieces of work that may go on at once.
const MAX_ADOPTED: usize = 16;

/// Runs the shell commands of one session and keeps their state.
#[derive(Debug)]
pub(crate) struct Shell {
    environment: Environment,
    /// Locked by a command until none of its processes is left.
    state: Arc<Mutex<Option<State>>>,
    /// The directory that a command changed to last.
    recorded: std::sync::Mutex<Option<PathBuf>>,
    /// What goes on between commands.
    adopted: std::sync::Mutex<JoinSet<()>>,
}

impl Shell {
    /// Makes a shell whose first command sees `environment`; nothing is started yet.
    pub(crate) fn new(environment: Environment) -> Self {
        Self {
            environment,
            state: Arc::default(),
            recorded: std::sync::Mutex::default(),
            adopted: std::sync::Mutex::default(),
        }
    }

    /// Returns a shell that begins with this one's state, and shares nothing with it from then on.
    pub(crate) async fn copied(&self) -> Result<Self, ShellFault> {
        let copy = Self::new(self.environment.clone());
        let state = self.state.lock().await;
        let kept = state.as_ref().filter(|state| state.is_kept());
        let state_copy = kept.map(State::copied).transpose();
        *copy.state.lock().await = state_copy.map_err(ShellFault::State)?;
        Ok(copy)
    }

    /// Has work go on between commands, for as long as this shell is kept; returns whether there was room for it.
    pub(crate) fn adopt(&self, work: impl Future<Output = ()> + Send + 'static) -> bool {
        let mut adopted = self.adopted_lock();
        while adopted.try_join_next().is_some() {}
        let has_room = adopted.len() < MAX_ADOPTED;
        if has_room {
            adopted.spawn(work);
        }
        has_room
    }

    /// Returns whether something goes on between commands.
    pub(crate) fn is_at_work(&self) -> bool {
        let mut adopted = self.adopted_lock();
        while adopted.try_join_next().is_some() {}
        !adopted.is_empty()
    }

    /// Returns whether nothing is in it that a new shell would not have.
    pub(crate) fn is_fresh(&self) -> bool {
        // Where the state is locked, a command is using it.
        let is_empty = self.state.try_lock().is_ok_and(|state| state.is_none());
        is_empty && self.recorded().is_none() && !self.is_at_work()
    }

    /// Waits until everything that goes on between commands has come to its end.
    #[cfg(test)]
    pub(crate) async fn adopted_have_ended(&self) {
        let adopted = std::mem::take(&mut *self.adopted_lock());
        adopted.join_all().await;
    }

    /// Gives up what goes on between commands, as it is when the shell is dropped.
    #[cfg(test)]
    pub(crate) fn disown(&self) {
        drop(std::mem::take(&mut *self.adopted_lock()));
    }

    fn adopted_lock(&self) -> MutexGuard<'_, JoinSet<()>> {
        self.adopted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the directory that a command changed to last, if one did.
    pub(crate) fn recorded(&self) -> Option<PathBuf> {
        self.recorded_lock().clone()
    }

    fn recorded_lock(&self) -> MutexGuard<'_, Option<PathBuf>> {
        self.recorded.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs one command to its end or its time limit; commands of one shell wait for each other.
    pub(crate) async fn run(&self, run: Run<'_>) -> Result<Finished, ShellFault> {
        let mut slot = Arc::clone(&self.state).lock_owned().await;
        let is_lost = slot.as_ref().is_some_and(|state| !state.is_kept());
        if is_lost {
            *slot = None;
        }
        let state = match &mut *slot {
            Some(state) => state,
            empty => {
                let state = State::begin(run.start, run.init_files);
                empty.insert(state.map_err(ShellFault::State)?)
            }
        };
        let mut is_recreated = state.recover(run.start) || is_lost;
        let cwd = run.workdir.map(|workdir| state.cwd().join(workdir));
        let cwd = match cwd {
            Some(cwd) if !cwd.is_dir() => return Err(ShellFault::Workdir(cwd)),
            Some(cwd) => cwd,
            None => state.cwd().to_owned(),
        };
        if state.prepare(run.command).is_err() {
            // Whatever is in the way there, a new directory has nothing of it.
            let fresh = State::begin(state.cwd(), run.init_files).map_err(ShellFault::State)?;
            fresh.prepare(run.command).map_err(ShellFault::State)?;
            *state = fresh;
            is_recreated = true;
        }
        let started = launcher::start(&self.environment, state.directory(), &cwd);
        let mut child = started.map_err(ShellFault::Start)?;
        let tree = Tree::of(&child, slot).map_err(ShellFault::Start)?;
        launcher::let_go(&mut child).await;
        let mut transcript = Transcript::default();
        let mut output = child.stdout.take();
        let ending = tokio::select! {
            status = watch(&mut child, &mut output, &mut transcript) => Ending::of(status.map_err(ShellFault::Start)?),
            () = sleep(run.timeout) => Ending::TimedOut,
            () = run.cancellation.cancelled() => Ending::Interrupted,
        };
        // What is written from here on is what shells say about the death of their children.
        drain_now(output.as_mut(), &mut transcript);
        let mut slot = tree.end().await;
        let new_cwd = match ending {
            Ending::Exited(_) if run.is_persistent => {
                let state = slot.as_deref_mut().and_then(Option::as_mut);
                state.and_then(|state| state.take_over(run.workdir.is_some()))
            }
            Ending::Exited(_) | Ending::TimedOut | Ending::Interrupted => None,
        };
        if let Some(cwd) = &new_cwd {
            *self.recorded_lock() = Some(cwd.clone());
        }
        Ok(Finished {
            output: transcript,
            ending,
            new_cwd,
            is_recreated,
        })
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
    /// Ends the command early.
    pub(crate) cancellation: &'a CancellationToken,
    /// Files that the shell reads when its state begins.
    pub(crate) init_files: &'a [PathBuf],
    /// Whether the next command finds what this one leaves.
    pub(crate) is_persistent: bool,
}

/// What came out of a command.
#[derive(Debug)]
pub(crate) struct Finished {
    pub(crate) output: Transcript,
    pub(crate) ending: Ending,
    /// The session's directory, if the command changed it.
    pub(crate) new_cwd: Option<PathBuf>,
    /// Whether the session's directory or state was gone, so that the command began afresh.
    pub(crate) is_recreated: bool,
}

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    /// By itself, with this exit code; negative is the number of a signal.
    Exited(i32),
    /// It was killed at its time limit.
    TimedOut,
    /// It was killed because its cell ends.
    Interrupted,
}

impl Ending {
    fn of(status: ExitStatus) -> Self {
        // A status without a code has a signal; the last case does not occur for a process that was waited for.
        Self::Exited(
            status
                .code()
                .or_else(|| Some(-system::signal_of(status)?))
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

/// Reads output until the command itself has ended.
async fn watch(
    child: &mut Child,
    output: &mut Option<ChildStdout>,
    transcript: &mut Transcript,
) -> io::Result<ExitStatus> {
    tokio::select! {
        status = child.wait() => status,
        never = drain_and_wait(output, transcript) => match never {},
    }
}

/// Reads output until its end, and then does nothing: a command may close its output and go on.
async fn drain_and_wait(
    output: &mut Option<ChildStdout>,
    transcript: &mut Transcript,
) -> Infallible {
    drain(output, transcript).await;
    pending().await
}

/// Reads output until its end.
async fn drain(output: &mut Option<ChildStdout>, transcript: &mut Transcript) {
    let Some(pipe) = output else { return };
    let mut chunk = vec![0; CHUNK_BYTES];
    // A pipe that cannot be read any more is as good as one that ended.
    while let Ok(count @ 1..) = pipe.read(&mut chunk).await {
        transcript.push(chunk.split_at(count).0);
    }
    *output = None;
}

/// Reads what is in the pipe already, and waits for nothing.
fn drain_now(output: Option<&mut ChildStdout>, transcript: &mut Transcript) {
    let Some(pipe) = output else { return };
    let mut chunk = vec![0; CHUNK_BYTES];
    for _ in 0..LAST_CHUNKS {
        match system::read_now(pipe, &mut chunk) {
            Ok(count @ 1..) => transcript.push(chunk.split_at(count).0),
            _ => return,
        }
    }
}

#[cfg(test)]
mod tests;
