//! Terminal escape sequences and C1 control characters, and how they are taken out of a text.
//!
//! Ordinary control characters (bell, backspace, carriage return, tab) are not touched. The result never holds an ESC
//! or a C1 character (U+0080–U+009F), so the remains of two sequences cannot join into a new one. Time is linear in
//! the text, also for floods of sequences that nobody closes.

use std::borrow::Cow;

const ESC: char = '\u{1b}';
/// The 8-bit form of `ESC [`.
const C1_CSI: char = '\u{9b}';
/// The 8-bit form of `ESC ]`.
const C1_OSC: char = '\u{9d}';

/// Returns the text without escape sequences and C1 characters; borrowed if there is none.
///
/// What does not match a whole sequence falls to the next shorter rule: of a control string that is never closed only
/// the introducer goes (`ESC ]`), of an ESC that introduces nothing only the ESC.
pub(crate) fn strip(text: &str) -> Cow<'_, str> {
    let Some((plain, introducer, rest)) = split_at_introducer(text) else {
        return Cow::Borrowed(text);
    };
    let mut stripped = String::with_capacity(text.len());
    stripped.push_str(plain);
    let mut sequences = Sequences::new();
    let mut rest = sequences.skip(introducer, rest);
    while let Some((plain, introducer, body)) = split_at_introducer(rest) {
        stripped.push_str(plain);
        rest = sequences.skip(introducer, body);
    }
    stripped.push_str(rest);
    Cow::Owned(stripped)
}

/// Splits a text into what comes before the first introducer, the introducer, and what comes after it.
fn split_at_introducer(text: &str) -> Option<(&str, char, &str)> {
    let (at, introducer) = text
        .char_indices()
        .find(|&(_, character)| is_introducer(character))?;
    // The index comes from `char_indices`, so it is in the text and at a character.
    let (plain, rest) = text.split_at(at);
    Some((plain, introducer, rest.strip_prefix(introducer)?))
}

fn is_introducer(character: char) -> bool {
    matches!(character, ESC | '\u{80}'..='\u{9f}')
}

/// Knows the sequences, and which control strings have no end in what is left of the text.
struct Sequences {
    osc: ControlString,
    c1_osc: ControlString,
    /// DCS, SOS, PM and APC.
    device: ControlString,
}

impl Sequences {
    fn new() -> Self {
        Self {
            osc: ControlString::new(&["\u{7}", "\u{1b}\\"]),
            c1_osc: ControlString::new(&["\u{7}", "\u{9c}"]),
            device: ControlString::new(&["\u{1b}\\"]),
        }
    }

    /// Returns what follows the sequence that consists of the introducer and the start of `body`.
    fn skip<'a>(&mut self, introducer: char, body: &'a str) -> &'a str {
        let after = match introducer {
            ESC => self.after_escape(body),
            C1_CSI => after_csi(body),
            C1_OSC => self.c1_osc.after(body),
            _ => None,
        };
        after.unwrap_or(body)
    }

    fn after_escape<'a>(&mut self, body: &'a str) -> Option<&'a str> {
        let mut characters = body.chars();
        let kind = characters.next()?;
        let rest = characters.as_str();
        let after = match kind {
            '[' => after_csi(rest),
            ']' => self.osc.after(rest),
            'P' | 'X' | '^' | '_' => self.device.after(rest),
            ' '..='/' => rest
                .trim_start_matches(is_intermediate)
                .strip_prefix(is_escape_final),
            _ => None,
        };
        after.or_else(|| body.strip_prefix(is_escape_final))
    }
}

/// Returns what follows the parameters, intermediates and final character of a control sequence.
fn after_csi(body: &str) -> Option<&str> {
    let body = body.trim_start_matches(|character| matches!(character, '0'..='?'));
    let body = body.trim_start_matches(is_intermediate);
    body.strip_prefix(|character| matches!(character, '@'..='~'))
}

fn is_intermediate(character: char) -> bool {
    matches!(character, ' '..='/')
}

fn is_escape_final(character: char) -> bool {
    matches!(character, '0'..='~')
}

/// A string that runs up to the first of its terminators.
struct ControlString {
    terminators: &'static [&'static str],
    /// Set by the first search that fails. Every later search looks at less text and would fail as well; without this
    /// a flood of unclosed strings would take quadratic time.
    is_endless: bool,
}

