//! A text in a plainer form that remembers where each part of it came from.

use std::ops::Range;

use memchr::memmem;

use crate::tools::patch::effort::{Effort, STEPS_PER_MATCH, Stopped};

/// Holds a plainer text and, for each of its bytes, where the character begins that it stands for.
#[derive(Debug, Default)]
pub(in crate::tools::patch) struct Mapped {
    pub(in crate::tools::patch) text: String,
    origins: Vec<usize>,
}

impl Mapped {
    /// Makes one space of every run of spaces and tabs.
    pub(in crate::tools::patch) fn squeezed(text: &str) -> Self {
        let mut mapped = Self::default();
        let mut in_run = false;
        for (origin, letter) in text.char_indices() {
            let is_blank = matches!(letter, ' ' | '\t');
            if !is_blank {
                mapped.push_char(letter, origin);
            } else if !in_run {
                mapped.push_char(' ', origin);
            }
            in_run = is_blank;
        }
        mapped.end_at(text.len())
    }

    /// Puts ASCII in the place of typographic quotes, dashes, ellipses and spaces.
    pub(in crate::tools::patch) fn plain(text: &str) -> Self {
        let mut mapped = Self::default();
        for (origin, letter) in text.char_indices() {
            match ascii_for(letter) {
                Some(ascii) => mapped.push(ascii, origin),
                None => mapped.push_char(letter, origin),
            }
        }
        mapped.end_at(text.len())
    }

    /// Returns where a pattern in plainer form occurs, as ranges of the original text that do not overlap.
    ///
    /// An occurrence that begins or ends inside of what one character became is none.
    pub(super) fn find(
        &self,
        pattern: &str,
        effort: &Effort<'_>,
    ) -> Result<Vec<Range<usize>>, Stopped> {
        let finder = memmem::Finder::new(pattern);
        let mut spans = Vec::new();
        let mut from = 0;
        while let Some(rest) = self.text.as_bytes().get(from..) {
            let Some(found) = finder.find(rest) else {
                break;
            };
            let (start, end) = (from + found, from + found + pattern.len());
            effort.spend(pattern.len())?;
            match (self.original(start), self.original(end)) {
                (Some(first), Some(last)) => {
                    effort.spend(STEPS_PER_MATCH)?;
                    spans.push(first..last);
                    from = end.max(start + 1);
                }
                _ => from = start + 1,
            }
        }
        Ok(spans)
    }

    /// Returns the place in the original text; `None` inside of what one character became.
    pub(in crate::tools::patch) fn original(&self, at: usize) -> Option<usize> {
        let origin = *self.origins.get(at)?;
        let before = at
            .checked_sub(1)
            .and_then(|before| self.origins.get(before));
        (before != Some(&origin)).then_some(origin)
    }

    fn push(&mut self, piece: &str, origin: usize) {
        self.text.push_str(piece);
        self.origins.resize(self.text.len(), origin);
    }

    fn push_char(&mut self, letter: char, origin: usize) {
        self.text.push(letter);
        self.origins.resize(self.text.len(), origin);
    }

    fn end_at(mut self, len: usize) -> Self {
        self.origins.push(len);
        self
    }
}

/// Returns what a keyboard writes for a typographic character.
fn ascii_for(letter: char) -> Option<&'static str> {
    Some(match letter {
        '\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{201f}' => "\"",
        '\u{2018}' | '\u{2019}' | '\u{201a}' | '\u{201b}' => "'",
        '\u{2014}' => "--",
        '\u{2013}' | '\u{2212}' => "-",
        '\u{2026}' => "...",
        '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => {
            " "
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use super::*;

    #[test]
    fn every_typographic_character_has_its_ascii_form() {
        let rows = [
            ("“x” ‘y’", "\"x\" 'y'"),
            ("a—b–c−d…", "a--b-c-d..."),
            (
                "\u{a0}\u{2003}\u{200a}\u{202f}\u{205f}\u{3000}\u{1680}",
                "       ",
            ),
            ("äöü\u{200b}", "äöü\u{200b}"),
        ];
        for (text, expected) in rows {
            assert_eq!(Mapped::plain(text).text, expected);
        }
        assert_eq!(Mapped::squeezed("a \t b\n\t\tc ").text, "a b\n c ");
    }

    #[test]
    fn occurrences_are_ranges_of_the_original() {
        let effort = Effort::new(&|| false);
        let text = "x \t y  z";
        let spans = Mapped::squeezed(text).find(" y ", &effort).unwrap();
        assert_eq!(spans, std::slice::from_ref(&(1..7)));
        let text = "a—b";
        let mapped = Mapped::plain(text);
        let spans = mapped.find("--", &effort).unwrap();
        assert_eq!(spans, std::slice::from_ref(&(1..4)));
        assert!(mapped.find("a-", &effort).unwrap().is_empty());
        assert!(mapped.find("-b", &effort).unwrap().is_empty());
    }
}
