//! A text as its lines, which are what stands between newlines: after a final newline there is one more, empty line.

use std::ops::Range;

use memchr::memchr_iter;

/// Holds where each line of a text begins.
#[derive(Debug)]
pub(in crate::tools::patch) struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    pub(in crate::tools::patch) fn of(text: &'t str) -> Self {
        let mut starts = vec![0];
        starts.extend(memchr_iter(b'\n', text.as_bytes()).map(|newline| newline + 1));
        Self { text, starts }
    }

    pub(in crate::tools::patch) fn len(&self) -> usize {
        self.starts.len()
    }

    /// Returns the number of lines without the empty one behind a final newline.
    pub(in crate::tools::patch) fn count_ended(&self) -> usize {
        self.len() - usize::from(self.text.is_empty() || self.text.ends_with('\n'))
    }

    /// Returns a line without its newline; an empty one beyond the end.
    pub(in crate::tools::patch) fn get(&self, index: usize) -> &'t str {
        self.text.get(self.span(index, 1)).unwrap_or_default()
    }

    pub(in crate::tools::patch) fn iter(&self) -> impl Iterator<Item = &'t str> {
        (0..self.len()).map(|index| self.get(index))
    }

    /// Returns the bytes of `count` lines from `first` on, without the last one's newline.
    pub(in crate::tools::patch) fn span(&self, first: usize, count: usize) -> Range<usize> {
        let start = self.starts.get(first).copied().unwrap_or(self.text.len());
        let end = match self.starts.get(first + count) {
            Some(next) => next - 1,
            None => self.text.len(),
        };
        start..end.max(start)
    }

    /// Returns the index of the line that holds a byte.
    pub(in crate::tools::patch) fn index_at(&self, offset: usize) -> usize {
        // The first line begins at 0, so that at least one start is not behind the offset.
        self.starts.partition_point(|start| *start <= offset) - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_their_spans_are_those_of_a_split() {
        for text in ["", "a", "a\n", "\n\nb", "ä\nb\nc"] {
            let lines = Lines::of(text);
            assert_eq!(
                lines.iter().collect::<Vec<_>>(),
                text.split('\n').collect::<Vec<_>>()
            );
            assert_eq!(lines.span(0, lines.len()), 0..text.len());
        }
        let lines = Lines::of("ä\nb\nc");
        assert_eq!((lines.span(1, 1), lines.span(1, 2)), (3..4, 3..6));
        assert_eq!((lines.index_at(2), lines.index_at(3)), (0, 1));
    }
}
