//! The lines of a page as they stand in the file, with text from above and below them, until no secret is in them.
//!
//! A secret may begin above the page, end below it, or go through the place where a long line is cut. It is therefore
//! looked for in the text around the page too, and a line is cut only afterwards. Memory is bounded whatever the file is.

use memchr::memchr_iter;

use crate::text::redact::{Profile, Redactor};
use crate::text::truncate::first_chars;

/// What a cut line ends with.
pub(super) const LINE_CUT: &str = "... [truncated]";
/// Bytes kept from each side of the page; the longest private keys in use have half as many.
pub(super) const CONTEXT_BYTES: usize = 32 * 1024;
/// Characters at the end of a line's kept part that are not shown, for they may be the start of a secret that is lost.
const EDGE_CHARS: usize = 1_000;
/// Bytes of the longest character.
const CHAR_BYTES: usize = 4;

/// Collects a page and what stands around it.
pub(super) struct Excerpt {
    /// Longest shown line in characters.
    line_chars: usize,
    above: Vec<u8>,
    lines: Vec<Line>,
    below: Vec<u8>,
}

impl Excerpt {
    /// Makes an empty excerpt; what is longer than a line of so many characters is cut.
    pub(super) fn new(line_chars: usize) -> Self {
        Self {
            line_chars,
            above: Vec::new(),
            lines: Vec::new(),
            below: Vec::new(),
        }
    }

    /// Returns the empty line that takes the bytes of the next one.
    pub(super) fn begin_line(&self) -> Line {
        let shown = self.line_chars.saturating_add(2 * EDGE_CHARS);
        Line {
            bytes: Vec::new(),
            max_bytes: shown.saturating_mul(CHAR_BYTES),
            has_lost_bytes: false,
        }
    }

    /// Tells whether enough of what stands below is there.
    pub(super) fn has_below(&self) -> bool {
        self.below.len() >= CONTEXT_BYTES
    }

    /// Takes bytes that stand above the page; the last ones are kept.
    pub(super) fn push_above(&mut self, bytes: &[u8]) {
        let kept = bytes.split_at(bytes.len().saturating_sub(CONTEXT_BYTES)).1;
        self.above.extend_from_slice(kept);
        // Trimmed in large steps, so that a byte is moved once and not with every short line.
        if self.above.len() > 2 * CONTEXT_BYTES {
            self.above.drain(..self.above.len() - CONTEXT_BYTES);
        }
    }

    /// Takes the next line of the page.
    pub(super) fn push_line(&mut self, line: Line) {
        self.lines.push(line);
    }

    /// Takes bytes that stand below the page; the first ones are kept.
    pub(super) fn push_below(&mut self, bytes: &[u8]) {
        let room = CONTEXT_BYTES.saturating_sub(self.below.len());
        self.below
            .extend_from_slice(bytes.split_at(bytes.len().min(room)).0);
    }

    /// Returns the lines of the page without secrets, as they are shown, and whether each was cut.
    pub(super) fn into_shown(self, redactor: &Redactor) -> Vec<(String, bool)> {
        let mut bytes = self.above;
        let lines_above = memchr_iter(b'\n', &bytes).count();
        for line in &self.lines {
            bytes.extend_from_slice(&line.bytes);
            bytes.push(b'\n');
        }
        bytes.extend_from_slice(&self.below);
        let text = String::from_utf8_lossy(&bytes);
        let clean = redactor.redact(&text, Profile::FileRead);
        // The profile keeps the number of lines. Were it otherwise, a line would have a wrong number but still no secret.
        let mut clean = clean.split('\n').skip(lines_above);
        self.lines
            .iter()
            .map(|line| line.shown(clean.next().unwrap_or_default(), self.line_chars))
            .collect()
    }
}

/// One line of the file, without its line feed, as far as it is kept.
pub(super) struct Line {
    bytes: Vec<u8>,
    max_bytes: usize,
    has_lost_bytes: bool,
}

