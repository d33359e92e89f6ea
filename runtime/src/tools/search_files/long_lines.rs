//! A text whose lines have a largest length: what is longer is left out, and lines keep their numbers.
//!
//! It lets a search go through a file of any size that has no line feeds without holding it in memory.

use std::io::{self, Read};

use memchr::{memchr, memrchr};

/// Longest line that is searched whole, in bytes.
pub(super) const MAX_LINE_BYTES: usize = 4 << 20;

/// Reads another reader and leaves out the ends of lines that are too long.
pub(super) struct LongLines<'f, R> {
    inner: R,
    max_bytes: usize,
    /// Bytes of the current line so far.
    line_bytes: usize,
    /// Set when something was left out.
    has_lost: &'f mut bool,
    goes_on: &'f dyn Fn() -> bool,
}

impl<'f, R: Read> LongLines<'f, R> {
    /// Wraps a reader; it ends when nobody wants it to go on.
    pub(super) fn new(
        inner: R,
        max_bytes: usize,
        has_lost: &'f mut bool,
        goes_on: &'f dyn Fn() -> bool,
    ) -> Self {
        Self {
            inner,
            max_bytes,
            line_bytes: 0,
            has_lost,
            goes_on,
        }
    }

    /// Moves what stays of the read bytes to their front, and returns how many that are.
    fn shorten(&mut self, bytes: &mut [u8]) -> usize {
        let (mut kept, mut at) = (0, 0);
        while at < bytes.len() {
            let rest = bytes.split_at(at).1;
            let feed = memchr(b'\n', rest);
            let line = feed.unwrap_or(rest.len());
            let room = self.max_bytes.saturating_sub(self.line_bytes);
            let stays = line.min(room);
            *self.has_lost |= stays < line;
            self.line_bytes = self.line_bytes.saturating_add(stays);
            bytes.copy_within(at..at + stays, kept);
            kept += stays;
            at += line;
            if feed.is_some() {
                // The line feed at `at` is in the slice, and `kept` is never beyond it.
                bytes.copy_within(at..=at, kept);
                kept += 1;
                at += 1;
                self.line_bytes = 0;
            }
        }
        kept
    }
}

impl<R: Read> Read for LongLines<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if !(self.goes_on)() {
                return Ok(0);
            }
            let count = self.inner.read(buffer)?;
            let read = buffer.split_at_mut(count).0;
            // Where no line can become too long, only the last one has to be measured.
            if self.line_bytes.saturating_add(count) <= self.max_bytes {
                self.line_bytes = match memrchr(b'\n', read) {
                    Some(feed) => count - feed - 1,
                    None => self.line_bytes + count,
                };
                return Ok(count);
            }
            let kept = self.shorten(read);
            if kept > 0 || count == 0 {
                return Ok(kept);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use proptest::prelude::*;

    use super::*;

    /// Gives bytes in pieces of a fixed size.
    struct Pieces<'b>(&'b [u8], usize);

    impl Read for Pieces<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = self.1.min(buffer.len());
            (&mut self.0).take(count.try_into().unwrap()).read(buffer)
        }
    }

    proptest! {
        #[test]
        fn each_line_keeps_its_first_bytes(
            text in "[ab\n]{0,60}",
            max in 1_usize..8,
            piece in 1_usize..20,
        ) {
            let cut = |line: &str| line.get(..max).unwrap_or(line).to_owned();
            let expected: Vec<String> = text.split('\n').map(cut).collect();
            let (mut lost, mut shown) = (false, String::new());
            LongLines::new(Pieces(text.as_bytes(), piece), max, &mut lost, &|| true)
                .read_to_string(&mut shown)
                .unwrap();
            prop_assert_eq!(shown, expected.join("\n"));
            prop_assert_eq!(lost, text.split('\n').any(|line| line.len() > max));
        }
    }

    #[test]
    fn a_text_without_an_end_ends_when_nobody_wants_it() {
        let asked = std::cell::Cell::new(0);
        let goes_on = || asked.replace(asked.get() + 1) < 100;
        let mut lost = false;
        let mut shown = Vec::new();
        LongLines::new(io::repeat(b'x'), 10, &mut lost, &goes_on)
            .read_to_end(&mut shown)
            .unwrap();
        assert_eq!((shown, lost), (vec![b'x'; 10], true));
    }
}
