//! The rows of an answer: those from an offset on, up to a limit, and what is known about the others.

use std::sync::Arc;

/// Largest answer in bytes before it becomes JSON; a limit without a bound costs no more.
const MAX_PAGE_BYTES: usize = 8 << 20;
/// What a row costs besides its texts, in bytes.
const ROW_BYTES: usize = 64;

/// Something that a search found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) path: Arc<str>,
    pub(super) finding: Finding,
}

/// What was found at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Finding {
    /// A line, by its number from 1.
    Line(u64, String),
    /// The file itself, or one that has a match in it.
    File,
    /// A file with this number of matching lines.
    Count(u64),
}

impl Row {
    /// Returns about how much memory the row takes, in bytes.
    pub(super) fn cost(&self) -> usize {
        let text = match &self.finding {
            Finding::Line(_, text) => text.len(),
            Finding::File | Finding::Count(_) => 0,
        };
        ROW_BYTES + self.path.len() + text
    }
}

/// Collects rows in their order.
#[derive(Debug)]
pub(super) struct Page {
    offset: u64,
    limit: u64,
    /// Whether the search goes on behind the page, so that totals are exact.
    counts_all: bool,
    bytes: usize,
    /// The rows of the page.
    pub(super) rows: Vec<Row>,
    /// Number of rows before the page, on it and, where all are counted, behind it.
    pub(super) seen: u64,
    /// Number of matches: rows, or the sum of counts.
    pub(super) total: u64,
    /// Whether there are rows behind the page.
    pub(super) has_more: bool,
}

impl Page {
    /// Makes a page whose search may end when it is full.
    pub(super) fn new(offset: u64, limit: u64) -> Self {
        Self {
            offset,
            limit,
            counts_all: false,
            bytes: 0,
            rows: Vec::new(),
            seen: 0,
            total: 0,
            has_more: false,
        }
    }

    /// Makes a page that counts what is behind it too.
    pub(super) fn counting(offset: u64, limit: u64) -> Self {
        Self {
            counts_all: true,
            ..Self::new(offset, limit)
        }
    }

    /// Returns a number of rows that is enough from any part of a search; `None` if all are.
    pub(super) fn enough_rows(&self) -> Option<u64> {
        let rows = self.end().saturating_add(1);
        (!self.counts_all).then_some(rows)
    }

    /// Returns the offset behind the last row that the page has room for.
    pub(super) fn end(&self) -> u64 {
        self.offset.saturating_add(self.limit)
    }

    /// Takes the next row, and tells whether further ones are wanted.
    pub(super) fn push(&mut self, row: Row) -> bool {
        let shown = u64::try_from(self.rows.len()).unwrap_or(u64::MAX);
        let is_behind = self.has_more
            || self.seen >= self.offset && (shown >= self.limit || self.bytes >= MAX_PAGE_BYTES);
        if is_behind {
            self.has_more = true;
            if !self.counts_all {
                return false;
            }
        } else if self.seen >= self.offset {
            self.bytes += row.cost();
        }
        let matches = match row.finding {
            Finding::Count(count) => count,
            Finding::Line(..) | Finding::File => 1,
        };
        if !is_behind && self.seen >= self.offset {
            self.rows.push(row);
        }
        self.seen += 1;
        self.total = self.total.saturating_add(matches);
        true
    }

    /// Returns the offset of the first row behind the page.
    pub(super) fn next_offset(&self) -> u64 {
        let shown = u64::try_from(self.rows.len()).unwrap_or(u64::MAX);
        self.offset.saturating_add(shown)
    }

    /// Tells whether the totals may be too small, given whether the search was broken off.
    pub(super) fn is_lower_bound(&self, broken_off: bool) -> bool {
        broken_off || self.has_more && !self.counts_all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(finding: Finding) -> Row {
        Row {
            path: Arc::from("f"),
            finding,
        }
    }

    #[test]
    fn a_page_ends_the_search_with_the_first_row_behind_it() {
        let mut page = Page::new(2, 2);
        let wanted: Vec<bool> = (1..=6)
            .map(|line| page.push(row(Finding::Line(line, String::new()))))
            .collect();
        assert_eq!(wanted, [true, true, true, true, false, false]);
        let lines = [3, 4].map(|line| row(Finding::Line(line, String::new())));
        assert_eq!(page.rows, lines);
        assert_eq!(
            (page.total, page.has_more, page.next_offset()),
            (4, true, 4)
        );
        assert!(page.is_lower_bound(false));
    }

    #[test]
    fn a_counting_page_knows_all_rows() {
        let mut page = Page::counting(1, 1);
        assert!((1..=4).all(|count| page.push(row(Finding::Count(count)))));
        assert_eq!(page.rows, [row(Finding::Count(2))]);
        assert_eq!((page.seen, page.total, page.has_more), (4, 10, true));
        assert!(!page.is_lower_bound(false) && page.is_lower_bound(true));
    }

    #[test]
    fn a_page_without_a_sensible_limit_is_bounded_by_its_bytes() {
        let mut page = Page::new(0, u64::MAX);
        let text = "x".repeat(500);
        while page.push(row(Finding::Line(1, text.clone()))) {
            assert!(page.bytes < MAX_PAGE_BYTES + 1_000);
        }
        assert_eq!(page.next_offset(), page.total);
        assert!(page.has_more && page.total > 10_000);
    }
}
