//! How much work one call may take: a script chooses the texts, and comparing them approximately can cost their product.
//!
//! Work is counted in steps and not in time, so that the same call always ends in the same way.

use std::cell::Cell;
use std::ops::Range;
use std::sync::Arc;

use memchr::{memchr, memchr_iter, memrchr};
use thiserror::Error;

use crate::text::redact::{Profile, Redactor, SENTINEL_START};

/// Steps of one call; they take a few seconds. An exact edit of a large file takes a thousandth of them.
const MAX_STEPS: u64 = 1_000_000_000;

/// Steps between two looks at whether the cell still lives.
const STEPS_PER_LOOK: u64 = 1 << 20;

/// What it costs to look for secrets.
const STEPS_PER_REDACTED_BYTE: usize = 4;

/// Lines and bytes on each side of a shown part that secrets are looked for in; the longest private keys in use have
/// half as many bytes.
const LINES_AROUND: usize = 4;
const BYTES_AROUND: usize = 32 * 1024;

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

    /// Returns a text in which the part that is going to be shown, and what stands around it, is without secrets, line
    /// for line.
    pub(super) fn shown_around(&self, text: &str, part: Range<usize>) -> Result<String, Stopped> {
        let part = surroundings(text.as_bytes(), part);
        // Both ends are those of lines, and so of characters.
        let (above, rest) = text.split_at(part.start);
        let (part, below) = rest.split_at(part.len());
        Ok([above, &self.shown(part)?, below].concat())
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

/// Extends a part to whole lines, with enough on both sides for the secrets of several lines that it may cut.
fn surroundings(text: &[u8], part: Range<usize>) -> Range<usize> {
    let line_start = |at: usize| memrchr(b'\n', &text[..at]).map_or(0, |at| at + 1);
    let line_end =
        |at: usize| memchr(b'\n', &text[at..]).map_or(text.len(), |found| at + found + 1);
    let (mut start, mut end) = (part.start.min(text.len()), part.end.min(text.len()));
    for _ in 0..LINES_AROUND {
        start = line_start(start.saturating_sub(1));
        end = line_end(end);
    }
    line_start(start.min(part.start.saturating_sub(BYTES_AROUND)))
        ..line_end(end.max(part.end.saturating_add(BYTES_AROUND).min(text.len())))
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
    fn what_is_around_a_part_are_whole_lines_and_enough_bytes() {
        let text = "ü line\n".repeat(20_000);
        for part in [
            0..0,
            5..9,
            40_000..40_001,
            80_003..100_000,
            text.len()..text.len(),
        ] {
            let around = surroundings(text.as_bytes(), part.clone());
            assert!(around.start == 0 || text.as_bytes()[around.start - 1] == b'\n');
            assert!(around.end == text.len() || text.as_bytes()[around.end - 1] == b'\n');
            assert!(around.start <= part.start.saturating_sub(BYTES_AROUND));
            assert!(around.end >= (part.end + BYTES_AROUND).min(text.len()));
        }
        let long = format!("{0}\n{0}\nx\n{0}\n{0}\n", "y".repeat(100_000));
        let around = surroundings(long.as_bytes(), 200_002..200_003);
        assert_eq!(around, 0..long.len());
    }

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
