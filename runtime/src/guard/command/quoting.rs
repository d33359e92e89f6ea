//! How the lexer reads quotes, escapes and what begins with a `$`.

use super::frame::Closer;
use super::lexer::Lexer;

/// Variables whose value separates words, as they are written behind a `$`.
const SEPARATORS: [&str; 2] = ["IFS", "{IFS}"];

impl Lexer<'_> {
    /// Takes a character within double quotes.
    pub(super) fn quoted(&mut self, letter: char) {
        match letter {
            '"' if self.frame.closer != Closer::Document => self.frame.is_quoted = false,
            '\\' => match self.chars.next() {
                Some('\n') | None => {}
                Some(escaped @ ('"' | '\\' | '$' | '`')) => self.word().push(escaped),
                Some(other) => self.word().extend(['\\', other]),
            },
            '$' if self.chars.next_if_eq(&'(').is_some() => self.open(Closer::Substitution),
            '`' => self.backtick(),
            _ => self.word().push(letter),
        }
    }

    /// Takes what follows an unquoted `$`.
    pub(super) fn dollar(&mut self) {
        match self.chars.peek() {
            Some('(') => {
                self.chars.next();
                self.open(Closer::Substitution);
            }
            Some('\'') => {
                self.chars.next();
                self.single_quoted(true);
            }
            // `$"…"` is a translated text: quotes as usual.
            Some('"') => {}
            // A command of a script has no positional parameters: these are empty.
            Some('1'..='9' | '@' | '*') => {
                self.chars.next();
            }
            _ => match SEPARATORS.iter().find(|name| self.follows(name)) {
                Some(name) => {
                    // The name is ASCII and was just seen.
                    self.chars.nth(name.len() - 1);
                    self.end_word();
                }
                None => self.word().push('$'),
            },
        }
    }

    /// Tells whether the text goes on with these letters, and not with a longer name.
    fn follows(&self, name: &str) -> bool {
        let mut ahead = self.chars.clone();
        name.chars().all(|letter| ahead.next() == Some(letter))
            && (name.ends_with('}')
                || !ahead
                    .next()
                    .is_some_and(|next| next == '_' || next.is_ascii_alphanumeric()))
    }

    /// Takes the rest of `{name}` in front of a redirection, which stores a descriptor and is no word.
    pub(super) fn takes_descriptor(&mut self) -> bool {
        let length = self
            .chars
            .clone()
            .take_while(|&next| next == '_' || next.is_ascii_alphanumeric())
            .count();
        let mut closing = self.chars.clone();
        let is_descriptor = length > 0
            && closing.nth(length) == Some('}')
            && matches!(closing.next(), Some('<' | '>'));
        if is_descriptor {
            self.chars.nth(length);
        }
        is_descriptor
    }

    /// Tells whether a `{` opens a list of words, and not a group of commands or the `{}` of `find`.
    pub(super) fn starts_braces(&mut self) -> bool {
        self.chars
            .peek()
            .is_some_and(|next| !next.is_whitespace() && *next != '}')
    }

    pub(super) fn single_quoted(&mut self, has_escapes: bool) {
        self.word();
        self.quotes_delimiter();
        while let Some(letter) = self.chars.next() {
            match letter {
                '\'' => return,
                '\\' if has_escapes => self.ansi_escape(),
                _ => self.word().push(letter),
            }
        }
    }

    /// Takes what follows a backslash within `$'…'`.
    fn ansi_escape(&mut self) {
        let letter = match self.chars.next() {
            Some('n') => Some('\n'),
            Some('t') => Some('\t'),
            Some('r') => Some('\r'),
            Some('a' | 'b' | 'e' | 'E' | 'f' | 'v') => Some(' '),
            Some('x') => self.number(16, 2, 0),
            Some('u') => self.number(16, 4, 0),
            Some('U') => self.number(16, 8, 0),
            Some(first @ '0'..='7') => self.number(8, 2, first.to_digit(8).unwrap_or_default()),
            other => other,
        };
        self.word().extend(letter);
    }

    /// Reads at most `digits` digits behind `value` and returns the character with that number.
    fn number(&mut self, radix: u32, digits: usize, mut value: u32) -> Option<char> {
        for _ in 0..digits {
            let Some(digit) = self
                .chars
                .next_if(|next| next.is_digit(radix))
                .and_then(|next| next.to_digit(radix))
            else {
                break;
            };
            value = value.saturating_mul(radix).saturating_add(digit);
        }
        char::from_u32(value)
    }
}
