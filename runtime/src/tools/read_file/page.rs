//! One page of a text: the numbered lines that are asked for, and how many lines there are.
//!
//! The text is streamed from the last known line start before the page. Only the page and a little around it are kept,
//! within the page's budget of characters. Behind the page a short text is counted to its end; a long one is left, so
//! that a page costs what the page is long. The content has no secrets in it.

use std::fmt::Write as _;
use std::io::{self, Read, Seek};
use std::mem;

use memchr::{memchr, memrchr};

use super::conflict::Conflicts;
use super::excerpt::{CONTEXT_BYTES, Excerpt, Line};
use super::index::{LineIndex, LineStart};
use super::text::Text;
use crate::text::redact::{Redactor, SENTINEL_START};
use crate::text::truncate::first_chars;
use crate::tools::FileOptions;

/// Longest text whose lines are all counted for its first page, in bytes. Counting takes about 5 ms if the system has it in memory.
const MAX_COUNTED_BYTES: u64 = 32 * 1024 * 1024;
const CHUNK_BYTES: usize = 64 * 1024;

/// Says which page is asked for, and how large it may be.
#[derive(Debug, Clone, Copy)]
pub(super) struct PageRequest {
    /// Number of the first line, from 1.
    pub(super) offset: u64,
    /// Most lines.
    pub(super) limit: u64,
    /// Longest shown line in characters.
    line_chars: usize,
    /// Longest page in characters, line numbers included; what stands for a secret may make it a little longer.
    pub(super) page_chars: usize,
    /// Longest text that is read to its end for the number of its lines, in bytes.
    counted_bytes: u64,
}

impl PageRequest {
    /// Asks for lines within the limits that the host set.
    pub(super) fn new(offset: u64, limit: u64, options: &FileOptions) -> Self {
        let page_chars = options.max_read_chars.max(1);
        Self {
            offset,
            limit,
            // More of a line than fits on a page is not kept.
            line_chars: options.max_line_length.clamp(1, page_chars),
            page_chars,
            counted_bytes: MAX_COUNTED_BYTES,
        }
    }

    /// Returns the number of the first line behind the page.
    fn end(&self) -> u64 {
        self.offset.saturating_add(self.limit)
    }
}

/// Holds the lines of a page and what is known about the text around it.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Page {
    /// Lines as `<number>|<text>`, joined by line feeds.
    pub(super) content: String,
    /// Number of lines of the whole text; an unterminated last line counts.
    pub(super) total_lines: u64,
    /// Whether the text has at least so many lines, and nobody has counted them all.
    pub(super) is_lower_bound: bool,
    /// Number of lines in `content`.
    pub(super) shown_lines: u64,
    /// Whether a line of the page was too long.
    pub(super) has_cut_lines: bool,
    /// Whether there was room for all that was asked for.
    pub(super) room: Room,
    /// Number of merge conflicts in `content`.
    pub(super) conflict_blocks: u64,
}

/// Tells what the budget of characters did to a page.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) enum Room {
    /// Nothing.
    #[default]
    Enough,
    /// The page ends before a line that would not have fit.
    Full,
    /// The first line alone was longer than a page and is cut.
    Clamped,
}

impl Page {
    /// Tells whether the page ended because it was full.
    pub(super) fn is_full(&self) -> bool {
        self.room != Room::Enough
    }

    /// Tells whether the page shows its lines as they are, and the number of all lines is known.
    pub(super) fn is_exact(&self) -> bool {
        !self.has_cut_lines
            && !self.is_lower_bound
            && self.room != Room::Clamped
            && !self.content.contains(SENTINEL_START)
    }

    /// Reads a page, and puts into `index` what becomes known about line starts.
    ///
    /// `goes_on` is asked now and then; when it denies, reading ends with an error.
    pub(super) fn read(
        text: &mut Text<impl Read + Seek>,
        request: PageRequest,
        index: &mut LineIndex,
        redactor: &Redactor,
        goes_on: impl Fn() -> bool,
    ) -> io::Result<Self> {
        let start = index.nearest(request.offset);
        let context = start.byte.saturating_sub(CONTEXT_BYTES as u64);
        text.seek(context.max(text.begin()))?;
        let mut reader = Reader::new(request, start, index);
        // No chunk is longer than the text: the buffer of a short one is short.
        let chunk = text.rest().min(CHUNK_BYTES as u64);
        let mut chunk = vec![0; usize::try_from(chunk).unwrap_or(CHUNK_BYTES)];
        let mut is_whole = false;
        loop {
            let above = start.byte.saturating_sub(text.position());
            let room = usize::try_from(above).unwrap_or(usize::MAX);
            let room = if above == 0 {
                chunk.len()
            } else {
                room.min(chunk.len())
            };
            let count = text.read(chunk.split_at_mut(room).0)?;
            if count == 0 {
                is_whole = true;
                break;
            }
            if !goes_on() {
                return Err(io::Error::other("the cell has ended"));
            }
            let (bytes, _) = chunk.split_at(count);
            if above > 0 {
                reader.excerpt.push_above(bytes);
                continue;
            }
            reader.take(bytes);
            if reader.has_all() && text.rest() > 0 && !reader.counts(text.len()) {
                break;
            }
        }
        if is_whole {
            reader.end_text();
        }
        Ok(reader.finish(redactor))
    }
}

