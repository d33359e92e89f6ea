//! The failures that tools reported to one cell, so that a script that swallowed them still shows them.
//!
//! A tool fails by answering with an object whose `error` is truthy in Python's sense. This file looks only at that
//! key: a reply is scanned in place, and one without an error costs no memory, whatever its size. An error comes from the
//! host, or from whatever the host read: it is cleaned as the caller says before it is cut, never after.

use std::fmt;

use memchr::memmem;
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;

use crate::text::truncate::first_chars;

const MAX_FAILURES: usize = 5;
const MAX_ERROR_CHARS: usize = 300;
/// Part of an error that is cleaned, in bytes.
const MAX_CLEANED_BYTES: usize = 16 * 1024;
/// Characters at the end of a cleaned part that are not shown: they may be the start of a secret that went on.
const EDGE_CHARS: usize = 1_000;

/// Names a tool that answered a call with an error.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ToolFailure {
    /// Name of the tool.
    pub tool: String,
    /// Text of the error, at most 300 characters.
    pub error: String,
}

/// Collects the failures of one cell; it keeps the first 5.
#[derive(Debug, Default)]
pub(crate) struct ToolErrors {
    failures: Vec<ToolFailure>,
}

impl ToolErrors {
    /// Takes note of a tool's reply, if it reports an error and there is room left; `clean` makes the error fit to show.
    pub(crate) fn record(&mut self, tool: &str, reply: &str, clean: impl FnOnce(&str) -> String) {
        if self.failures.len() == MAX_FAILURES {
            return;
        }
        if let Some(error) = error_of(reply) {
            self.failures.push(ToolFailure {
                tool: tool.to_owned(),
                error: shown(&error, clean),
            });
        }
    }

    /// Returns the failures in the order of the calls.
    pub(crate) fn into_failures(self) -> Vec<ToolFailure> {
        self.failures
    }
}

/// Returns the start of an error, cleaned first and cut afterwards.
fn shown(error: &str, clean: impl FnOnce(&str) -> String) -> String {
    let part = error
        .split_at(error.floor_char_boundary(MAX_CLEANED_BYTES))
        .0;
    let clean = clean(part);
    let limit = if part.len() == error.len() {
        MAX_ERROR_CHARS
    } else {
        MAX_ERROR_CHARS.min(clean.chars().count().saturating_sub(EDGE_CHARS))
    };
    first_chars(&clean, limit).to_owned()
}

/// Returns the text of the error that a reply reports.
fn error_of(reply: &str) -> Option<String> {
    if !reply.starts_with('{') || !may_have_error(reply.as_bytes()) {
        return None;
    }
    let error = serde_json::from_str::<Reply<'_>>(reply).ok()?.error?.get();
    if !is_truthy(error) {
        return None;
    }
    // A string with an unpaired surrogate has no text of its own; its JSON form is shown like that of other types.
    Some(serde_json::from_str(error).unwrap_or_else(|_| error.to_owned()))
}

/// Tells whether a reply can have the key at all, plainly or escaped. Most replies are data, and large ones take long to parse.
fn may_have_error(reply: &[u8]) -> bool {
    [br#""error""#.as_slice(), br"\u00"]
        .iter()
        .any(|sign| memmem::find(reply, sign).is_some())
}

/// Judges a JSON value, given as its text, as Python's `bool()` would.
fn is_truthy(json: &str) -> bool {
    let is_empty = |open, close| {
        json.strip_prefix(open)
            .and_then(|rest| rest.strip_suffix(close))
            .is_some_and(|inner| inner.trim().is_empty())
    };
    match json {
        "null" | "false" | "\"\"" => false,
        _ => !is_empty('[', ']') && !is_empty('{', '}') && json.parse() != Ok(0.0),
    }
}

/// The one key of a reply that matters; of repeated keys the last one counts, as in Python.
struct Reply<'a> {
    error: Option<&'a RawValue>,
}

impl<'de> Deserialize<'de> for Reply<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ReplyVisitor)
    }
}

struct ReplyVisitor;

