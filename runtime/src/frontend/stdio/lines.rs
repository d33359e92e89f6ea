//! Input cut into lines of a bounded length.
//!
//! A line that is too long is skipped without being kept: whatever comes in, memory is bounded by the limit.

use std::io::{self, BufRead, Read};

/// Lines of an input, without their line feeds. The last one may lack it.
#[derive(Debug)]
pub(super) struct Lines<R> {
    input: R,
    limit: usize,
}

/// One line, or why there is no text of it.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    Text(String),
    TooLong,
    NotUtf8,
}

impl<R: BufRead> Lines<R> {
    /// Cuts `input` into lines of at most `limit` bytes.
    pub(super) fn new(input: R, limit: usize) -> Self {
        Self { input, limit }
    }

    /// Returns the next line; `None` at the end of the input.
    pub(super) fn next(&mut self) -> io::Result<Option<Line>> {
        let mut bytes = Vec::new();
        // Room for the line feed. The cast only widens.
        let room = self.limit as u64 + 1;
        if self
            .input
            .by_ref()
            .take(room)
            .read_until(b'\n', &mut bytes)?
            == 0
        {
            return Ok(None);
        }
        if bytes.last() == Some(&b'\n') {
            bytes.pop();
        } else if bytes.len() > self.limit {
            drop(bytes);
            self.input.skip_until(b'\n')?;
            return Ok(Some(Line::TooLong));
        }
        Ok(Some(
            String::from_utf8(bytes).map_or(Line::NotUtf8, Line::Text),
        ))
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use std::io::BufReader;

    use super::*;

    const LIMIT: usize = 4;

    /// Reads with a buffer of two bytes, so that every line crosses its edge.
    fn lines(input: &[u8]) -> Vec<Line> {
        let mut lines = Lines::new(BufReader::with_capacity(2, input), LIMIT);
        std::iter::from_fn(|| lines.next().unwrap()).collect()
    }

    fn text(text: &str) -> Line {
        Line::Text(text.to_owned())
    }

    #[test]
    fn lines_lose_their_line_feed_and_nothing_else() {
        assert_eq!(lines(b"ab\n\n c\r\n"), [text("ab"), text(""), text(" c\r")]);
        assert_eq!(lines(b"ab\ncd"), [text("ab"), text("cd")]);
        assert_eq!(lines(b""), []);
    }

    #[test]
    fn a_line_of_the_longest_length_is_kept_and_a_longer_one_is_skipped() {
        assert_eq!(
            lines(b"abcd\nabcde\nab\n"),
            [text("abcd"), Line::TooLong, text("ab")]
        );
        assert_eq!(lines(b"abcd"), [text("abcd")]);
        assert_eq!(lines(b"abcdefghijklmnop"), [Line::TooLong]);
    }

    #[test]
    fn a_line_that_is_no_text_does_not_end_the_input() {
        assert_eq!(lines(b"\xff\nok\n"), [Line::NotUtf8, text("ok")]);
    }
}