struct Reader<'i> {
    request: PageRequest,
    index: &'i mut LineIndex,
    page: Page,
    excerpt: Excerpt,
    /// Number of the line that is being read.
    number: u64,
    /// Offset of the next byte.
    position: u64,
    /// What is kept of the line that is being read, if it belongs on the page.
    line: Line,
    /// Whether the line that is being read has a byte.
    is_open: bool,
    /// Characters that the page's content has before it is redacted.
    chars: usize,
}

impl<'i> Reader<'i> {
    fn new(request: PageRequest, start: LineStart, index: &'i mut LineIndex) -> Self {
        let excerpt = Excerpt::new(request.line_chars);
        Self {
            request,
            index,
            page: Page::default(),
            number: start.line,
            position: start.byte,
            line: excerpt.begin_line(),
            excerpt,
            is_open: false,
            chars: 0,
        }
    }

    /// Takes the next bytes of the text.
    fn take(&mut self, bytes: &[u8]) {
        let begin = self.position;
        self.position = begin.saturating_add(bytes.len() as u64);
        self.is_open = bytes.last() != Some(&b'\n');
        self.take_lines(bytes);
        if let Some(end) = memrchr(b'\n', bytes) {
            self.index.note(LineStart {
                line: self.number,
                byte: begin.saturating_add(end as u64 + 1),
            });
        }
    }

    fn take_lines(&mut self, bytes: &[u8]) {
        // A chunk that ends before the page begins is only counted, and so is what comes after the page.
        if self.number < self.request.offset {
            let lines = count_lines(bytes);
            if self.number.saturating_add(lines) < self.request.offset {
                self.number += lines;
                self.excerpt.push_above(bytes);
                return;
            }
        }
        let mut rest = bytes;
        while !rest.is_empty() {
            if self.is_behind() {
                self.number += count_lines(rest);
                self.excerpt.push_below(rest);
                return;
            }
            let end = memchr(b'\n', rest);
            let (line, after) = rest.split_at(end.map_or(rest.len(), |end| end + 1));
            if self.number < self.request.offset {
                self.excerpt.push_above(line);
            } else {
                self.line.push(line.strip_suffix(b"\n").unwrap_or(line));
            }
            if end.is_some() {
                self.end_line();
            }
            rest = after;
        }
    }

    /// Tells whether the page is complete.
    fn is_behind(&self) -> bool {
        self.page.is_full() || self.number >= self.request.end()
    }

    /// Tells whether the page and what has to be seen below it are complete.
    fn has_all(&self) -> bool {
        self.is_behind() && self.excerpt.has_below()
    }

    /// Tells whether a text of this length is read on for the number of its lines.
    fn counts(&self, text_bytes: u64) -> bool {
        self.index.total().is_none() && text_bytes <= self.request.counted_bytes
    }

    fn end_line(&mut self) {
        if !self.is_behind() && self.number >= self.request.offset {
            self.add_line();
        }
        self.number += 1;
    }

    fn add_line(&mut self) {
        let next = self.excerpt.begin_line();
        let line = mem::replace(&mut self.line, next);
        let is_first = self.page.shown_lines == 0;
        let chars = line.shown_chars(self.request.line_chars);
        let prefix = digits(self.number) + 1 + usize::from(!is_first);
        let chars = self.chars.saturating_add(prefix).saturating_add(chars);
        if chars > self.request.page_chars {
            if !is_first {
                self.page.room = Room::Full;
                self.excerpt.push_below(line.bytes());
                self.excerpt.push_below(b"\n");
                return;
            }
            self.page.room = Room::Clamped;
        }
        self.excerpt.push_line(line);
        self.chars = chars;
        self.page.shown_lines += 1;
    }

    /// Ends the last line, and with it the text.
    fn end_text(&mut self) {
        if self.is_open {
            self.end_line();
        }
        self.index.complete(self.number - 1);
    }

    fn finish(self, redactor: &Redactor) -> Page {
        let mut page = self.page;
        // The line that is being read is there, for the text goes on where it was left.
        let seen = self.number.max(self.index.last().line);
        page.total_lines = self.index.total().unwrap_or(seen);
        page.is_lower_bound = self.index.total().is_none();
        let mut conflicts = Conflicts::default();
        for (number, (text, is_cut)) in
            (self.request.offset..).zip(self.excerpt.into_shown(redactor))
        {
            let separator = if page.content.is_empty() { "" } else { "\n" };
            // Writing to a string cannot fail.
            let _ = write!(page.content, "{separator}{number}|{text}");
            page.has_cut_lines |= is_cut;
            conflicts.take(&text);
        }
        page.conflict_blocks = conflicts.blocks();
        if page.room == Room::Clamped {
            let clamped = first_chars(&page.content, self.request.page_chars).len();
            page.content.truncate(clamped);
        }
        page
    }
}

/// Returns how many digits a number has.
fn digits(number: u64) -> usize {
    number.checked_ilog10().map_or(1, |log| log as usize + 1)
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
mod tests;
