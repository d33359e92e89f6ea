//! Owns the reading of one field around a separator (`=` or `:`): its name, its value, and the notation that it is in.
//!
//! The notations are a line of the environment, an assignment in a program, a quoted name with a quoted value (JSON,
//! JSON inside a string, Python's `repr`), and a line of YAML. A name is looked for a bounded way back.

use std::ops::Range;

use super::{name, value};

/// Longer names are not looked at.
const LONGEST_NAME: usize = 128;
/// Deeper indentation and longer keywords before a name are not looked at.
const LONGEST_LEAD: usize = 64;
/// Words that may stand before a name on a line of the environment; options of theirs begin with a dash.
const ENVIRONMENT_LEADS: [&str; 7] = [
    "export", "declare", "typeset", "readonly", "local", "set", "ENV",
];

/// A field with the name of a secret.
#[derive(Debug)]
pub(super) struct Field<'t> {
    name: &'t str,
    notation: Notation,
    text: &'t str,
    /// Where the value stands in the text, without its quotes.
    pub(super) value: Range<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Notation {
    /// `NAME=value` as a line of its own.
    Environment,
    /// `name = value` and `name=value` anywhere else.
    Code { quoted: bool, spaced: bool },
    /// `"name": "value"`, with either quotes, escaped or not.
    Quoted,
    /// `name: value` and `dotted.name = value` as a line of its own.
    Line { quoted: bool },
}

impl<'t> Field<'t> {
    /// Returns the field of the separator at a place of the text, if its name is that of a secret.
    pub(super) fn around(text: &'t str, separator: usize) -> Option<Self> {
        let left = text.get(..separator)?.trim_end_matches([' ', '\t']);
        let name = Name::before(left).filter(|found| name::is_secret(found.text))?;
        let right = text.get(separator + 1..)?;
        let rest = right.trim_start_matches([' ', '\t']);
        let start = separator + 1 + right.len() - rest.len();
        let sides = Sides {
            left,
            right,
            rest,
            start,
            spaced: left.len() < separator || rest.len() < right.len(),
            literal: Literal::at(text, start),
        };
        let colon = text.as_bytes().get(separator) == Some(&b':');
        let (notation, value) = match (name.quote, colon) {
            (Some(quote), true) => sides.quoted(quote)?,
            (Some(_), false) => return None,
            (None, true) => sides.line(&name)?,
            (None, false) => sides.assignment(&name)?,
        };
        Some(Self {
            name: name.text,
            notation,
            text,
            value,
        })
    }

    /// Returns the value, if it is a secret.
    pub(super) fn secret(&self) -> Option<&'t str> {
        let value = self.text.get(self.value.clone())?;
        let secret = match self.notation {
            Notation::Environment => value::in_environment(value),
            Notation::Code { quoted: false, .. } => {
                !self.goes_on() && value::in_code(self.name, value)
            }
            Notation::Line { quoted: false } => value::in_line(self.name, value),
            Notation::Quoted
            | Notation::Code { quoted: true, .. }
            | Notation::Line { quoted: true } => value::in_quotes(self.name, value),
        };
        secret.then_some(value)
    }

    /// Returns where to look for the next field when this one holds no secret.
    ///
    /// A row of assignments without a space (`token=token=…`) would otherwise be read to its end for each of them.
    pub(super) fn resume(&self) -> Option<usize> {
        matches!(self.notation, Notation::Code { quoted: false, .. }).then_some(self.value.end)
    }

    /// Returns whether a bracket after the value makes it a call or an element.
    fn goes_on(&self) -> bool {
        self.text
            .get(self.value.end..)
            .is_some_and(|rest| rest.starts_with(['(', '[', '{']))
    }

    fn is_quoted(&self) -> bool {
        self.value
            .start
            .checked_sub(1)
            .and_then(|before| self.text.as_bytes().get(before))
            .is_some_and(|b| is_quote(*b))
    }

    /// Returns whether the field stands as in Python's `repr`: `'name': 'value'` or `name='value'`.
    pub(super) fn is_repr(&self) -> bool {
        match self.notation {
            Notation::Quoted
            | Notation::Code {
                quoted: true,
                spaced: false,
            } => true,
            Notation::Environment => self.is_quoted(),
            Notation::Code { .. } | Notation::Line { .. } => false,
        }
    }
}

/// What stands on both sides of a separator.
struct Sides<'t> {
    left: &'t str,
    right: &'t str,
    /// The right side without the space at its beginning.
    rest: &'t str,
    start: usize,
    spaced: bool,
    literal: Option<Literal>,
}

impl Sides<'_> {
    fn quoted(self, quote: Quote) -> Option<(Notation, Range<usize>)> {
        let literal = self
            .literal
            .filter(|literal| literal.escaped == quote.escaped)?;
        Some((Notation::Quoted, literal.content))
    }

    fn line(self, name: &Name<'_>) -> Option<(Notation, Range<usize>)> {
        let separated = self.spaced || self.right.starts_with(['"', '\'']);
        if !opens_line(name.lead) || !separated {
            return None;
        }
        Some(self.value(|quoted| Notation::Line { quoted }, line_len))
    }

    fn assignment(self, name: &Name<'_>) -> Option<(Notation, Range<usize>)> {
        let parameter = name.lead.ends_with(['&', '?']);
        if parameter || is_operator(self.left, self.right) {
            return None;
        }
        if !self.spaced && opens_environment(name.lead) {
            return Some(self.value(|_| Notation::Environment, line_len));
        }
        if self.literal.is_none() && is_config_key(name) {
            return Some(self.value(|quoted| Notation::Line { quoted }, line_len));
        }
        let spaced = self.spaced;
        Some(self.value(|quoted| Notation::Code { quoted, spaced }, word_len))
    }

    /// Returns the literal, or as much of the right side as `len` says.
    fn value(
        self,
        notation: impl Fn(bool) -> Notation,
        len: fn(&str) -> usize,
    ) -> (Notation, Range<usize>) {
        match self.literal {
            Some(literal) => (notation(true), literal.content),
            None => (notation(false), self.start..self.start + len(self.rest)),
        }
    }
}

