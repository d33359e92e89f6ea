//! The count of refusals in a row, which tells a model that keeps trying to stop.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Sessions whose refusals are counted; the one that was refused longest ago goes first.
const MAX_SESSIONS: usize = 256;

/// Counts the refusals of each session since its last approval.
#[derive(Debug, Default)]
pub(super) struct DenialBreaker {
    /// The most recently refused session is the last.
    counts: Mutex<Vec<(String, u32)>>,
}

impl DenialBreaker {
    /// Counts one more refusal; returns how many there were in a row. Calls without a session have nothing in common: none is counted.
    pub(super) fn refused(&self, session: &str) -> u32 {
        if session.is_empty() {
            return 0;
        }
        let mut counts = self.lock();
        let found = counts.iter().position(|(name, _)| name == session);
        let before = found.map_or(0, |place| counts.remove(place).1);
        if counts.len() >= MAX_SESSIONS {
            counts.remove(0);
        }
        let count = before.saturating_add(1);
        counts.push((session.to_owned(), count));
        count
    }

    /// Begins to count anew: something was approved.
    pub(super) fn approved(&self, session: &str) {
        self.forget(|name| name == session);
    }

    /// Forgets the sessions that are over.
    pub(super) fn forget(&self, is_over: impl Fn(&str) -> bool) {
        self.lock().retain(|(name, _)| !is_over(name));
    }

    fn lock(&self) -> MutexGuard<'_, Vec<(String, u32)>> {
        // A count that a panic cut short is lost with its session, and begins anew.
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns what is appended to the refusal that is the `count`th in a row, if that is enough; a threshold of 0 never is.
pub(super) fn addendum(count: u32, threshold: u32) -> Option<String> {
    (threshold > 0 && count >= threshold).then(|| {
        format!(
            " STOP ASKING: {count} execute_code scripts were refused in a row. Do not try further variations. \
             Tell the user what was refused and why you need it, and wait for their answer."
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_are_counted_for_each_session_until_something_is_approved() {
        let breaker = DenialBreaker::default();
        assert_eq!([1, 2], [breaker.refused("a"), breaker.refused("a")]);
        assert_eq!(breaker.refused("b"), 1);
        breaker.approved("a");
        assert_eq!([1, 2], [breaker.refused("a"), breaker.refused("b")]);
    }

    #[test]
    fn refusals_without_a_session_are_not_counted() {
        let breaker = DenialBreaker::default();
        assert_eq!([breaker.refused(""), breaker.refused("")], [0, 0]);
        assert_eq!(addendum(breaker.refused(""), 1), None);
    }

    #[test]
    fn the_addendum_comes_from_the_threshold_on() {
        for (count, threshold, expected) in [
            (2, 3, false),
            (3, 3, true),
            (4, 3, true),
            (1, 1, true),
            (9, 0, false),
        ] {
            assert_eq!(addendum(count, threshold).is_some(), expected);
        }
        let text = addendum(3, 3).unwrap_or_default();
        assert!(text.starts_with(" STOP ASKING: 3 "), "{text}");
    }

    #[test]
    fn sessions_without_number_take_bounded_memory() {
        let breaker = DenialBreaker::default();
        for number in 0..1_000 {
            breaker.refused("kept");
            breaker.refused(&number.to_string());
        }
        assert_eq!(breaker.lock().len(), MAX_SESSIONS);
        assert_eq!(breaker.refused("kept"), 1_001);
    }
}
