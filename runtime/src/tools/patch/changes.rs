//! Which parts of an old text became which parts of a new one, kept while edits follow one another.

use std::ops::Range;

/// The replacement of a range of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Edit {
    pub(super) range: Range<usize>,
    pub(super) text: String,
}

/// A part of the old text and what stands in its place in the new one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Change {
    pub(super) old: Range<usize>,
    pub(super) new: Range<usize>,
}

/// Holds the changes in order; between two of them the texts are equal.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Changes(Vec<Change>);

impl Changes {
    /// Describes a text of which every part is new.
    pub(super) fn whole(old_len: usize, new_len: usize) -> Self {
        Self(vec![Change {
            old: 0..old_len,
            new: 0..new_len,
        }])
    }

    pub(super) fn as_slice(&self) -> &[Change] {
        &self.0
    }

    /// Takes in edits of the new text, which are in order and do not overlap.
    pub(super) fn record(&mut self, edits: &[Edit]) {
        if !self.0.is_empty() {
            // From the last one on, so that each one's range is still that of the text.
            for edit in edits.iter().rev() {
                self.record_one(edit);
            }
            return;
        }
        let (mut grown, mut shrunk) = (0, 0);
        for edit in edits {
            let start = edit.range.start + grown - shrunk;
            self.0.push(Change {
                old: edit.range.clone(),
                new: start..start + edit.text.len(),
            });
            grown += edit.text.len();
            shrunk += edit.range.len();
        }
    }

    fn record_one(&mut self, edit: &Edit) {
        let (start, end) = (edit.range.start, edit.range.end);
        let first = self.0.partition_point(|change| change.new.end < start);
        let behind = self.0.partition_point(|change| change.new.start <= end);
        // Both are at most the number of changes, and what begins before the end does not end before the start.
        let touched = &self.0[first..behind];
        let new_start = touched
            .first()
            .map_or(start, |change| change.new.start.min(start));
        let new_end = touched.last().map_or(end, |change| change.new.end.max(end));
        let merged = Change {
            old: self.old_place(new_start, first)..self.old_place(new_end, behind),
            new: new_start..new_end - edit.range.len() + edit.text.len(),
        };
        for change in self.0.iter_mut().skip(behind) {
            // What comes later begins behind the edited range.
            change.new.start = change.new.start - edit.range.len() + edit.text.len();
            change.new.end = change.new.end - edit.range.len() + edit.text.len();
        }
        self.0.splice(first..behind, [merged]);
    }

    /// Returns the place in the old text of a place in the new one that lies behind `before` changes, or where one begins or ends.
    fn old_place(&self, new: usize, before: usize) -> usize {
        match self.0.get(before) {
            Some(next) if next.new.start == new => next.old.start,
            _ => match before.checked_sub(1).and_then(|last| self.0.get(last)) {
                Some(last) => last.old.end + (new - last.new.end),
                None => new,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Applies the changes to the old text with the parts that they name of the new one.
    fn replayed(old: &str, new: &str, changes: &Changes) -> String {
        let mut text = String::new();
        let mut from = 0;
        for change in changes.as_slice() {
            text.push_str(&old[from..change.old.start]);
            text.push_str(&new[change.new.clone()]);
            from = change.old.end;
        }
        text + &old[from..]
    }

    proptest! {
        #[test]
        fn changes_lead_from_the_old_text_to_the_new_one(
            old in "[a-d]{0,12}",
            edits in prop::collection::vec((0_usize..16, 0_usize..6, "[x-z]{0,4}"), 0..8),
        ) {
            let mut changes = Changes::default();
            let mut new = old.clone();
            for (start, len, text) in edits {
                let start = start.min(new.len());
                let range = start..(start + len).min(new.len());
                new.replace_range(range.clone(), &text);
                changes.record(&[Edit { range, text }]);
                prop_assert_eq!(replayed(&old, &new, &changes), new.clone());
            }
        }
    }

    #[test]
    fn several_edits_at_once_are_as_many_changes() {
        let edit = |range, text: &str| Edit {
            range,
            text: text.to_owned(),
        };
        let mut changes = Changes::default();
        changes.record(&[edit(0..1, "xyz"), edit(2..4, "")]);
        let expected = [
            Change {
                old: 0..1,
                new: 0..3,
            },
            Change {
                old: 2..4,
                new: 4..4,
            },
        ];
        assert_eq!(changes.as_slice(), expected);
        changes.record(&[edit(0..1, ""), edit(4..4, "q")]);
        let expected = [
            Change {
                old: 0..1,
                new: 0..2,
            },
            Change {
                old: 2..4,
                new: 3..4,
            },
        ];
        assert_eq!(changes.as_slice(), expected);
    }
}
