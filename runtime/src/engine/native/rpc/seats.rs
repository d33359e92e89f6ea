//! The places for a kernel's connections: one that only waits gives way to one that wants in.
//!
//! Each process of a script keeps connections for its next calls. Without this a few dozen processes would shut all others out, though
//! none of them calls anything.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{Instant, timeout};
use tokio_util::sync::CancellationToken;

/// How long a connection may wait before it is sent away for another one: time enough to send what it was made for.
const PATIENCE: Duration = Duration::from_millis(200);

/// A bounded number of places.
#[derive(Debug)]
pub(super) struct Seats {
    taken: Mutex<Vec<Arc<Taken>>>,
    most: usize,
    left: Notify,
}

/// A place, free again when it is dropped.
#[derive(Debug)]
pub(super) struct Seat {
    seats: Arc<Seats>,
    taken: Arc<Taken>,
}

#[derive(Debug)]
struct Taken {
    /// Nothing while a request is read or answered.
    waits_since: Mutex<Option<Instant>>,
    /// The connection is to be closed as soon as it waits.
    is_to_leave: CancellationToken,
}

impl Seats {
    /// Makes so many places.
    pub(super) fn new(most: usize) -> Arc<Self> {
        Arc::new(Self {
            taken: Mutex::default(),
            most,
            left: Notify::new(),
        })
    }

    /// Waits for a place; where none is free, the connection that has waited longest is asked to leave. For one caller at a time.
    pub(super) async fn take(self: &Arc<Self>) -> Seat {
        loop {
            if let Some(seat) = self.try_take() {
                return seat;
            }
            // Time makes a connection one that may be sent away.
            let _ = timeout(PATIENCE, self.left.notified()).await;
        }
    }

    fn try_take(self: &Arc<Self>) -> Option<Seat> {
        let mut taken = self.lock();
        if taken.len() >= self.most {
            let waiting = taken
                .iter()
                .filter(|each| !each.is_to_leave.is_cancelled())
                .filter_map(|each| Some((each.waits_since()?, each)));
            let longest = waiting.min_by_key(|(since, _)| *since);
            if let Some((since, each)) = longest
                && since.elapsed() >= PATIENCE
            {
                each.is_to_leave.cancel();
            }
            return None;
        }
        let new = Arc::new(Taken {
            waits_since: Mutex::new(Some(Instant::now())),
            is_to_leave: CancellationToken::new(),
        });
        taken.push(Arc::clone(&new));
        Some(Seat {
            seats: Arc::clone(self),
            taken: new,
        })
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Arc<Taken>>> {
        // Each change is one step.
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Taken {
    fn waits_since(&self) -> Option<Instant> {
        *self
            .waits_since
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl Seat {
    /// Notes whether the connection only waits from now on.
    pub(super) fn waits(&self, waits: bool) {
        let since = waits.then(Instant::now);
        let mut place = self
            .taken
            .waits_since
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        *place = since;
    }

    /// Waits until the connection is to make way.
    pub(super) async fn is_wanted(&self) {
        self.taken.is_to_leave.cancelled().await;
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.seats
            .lock()
            .retain(|each| !Arc::ptr_eq(each, &self.taken));
        self.seats.left.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn whoever_works_stays_and_whoever_has_waited_longest_leaves_first() {
        let seats = Seats::new(3);
        let (works, first, second) = (seats.take().await, seats.take().await, seats.take().await);
        works.waits(false);
        first.waits(true);
        second.waits(true);
        let newcomer = tokio::spawn({
            let seats = Arc::clone(&seats);
            async move { seats.take().await }
        });
        first.is_wanted().await;
        assert!(!second.taken.is_to_leave.is_cancelled());
        drop(first);
        assert!(newcomer.await.is_ok());
        assert!(!works.taken.is_to_leave.is_cancelled());
    }
}
