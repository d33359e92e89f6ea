//! Owns what may follow the prefix of a token: an alphabet, a least length, and what looks like code instead.
//!
//! Progress is kept character by character, so that a tail may be met in several spans without being read twice.

use crate::text::redact::boundary::is_token;

/// Longer runs of lower-case letters are not words of a program.
const LONGEST_WORD: usize = 14;
/// More digits at the end of a word are not a version (`v2`, `3`).
const MOST_DIGITS: usize = 2;

/// The characters of a tail, and when they are a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Alphabet {
    /// `[A-Za-z0-9_-]`.
    Token,
    /// As `Token`, and single dots between two of them.
    Dotted,
    /// As `Token`, but several short words are the name of something (`hf_hub_download`, `npm_config_registry`).
    Opaque,
    /// As both: `SG` is also the name of an object (`SG.add_edges_from`).
    DottedOpaque,
    /// As `Token`, and equals signs that pad the end.
    Padded,
    /// As `Token`, after a number and a dash.
    Numbered,
    /// Letters and digits.
    Alnum,
    /// Upper-case letters and digits.
    Upper,
    /// Exactly so many upper-case letters and digits.
    UpperExact,
}

/// A tail that has been read up to some character.
pub(super) struct Progress {
    alphabet: Alphabet,
    shortest: usize,
    len: usize,
    number: Number,
    words: Words,
    line_crossed: bool,
}

impl Progress {
    /// Starts after the prefix.
    pub(super) fn new(alphabet: Alphabet, shortest: usize) -> Self {
        let number = match alphabet {
            Alphabet::Numbered => Number::Missing,
            _ => Number::Passed,
        };
        Self {
            alphabet,
            shortest,
            len: 0,
            number,
            words: Words::default(),
            line_crossed: false,
        }
    }

    /// Reads the span that begins at `start` and returns its end.
    pub(super) fn span(&mut self, bytes: &[u8], start: usize) -> usize {
        let mut at = start;
        while let Some(&byte) = bytes.get(at) {
            let before = at
                .checked_sub(1)
                .filter(|_| at > start)
                .and_then(|before| bytes.get(before).copied());
            if !self.accepts(before, byte, bytes.get(at + 1).copied()) {
                break;
            }
            self.push(byte);
            at += 1;
        }
        at
    }

    /// Notes that the next span stands on another line, where a new word begins.
    pub(super) fn cross_line(&mut self) {
        self.line_crossed = true;
        self.words.end_word();
    }

    /// Returns how many characters of tail were read.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Returns whether what was read is a token. Words are none where the family or a line break leaves a doubt.
    pub(super) fn is_complete(&self) -> bool {
        let long_enough = match self.alphabet {
            Alphabet::UpperExact => self.len == self.shortest,
            _ => self.len >= self.shortest,
        };
        let opaque = matches!(self.alphabet, Alphabet::Opaque | Alphabet::DottedOpaque);
        let named = opaque && self.words.separated;
        let doubtful = named || self.line_crossed;
        long_enough && (self.words.irregular || !doubtful)
    }

    fn accepts(&self, before: Option<u8>, byte: u8, after: Option<u8>) -> bool {
        match self.alphabet {
            Alphabet::Alnum => byte.is_ascii_alphanumeric(),
            Alphabet::Upper | Alphabet::UpperExact => {
                byte.is_ascii_uppercase() || byte.is_ascii_digit()
            }
            Alphabet::Dotted | Alphabet::DottedOpaque if byte == b'.' => {
                before.is_some_and(is_token) && after.is_some_and(is_token)
            }
            Alphabet::Padded if byte == b'=' => before.is_some() && !after.is_some_and(is_token),
            Alphabet::Numbered if self.number != Number::Passed => {
                byte.is_ascii_digit() || (byte == b'-' && self.number == Number::Begun)
            }
            _ => is_token(byte),
        }
    }

    fn push(&mut self, byte: u8) {
        match (self.number, byte) {
            (Number::Passed, _) => {
                self.len += 1;
                self.words.push(byte);
            }
            (Number::Begun, b'-') => self.number = Number::Passed,
            _ => self.number = Number::Begun,
        }
    }
}

/// The number that stands between some prefixes and their tail.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Number {
    Missing,
    Begun,
    Passed,
}

/// Whether the tail reads like the words of a name.
#[derive(Default)]
struct Words {
    separated: bool,
    irregular: bool,
    letters: usize,
    digits: usize,
}

impl Words {
    fn push(&mut self, byte: u8) {
        match byte {
            b'a'..=b'z' => {
                self.letters += 1;
                self.irregular |= self.digits > 0 || self.letters > LONGEST_WORD;
            }
            b'0'..=b'9' => {
                self.digits += 1;
                self.irregular |= self.digits > MOST_DIGITS;
            }
            b'A'..=b'Z' => self.irregular = true,
            _ => {
                self.separated = true;
                self.end_word();
            }
        }
    }

    fn end_word(&mut self) {
        self.letters = 0;
        self.digits = 0;
    }
}
