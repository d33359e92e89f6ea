//! A command and every process that it started, so that all of them can be ended.
//!
//! A tree that is dropped is ended in the background: no thread of the executor waits for it. What belongs to it, and how it is ended, is
//! each system's own affair.

#[cfg(windows)]
mod job;
#[cfg(unix)]
mod processes;
#[cfg(unix)]
mod reaper;

use std::io;
use std::thread;
use std::time::Duration;

use tokio::process::Child;
use tokio::runtime::Handle;

#[cfg(windows)]
use job::Processes;
#[cfg(unix)]
use processes::Processes;
#[cfg(unix)]
pub(crate) use reaper::Watched;

/// Owns the processes of one command, and holds `kept` back as long as one of them may live.
#[derive(Debug)]
pub(crate) struct Tree<K: Send + 'static> {
    /// Empty once the tree is being ended. The processes are dropped, and thus ended, before what is kept.
    owned: Option<(Processes, K)>,
}

impl<K: Send + 'static> Tree<K> {
    /// Takes over a process that leads a group and has started nothing yet.
    pub(crate) fn of(leader: &Child, kept: K) -> io::Result<Self> {
        let processes = Processes::of(leader)?;
        Ok(Self {
            owned: Some((processes, kept)),
        })
    }

    /// Lets the processes use so much time to end by themselves, where the system can ask them to.
    #[must_use]
    pub(crate) fn with_grace(mut self, grace: Duration) -> Self {
        if let Some((processes, _)) = &mut self.owned {
            processes.set_grace(grace);
        }
        self
    }

    /// Returns what is held back; `None` once the tree is being ended.
    pub(crate) fn kept(&mut self) -> Option<&mut K> {
        self.owned.as_mut().map(|(_, kept)| kept)
    }

    /// Lets the leader use so much time to end by itself before anything is asked to end, where its end can be noticed.
    pub(crate) fn set_patience(&mut self, patience: Duration) {
        if let Some((processes, _)) = &mut self.owned {
            processes.set_patience(patience);
        }
    }

    /// Ends what is left of the tree and gives back what was kept; `None` if the executor shuts down meanwhile.
    ///
    /// The work is done on a thread that may block, and goes on if this future is dropped.
    pub(crate) async fn end(mut self) -> Option<K> {
        let (mut processes, kept) = self.owned.take()?;
        let work = move || {
            processes.end();
            kept
        };
        tokio::task::spawn_blocking(work).await.ok()
    }
}

impl<K: Send + 'static> Drop for Tree<K> {
    /// Has the tree ended on a thread that may block.
    ///
    /// Where work cannot be handed over any more, for the executor is shutting down, it is done here: the closure is
    /// then dropped with the processes in it. An executor that shuts down waits for work that it has begun.
    fn drop(&mut self) {
        let Some(owned) = self.owned.take() else {
            return;
        };
        let work = move || drop(owned);
        if let Ok(executor) = Handle::try_current() {
            executor.spawn_blocking(work);
        } else {
            // A thread that cannot be started drops the work, too.
            let _ = thread::Builder::new().spawn(work);
        }
    }
}

#[cfg(all(test, unix))]
mod tests;