impl<'de> Visitor<'de> for ReplyVisitor {
    type Value = Reply<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the object that a tool answers with")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut error = None;
        while let Some(key) = map.next_key()? {
            match key {
                Key::Error => error = Some(map.next_value()?),
                Key::Other => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(Reply { error })
    }
}

#[derive(Deserialize)]
#[serde(field_identifier, rename_all = "lowercase")]
enum Key {
    Error,
    #[serde(other)]
    Other,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn truthy_errors_are_found_and_falsy_ones_are_not() {
        for (reply, expected) in [
            (r#"{"error":"denied"}"#, Some("denied")),
            (r#"{"output":"","error":"späť\n"}"#, Some("späť\n")),
            (r#"{"error":{"code": 3}}"#, Some(r#"{"code": 3}"#)),
            (r#"{"error":["a"]}"#, Some(r#"["a"]"#)),
            (r#"{"error":true}"#, Some("true")),
            (r#"{"error":-1.5}"#, Some("-1.5")),
            (r#"{"error":"0"}"#, Some("0")),
            (r#"{"error":" "}"#, Some(" ")),
            (r#"{"error":"a","error":"b"}"#, Some("b")),
            (r#"{"error":"\ud800"}"#, Some(r#""\ud800""#)),
            (r#"{"error":"a","error":null}"#, None),
            (r#"{"error":null}"#, None),
            (r#"{"error":false}"#, None),
            (r#"{"error":""}"#, None),
            (r#"{"error":0}"#, None),
            (r#"{"error":-0.0e7}"#, None),
            (r#"{"error":[ ]}"#, None),
            (r#"{"error":{ }}"#, None),
            (r#"{"result":{"error":"inner"}}"#, None),
            (r#"{"Error":"x"}"#, None),
            ("{}", None),
            ("", None),
        ] {
            assert_eq!(error_of(reply).as_deref(), expected, "{reply}");
        }
    }

    #[test]
    fn replies_that_are_not_an_object_are_ignored() {
        for reply in [
            r#" {"error":"indented"}"#,
            r#"[{"error":"x"}]"#,
            r#""error""#,
            r#"{"error":"cut"#,
            r#"{"error":"x"} tail"#,
            r"{error}",
        ] {
            assert_eq!(error_of(reply), None, "{reply}");
        }
    }

    #[test]
    fn error_behind_a_large_value_is_found() {
        let reply = format!(r#"{{"output":"{}","error":"late"}}"#, "x".repeat(1_000_000));
        assert_eq!(error_of(&reply).as_deref(), Some("late"));
    }

    #[test]
    fn error_text_is_cut_to_three_hundred_characters() {
        let mut errors = ToolErrors::default();
        errors.record(
            "patch",
            &format!(r#"{{"error":"{}"}}"#, "é".repeat(301)),
            str::to_owned,
        );
        let expected = ToolFailure {
            tool: "patch".to_owned(),
            error: "é".repeat(300),
        };
        assert_eq!(errors.into_failures(), [expected]);
    }

    #[test]
    fn an_error_is_cleaned_before_it_is_cut() {
        let mask = |text: &str| text.replace("secret", "***");
        for before in 290..=301 {
            let error = format!("{}secret and more", ".".repeat(before));
            assert!(!shown(&error, mask).contains('s'), "{before}");
        }
        // What is cleaned away does not bring the end of the cleaned part to light.
        let noise = "secret".repeat(MAX_CLEANED_BYTES / 6);
        assert_eq!(
            shown(&format!("{noise} secret"), |text| text
                .replace("secret", "")),
            ""
        );
    }

    #[test]
    fn only_the_first_five_failures_are_kept() {
        let mut errors = ToolErrors::default();
        for number in 0..7 {
            errors.record("terminal", r#"{"output":"fine"}"#, str::to_owned);
            errors.record(
                "terminal",
                &format!(r#"{{"error":"failure {number}"}}"#),
                str::to_owned,
            );
        }
        let texts: Vec<String> = errors
            .into_failures()
            .into_iter()
            .map(|failure| failure.error)
            .collect();
        assert_eq!(
            texts,
            [
                "failure 0",
                "failure 1",
                "failure 2",
                "failure 3",
                "failure 4"
            ]
        );
    }
}
