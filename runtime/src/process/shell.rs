//! Runs shell commands of one session, one at a time, outside the sandbox.
//!
//! A command sees a scrubbed environment, no input, no terminal and a directory that the session keeps. When its run is
//! over, no process that it started is left. When its future is dropped they are ended at once, and the next command waits for it.

mod beginning;
mod output;

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::sync::{Arc, MutexGuard, PoisonError};
use std::time::Duration;

use thiserror::Error;
use tokio::sync::{Mutex, OwnedMappedMutexGuard, OwnedMutexGuard};
use tokio::task::JoinSet;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use self::output::{drain_now, watch};
use super::environment::Environment;
use super::launcher;
use super::state::State;
use super::tree::Tree;
use crate::system;
use crate::text::transcript::Transcript;

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
    ///
    /// A session that has not begun does so now, as it would for the first command to run in it: `None` if the cell ends meanwhile.
    pub(crate) async fn copied(&self, run: &Run<'_>) -> Result<Option<Self>, ShellFault> {
        let copy = Self::new(self.environment.clone());
        let mut slot = Arc::clone(&self.state).lock_owned().await;
        // A state that was lost is left for a command of the session, which tells that.
        if slot.as_ref().is_none_or(State::is_kept) {
            let state = match slot.take() {
                Some(state) => state,
                None => State::new(run.start).map_err(ShellFault::State)?,
            };
            let state = OwnedMutexGuard::map(slot, |slot| slot.insert(state));
            let state = if state.cwd().is_dir() {
                self.begun(state, run).await?
            } else {
                Some(state)
            };
            let Some(state) = state else { return Ok(None) };
            *copy.state.lock().await = Some(state.copied().map_err(ShellFault::Copy)?);
        }
        Ok(Some(copy))
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
        let is_lost = slot.take_if(|state| !state.is_kept()).is_some();
        let state = match slot.take() {
            Some(state) => state,
            None => State::new(run.start).map_err(ShellFault::State)?,
        };
        let mut state = OwnedMutexGuard::map(slot, |slot| slot.insert(state));
        let mut is_recreated = state.recover(run.start) || is_lost;
        let cwd = match run.workdir.map(|workdir| state.cwd().join(workdir)) {
            Some(cwd) if !cwd.is_dir() => return Err(ShellFault::Workdir(cwd)),
            Some(cwd) => cwd,
            None => state.cwd().to_owned(),
        };
        let Some(begun) = self.begun(state, &run).await? else {
            return Ok(Finished::interrupted());
        };
        state = begun;
        if state.prepare(run.command.as_bytes()).is_err() {
            // Whatever is in the way there, a new directory has nothing of it.
            *state = State::new(state.cwd()).map_err(ShellFault::State)?;
            is_recreated = true;
            let Some(begun) = self.begun(state, &run).await? else {
                return Ok(Finished::interrupted());
            };
            state = begun;
            state
                .prepare(run.command.as_bytes())
                .map_err(ShellFault::State)?;
        }
        let limits = (run.timeout, run.cancellation);
        let (execution, state) = self.execute(state, &cwd, limits).await?;
        let mut new_cwd = None;
        if let (Some(mut state), Ending::Exited(_)) = (state, execution.ending) {
            if state.holds_command() {
                *state = State::new(state.cwd()).map_err(ShellFault::State)?;
                return Err(ShellFault::NotReached);
            }
            let cwd = run.is_persistent.then(|| state.take_over()).flatten();
            let cwd = cwd.filter(|_| run.workdir.is_none());
            new_cwd = cwd.and_then(|cwd| state.enter(cwd));
        }
        if let Some(cwd) = &new_cwd {
            *self.recorded_lock() = Some(cwd.clone());
        }
        Ok(Finished {
            output: execution.output,
            ending: execution.ending,
            new_cwd,
            is_recreated,
        })
    }

    /// Runs what a state was prepared for, and gives the state back when no process of it is left; not if the executor shuts down meanwhile.
    async fn execute(
        &self,
        state: Held,
        cwd: &Path,
        (timeout, cancellation): (Duration, &CancellationToken),
    ) -> Result<(Execution, Option<Held>), ShellFault> {
        let started = launcher::start(&self.environment, state.directory(), cwd);
        let mut child = started.map_err(ShellFault::Start)?;
        let tree = Tree::of(&child, state).map_err(ShellFault::Start)?;
        launcher::let_go(&mut child).await;
        let mut transcript = Transcript::default();
        let mut output = child.stdout.take();
        let ending = tokio::select! {
            status = watch(&mut child, &mut output, &mut transcript) => Ending::of(status.map_err(ShellFault::Start)?),
            () = sleep(timeout) => Ending::TimedOut,
            () = cancellation.cancelled() => Ending::Interrupted,
        };
        // What is written from here on is what shells say about the death of their children.
        drain_now(output.as_mut(), &mut transcript);
        let state = tree.end().await;
        let output = transcript;
        Ok((Execution { output, ending }, state))
    }
}

/// The state, locked by whoever runs a command.
type Held = OwnedMappedMutexGuard<Option<State>, State>;

/// What a shell wrote, and how it ended.
struct Execution {
    output: Transcript,
    ending: Ending,
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
    /// Files that are read when the session begins.
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

impl Finished {
    /// Returns what comes of a command whose cell ended before it began.
    fn interrupted() -> Self {
        Self {
            output: Transcript::default(),
            ending: Ending::Interrupted,
            new_cwd: None,
            is_recreated: false,
        }
    }
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
    #[error(
        "Background command not started: the session's variables, functions and aliases cannot be copied ({0})"
    )]
    Copy(#[source] io::Error),
    #[error(
        "the session's shell ended before it came to the command. What earlier commands had left in it is dropped; run the command again"
    )]
    NotReached,
    #[error("workdir is not an existing directory: {}", .0.display())]
    Workdir(PathBuf),
}

#[cfg(test)]
mod tests;
