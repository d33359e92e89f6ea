//! The use of a session by one cell. While a lease is held the session is not evicted.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Mutex as AsyncMutex;

use crate::engine::{Stop, wasm::WasmKernel};
use crate::process::{Environment, Shell};

use super::key::SessionKey;
use super::registry::Registry;

/// A session's kernel, when it has one, and its count of cells.
#[derive(Debug)]
pub(crate) struct Slot {
    /// Made by the first cell; dropped when a cell ends it.
    pub(crate) kernel: Option<WasmKernel>,
    /// Cells that the kernel has run.
    pub(crate) executed: u64,
    /// Runs the session's shell commands, and keeps their directory and variables.
    pub(crate) shell: Arc<Shell>,
}

impl Default for Slot {
    fn default() -> Self {
        Self {
            kernel: None,
            executed: 0,
            shell: Arc::new(Shell::new(Environment::inherited())),
        }
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
}

impl Session {
    pub(super) fn new(key: SessionKey) -> Self {
        Self {
            key,
            slot: AsyncMutex::default(),
            running: Mutex::default(),
        }
    }

    /// Returns the switch of the cell that runs now.
    pub(super) fn running(&self) -> Option<Arc<Stop>> {
        self.running_lock().clone()
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
    /// Whether an existing kernel was dropped because a reset was asked for.
    pub(crate) state_reset: bool,
}

impl Lease {
    pub(super) fn new(registry: Arc<Registry>, session: Arc<Session>, state_reset: bool) -> Self {
        Self {
            registry,
            session,
            state_reset,
        }
    }

    /// Waits until it is this cell's turn, and runs `work` with the kernel. An interrupt of the session trips `stop` meanwhile.
    pub(crate) async fn run<T>(
        &self,
        stop: &Arc<Stop>,
        work: impl AsyncFnOnce(&mut Slot) -> T,
    ) -> T {
        let mut slot = self.session.slot.lock().await;
        *self.session.running_lock() = Some(Arc::clone(stop));
        let _running = Running(&self.session);
        work(&mut slot).await
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.registry.release(&self.session);
    }
}

/// Forgets the running cell's switch, also when the cell's future is dropped.
struct Running<'a>(&'a Session);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        *self.0.running_lock() = None;
    }
}
