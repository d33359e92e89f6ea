//! How much work one call may take: a script chooses the texts, and comparing them approximately can cost their product.
//!
//! Work is counted in steps and not in time, so that the same call always ends in the same way.

use std::cell::Cell;
use std::sync::Arc;

use memchr::memchr_iter;
use thiserror::Error;

use crate::text::redact::{Profile, Redactor};

/// Steps of one call; they take a few seconds. An exact edit of a large file takes a thousandth of them.
const MAX_STEPS: u64 = 1_000_000_000;

/// Steps between two looks at whether the cell still lives.
const STEPS_PER_LOOK: u64 = 1 << 20;

/// What it costs to look for secrets.
const STEPS_PER_REDACTED_BYTE: usize = 4;
/// What a line becomes that cannot be shown.
const SENTINEL_START: &str = "«redacted";

/// What a match costs beyond finding it: it is kept until all are known, and replaced and shown after that.
pub(super) const STEPS_PER_MATCH: usize = 1_000;

/// Counts down the work of one call.
pub(super) struct Effort<'a> {
    left: Cell<u64>,
    until_look: Cell<u64>,
    is_over: &'a dyn Fn() -> bool,
    redactor: Arc<Redactor>,
}

impl<'a> Effort<'a> {
    /// Begins a call; `is_over` tells that nobody waits for it any more.
    pub(super) fn new(is_over: &'a dyn Fn() -> bool) -> Self {
        Self {
            left: Cell::new(MAX_STEPS),
            until_look: Cell::new(0),
            is_over,
            redactor: Arc::default(),
        }
    }

    /// Takes the redactor of the session, for what is shown of files.
    pub(super) fn showing(mut self, redactor: Arc<Redactor>) -> Self {
        self.redactor = redactor;
        self
    }

    /// Returns a whole text without its secrets, line for line. Excerpts are cut from it, for what is left of a secret
    /// that is cut first looks like none.
    pub(super) fn shown(&self, text: &str) -> Result<String, Stopped> {
        self.spend(text.len().saturating_mul(STEPS_PER_REDACTED_BYTE))?;
        let clean = self.redactor.redact(text, Profile::FileRead).into_owned();
        let newlines = |text: &str| memchr_iter(b'\n', text.as_bytes()).count();
        let (expected, found) = (newlines(text), newlines(&clean));
        // The profile keeps the number of lines. Were it otherwise, no line could be told to be the clean one.
        Ok(if expected == found {
            clean
        } else {
            format!("{SENTINEL_START}»\n").repeat(expected)
        })
    }

    /// Takes note of work that is about to be done; a step is about a byte compared or copied.
    pub(super) fn spend(&self, steps: usize) -> Result<(), Stopped> {
        // A length in memory fits into 64 bits.
        let steps = steps as u64;
        let left = self.left.get().checked_sub(steps);
        self.left.set(left.ok_or(Stopped::TooMuchWork)?);
        match self.until_look.get().checked_sub(steps) {
            Some(until) => self.until_look.set(until),
            None if (self.is_over)() => return Err(Stopped::CellEnded),
            None => self.until_look.set(STEPS_PER_LOOK),
        }
        Ok(())
    }
}

/// Says why a search was given up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub(super) enum Stopped {
    #[error("The cell has ended; no file was modified.")]
    CellEnded,
    #[error(
        "Gave up looking for matches: the texts are too large to compare, or match in too many places. No file was modified. Provide a shorter text that occurs exactly as given, or rewrite the file with write_file."
    )]
    TooMuchWork,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_ends_when_it_is_too_much_or_unwanted() {
        let effort = Effort::new(&|| false);
        let half = usize::try_from(MAX_STEPS / 2).unwrap_or(usize::MAX);
        assert_eq!(effort.spend(half), Ok(()));
        assert_eq!(effort.spend(half), Ok(()));
        assert_eq!(effort.spend(1), Err(Stopped::TooMuchWork));
        assert_eq!(
            Effort::new(&|| true).spend(1),
            Err(Stopped::CellEnded),
            "the first look comes at once"
        );
    }
}
