//! Turns at asking: a call that asks what another call of its conversation asks waits for that answer first.
//!
//! Several at once would put the same question to the user several times. Where nobody answers, those that have waited meanwhile do not ask
//! again: one after another they would keep their callers waiting many times as long as a question may.

use std::collections::HashMap;
use std::sync::{Arc, Weak};

use tokio::sync::{Mutex, OwnedMutexGuard};
use tokio::time::Instant;

use super::memory::Key;

/// The questions that are asked now. An entry is of no use once nobody holds or waits for its turn.
#[derive(Debug, Default)]
pub(super) struct Turns(HashMap<Key, Weak<Mutex<LastSilence>>>);

/// When the question was last left without an answer.
type LastSilence = Option<Instant>;

/// A place among those who ask the same.
#[derive(Debug)]
pub(super) struct Waiting {
    since: Instant,
    place: Arc<Mutex<LastSilence>>,
}

/// The right to ask, until it is dropped.
#[derive(Debug)]
pub(super) struct Turn {
    waited_since: Instant,
    last_silence: OwnedMutexGuard<LastSilence>,
}

impl Turns {
    /// Joins those who ask this.
    pub(super) fn wait(&mut self, key: Key) -> Waiting {
        self.0.retain(|_, place| place.strong_count() > 0);
        let entry = self.0.entry(key).or_default();
        let place = entry.upgrade().unwrap_or_default();
        *entry = Arc::downgrade(&place);
        Waiting {
            since: Instant::now(),
            place,
        }
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }
}

impl Waiting {
    /// Waits until nobody else asks.
    pub(super) async fn turn(self) -> Turn {
        Turn {
            waited_since: self.since,
            last_silence: self.place.lock_owned().await,
        }
    }
}

impl Turn {
    /// Returns whether the question was left without an answer while this turn was waited for.
    pub(super) fn was_silent(&self) -> bool {
        self.last_silence.is_some_and(|at| at > self.waited_since)
    }

    /// Notes that nobody has answered.
    pub(super) fn note_silence(&mut self) {
        *self.last_silence = Some(Instant::now());
    }
}
