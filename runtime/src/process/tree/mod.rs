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
    /// Empty once the tree is being ended.
    owned: Option<Owned<K>>,
}

impl<K: Send + 'static> Tree<K> {
    /// Takes over a process that leads a group and has started nothing yet.
    pub(crate) fn of(leader: &Child, kept: K) -> io::Result<Self> {
        let processes = Processes::of(leader)?;
        Ok(Self {
            owned: Some(Owned::new(processes, kept)),
        })
    }

    /// Lets the processes use so much time to end by themselves, where the system can ask them to.
    #[must_use]
    pub(crate) fn with_grace(mut self, grace: Duration) -> Self {
        if let Some(owned) = &mut self.owned {
            owned.processes.set_grace(grace);
        }
        self
    }

    /// Has `attend` called again and again while the processes end, on the thread that ends them; it tells whether there was something to do.
    #[must_use]
    pub(crate) fn with_attendant(mut self, attend: fn(&mut K) -> bool) -> Self {
        if let Some(owned) = &mut self.owned {
            owned.attend = attend;
        }
        self
    }

    /// Returns what is held back; `None` once the tree is being ended.
    pub(crate) fn kept(&mut self) -> Option<&mut K> {
        self.owned.as_mut()?.kept.as_mut()
    }

    /// Lets the leader use so much time to end by itself before anything is asked to end, where its end can be noticed.
    pub(crate) fn set_patience(&mut self, patience: Duration) {
        if let Some(owned) = &mut self.owned {
            owned.processes.set_patience(patience);
        }
    }

    /// Ends what is left of the tree and gives back what was kept; `None` if the executor shuts down meanwhile.
    ///
    /// The work is done on a thread that may block, and goes on if this future is dropped.
    pub(crate) async fn end(mut self) -> Option<K> {
        let mut owned = self.owned.take()?;
        let work = move || {
            owned.end();
            owned.kept.take()
        };
        tokio::task::spawn_blocking(work).await.ok().flatten()
    }
}

impl<K: Send + 'static> Drop for Tree<K> {
    /// Has the tree ended on a thread that may block.
    ///
    /// Where work cannot be handed over any more, for the executor is shutting down, it is done here: the closure is
    /// then dropped with the processes in it. An executor that shuts down waits for work that it has begun, and for nothing else: what is to
    /// be done meanwhile is the attendant's.
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

/// The processes, with what is held back; dropping it ends them on this thread.
#[derive(Debug)]
struct Owned<K> {
    processes: Processes,
    /// Dropped when none of the processes is left, unless it is given back then.
    kept: Option<K>,
    attend: fn(&mut K) -> bool,
}

impl<K> Owned<K> {
    fn new(processes: Processes, kept: K) -> Self {
        Self {
            processes,
            kept: Some(kept),
            attend: |_| false,
        }
    }

    /// Ends the processes, once.
    fn end(&mut self) {
        let Self {
            processes,
            kept,
            attend,
        } = self;
        processes.end(&mut || kept.as_mut().is_some_and(*attend));
    }
}

impl<K> Drop for Owned<K> {
    fn drop(&mut self) {
        self.end();
    }
}

#[cfg(all(test, unix))]
mod tests;
