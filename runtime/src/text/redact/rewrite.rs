//! Owns the rewriting of a text: spans are replaced from left to right, everything else is copied once.
//!
//! A text in which nothing was replaced is never copied.

use std::ops::Range;

use regex::{Captures, Regex};

/// A text under rewriting.
pub(super) struct Rewrite<'t> {
    source: &'t str,
    output: String,
    copied: usize,
}

impl<'t> Rewrite<'t> {
    /// Starts with nothing replaced.
    pub(super) fn new(source: &'t str) -> Self {
        Self {
            source,
            output: String::new(),
            copied: 0,
        }
    }

    /// Replaces one span; a span that begins before the end of the last one is left alone.
    pub(super) fn replace(&mut self, span: Range<usize>, with: &str) {
        if let Some(between) = self.source.get(self.copied..span.start) {
            self.output.push_str(between);
            self.output.push_str(with);
            self.copied = span.end;
        }
    }

    /// Returns the rewritten text, or `None` when nothing was replaced.
    pub(super) fn finish(mut self) -> Option<String> {
        if self.copied == 0 && self.output.is_empty() {
            return None;
        }
        self.output
            .push_str(self.source.get(self.copied..).unwrap_or_default());
        Some(self.output)
    }
}

/// Replaces what `edit` answers for each match of `pattern`: a span of the text and its replacement.
///
/// A match inside a replaced span is passed over, so that an edit may read on to the end of what it replaces.
pub(super) fn replace_each(
    text: &str,
    pattern: &Regex,
    edit: impl Fn(&Captures<'_>) -> Option<(Range<usize>, String)>,
) -> Option<String> {
    let mut rewrite = Rewrite::new(text);
    for found in pattern.captures_iter(text) {
        let fresh = found.get_match().start() >= rewrite.copied;
        if let Some((span, with)) = fresh.then(|| edit(&found)).flatten() {
            rewrite.replace(span, &with);
        }
    }
    rewrite.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::pattern::compiled;

    #[test]
    fn spans_are_replaced_and_the_rest_is_copied() {
        let mut rewrite = Rewrite::new("one two three");
        rewrite.replace(0..3, "1");
        rewrite.replace(8..13, "3");
        assert_eq!(rewrite.finish().as_deref(), Some("1 two 3"));
    }

    #[test]
    fn an_overlapping_span_is_left_alone() {
        let mut rewrite = Rewrite::new("abcdef");
        rewrite.replace(1..4, "-");
        rewrite.replace(3..5, "+");
        assert_eq!(rewrite.finish().as_deref(), Some("a-ef"));
    }

    #[test]
    fn an_untouched_text_is_not_copied() {
        assert_eq!(Rewrite::new("abc").finish(), None);
    }

    #[test]
    fn a_match_inside_a_replaced_span_is_passed_over() {
        let letter = compiled("[a-z]");
        let replaced = replace_each("ab c-", &letter, |found| {
            Some((found.get(0)?.start()..4, "#".to_owned()))
        });
        assert_eq!(replaced.as_deref(), Some("#-"));
    }

    #[test]
    fn an_edit_may_decline_a_match() {
        let digits = compiled("[0-9]+");
        let replaced = replace_each("1 22 333", &digits, |found| {
            let number = found.get(0)?;
            (number.len() == 2).then(|| (number.range(), "#".to_owned()))
        });
        assert_eq!(replaced.as_deref(), Some("1 # 333"));
    }
}
