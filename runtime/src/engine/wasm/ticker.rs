//! The clock tick that makes running cells yield: one thread for an engine, asleep while no cell runs.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::Duration;

use wasmtime::{Engine, EngineWeak};

/// Time between two ticks. A cell that computes is seen to be over its limit after one tick.
const TICK: Duration = Duration::from_millis(2);

/// Ticks while at least one [`Ticking`] is alive.
#[derive(Debug)]
pub(super) struct Ticker {
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    /// How many cells run.
    cells: Mutex<usize>,
    changed: Condvar,
}

impl Shared {
    fn cells(&self) -> MutexGuard<'_, usize> {
        // The count is a plain number: a panic elsewhere cannot leave it half-written.
        self.cells.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Ticker {
    /// Starts the thread; it ends when the engine or the ticker is gone.
    pub(super) fn start(engine: &Engine) -> std::io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let (weak, engine) = (Arc::downgrade(&shared), engine.weak());
        thread::Builder::new()
            .name("hermes-ticker".to_owned())
            .spawn(move || tick(&weak, &engine))?;
        Ok(Self { shared })
    }

    /// Ticks for as long as the returned value lives.
    pub(super) fn ticking(&self) -> Ticking {
        *self.shared.cells() += 1;
        self.shared.changed.notify_one();
        Ticking(Arc::clone(&self.shared))
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        // Wakes a sleeping thread so that it sees that nobody is left.
        self.shared.changed.notify_all();
    }
}

/// Held by a cell that runs.
#[derive(Debug)]
pub(super) struct Ticking(Arc<Shared>);

impl Drop for Ticking {
    fn drop(&mut self) {
        *self.0.cells() -= 1;
    }
}

fn tick(shared: &Weak<Shared>, engine: &EngineWeak) {
    loop {
        let Some(alive) = shared.upgrade() else {
            return;
        };
        let mut cells = alive.cells();
        while *cells == 0 {
            // Two owners: this thread's clone and the ticker, or a cell. Without them nobody is left to wake this thread.
            if Arc::strong_count(&alive) == 1 {
                return;
            }
            let waited = alive.changed.wait_timeout(cells, Duration::from_secs(1));
            cells = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        drop(cells);
        drop(alive);
        thread::sleep(TICK);
        match engine.upgrade() {
            Some(engine) => engine.increment_epoch(),
            None => return,
        }
    }
}
