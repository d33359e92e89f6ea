//! A place in a text that is read letter by letter, with a look ahead and the way back to what was read.

/// Reads a text from its start to its end.
#[derive(Debug, Clone)]
pub(super) struct Cursor<'a> {
    text: &'a str,
    /// Bytes that were read; always the start of a letter or the end.
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// Returns how many bytes were read.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Returns what was read since the given place.
    pub(super) fn since(&self, start: usize) -> &'a str {
        self.text.get(start..self.at).unwrap_or_default()
    }

    /// Returns what is still to be read.
    pub(super) fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Reads a letter.
    pub(super) fn next(&mut self) -> Option<char> {
        let letter = self.peek()?;
        self.at += letter.len_utf8();
        Some(letter)
    }

    /// Returns the letter that comes next.
    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Reads a letter if it is such a one.
    pub(super) fn next_if(&mut self, is_such: impl FnOnce(char) -> bool) -> Option<char> {
        self.peek().filter(|&letter| is_such(letter))?;
        self.next()
    }

    /// Reads the letter if it comes next; tells whether it did.
    pub(super) fn takes(&mut self, letter: char) -> bool {
        self.next_if(|next| next == letter).is_some()
    }

    /// Reads the text if it comes next; tells whether it did.
    pub(super) fn takes_text(&mut self, text: &str) -> bool {
        let comes_next = self.rest().starts_with(text);
        if comes_next {
            self.at += text.len();
        }
        comes_next
    }

    /// Reads up to the end of the line, which is read and left out.
    pub(super) fn line(&mut self) -> Option<&'a str> {
        let rest = self.rest();
        if rest.is_empty() {
            return None;
        }
        let line = rest.split_once('\n').map_or(rest, |(line, _)| line);
        self.at = (self.at + line.len() + 1).min(self.text.len());
        Some(line)
    }

    /// Reads up to the end of the line, which stays to be read.
    pub(super) fn skip_line(&mut self) {
        self.at += self.rest().find('\n').unwrap_or(self.rest().len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_read_forward_and_known_backward() {
        let mut cursor = Cursor::new("äb\nc\n\nd");
        assert_eq!(cursor.next(), Some('ä'));
        assert!(!cursor.takes('x') && cursor.takes('b'));
        assert_eq!((cursor.since(0), cursor.at()), ("äb", 3));
        assert_eq!(cursor.line(), Some(""));
        assert_eq!((cursor.line(), cursor.line()), (Some("c"), Some("")));
        assert!(!cursor.takes_text("dd") && cursor.takes_text("d"));
        assert_eq!(
            (cursor.line(), cursor.next(), cursor.peek()),
            (None, None, None)
        );
    }

    #[test]
    fn the_end_of_a_skipped_line_stays() {
        let mut cursor = Cursor::new("a\nb");
        cursor.skip_line();
        assert_eq!(cursor.next(), Some('\n'));
        cursor.skip_line();
        assert_eq!(cursor.rest(), "");
    }
}
