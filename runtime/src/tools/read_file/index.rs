//! Where lines of a text begin: a few of them, so that a page deep in a large file is found without reading all above it.
//!
//! The index never says more than was read: each entry is a line start that was seen. It has a bounded size whatever the
//! text is, for entries move apart when there are too many.

/// Bytes between two entries at first; so many are read in vain at most, until the entries move apart.
const SPACING_BYTES: u64 = 256 * 1024;
/// Entries of one text. At the first spacing they are enough for 1 GB.
const MAX_ENTRIES: usize = 4_096;

/// A place at which a line begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LineStart {
    /// Number of the line, from 1.
    pub(super) line: u64,
    /// Offset of its first byte.
    pub(super) byte: u64,
}

/// Holds line starts of one version of one text, in their order.
#[derive(Debug, Clone)]
pub(super) struct LineIndex {
    first: LineStart,
    further: Vec<LineStart>,
    spacing: u64,
    /// Number of all lines, once somebody has read to the end.
    total: Option<u64>,
}

impl LineIndex {
    /// Makes the index of a text of which nothing is known but that its first line begins at this byte.
    pub(super) fn new(first_byte: u64) -> Self {
        Self::with_spacing(first_byte, SPACING_BYTES)
    }

    pub(super) fn with_spacing(first_byte: u64, spacing: u64) -> Self {
        let (line, byte) = (1, first_byte);
        Self {
            first: LineStart { line, byte },
            further: Vec::new(),
            spacing,
            total: None,
        }
    }

    /// Returns the last known line start that is not behind the line.
    pub(super) fn nearest(&self, line: u64) -> LineStart {
        let behind = self.further.partition_point(|start| start.line <= line);
        let before = behind.checked_sub(1).and_then(|at| self.further.get(at));
        before.copied().unwrap_or(self.first)
    }

    /// Returns the last known line start.
    pub(super) fn last(&self) -> LineStart {
        self.further.last().copied().unwrap_or(self.first)
    }

    /// Takes a line start; it is kept if it is far enough behind all others.
    pub(super) fn note(&mut self, start: LineStart) {
        if start.byte < self.last().byte.saturating_add(self.spacing) {
            return;
        }
        if self.further.len() >= MAX_ENTRIES {
            self.spacing = self.spacing.saturating_mul(2);
            let mut keeps = false;
            self.further.retain(|_| {
                keeps = !keeps;
                !keeps
            });
            return self.note(start);
        }
        self.further.push(start);
    }

    /// Returns the number of all lines, if it is known.
    pub(super) fn total(&self) -> Option<u64> {
        self.total
    }

    /// Takes the number of all lines.
    pub(super) fn complete(&mut self, total: u64) {
        self.total = Some(total);
    }

    /// Tells whether it knows at least as much as another index of the same text.
    fn covers(&self, other: &Self) -> bool {
        (self.total.is_some(), self.last().byte) >= (other.total.is_some(), other.last().byte)
    }

    /// Takes over from another index of the same text if that one knows more.
    pub(super) fn or_better(self, other: Self) -> Self {
        if other.covers(&self) { other } else { self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start(line: u64, byte: u64) -> LineStart {
        LineStart { line, byte }
    }

    #[test]
    fn the_nearest_start_is_never_behind_the_line() {
        let mut index = LineIndex::with_spacing(3, 10);
        assert_eq!(
            (index.nearest(1), index.nearest(9)),
            (start(1, 3), start(1, 3))
        );
        for (line, byte) in [(2, 9), (4, 13), (5, 20), (9, 40)] {
            index.note(start(line, byte));
        }
        for (line, expected) in [
            (1, start(1, 3)),
            (3, start(1, 3)),
            (4, start(4, 13)),
            (8, start(4, 13)),
            (9, start(9, 40)),
            (u64::MAX, start(9, 40)),
        ] {
            assert_eq!(index.nearest(line), expected, "{line}");
        }
    }

    #[test]
    fn the_index_of_an_endless_text_stays_small_and_in_order() {
        let mut index = LineIndex::with_spacing(0, 1);
        for line in 1..=100_000 {
            index.note(start(line, line * 2));
        }
        assert!(index.further.len() <= MAX_ENTRIES && index.further.len() > MAX_ENTRIES / 4);
        assert!(index.further.is_sorted_by_key(|start| start.byte));
        assert!(
            index
                .further
                .iter()
                .all(|start| start.byte == start.line * 2)
        );
        let nearest = index.nearest(50_000);
        assert!(
            nearest.line <= 50_000 && nearest.line > 50_000 - 100,
            "{nearest:?}"
        );
    }

    #[test]
    fn of_two_indexes_the_one_that_knows_more_is_kept() {
        let mut far = LineIndex::with_spacing(0, 1);
        far.note(start(9, 90));
        let mut whole = LineIndex::with_spacing(0, 1);
        whole.complete(100);
        assert_eq!(
            far.clone().or_better(LineIndex::new(0)).last(),
            start(9, 90)
        );
        assert_eq!(
            LineIndex::new(0).or_better(far.clone()).last(),
            start(9, 90)
        );
        assert_eq!(far.clone().or_better(whole.clone()).total(), Some(100));
        assert_eq!(whole.or_better(far).total(), Some(100));
    }
}
