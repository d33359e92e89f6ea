//! What is wrong with a text that is not JSON, in words that a Python programmer knows.

use std::fmt;

use memchr::memchr_iter;

/// The numbers that Python writes by default and that JSON does not have.
const CONSTANTS: [&str; 3] = ["NaN", "-Infinity", "Infinity"];

const EXPECTING_NAME: &str = "Expecting property name enclosed in double quotes";
const EXPECTING_VALUE: &str = "Expecting value";

/// Python's words for the parser's most frequent complaints, by the start of the latter.
const PYTHON_WORDS: [(&str, &str); 6] = [
    ("key must be a string", EXPECTING_NAME),
    ("expected ident", EXPECTING_VALUE),
    ("expected value", EXPECTING_VALUE),
    ("expected `:`", "Expecting ':' delimiter"),
    ("expected `,`", "Expecting ',' delimiter"),
    ("trailing characters", "Extra data"),
];

/// Describes the first fault of a text that should be JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct JsonFault {
    message: String,
    line: usize,
    /// Column in characters, from 1.
    column: usize,
    constant: Option<&'static str>,
}

impl JsonFault {
    /// Describes what the parser said about `text`.
    pub(super) fn new(text: &[u8], error: &serde_json::Error) -> Self {
        if error.is_eof() {
            return Self::at_end(text);
        }
        let line_text = text
            .split(|&byte| byte == b'\n')
            .nth(error.line().saturating_sub(1))
            .unwrap_or_default();
        let (before, _) = line_text.split_at(error.column().saturating_sub(1).min(line_text.len()));
        let is_at = |constant: &&str| {
            // A sign is read before the letter after it is found to be no digit.
            line_text
                .get(before.len()..)
                .is_some_and(|rest| rest.starts_with(constant.as_bytes()))
                || before.ends_with(b"-")
                    && line_text
                        .get(before.len() - 1..)
                        .is_some_and(|rest| rest.starts_with(constant.as_bytes()))
        };
        let full = error.to_string();
        // The position is told once, in our own form.
        let message = full
            .rsplit_once(" at line ")
            .map_or(full.as_str(), |(message, _)| message);
        let python = PYTHON_WORDS
            .iter()
            .find(|(start, _)| message.starts_with(start));
        Self {
            message: python.map_or(message, |(_, words)| words).to_owned(),
            line: error.line().max(1),
            column: String::from_utf8_lossy(before).chars().count() + 1,
            constant: CONSTANTS.into_iter().find(is_at),
        }
    }

    /// Describes what is missing at the end of a text that is JSON so far.
    fn at_end(text: &[u8]) -> Self {
        let (message, place) = missing_at_end(text);
        let (before, _) = text.split_at(place.min(text.len()));
        let line = before
            .rsplit(|&byte| byte == b'\n')
            .next()
            .unwrap_or_default();
        Self {
            message: message.to_owned(),
            line: memchr_iter(b'\n', before).count() + 1,
            column: String::from_utf8_lossy(line).chars().count() + 1,
            constant: None,
        }
    }

    /// Returns the number constant at which the text stops to be JSON.
    pub(super) fn constant(&self) -> Option<&'static str> {
        self.constant
    }
}

