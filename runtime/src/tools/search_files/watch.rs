//! When a search has to end: its cell is over, its time is up, or enough was found.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tokio_util::sync::CancellationToken;

use super::skipped::Skipped;

/// Tells every thread of a search whether to go on, and counts what the threads left out.
#[derive(Debug)]
pub(super) struct Watch {
    cancellation: CancellationToken,
    deadline: Instant,
    enough: AtomicBool,
    timed_out: AtomicBool,
    unreadable: AtomicU64,
    long_lines: AtomicU64,
    long_matches: AtomicU64,
    too_large: AtomicU64,
    too_deep: AtomicU64,
    denied: AtomicU64,
    unsorted: AtomicU64,
}

/// Why something was not searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Gap {
    /// It could not be opened or read.
    Unreadable,
    /// Lines were so long that only their beginnings were searched.
    LongLines,
    /// A text was searched in pieces, so that a very long match may be missed.
    LongMatches,
    /// A file was too large for a search across lines.
    TooLarge,
    /// A directory was nested too deeply.
    TooDeep,
    /// The file is one that scripts may not read.
    Denied,
    /// A file was too old for an order by time of so many.
    Unsorted,
}

impl Watch {
    /// Starts the clock of a search.
    pub(super) fn start(cancellation: CancellationToken, timeout: Duration) -> Self {
        Self {
            cancellation,
            deadline: Instant::now() + timeout,
            enough: AtomicBool::new(false),
            timed_out: AtomicBool::new(false),
            unreadable: AtomicU64::new(0),
            long_lines: AtomicU64::new(0),
            long_matches: AtomicU64::new(0),
            too_large: AtomicU64::new(0),
            too_deep: AtomicU64::new(0),
            denied: AtomicU64::new(0),
            unsorted: AtomicU64::new(0),
        }
    }

    /// Starts a further search on the same clock, which counts for itself.
    pub(super) fn again(&self) -> Self {
        let mut again = Self::start(self.cancellation.clone(), Duration::ZERO);
        again.deadline = self.deadline;
        again
    }

    /// Tells whether the search has to end.
    pub(super) fn is_over(&self) -> bool {
        if self.enough.load(Ordering::Relaxed) || self.timed_out.load(Ordering::Relaxed) {
            return true;
        }
        if self.cancellation.is_cancelled() {
            return true;
        }
        if Instant::now() >= self.deadline {
            self.timed_out.store(true, Ordering::Relaxed);
            return true;
        }
        false
    }

    /// Ends the search because the answer is full.
    pub(super) fn set_enough(&self) {
        self.enough.store(true, Ordering::Relaxed);
    }

    /// Tells whether the search ended because its time was up.
    pub(super) fn has_timed_out(&self) -> bool {
        self.timed_out.load(Ordering::Relaxed)
    }

    /// Tells whether the cell is over.
    pub(super) fn is_cancelled(&self) -> bool {
        self.cancellation.is_cancelled()
    }

    /// Counts something that was not searched.
    pub(super) fn skip(&self, gap: Gap) {
        self.skip_many(gap, 1);
    }

    /// Counts several things that were not searched.
    pub(super) fn skip_many(&self, gap: Gap, count: u64) {
        let counter = match gap {
            Gap::Unreadable => &self.unreadable,
            Gap::LongLines => &self.long_lines,
            Gap::LongMatches => &self.long_matches,
            Gap::TooLarge => &self.too_large,
            Gap::TooDeep => &self.too_deep,
            Gap::Denied => &self.denied,
            Gap::Unsorted => &self.unsorted,
        };
        counter.fetch_add(count, Ordering::Relaxed);
    }

    /// Returns what was not searched so far.
    pub(super) fn skipped(&self) -> Skipped {
        Skipped {
            unreadable: self.unreadable.load(Ordering::Relaxed),
            long_lines: self.long_lines.load(Ordering::Relaxed),
            long_matches: self.long_matches.load(Ordering::Relaxed),
            too_large: self.too_large.load(Ordering::Relaxed),
            too_deep: self.too_deep.load(Ordering::Relaxed),
            denied: self.denied.load(Ordering::Relaxed),
            unsorted: self.unsorted.load(Ordering::Relaxed),
        }
    }
}
