//! The source as a row of words: what quotes, escapes and lists would become when a shell or a program gets them.

use std::iter::Peekable;
use std::str::Chars;

/// How a backslash is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Escapes {
    /// It makes the next character an ordinary one.
    Shell,
    /// It may begin the number or the name of a character.
    Python,
}

/// Returns the words of a source with one blank between them, and the ends of its statements as ends of lines.
pub(super) fn words(source: &str, escapes: Escapes) -> String {
    let mut reader = Reader {
        letters: source.chars().peekable(),
        text: String::with_capacity(source.len()),
        last: '\n',
    };
    while let Some(letter) = reader.letters.next() {
        match letter {
            '\'' | '"' => reader.last = letter,
            '[' | ']' | ',' => {
                reader.gap(' ');
                reader.last = letter;
            }
            '\\' => reader.escaped(escapes),
            '\n' => reader.end_line(),
            _ if letter.is_whitespace() => reader.gap(' '),
            _ => {
                reader.text.push(letter);
                reader.last = letter;
            }
        }
    }
    reader.text
}

struct Reader<'a> {
    letters: Peekable<Chars<'a>>,
    text: String,
    /// The last character of the source that is no blank.
    last: char,
}

impl Reader<'_> {
    /// Adds a blank or the end of a line, unless there is one.
    fn gap(&mut self, gap: char) {
        if !self.text.ends_with([' ', '\n']) {
            self.text.push(gap);
        }
    }

    /// Takes the end of a line, which ends no statement in the middle of a list, a call or a literal.
    fn end_line(&mut self) {
        let blank = |next: &char| next.is_whitespace();
        while self.letters.next_if(blank).is_some() {}
        let is_quote = |letter: char| matches!(letter, '\'' | '"');
        let next = self.letters.peek().copied().unwrap_or('\n');
        if is_quote(self.last) && is_quote(next) {
            // Two literals that follow each other are one.
        } else if matches!(self.last, '[' | '(' | ',' | '{' | '+')
            || matches!(next, ']' | ')' | '+')
        {
            self.gap(' ');
        } else {
            while self.text.ends_with(' ') {
                self.text.pop();
            }
            self.gap('\n');
        }
    }

    fn escaped(&mut self, escapes: Escapes) {
        let Some(letter) = self.letters.next() else {
            return;
        };
        let resolved = match (escapes, letter) {
            (_, '\n') => return,
            // Within a string of Python the shell's own backslash is written twice.
            (_, '\'' | '"') | (Escapes::Shell, '\\') => None,
            (Escapes::Python, 'n' | 'r' | 't') => Some(' '),
            (Escapes::Python, 'x') => self.number(16, 2, 0),
            (Escapes::Python, 'u') => self.number(16, 4, 0),
            (Escapes::Python, 'U') => self.number(16, 8, 0),
            (Escapes::Python, '0'..='7') => {
                self.number(8, 2, letter.to_digit(8).unwrap_or_default())
            }
            _ => Some(letter),
        };
        match resolved {
            Some(blank) if blank.is_whitespace() => self.gap(' '),
            Some(letter) => self.text.push(letter),
            None => {}
        }
        self.last = letter;
    }

    /// Reads at most `digits` digits behind `value` and returns the character with that number.
    fn number(&mut self, radix: u32, digits: usize, mut value: u32) -> Option<char> {
        for _ in 0..digits {
            let Some(digit) = self.letters.peek().and_then(|next| next.to_digit(radix)) else {
                break;
            };
            self.letters.next();
            value = value.saturating_mul(radix).saturating_add(digit);
        }
        char::from_u32(value)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn quotes_escapes_and_lists_are_resolved() {
        for (source, expected) in [
            ("run([\"a\", 'b',\"c\"])", "run( a b c )"),
            ("run([\n    'a',\n    'b',\n])\nx", "run( a b )\nx"),
            ("a'b'\"c\" d\\ e f\\g", "abc d e fg"),
            ("x = 'a '\\\n  'b'", "x = a b"),
            ("f('a '\n  'b')", "f(a b)"),
            ("x = 'a'\ny = 'b'", "x = a\ny = b"),
            ("\"a \\\"b\\\" c\"", "a b c"),
        ] {
            assert_eq!(words(source, Escapes::Shell), expected, "{source}");
        }
        for (source, expected) in [
            ("'\\x61\\u0062\\143\\U00000064'", "abcd"),
            ("'a\\tb\\nc'", "a b c"),
            ("'\\ud800'", ""),
        ] {
            assert_eq!(words(source, Escapes::Python), expected, "{source}");
        }
    }

    proptest! {
        #[test]
        fn any_text_has_words_without_double_gaps(source in "[a'\"\\\\\n \\[\\],(ü0x]{0,40}") {
            for escapes in [Escapes::Shell, Escapes::Python] {
                let text = words(&source, escapes);
                prop_assert!(!text.contains("  ") && text.len() <= source.len());
            }
        }
    }
}
