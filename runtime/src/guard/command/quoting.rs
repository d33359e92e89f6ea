//! How the lexer reads quotes, escapes, backticks and what begins with a `$`.

use super::cursor::Cursor;
use super::frame::{ArithmeticForm, Frame, Place, Role};
use super::lexer::Lexer;

impl Lexer<'_> {
    /// Keeps that the word which is being read is quoted or expanded.
    pub(super) fn disguise(&mut self) {
        self.frame.is_disguised = true;
    }

    /// Keeps that the word which is being read has quotes; a here-document with such a delimiter is not expanded.
    pub(super) fn mark_quotes(&mut self) {
        self.disguise();
        if let Role::HereDocument { expands, .. } = &mut self.frame.next_word {
            *expands = false;
        }
    }

    /// Takes a character within double quotes.
    pub(super) fn quoted(&mut self, letter: char) {
        match letter {
            '"' if self.frame.place != Place::Document => self.frame.is_quoted = false,
            '\\' => match self.chars.next() {
                Some('\n') | None => {}
                Some(escaped @ ('"' | '\\' | '$' | '`')) => self.word().push(escaped),
                Some(other) => self.word().extend(['\\', other]),
            },
            '$' => self.dollar(true),
            '`' => self.backtick(),
            _ => self.word().push(letter),
        }
    }

    /// Takes what follows a backslash outside of quotes.
    pub(super) fn escape(&mut self) {
        match self.chars.next() {
            Some('\n') | None => {}
            Some(escaped) => {
                self.mark_quotes();
                self.word().push(escaped);
            }
        }
    }

    /// Takes what follows a `$`.
    pub(super) fn dollar(&mut self, is_quoted: bool) {
        self.disguise();
        let is_name = |next: char| next == '_' || next.is_ascii_alphanumeric();
        match self.chars.peek() {
            Some('(') => {
                self.frame.simple.is_expanded = true;
                self.chars.next();
                if self.chars.takes('(') {
                    self.open_arithmetic(ArithmeticForm::Expansion, is_quoted);
                } else {
                    self.open(Place::Substitution);
                }
            }
            Some('[') => {
                self.frame.simple.is_expanded = true;
                self.chars.next();
                self.open_arithmetic(ArithmeticForm::OldExpansion, is_quoted);
            }
            Some('{') => {
                self.frame.simple.is_expanded = true;
                self.chars.next();
                self.open_parameter(is_quoted);
            }
            Some('\'') if !is_quoted => {
                self.chars.next();
                self.single_quoted(true);
            }
            // `$"…"` is a translated text: quotes as usual.
            Some('"') if !is_quoted => {}
            // A command of a script has no positional parameters: these are empty.
            Some('1'..='9' | '@' | '*') if !is_quoted && self.frame.splits() => {
                self.frame.simple.is_expanded = true;
                self.chars.next();
            }
            Some('I') if !is_quoted && self.frame.splits() && self.follows_separator() => {
                self.chars.takes_text("IFS");
                self.end_word();
            }
            next => {
                self.frame.simple.is_expanded |=
                    next.is_some_and(|next| is_name(next) || "@*#?-$!".contains(next));
                self.word().push('$');
            }
        }
    }

    /// Tells whether the name of the variable comes next whose value separates words.
    fn follows_separator(&self) -> bool {
        self.chars.rest().strip_prefix("IFS").is_some_and(|rest| {
            !rest.starts_with(|next: char| next == '_' || next.is_ascii_alphanumeric())
        })
    }

    /// Tells whether a `{` opens a list of words, and not a group of commands or the `{}` of `find`.
    pub(super) fn starts_braces(&self) -> bool {
        self.chars
            .peek()
            .is_some_and(|next| !next.is_whitespace() && next != '}')
    }

    pub(super) fn single_quoted(&mut self, has_escapes: bool) {
        self.word();
        self.mark_quotes();
        while let Some(letter) = self.chars.next() {
            match letter {
                '\'' => return,
                '\\' if has_escapes => {
                    let escaped = ansi_escape(&mut self.chars);
                    self.word().extend(escaped);
                }
                _ => self.word().push(letter),
            }
        }
    }

    /// Takes the text of a substitution in backticks, which is read with one level of escapes removed.
    pub(super) fn backtick(&mut self) {
        self.disguise();
        self.frame.simple.is_expanded = true;
        let is_quoted = self.frame.is_quoted;
        let mut text = String::new();
        while let Some(letter) = self.chars.next() {
            match letter {
                '`' => break,
                '\\' => match self.chars.next() {
                    Some(escaped @ ('`' | '$' | '\\')) => text.push(escaped),
                    Some('"') if is_quoted => text.push('"'),
                    other => {
                        text.push('\\');
                        text.extend(other);
                    }
                },
                _ => text.push(letter),
            }
        }
        let first = self.lexed.commands.len();
        self.read_within(&text, Frame::default());
        let end = self.lexed.commands.len();
        if first < end {
            self.frame.simple.include(first..end);
        }
        self.word().push_str("$()");
    }
}

/// Takes what follows a backslash within `$'…'` or in the format of `printf`.
pub(super) fn ansi_escape(chars: &mut Cursor<'_>) -> Option<char> {
    match chars.next() {
        Some('n') => Some('\n'),
        Some('t') => Some('\t'),
        Some('r') => Some('\r'),
        Some('a' | 'b' | 'e' | 'E' | 'f' | 'v') => Some(' '),
        Some('x') => number(chars, 16, 2, 0),
        Some('u') => number(chars, 16, 4, 0),
        Some('U') => number(chars, 16, 8, 0),
        Some(first @ '0'..='7') => number(chars, 8, 2, first.to_digit(8).unwrap_or_default()),
        other => other,
    }
}

/// Reads at most `digits` digits behind `value` and returns the character with that number.
fn number(chars: &mut Cursor<'_>, radix: u32, digits: usize, mut value: u32) -> Option<char> {
    for _ in 0..digits {
        let Some(digit) = chars
            .next_if(|next| next.is_digit(radix))
            .and_then(|next| next.to_digit(radix))
        else {
            break;
        };
        value = value.saturating_mul(radix).saturating_add(digit);
    }
    char::from_u32(value)
}
