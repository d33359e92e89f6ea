//! The clock tick that makes running cells yield: one thread for an engine, asleep while no cell runs.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::Duration;

use wasmtime::{Engine, EngineWeak};

/// Time between two ticks. A cell that computes is seen to be over its limit after one tick.
const TICK: Duration = Duration::from_millis(2);

/// Ticks after the last cell before the thread sleeps: where one short cell follows another it need not be woken each time.
const IDLE_TICKS: u32 = 50;

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
    /// Whether the thread sleeps; changed with `cells` locked.
    asleep: AtomicBool,
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
        let mut cells = self.shared.cells();
        *cells += 1;
        let wake = self.shared.asleep.load(Ordering::Relaxed);
        drop(cells);
        if wake {
            self.shared.changed.notify_one();
        }
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
    let mut idle = 0;
    loop {
        let Some(alive) = shared.upgrade() else {
            return;
        };
        let cells = alive.cells();
        idle = if *cells == 0 { idle + 1 } else { 0 };
        if idle <= IDLE_TICKS {
            drop(cells);
        } else if !sleep_until_needed(&alive, cells) {
            return;
        }
        drop(alive);
        thread::sleep(TICK);
        match engine.upgrade() {
            Some(engine) => engine.increment_epoch(),
            None => return,
        }
    }
}

/// Sleeps while no cell runs; returns `false` when nobody is left who could start one.
fn sleep_until_needed(shared: &Arc<Shared>, mut cells: MutexGuard<'_, usize>) -> bool {
    shared.asleep.store(true, Ordering::Relaxed);
    while *cells == 0 {
        // The thread holds one reference, the ticker the other.
        if Arc::strong_count(shared) == 1 {
            return false;
        }
        let waited = shared.changed.wait_timeout(cells, LOOK_AROUND);
        cells = waited.unwrap_or_else(PoisonError::into_inner).0;
    }
    shared.asleep.store(false, Ordering::Relaxed);
    true
}

/// How often a sleeping thread looks whether its engine is gone.
const LOOK_AROUND: Duration = Duration::from_secs(1);
