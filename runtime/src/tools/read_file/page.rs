//! One page of a text: the numbered lines that are asked for, and the number of all lines.
//!
//! The text is streamed. Only the page and a little around it are kept, within the page's budget of characters; the rest
//! is counted. The content has no secrets in it.

use std::fmt::Write as _;
use std::io::{self, Read};
use std::mem;

use super::excerpt::{Excerpt, Line};
use crate::text::redact::Redactor;

/// Longest page in characters, line numbers included; what stands for a secret may make it a little longer.
pub(super) const MAX_PAGE_CHARS: usize = 100_000;
const CHUNK_BYTES: usize = 64 * 1024;

/// Holds the lines of a page and what is known about the text around it.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Page {
    /// Lines as `<number>|<text>`, joined by line feeds.
    pub(super) content: String,
    /// Number of lines of the whole text; an unterminated last line counts.
    pub(super) total_lines: u64,
    /// Number of lines in `content`.
    pub(super) shown_lines: u64,
    /// Whether a line of the page was too long.
    pub(super) has_cut_lines: bool,
    /// Whether the page ended because it was full.
    pub(super) is_full: bool,
}

impl Page {
    /// Reads the text and keeps up to `limit` lines from line `offset` (from 1) on.
    ///
    /// `goes_on` is asked now and then; when it denies, reading ends with an error of the kind `Interrupted`.
    pub(super) fn read(
        mut text: impl Read,
        offset: u64,
        limit: u64,
        redactor: &Redactor,
        goes_on: impl Fn() -> bool,
    ) -> io::Result<Self> {
        let mut builder = Builder {
            page: Self::default(),
            offset,
            limit,
            excerpt: Excerpt::default(),
            line: Line::default(),
            chars: 0,
        };
        let mut chunk = vec![0; CHUNK_BYTES];
        let mut ends_open = false;
        loop {
            let count = match text.read(&mut chunk) {
                Ok(0) => break,
                Ok(count) => count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if !goes_on() {
                return Err(io::Error::other("the cell has ended"));
            }
            let (bytes, _) = chunk.split_at(count);
            builder.take(bytes);
            ends_open = bytes.last() != Some(&b'\n');
        }
        if ends_open {
            builder.end_line();
        }
        Ok(builder.finish(redactor))
    }
}

struct Builder {
    page: Page,
    offset: u64,
    limit: u64,
    excerpt: Excerpt,
    /// The line that is being read.
    line: Line,
    /// Characters that the page's content has before it is redacted.
    chars: usize,
}

impl Builder {
    fn take(&mut self, bytes: &[u8]) {
        // A chunk that ends before the page begins is only counted, and so is what comes after the page.
        if self.number() < self.offset {
            let lines = count_lines(bytes);
            if self.number().saturating_add(lines) < self.offset {
                self.page.total_lines += lines;
                self.excerpt.push_above(bytes);
                return;
            }
        }
        let mut rest = bytes;
        while !rest.is_empty() {
            if self.page.is_full || self.number() >= self.offset.saturating_add(self.limit) {
                self.page.total_lines += count_lines(rest);
                self.excerpt.push_below(rest);
                return;
            }
            let end = rest.iter().position(|&byte| byte == b'\n');
            let (line, after) = rest.split_at(end.map_or(rest.len(), |end| end + 1));
            if self.is_wanted() {
                self.line.push(line.strip_suffix(b"\n").unwrap_or(line));
            } else {
                self.excerpt.push_above(line);
            }
            if end.is_some() {
                self.end_line();
            }
            rest = after;
        }
    }

    /// Returns the number of the line that is being read.
    fn number(&self) -> u64 {
        self.page.total_lines + 1
    }

    fn is_wanted(&self) -> bool {
        let number = self.number();
        !self.page.is_full && number >= self.offset && number - self.offset < self.limit
    }

    fn end_line(&mut self) {
        if self.is_wanted() {
            self.add_line();
        }
        self.page.total_lines += 1;
    }

    fn add_line(&mut self) {
        let line = mem::take(&mut self.line);
        let separator = usize::from(self.page.shown_lines > 0);
        let added = self.number().to_string().len() + 1 + line.shown_chars() + separator;
        // A line has at most 2,000 characters, so that the first one always fits.
        if self.chars + added > MAX_PAGE_CHARS {
            self.page.is_full = true;
            self.excerpt.push_below(line.bytes());
            self.excerpt.push_below(b"\n");
            return;
        }
        self.excerpt.push_line(line);
        self.chars += added;
        self.page.shown_lines += 1;
    }

