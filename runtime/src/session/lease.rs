//! The use of a session by one cell. While a lease is held the session is not evicted.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{Mutex as AsyncMutex, MutexGuard as AsyncMutexGuard};

use crate::engine::{Kernel, Stop, StopCause};
use crate::fs::{FileWriters, SeenFiles};
use crate::process::{Environment, Shell};

use super::key::SessionKey;
use super::registry::Registry;

/// A session's kernel, when it has one, and its count of cells.
#[derive(Debug)]
pub(crate) struct Slot {
    /// Made by the first cell; dropped when a cell ends it.
    kernel: Option<Kernel>,
    /// Cells that the kernel has run; 0 where there is none.
    pub(super) executed: u64,
    /// Runs the session's shell commands, and keeps their directory and variables. In project mode it is the owner's, and held here so that
    /// it is not given up before the kernel is.
    pub(crate) shell: Arc<Shell>,
    /// Remembers which files the session has read and written.
    pub(crate) seen_files: Arc<SeenFiles>,
}

impl Slot {
    /// Makes an empty place; `writers` is shared with the other sessions of the runtime.
    fn new(writers: Arc<FileWriters>) -> Self {
        Self {
            kernel: None,
            executed: 0,
            shell: Arc::new(Shell::new(Environment::inherited())),
            seen_files: Arc::new(SeenFiles::new(writers)),
        }
    }

    /// Returns whether there is no kernel with anything in it.
    fn is_empty(&self) -> bool {
        self.executed == 0
    }

    /// Takes the kernel, if there is one, with its count of cells. Whoever takes it brings both back, or leaves the slot empty.
    pub(crate) fn take(&mut self) -> Option<(Kernel, u64)> {
        let executed = std::mem::take(&mut self.executed);
        Some((self.kernel.take()?, executed))
    }

    /// Puts a kernel back that has run so many cells.
    pub(crate) fn put(&mut self, kernel: Kernel, executed: u64) {
        self.kernel = Some(kernel);
        self.executed = executed;
    }
}

impl Default for Slot {
    fn default() -> Self {
        Self::new(Arc::default())
    }
}

/// What the registry and the leases share.
#[derive(Debug)]
pub(super) struct Session {
    pub(super) key: SessionKey,
    /// Locked for the whole of a cell: this is what puts a session's cells in a row.
    slot: AsyncMutex<Slot>,
    /// The switch of the cell that runs now.
    running: Mutex<Option<Arc<Stop>>>,
    /// Set when the session was closed: cells that still wait for it go elsewhere.
    closed: AtomicBool,
}

impl Session {
    pub(super) fn new(key: SessionKey, writers: Arc<FileWriters>) -> Self {
        Self {
            key,
            slot: AsyncMutex::new(Slot::new(writers)),
            running: Mutex::default(),
            closed: AtomicBool::new(false),
        }
    }

    /// Ends the cell that runs now; returns whether there was one.
    pub(super) fn interrupt(&self, reason: Option<&str>) -> bool {
        let running = self.running_lock().clone();
        if let Some(stop) = &running {
            stop.trip(StopCause::Interrupt(reason.map(str::to_owned)));
        }
        running.is_some()
    }

    /// Sends the cells that wait elsewhere, and ends the one that runs.
    pub(super) fn close(&self, reason: &str) {
        // A cell that starts sets `running` before it looks at `closed`; here it is the other way round, so one of both sees the other.
        self.closed.store(true, Ordering::SeqCst);
        self.interrupt(Some(reason));
    }

    /// Returns whether there is no kernel, and no cell that could bring one.
    pub(super) fn is_empty(&self) -> bool {
        self.slot.try_lock().is_ok_and(|slot| slot.is_empty())
    }

    fn running_lock(&self) -> MutexGuard<'_, Option<Arc<Stop>>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The right to run one cell in a session; gives it back when it is dropped.
#[derive(Debug)]
pub(crate) struct Lease {
    registry: Arc<Registry>,
    session: Arc<Session>,
    /// Whether an existing session was replaced because a reset was asked for.
    pub(crate) state_reset: bool,
}

/// Why a cell did not get its turn. Nothing of it has run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoTurn {
    /// It was stopped before.
    Stopped,
    /// The session was closed while it waited; a new lease leads to a fresh one.
    Closed,
}

impl Lease {
    pub(super) fn new(registry: Arc<Registry>, session: Arc<Session>, state_reset: bool) -> Self {
        Self {
            registry,
            session,
            state_reset,
        }
    }

    /// Waits until it is this cell's turn and returns the kernel's place. An interrupt of the session trips `stop` from then on; a cell whose
    /// switch is tripped before has no turn, even where it need not wait.
    pub(crate) async fn turn(&self, stop: &Arc<Stop>) -> Result<Turn<'_>, NoTurn> {
        let slot = tokio::select! {
            biased;
            () = stop.token().cancelled() => return Err(NoTurn::Stopped),
            slot = self.session.slot.lock() => slot,
        };
        *self.session.running_lock() = Some(Arc::clone(stop));
        let turn = Turn {
            _running: Running(&self.session),
            slot,
        };
        if self.session.closed.load(Ordering::SeqCst) {
            return Err(NoTurn::Closed);
        }
        Ok(turn)
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.registry.release(&self.session);
    }
}

/// A cell's turn in its session.
#[derive(Debug)]
pub(crate) struct Turn<'a> {
    /// Goes first when a turn is dropped, so that no interrupt meant for this cell reaches the next.
    _running: Running<'a>,
    /// The kernel's place.
    pub(crate) slot: AsyncMutexGuard<'a, Slot>,
}

/// Forgets the running cell's switch, also when the cell's future is dropped.
#[derive(Debug)]
struct Running<'a>(&'a Session);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        *self.0.running_lock() = None;
    }
}
