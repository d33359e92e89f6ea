//! What is wrong with a text that is not JSON, in words that a Python programmer knows.

use std::fmt;

/// The numbers that Python writes by default and that JSON does not have.
const CONSTANTS: [&str; 3] = ["NaN", "-Infinity", "Infinity"];

/// Python's words for the parser's most frequent complaints, by the start of the latter.
const PYTHON_WORDS: [(&str, &str); 9] = [
    (
        "key must be a string",
        "Expecting property name enclosed in double quotes",
    ),
    ("EOF while parsing a string", "Unterminated string"),
    ("EOF while parsing an object", "Expecting ',' delimiter"),
    ("EOF while parsing a list", "Expecting ',' delimiter"),
    ("EOF while parsing a value", "Expecting value"),
    ("expected value", "Expecting value"),
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

    /// Returns the number constant at which the text stops to be JSON.
    pub(super) fn constant(&self) -> Option<&'static str> {
        self.constant
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
    fn number_constants_are_named() {
        assert_eq!(fault("{\"a\": Infinity}").constant(), Some("Infinity"));
        assert_eq!(fault("[-Infinity]").constant(), Some("-Infinity"));
        assert_eq!(fault("[None]").constant(), None);
    }
}
