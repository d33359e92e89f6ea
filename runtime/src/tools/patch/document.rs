//! A text file in memory, edited as if its lines ended with newlines, and kept with the ends of lines and the mark that it has.
//!
//! What no edit touches keeps its bytes: a file with both kinds of line ends keeps both.

use std::borrow::Cow;
use std::ops::Range;

use memchr::{memchr, memmem, memrchr};

use super::changes::{Changes, Edit};

const BOM: &str = "\u{feff}";

/// Most bytes that a file may have before and after an edit: a call holds a few times as many, and any script may call.
pub(super) const MAX_BYTES: usize = 16 << 20;

/// Holds the text of a file and what was changed in it.
#[derive(Debug, Clone)]
pub(super) struct Document {
    has_mark: bool,
    original: String,
    text: String,
    changes: Changes,
}

impl Document {
    /// Reads the bytes of a file; `None` if they are not text.
    pub(super) fn decode(bytes: Vec<u8>) -> Option<Self> {
        if memchr(0, &bytes).is_some() {
            return None;
        }
        let mut text = String::from_utf8(bytes).ok()?;
        let has_mark = text.starts_with(BOM);
        if has_mark {
            text.drain(..BOM.len());
        }
        Some(Self {
            has_mark,
            original: text.clone(),
            text,
            changes: Changes::default(),
        })
    }

    /// Makes the content of a file that is not there yet.
    pub(super) fn new(text: String) -> Self {
        Self {
            has_mark: false,
            original: String::new(),
            changes: Changes::whole(0, text.len()),
            text,
        }
    }

    /// Returns the text without the mark.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Returns the text before all edits.
    pub(super) fn original(&self) -> &str {
        &self.original
    }

    pub(super) fn changes(&self) -> &Changes {
        &self.changes
    }

    pub(super) fn is_changed(&self) -> bool {
        self.text != self.original
    }

    /// Returns the bytes of the file.
    pub(super) fn encode(&self) -> Vec<u8> {
        let mark = if self.has_mark { BOM } else { "" };
        [mark, &self.text].concat().into_bytes()
    }

    /// Returns the text with newlines only.
    pub(super) fn view(&self) -> View<'_> {
        View::of(&self.text)
    }

    /// Returns the text as it is, for an edit that has carriage returns of its own.
    pub(super) fn verbatim(&self) -> View<'_> {
        View {
            text: Cow::Borrowed(&self.text),
            returns: Vec::new(),
            is_verbatim: true,
        }
    }

    /// Replaces parts of the text, which are in order and do not overlap.
    pub(super) fn apply(&mut self, edits: &[Edit]) -> Result<(), TooLarge> {
        let removed: usize = edits.iter().map(|edit| edit.range.len()).sum();
        let added = edits
            .iter()
            .fold(0_usize, |sum, edit| sum.saturating_add(edit.text.len()));
        let len = (self.text.len() - removed).saturating_add(added);
        if len > MAX_BYTES {
            return Err(TooLarge(len));
        }
        let mut text = String::with_capacity(len);
        let mut from = 0;
        for edit in edits {
            // Ranges in order that do not overlap begin at or behind the end of the one before.
            text.push_str(&self.text[from..edit.range.start]);
            text.push_str(&edit.text);
            from = edit.range.end;
        }
        text.push_str(&self.text[from..]);
        self.changes.record(edits);
        self.text = text;
        Ok(())
    }
}

/// Says that a text would be larger than a file may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "The patched file would have {0} bytes; at most {max} are allowed. No file was modified.",
    max = MAX_BYTES
)]
pub(super) struct TooLarge(pub(super) usize);

/// A text without the carriage returns that end lines, and the way back.
#[derive(Debug)]
pub(super) struct View<'t> {
    pub(super) text: Cow<'t, str>,
    /// Where in the text the newlines are that have a carriage return before them.
    returns: Vec<usize>,
    is_verbatim: bool,
}

impl<'t> View<'t> {
    fn of(raw: &'t str) -> Self {
        let mut text = String::new();
        let mut returns = Vec::new();
        let mut from = 0;
        for at in memmem::find_iter(raw.as_bytes(), "\r\n") {
            text.push_str(&raw[from..at]);
            returns.push(text.len());
            from = at + 1;
        }
        Self {
            text: match from {
                0 => Cow::Borrowed(raw),
                _ => Cow::Owned(text + &raw[from..]),
            },
            returns,
            is_verbatim: false,
        }
    }

    /// Makes the edit of the file that stands for an edit of this text; what the replacement has in common with the old
    /// part at both ends stays as it is.
    pub(super) fn edit(&self, range: Range<usize>, replacement: &str) -> Edit {
        let old = &self.text[range.clone()];
        let prefix = common_prefix(old, replacement);
        let suffix = common_suffix(&old[prefix..], &replacement[prefix..]);
        let inner = range.start + prefix..range.end - suffix;
        let text = &replacement[prefix..replacement.len() - suffix];
        let ends_with_return = !self.is_verbatim && self.has_returns(&range);
        Edit {
            range: self.raw(inner.start)..self.raw(inner.end),
            text: if ends_with_return {
                text.replace('\n', "\r\n")
            } else {
                text.to_owned()
            },
        }
    }