/// The name to the left of a separator.
struct Name<'t> {
    text: &'t str,
    quote: Option<Quote>,
    /// What stands before the name, a bounded way back.
    lead: &'t str,
}

impl<'t> Name<'t> {
    fn before(left: &'t str) -> Option<Self> {
        let (unquoted, quote) = match Quote::at_end(left) {
            Some((before, quote)) => (before, Some(quote)),
            None => (left, None),
        };
        let is_part = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.');
        let len = unquoted
            .bytes()
            .rev()
            .take(LONGEST_NAME)
            .take_while(is_part)
            .count();
        let (before, name) = unquoted.split_at_checked(unquoted.len() - len)?;
        if len == 0 || len == LONGEST_NAME {
            return None;
        }
        if let Some(quote) = quote {
            // Both ends of a quoted name bear the same quote.
            let (_, opening) = Quote::at_end(before)?;
            (opening == quote).then_some(())?;
        }
        let lead =
            before.get(before.ceil_char_boundary(before.len().saturating_sub(LONGEST_LEAD))..)?;
        // Options of a command line begin with dashes: `--password=…`.
        Some(Self {
            text: name.trim_start_matches(['-', '.']),
            quote,
            lead,
        })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Quote {
    mark: u8,
    escaped: bool,
}

impl Quote {
    /// Splits a quote from the end of a text.
    fn at_end(text: &str) -> Option<(&str, Self)> {
        let mark = *text.as_bytes().last().filter(|b| is_quote(**b))?;
        let before = text.get(..text.len() - 1)?;
        Some(match before.strip_suffix('\\') {
            Some(before) => (
                before,
                Self {
                    mark,
                    escaped: true,
                },
            ),
            None => (
                before,
                Self {
                    mark,
                    escaped: false,
                },
            ),
        })
    }
}

/// A quoted string on one line.
struct Literal {
    content: Range<usize>,
    escaped: bool,
}

impl Literal {
    /// Reads the literal that begins at a place of the text, behind letters like those of `b'…'` and `f"…"`.
    fn at(text: &str, start: usize) -> Option<Self> {
        let rest = text.get(start..)?;
        let opening = rest.trim_start_matches(['b', 'B', 'r', 'R', 'u', 'U', 'f', 'F']);
        let letters = rest.len() - opening.len();
        let escaped = opening.starts_with('\\');
        let mark = *opening
            .as_bytes()
            .get(usize::from(escaped))
            .filter(|b| is_quote(**b))?;
        if letters > 2 {
            return None;
        }
        let content = start + letters + usize::from(escaped) + 1;
        let mut backslash = false;
        for (at, byte) in text.as_bytes().get(content..)?.iter().copied().enumerate() {
            if byte == mark && backslash == escaped {
                return Some(Self {
                    content: content..content + at - usize::from(escaped),
                    escaped,
                });
            }
            if byte == b'\n' {
                return None;
            }
            backslash = byte == b'\\' && !backslash;
        }
        None
    }
}

const fn is_quote(byte: u8) -> bool {
    matches!(byte, b'"' | b'\'' | b'`')
}

/// Returns whether an equals sign compares or computes instead of assigning.
fn is_operator(left: &str, right: &str) -> bool {
    right.starts_with(['=', '>', '~'])
        || left.ends_with(['=', '!', '<', '>', '+', '*', '/', '%', '|', '^', '~', ':'])
}

/// Returns whether only indentation and the dash of a list stand before a name on its line.
fn opens_line(lead: &str) -> bool {
    let line = lead.rsplit('\n').next().unwrap_or_default();
    (line.len() < LONGEST_LEAD) && line.trim().trim_start_matches('-').is_empty()
}

/// Returns whether a name is a dotted key of a configuration file, and not an attribute of an object.
fn is_config_key(name: &Name<'_>) -> bool {
    let object = name.text.split_once('.').map(|(object, _)| object);
    object.is_some_and(|object| !value::is_object(object)) && opens_line(name.lead)
}

/// Returns whether a name begins its line, or follows a keyword that puts it into the environment.
fn opens_environment(lead: &str) -> bool {
    let line = lead.rsplit(['\n', '\0']).next().unwrap_or_default();
    let indented = line.starts_with([' ', '\t']) && line.trim().is_empty();
    let mut words = line.split_whitespace();
    line.len() < LONGEST_LEAD
        && !indented
        && words.all(|word| ENVIRONMENT_LEADS.contains(&word) || word.starts_with('-'))
}

/// Returns the length of the rest of a line, without white space and a comment at its end.
fn line_len(rest: &str) -> usize {
    let line = rest.split(['\n', '\0']).next().unwrap_or_default();
    let line = line
        .find(" #")
        .and_then(|comment| line.get(..comment))
        .unwrap_or(line);
    line.trim_end().len()
}

/// Returns the length of a word that ends where an argument or a statement does.
fn word_len(rest: &str) -> usize {
    rest.find(|c: char| c.is_whitespace() || ",;()[]{}&\"'`<>\\".contains(c))
        .unwrap_or(rest.len())
}
