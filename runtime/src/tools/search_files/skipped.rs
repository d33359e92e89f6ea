//! What a search left out although it was asked for, and the sentences that tell it.

use super::long_lines::MAX_LINE_BYTES;
use super::names::MAX_SORTED;
use super::scanner::MAX_MULTILINE_BYTES;
use super::walk::MAX_DEPTH;

const MEGABYTE: usize = 1024 * 1024;

/// Counts what was not searched.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Skipped {
    pub(super) unreadable: u64,
    pub(super) long_lines: u64,
    pub(super) long_matches: u64,
    pub(super) too_large: u64,
    pub(super) too_deep: u64,
    /// Told by a key of its own and not by a sentence.
    pub(super) denied: u64,
    pub(super) unsorted: u64,
}

impl Skipped {
    /// Returns a sentence for each kind of gap.
    pub(super) fn sentences(&self) -> Vec<String> {
        let rows = [
            (
                self.unreadable,
                "file(s) or directories could not be read and were skipped.".to_owned(),
            ),
            (
                self.long_lines,
                format!(
                    "file(s) have lines of more than {} MB; only the beginnings of those lines were searched.",
                    MAX_LINE_BYTES / MEGABYTE
                ),
            ),
            (
                self.long_matches,
                "very long text(s) were searched in overlapping pieces; a match that is very long itself may be missing."
                    .to_owned(),
            ),
            (
                self.too_large,
                format!(
                    "file(s) of more than {} MB were skipped, for a pattern with \\n needs a whole file in memory.",
                    MAX_MULTILINE_BYTES / MEGABYTE
                ),
            ),
            (
                self.too_deep,
                format!("directories nested deeper than {MAX_DEPTH} levels were skipped."),
            ),
            (
                self.unsorted,
                format!(
                    "older file(s) are left out; only the newest {MAX_SORTED} can be put into order."
                ),
            ),
        ];
        rows.into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, sentence)| format!("{count} {sentence}"))
            .collect()
    }
}