    /// Returns the place in the file.
    fn raw(&self, at: usize) -> usize {
        at + self.returns.partition_point(|newline| *newline < at)
    }

    /// Tells how lines end in a range: as its first line does, or else as the line does that it lies in, or the one before.
    fn has_returns(&self, range: &Range<usize>) -> bool {
        let (before, after) = self.text.as_bytes().split_at(range.start);
        let newline = memchr(b'\n', after)
            .map(|at| range.start + at)
            .or_else(|| memrchr(b'\n', before));
        newline.is_some_and(|newline| self.returns.binary_search(&newline).is_ok())
    }
}

/// Returns the length of what two texts have in common at their starts.
fn common_prefix(left: &str, right: &str) -> usize {
    let pairs = left.bytes().zip(right.bytes());
    let mut len = pairs.take_while(|(left, right)| left == right).count();
    while !left.is_char_boundary(len) || !right.is_char_boundary(len) {
        len -= 1;
    }
    len
}

/// Returns the length of what two texts have in common at their ends.
fn common_suffix(left: &str, right: &str) -> usize {
    let pairs = left.bytes().rev().zip(right.bytes().rev());
    let mut len = pairs.take_while(|(left, right)| left == right).count();
    while !left.is_char_boundary(left.len() - len) || !right.is_char_boundary(right.len() - len) {
        len -= 1;
    }
    len
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use proptest::prelude::*;

    use super::*;

    fn edited(text: &str, old: &str, new: &str) -> String {
        let mut document = Document::decode(text.as_bytes().to_vec()).unwrap();
        let view = document.view();
        let start = view.text.find(old).unwrap();
        let edit = view.edit(start..start + old.len(), new);
        document.apply(&[edit]).unwrap();
        String::from_utf8(document.encode()).unwrap()
    }

    #[test]
    fn ends_of_lines_and_mark_stay_as_they_are() {
        let rows = [
            ("a\r\nb\r\nc", "a\nb", "a\nx\ny", "a\r\nx\r\ny\r\nc"),
            ("a\r\nb\nc\r\nd", "a\nb\nc", "a\nB\nc", "a\r\nB\nc\r\nd"),
            ("\u{feff}a\nb\r\n", "b", "x\ny", "\u{feff}a\nx\r\ny\r\n"),
            ("a\r\nb", "b", "x\ny", "a\r\nx\r\ny"),
            ("a\r\n\r\nb\r\n", "\n\n", "\n", "a\r\nb\r\n"),
            ("a\rb\r\n", "b", "c\nd", "a\rc\r\nd\r\n"),
            ("äb", "äb", "öb", "öb"),
        ];
        for (text, old, new, expected) in rows {
            assert_eq!(edited(text, old, new), expected, "{text:?} {old:?} {new:?}");
        }
    }

    #[test]
    fn bytes_that_are_no_text_are_refused() {
        assert!(Document::decode(b"caf\xe9".to_vec()).is_none());
        assert!(Document::decode(b"a\0b".to_vec()).is_none());
        assert!(Document::decode(Vec::new()).is_some());
    }

    #[test]
    fn a_text_that_grows_beyond_the_limit_is_refused() {
        let mut document = Document::decode(b"ab".to_vec()).unwrap();
        let edit = Edit {
            range: 0..1,
            text: "x".repeat(MAX_BYTES),
        };
        let error = document.apply(&[edit]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "The patched file would have 16777217 bytes; at most 16777216 are allowed. No file was modified."
        );
        assert_eq!(document.text(), "ab");
    }

    proptest! {
        #[test]
        fn a_file_without_edits_keeps_its_bytes(text in "\u{feff}?[a\r\n]{0,20}") {
            let document = Document::decode(text.clone().into_bytes()).unwrap();
            prop_assert_eq!(document.encode(), text.into_bytes());
        }

        #[test]
        fn an_edit_changes_what_the_view_shows_and_nothing_around(
            text in "[ab\r\n]{0,16}", start in 0_usize..16, len in 0_usize..8, new in "[abx\n]{0,6}",
        ) {
            let mut document = Document::decode(text.clone().into_bytes()).unwrap();
            let view = document.view();
            let start = start.min(view.text.len());
            let range = start..(start + len).min(view.text.len());
            let (raw_start, raw_end) = (view.raw(range.start), view.raw(range.end));
            let mut expected = view.text.clone().into_owned();
            expected.replace_range(range.clone(), &new);
            let edit = view.edit(range, &new);
            document.apply(&[edit]).unwrap();
            prop_assert!(document.text().starts_with(&text[..raw_start]));
            prop_assert!(document.text().ends_with(&text[raw_end..]));
            // A carriage return that an edit puts before a newline of the file ends a line from then on.
            prop_assert_eq!(document.text().replace('\r', ""), expected.replace('\r', ""));
        }
    }
}
