//! The part of a long page that a result shows: its head, its tail, and a footer that says where the rest is.

use std::path::Path;

use crate::text::truncate::{first_chars, grouped};

/// Bounds of the limit that a call may set, in characters.
const LIMITS: (usize, usize) = (2_000, 500_000);
const OMITTED: &str = "\n\n[... middle omitted — see footer ...]\n\n";
const NOT_STORED: &str = "Full text could not be stored; re-run web_extract on a more specific URL for the complete page.";
/// Length of the last line of a footer, in characters.
const RULE_CHARS: usize = 29;

/// A limit within the bounds.
pub(super) fn clamp(limit: usize) -> usize {
    limit.clamp(LIMITS.0, LIMITS.1)
}

/// The head and the tail of a text that is longer than its limit.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Window<'a> {
    head: &'a str,
    tail: &'a str,
    total: usize,
}

impl<'a> Window<'a> {
    /// Cuts a text: three quarters of the limit for the head, one for the tail, at ends of lines where there are some near the cut.
    ///
    /// Returns `None` if the text is short enough to be shown whole.
    pub(super) fn cut(text: &'a str, limit: usize) -> Option<Self> {
        let total = text.chars().count();
        if total <= limit {
            return None;
        }
        let head_share = limit / 4 * 3 + limit % 4 * 3 / 4;
        let tail_share = limit - head_share;
        let head = first_chars(text, head_share);
        let start = text.char_indices().rev().nth(tail_share.saturating_sub(1));
        let tail = start
            .and_then(|(start, _)| text.get(start..))
            .unwrap_or_default();
        Some(Self {
            head: up_to_line_end(head),
            tail: from_line_start(tail),
            total,
        })
    }

    /// Writes head, tail and footer; `stored` is the file with the whole text.
    pub(super) fn show(&self, stored: Option<&Path>) -> String {
        let count = |text: &str| grouped(widen(text.chars().count()));
        let mut lines = vec![
            String::new(),
            format!("{0} [TRUNCATED] {0}", "─".repeat(8)),
            format!(
                "Showing {} chars (head) + {} chars (tail) of {} total clean characters.",
                count(self.head),
                count(self.tail),
                grouped(widen(self.total))
            ),
        ];
        match stored {
            Some(path) => {
                let path = path.display();
                // Lines count from 1, and the last one of the head is shown.
                let next = self.head.matches('\n').count() + 2;
                lines.push(format!("Full text saved to: {path}"));
                lines.push(format!(
                    "To read the omitted middle: read_file path=\"{path}\" offset={next} limit=200  (the file is the complete page; raise/lower offset to page through it)."
                ));
            }
            None => lines.push(NOT_STORED.to_owned()),
        }
        lines.push("─".repeat(RULE_CHARS));
        format!("{}{OMITTED}{}\n{}", self.head, self.tail, lines.join("\n"))
    }
}

/// Cuts behind the last whole line, if that costs less than half.
fn up_to_line_end(head: &str) -> &str {
    match head.rfind('\n') {
        Some(end) if end > head.len() / 2 => head.get(..end).unwrap_or(head),
        _ => head,
    }
}

/// Cuts before the first whole line, if that costs less than half.
fn from_line_start(tail: &str) -> &str {
    match tail.find('\n') {
        Some(end) if end < tail.len() / 2 => tail.get(end + 1..).unwrap_or(tail),
        _ => tail,
    }
}

fn widen(count: usize) -> u64 {
    // No target of the compiler has pointers of more than 64 bits.
    u64::try_from(count).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_short_text_is_shown_whole() {
        assert_eq!(Window::cut(&"ü".repeat(2_000), 2_000), None);
    }

    #[test]
    fn a_long_text_is_cut_at_line_ends_and_says_where_the_rest_is() {
        let line = format!("{}\n", "x".repeat(99));
        let text = line.repeat(1_234);
        let window = Window::cut(&text, 15_000).unwrap();
        let shown = window.show(Some(Path::new("/h/cache/web/e.example-0123456789.md")));
        let expected = format!(
            "{}{}\n\n[... middle omitted — see footer ...]\n\n{}\n\n\
             ──────── [TRUNCATED] ────────\n\
             Showing 11,199 chars (head) + 3,700 chars (tail) of 123,400 total clean characters.\n\
             Full text saved to: /h/cache/web/e.example-0123456789.md\n\
             To read the omitted middle: read_file path=\"/h/cache/web/e.example-0123456789.md\" offset=113 limit=200  (the file is the complete page; raise/lower offset to page through it).\n\
             ─────────────────────────────",
            line.repeat(111),
            line.trim_end(),
            line.repeat(37),
        );
        assert_eq!(shown, expected);
    }

    #[test]
    fn a_text_without_lines_is_cut_where_the_limit_is() {
        let text = "ü".repeat(4_000);
        let shown = Window::cut(&text, 2_000).unwrap().show(None);
        let expected = format!(
            "{}\n\n[... middle omitted — see footer ...]\n\n{}\n\n\
             ──────── [TRUNCATED] ────────\n\
             Showing 1,500 chars (head) + 500 chars (tail) of 4,000 total clean characters.\n\
             Full text could not be stored; re-run web_extract on a more specific URL for the complete page.\n\
             ─────────────────────────────",
            "ü".repeat(1_500),
            "ü".repeat(500)
        );
        assert_eq!(shown, expected);
    }

    #[test]
    fn limits_are_held_in_their_bounds() {
        assert_eq!(
            [0, 2_000, 15_000, 500_001].map(clamp),
            [2_000, 2_000, 15_000, 500_000]
        );
    }

    proptest! {
        #[test]
        fn head_and_tail_are_ends_of_the_text(text in "[aü\n]{0,400}", limit in 1_usize..200) {
            match Window::cut(&text, limit) {
                None => prop_assert!(text.chars().count() <= limit),
                Some(window) => {
                    prop_assert!(text.starts_with(window.head) && text.ends_with(window.tail));
                    prop_assert!(window.head.chars().count() + window.tail.chars().count() <= limit);
                }
            }
        }
    }
}