    fn finish(self, redactor: &Redactor) -> Page {
        let mut page = self.page;
        let lines = self.excerpt.into_shown(redactor);
        for (number, (text, is_cut)) in (self.offset..).zip(lines) {
            let separator = if number == self.offset { "" } else { "\n" };
            // Writing to a string cannot fail.
            let _ = write!(page.content, "{separator}{number}|{text}");
            page.has_cut_lines |= is_cut;
        }
        page
    }
}

fn count_lines(bytes: &[u8]) -> u64 {
    // The sum of bytes over short blocks is what the compiler turns into vector instructions.
    bytes
        .chunks(usize::from(u8::MAX))
        .map(|block| {
            u64::from(
                block
                    .iter()
                    .map(|&byte| u8::from(byte == b'\n'))
                    .sum::<u8>(),
            )
        })
        .sum()
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use proptest::prelude::*;

    use super::*;

    fn read(text: &[u8], offset: u64, limit: u64) -> Page {
        Page::read(text, offset, limit, &Redactor::default(), || true).unwrap()
    }

    #[test]
    fn lines_are_numbered_without_padding() {
        let page = read(b"a\nb\nc\n", 1, 2_000);
        assert_eq!(
            (page.content.as_str(), page.total_lines),
            ("1|a\n2|b\n3|c", 3)
        );
        let page = read(b"a\n\nc", 2, 1);
        assert_eq!(
            (page.content.as_str(), page.total_lines, page.shown_lines),
            ("2|", 3, 1)
        );
        assert_eq!(read(b"", 1, 5), Page::default());
        assert_eq!(
            read(b"a\n", 9, 5),
            Page {
                total_lines: 1,
                ..Page::default()
            }
        );
    }

    #[test]
    fn a_long_line_is_cut_at_its_characters() {
        let text = format!("{}\nüb", "ü".repeat(2_001));
        let page = read(text.as_bytes(), 1, 10);
        assert_eq!(
            page.content,
            format!("1|{}... [truncated]\n2|üb", "ü".repeat(2_000))
        );
        assert!(page.has_cut_lines);
        let exact = read("\u{1f600}".repeat(2_000).as_bytes(), 1, 10);
        assert!(!exact.has_cut_lines && exact.content.chars().count() == 2_002);
    }

    #[test]
    fn a_full_page_ends_at_a_whole_line() {
        let text = format!("{}\n", "x".repeat(1_000)).repeat(300);
        let page = read(text.as_bytes(), 1, 2_000);
        // Lines 1 to 9 take 1,003 characters with their separators, 10 to 99 take 1,004.
        assert_eq!(
            (page.shown_lines, page.total_lines, page.is_full),
            (99, 300, true)
        );
        assert_eq!(page.content.chars().count(), 9 * 1_003 + 90 * 1_004 - 1);
    }

    #[test]
    fn a_page_of_a_long_text_keeps_only_itself() {
        let text = io::repeat(b'\n').take(50_000_000);
        let page = Page::read(text, 40_000_000, 2, &Redactor::default(), || true).unwrap();
        assert_eq!(page.content, "40000000|\n40000001|");
        assert_eq!(page.total_lines, 50_000_000);
    }

    #[test]
    fn reading_stops_when_it_may_not_go_on() {
        let error = Page::read(io::repeat(b'x'), 1, 1, &Redactor::default(), || false).unwrap_err();
        assert_eq!(error.to_string(), "the cell has ended");
    }

    proptest! {
        #[test]
        fn a_page_is_what_splitting_the_text_gives(
            text in "[ab\n]{0,40}",
            offset in 1_u64..9,
            limit in 1_u64..9,
        ) {
            let lines: Vec<&str> = text.lines().collect();
            let numbered: Vec<String> = (1_u64..)
                .zip(&lines)
                .filter(|(number, _)| (offset..offset + limit).contains(number))
                .map(|(number, line)| format!("{number}|{line}"))
                .collect();
            let page = read(text.as_bytes(), offset, limit);
            prop_assert_eq!(page.content, numbered.join("\n"));
            prop_assert_eq!(page.total_lines, u64::try_from(lines.len()).unwrap());
        }
    }
}