impl Line {
    /// Takes the next bytes of the line.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        let room = self.max_bytes.saturating_sub(self.bytes.len());
        let (kept, lost) = bytes.split_at(bytes.len().min(room));
        self.bytes.extend_from_slice(kept);
        self.has_lost_bytes |= !lost.is_empty();
    }

    /// Returns what is kept of the line, for the text below a page that has no room for it.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns how many characters the line takes on the page, if no secret is in it.
    pub(super) fn shown_chars(&self, line_chars: usize) -> usize {
        let chars = String::from_utf8_lossy(&self.bytes).chars().count();
        if chars > line_chars {
            line_chars.saturating_add(LINE_CUT.len())
        } else {
            chars
        }
    }

    /// Returns what is shown of the line, given the clean text of its kept part.
    fn shown(&self, clean: &str, line_chars: usize) -> (String, bool) {
        let limit = if self.has_lost_bytes {
            line_chars.min(clean.chars().count().saturating_sub(EDGE_CHARS))
        } else {
            line_chars
        };
        let start = first_chars(clean, limit);
        if start.len() == clean.len() && !self.has_lost_bytes {
            return (start.to_owned(), false);
        }
        (format!("{start}{LINE_CUT}"), true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAX_LINE_CHARS: usize = 2_000;
    const MAX_LINE_BYTES: usize = (MAX_LINE_CHARS + 2 * EDGE_CHARS) * CHAR_BYTES;
    const TOKEN: &str = "ghp_abcdefghijklmnopqrst";
    const SENTINEL: &str = "«redacted:ghp_…»";

    fn shown(above: &str, line: &str, below: &str) -> String {
        let mut excerpt = Excerpt::new(MAX_LINE_CHARS);
        excerpt.push_above(above.as_bytes());
        let mut kept = excerpt.begin_line();
        kept.push(line.as_bytes());
        excerpt.push_line(kept);
        excerpt.push_below(below.as_bytes());
        excerpt
            .into_shown(&Redactor::default())
            .into_iter()
            .map(|(text, _)| text)
            .collect()
    }

    #[test]
    fn a_secret_at_any_cut_of_a_line_is_gone() {
        for before in (MAX_LINE_CHARS - TOKEN.len())..=MAX_LINE_CHARS {
            let line = format!("{} {TOKEN} and so on", ".".repeat(before - 1));
            let text = shown("", &line, "");
            assert!(!text.contains("ghp_a"), "{before}: {text}");
        }
        // A secret so long that the kept part ends in it, and another one right behind the cut of what is kept.
        let long = format!("ghp_{}", "a1".repeat(MAX_LINE_BYTES));
        assert_eq!(shown("", &long, ""), LINE_CUT);
        for after in 0..TOKEN.len() {
            let first = format!("ghp_{}", "a1".repeat((MAX_LINE_BYTES - 5 - after) / 2));
            let line = format!("{first} {TOKEN} and so on");
            let text = shown("", &line, "");
            assert!(!text.contains("ghp_a"), "{after}: {text}");
        }
    }

    #[test]
    fn a_line_with_lost_bytes_fills_its_room_however_short_or_wide_it_is() {
        for (line_chars, letter) in [(1, "x"), (80, "x"), (80, "\u{1f600}"), (5_000, "ü")] {
            let mut excerpt = Excerpt::new(line_chars);
            let mut line = excerpt.begin_line();
            for _ in 0..200 {
                line.push(letter.repeat(1_000).as_bytes());
            }
            excerpt.push_line(line);
            let shown = excerpt.into_shown(&Redactor::default());
            let expected = format!("{}{LINE_CUT}", letter.repeat(line_chars));
            assert_eq!(shown, [(expected, true)], "{line_chars}");
        }
    }

    #[test]
    fn a_key_around_the_page_is_gone_from_it() {
        let begin = "-----BEGIN RSA PRIVATE KEY-----\n";
        let end = "-----END RSA PRIVATE KEY-----\n";
        let body = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7\n";
        let line = body.trim_end();
        for (above, below) in [
            (format!("{begin}{body}"), format!("{body}{end}")),
            (format!("x\n{begin}{}", body.repeat(400)), end.to_owned()),
            // The end of the key is missing, or too far away to be seen.
            (begin.to_owned(), body.to_owned()),
            (begin.to_owned(), body.repeat(5_000)),
        ] {
            assert_eq!(shown(&above, line, &below), "«redacted-secret»");
        }
        assert_eq!(shown("x\n", line, "y\n"), line);
        assert_eq!(
            shown("", begin.trim_end(), &format!("{body}{end}")),
            "«redacted-secret»"
        );
    }

    #[test]
    fn what_stands_around_the_page_is_bounded() {
        let mut excerpt = Excerpt::new(MAX_LINE_CHARS);
        for size in [1, CONTEXT_BYTES * 9, 7, CONTEXT_BYTES, CONTEXT_BYTES + 1] {
            excerpt.push_above(&vec![b'x'; size]);
            excerpt.push_below(&vec![b'x'; size]);
            assert!(
                excerpt.above.len() <= 2 * CONTEXT_BYTES && excerpt.below.len() <= CONTEXT_BYTES
            );
        }
        let line = format!("{TOKEN}\n");
        assert_eq!(shown(&line, TOKEN, &line), SENTINEL);
    }
}