/// Returns what is missing at the end of a text, and the byte at which Python would say so.
fn missing_at_end(text: &[u8]) -> (&'static str, usize) {
    let mut open = Vec::new();
    // The last token outside of strings: a mark, the end of a string that is a key (`k`) or a value (`v`), or the start
    // of anything else.
    let (mut last, mut start) = (b' ', 0);
    let mut string: Option<usize> = None;
    let mut is_escaped = false;
    for (at, &byte) in text.iter().enumerate() {
        if let Some(begun) = string {
            match byte {
                _ if is_escaped => is_escaped = false,
                b'\\' => is_escaped = true,
                b'"' => {
                    let is_key = open.last() == Some(&b'{') && matches!(last, b'{' | b',');
                    (last, start) = (if is_key { b'k' } else { b'v' }, begun);
                    string = None;
                }
                _ => {}
            }
            continue;
        }
        match byte {
            b'"' => string = Some(at),
            b'{' | b'[' => {
                open.push(byte);
                last = byte;
            }
            b'}' | b']' => {
                open.pop();
                last = b'v';
            }
            b',' | b':' => last = byte,
            b' ' | b'\t' | b'\n' | b'\r' => {}
            _ if last == b'w' => {}
            _ => (last, start) = (b'w', at),
        }
    }
    if let Some(begun) = string {
        return ("Unterminated string starting at", begun);
    }
    let word = text.get(start..).unwrap_or_default().trim_ascii();
    let is_number =
        |word: &[u8]| std::str::from_utf8(word).is_ok_and(|word| word.parse::<f64>().is_ok());
    match last {
        b'{' => (EXPECTING_NAME, text.len()),
        b',' if open.last() == Some(&b'{') => (EXPECTING_NAME, text.len()),
        b'k' => ("Expecting ':' delimiter", text.len()),
        b'w' if !matches!(word, b"true" | b"false" | b"null") && !is_number(word) => {
            (EXPECTING_VALUE, start)
        }
        b'v' | b'w' => ("Expecting ',' delimiter", text.len()),
        _ => (EXPECTING_VALUE, text.len()),
    }
}

impl fmt::Display for JsonFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.constant {
            Some(constant) => write!(formatter, "{constant} is not valid JSON")?,
            None => formatter.write_str(&self.message)?,
        }
        write!(formatter, " (line {}, column {})", self.line, self.column)
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use serde::de::IgnoredAny;

    use super::*;

    fn fault(text: &str) -> JsonFault {
        let error = serde_json::from_str::<IgnoredAny>(text).unwrap_err();
        JsonFault::new(text.as_bytes(), &error)
    }

    #[test]
    fn faults_are_told_in_pythons_words() {
        let rows = [
            (
                "{x",
                "Expecting property name enclosed in double quotes (line 1, column 2)",
            ),
            ("", "Expecting value (line 1, column 1)"),
            (
                "[1,\n  \"ü\" oops]",
                "Expecting ',' delimiter (line 2, column 7)",
            ),
            ("{\"a\" 1}", "Expecting ':' delimiter (line 1, column 6)"),
            ("[1] 2", "Extra data (line 1, column 5)"),
            ("[1, ?]", "Expecting value (line 1, column 5)"),
            ("[1, NaN]", "NaN is not valid JSON (line 1, column 5)"),
        ];
        for (text, expected) in rows {
            assert_eq!(fault(text).to_string(), expected, "{text}");
        }
    }

    #[test]
    fn what_is_missing_at_the_end_is_told_where_python_tells_it() {
        let rows = [
            (
                "{",
                "Expecting property name enclosed in double quotes (line 1, column 2)",
            ),
            (
                "{\"a\": 1,",
                "Expecting property name enclosed in double quotes (line 1, column 9)",
            ),
            ("{\"a\"", "Expecting ':' delimiter (line 1, column 5)"),
            ("{\"a\":", "Expecting value (line 1, column 6)"),
            ("{\"a\": 1", "Expecting ',' delimiter (line 1, column 8)"),
            ("[", "Expecting value (line 1, column 2)"),
            ("[1,\n", "Expecting value (line 2, column 1)"),
            ("[\"ü\", tru", "Expecting value (line 1, column 7)"),
            ("[[1]", "Expecting ',' delimiter (line 1, column 5)"),
            (
                "[\"a\\\"b",
                "Unterminated string starting at (line 1, column 2)",
            ),
            (
                "{\"a\": \"\",\n \"b",
                "Unterminated string starting at (line 2, column 2)",
            ),
        ];
        for (text, expected) in rows {
            assert_eq!(fault(text).to_string(), expected, "{text}");
        }
    }

    #[test]
    fn number_constants_are_named() {
        assert_eq!(fault("{\"a\": Infinity}").constant(), Some("Infinity"));
        assert_eq!(fault("[-Infinity]").constant(), Some("-Infinity"));
        assert_eq!(fault("[None]").constant(), None);
    }
}
