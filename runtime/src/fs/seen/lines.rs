//! Which lines of a file were read: ranges that do not touch each other, in order.

/// Most ranges that are kept; who reads a file in more pieces has not read it.
const MAX_RANGES: usize = 64;

/// Holds ranges of line numbers, each with its first line and the one after its last.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Lines(Vec<(u64, u64)>);

impl Lines {
    /// Adds the lines from `first` on and before `end`.
    pub(super) fn add(&mut self, first: u64, end: u64) {
        if first >= end {
            return;
        }
        let (mut first, mut end) = (first, end);
        self.0.retain(|&(old_first, old_end)| {
            let is_apart = old_end < first || end < old_first;
            if !is_apart {
                first = first.min(old_first);
                end = end.max(old_end);
            }
            is_apart
        });
        if self.0.len() < MAX_RANGES {
            let place = self.0.partition_point(|&(old_first, _)| old_first < first);
            self.0.insert(place, (first, end));
        }
    }

    /// Tells whether these are all lines of a file that has `total`.
    pub(super) fn are_all(&self, total: u64) -> bool {
        total == 0 || matches!(self.0.first(), Some(&(1, end)) if end > total)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn pages_in_any_order_make_the_whole() {
        let mut lines = Lines::default();
        for (first, end, are_all) in [
            (21, 31, false),
            (1, 11, false),
            (5, 12, false),
            (12, 21, true),
        ] {
            lines.add(first, end);
            assert_eq!(lines.are_all(30), are_all, "{lines:?}");
        }
        assert!(!lines.are_all(31));
        assert!(Lines::default().are_all(0));
    }

    proptest! {
        #[test]
        fn ranges_are_all_lines_if_each_line_is_in_one(ranges in prop::collection::vec((1_u64..40, 0_u64..12), 0..20)) {
            let mut lines = Lines::default();
            for &(first, count) in &ranges {
                lines.add(first, first + count);
            }
            let holds = |line: u64| ranges.iter().any(|&(first, count)| (first..first + count).contains(&line));
            for total in 0..50 {
                prop_assert_eq!(lines.are_all(total), (1..=total).all(holds));
            }
        }
    }
}
