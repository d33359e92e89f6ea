//! Signs of life of a long cell, for hosts that would otherwise take it for a stuck one.

use std::convert::Infallible;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How often a host is told.
const EVERY: Duration = Duration::from_secs(10);

/// Says that a cell is still running.
#[derive(Debug)]
#[non_exhaustive]
pub struct Activity<'a> {
    /// Name of the session; empty where the cell has none.
    pub session: &'a str,
    /// How long the cell has run.
    pub elapsed: Duration,
}

/// Whom to tell of long cells.
#[derive(Clone, Default)]
pub(super) struct Listener(Option<Arc<Told>>);

type Told = dyn Fn(&Activity<'_>) + Send + Sync;

impl Listener {
    /// Makes a listener of a function, which is not to block.
    pub(super) fn new(told: impl Fn(&Activity<'_>) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(told)))
    }

    /// Runs a cell, and tells every ten seconds that it runs.
    pub(super) async fn watch<T>(&self, session: &str, cell: impl Future<Output = T>) -> T {
        let Some(told) = &self.0 else {
            return cell.await;
        };
        let started = Instant::now();
        let telling = async || -> Infallible {
            loop {
                tokio::time::sleep(EVERY).await;
                told(&Activity {
                    session,
                    elapsed: started.elapsed(),
                });
            }
        };
        tokio::select! {
            biased;
            end = cell => end,
            never = telling() => match never {},
        }
    }
}

impl fmt::Debug for Listener {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_tuple("Listener")
            .field(&self.0.is_some())
            .finish()
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use std::sync::Mutex;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_host_is_told_every_ten_seconds_as_long_as_the_cell_runs() {
        let told = Arc::new(Mutex::new(Vec::new()));
        let listener = Listener::new({
            let told = Arc::clone(&told);
            move |activity| told.lock().unwrap().push(activity.session.to_owned())
        });
        // The clock is paused: it jumps from one timer to the next, and nothing is waited for.
        let cell = tokio::time::sleep(Duration::from_secs(35));
        listener.watch("s", cell).await;
        assert_eq!(*told.lock().unwrap(), ["s", "s", "s"]);
    }
}