impl ControlString {
    fn new(terminators: &'static [&'static str]) -> Self {
        Self {
            terminators,
            is_endless: false,
        }
    }

    fn after<'a>(&mut self, mut body: &'a str) -> Option<&'a str> {
        if self.is_endless {
            return None;
        }
        loop {
            if let Some(after) = self
                .terminators
                .iter()
                .find_map(|end| body.strip_prefix(*end))
            {
                return Some(after);
            }
            let mut characters = body.chars();
            if characters.next().is_none() {
                self.is_endless = true;
                return None;
            }
            body = characters.as_str();
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn every_kind_of_sequence_is_removed() {
        for (text, expected) in [
            ("a\x1b[31mred\x1b[0m", "ared"),
            ("a\x1b[?25;1$wb", "ab"),
            ("a\x1b[mb", "ab"),
            ("a\x1b]0;title\x07b", "ab"),
            ("a\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\b", "alinkb"),
            ("a\x1b]0;two\nlines\x07b", "ab"),
            ("a\x1bPq\x07data\x1b\\b", "ab"),
            ("a\x1bXs\x1b\\b\x1b^p\x1b\\c\x1b_a\x1b\\d", "abcd"),
            ("a\x1b(Bb\x1b #8c", "abc"),
            ("a\x1b7b\x1bcc\x1b=d\x1b~e", "abcde"),
            ("a\u{9b}1;2Hb", "ab"),
            ("a\u{9d}title\x07b\u{9d}title\u{9c}c", "abc"),
            ("a\u{85}b\u{80}c\u{9f}d", "abcd"),
        ] {
            assert_eq!(strip(text), expected, "{text:?}");
        }
    }

    #[test]
    fn an_unfinished_sequence_loses_only_its_introducer() {
        for (text, expected) in [
            ("a\x1b]0;title", "a0;title"),
            ("a\x1bPdata\x07b", "adata\x07b"),
            ("a\x1b[31", "a31"),
            ("a\x1b[31\nm", "a31\nm"),
            ("a\x1b[1é", "a1é"),
            ("a\x1b", "a"),
            ("a\x1b\nb", "a\nb"),
            ("a\x1b(\nb", "a(\nb"),
            ("a\u{9d}title", "atitle"),
            ("a\u{9b}31", "a31"),
        ] {
            assert_eq!(strip(text), expected, "{text:?}");
        }
    }

    #[test]
    fn remains_of_two_sequences_do_not_join() {
        assert_eq!(strip("\x1b\x1b[m[31mred"), "[31mred");
        assert_eq!(strip("\x1b[\x1b[31mred"), "red");
    }

    #[test]
    fn a_text_without_sequences_is_borrowed() {
        for text in [
            "",
            "plain",
            "bell\x07 back\x08 return\r\ttab",
            "é\u{a0}\u{2028}\u{1f600}",
        ] {
            assert!(
                matches!(strip(text), Cow::Borrowed(stripped) if stripped == text),
                "{text:?}"
            );
        }
    }

    #[test]
    fn a_search_that_failed_is_not_made_again() {
        let mut string = ControlString::new(&["\u{1b}\\"]);
        assert_eq!(string.after("a\x1b\\b"), Some("b"));
        assert_eq!(string.after("open"), None);
        assert!(string.is_endless);
        // A quadratic scan of this text takes about a million million steps, which nobody would wait for.
        let flood = "\x1b]\x1bP\u{9d}".repeat(1 << 20);
        assert_eq!(strip(&flood), "");
    }

    proptest! {
        #[test]
        fn nothing_that_a_terminal_would_obey_is_left(
            text in r"([\x1b\x07\x18\[\]P\\ (0-9;mA-Zé\n]|[\u{80}-\u{9f}]){0,60}",
        ) {
            let stripped = strip(&text).into_owned();
            prop_assert!(!stripped.contains(is_introducer), "{stripped:?}");
            let again = strip(&stripped).into_owned();
            prop_assert_eq!(again, stripped);
        }

        #[test]
        fn other_text_is_unchanged(text in r"[^\x1b\u{80}-\u{9f}]{0,60}") {
            prop_assert_eq!(strip(&text), text.as_str());
        }
    }
}
