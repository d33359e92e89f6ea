//! How an envelope's values become text: JSON, rounded seconds, cut strings.
//!
//! It knows no envelope and no key. Every number and string that leaves the room goes through the same three rules,
//! so that two envelopes cannot disagree on them.

use std::time::Duration;

use serde::Serialize;

/// Serialises an envelope to one line of JSON; non-ASCII characters stay as they are.
#[expect(
    clippy::expect_used,
    reason = "the types of this room always have a JSON form"
)]
pub(super) fn to_json(envelope: &impl Serialize) -> String {
    // Envelopes hold strings, numbers, booleans, lists and maps with text keys, and a write to memory does not fail.
    serde_json::to_string(envelope).expect("an envelope has a JSON form")
}

/// Returns the duration in seconds, rounded to two decimals as Python's `round` does it.
pub(super) fn rounded_seconds(duration: Duration) -> f64 {
    let seconds = duration.as_secs_f64();
    // Decimal formatting rounds the exact binary value; multiplying by 100 first would move ties such as 2.675.
    format!("{seconds:.2}").parse().unwrap_or(seconds)
}

/// Returns the longest prefix of `text` with at most `limit` characters.
pub(super) fn first_chars(text: &str, limit: usize) -> &str {
    match text.char_indices().nth(limit) {
        // `char_indices` only yields offsets at which a character starts.
        Some((end, _)) => &text[..end],
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_rounded_like_python_rounds_them() {
        for (milliseconds, expected) in [
            (0, "0.0"),
            (4, "0.0"),
            (1_014, "1.01"),
            (2_675, "2.67"),
            (125, "0.12"),
            (30_000, "30.0"),
            (99_999, "100.0"),
        ] {
            let rounded = rounded_seconds(Duration::from_millis(milliseconds));
            assert_eq!(to_json(&rounded), expected, "{milliseconds} ms");
        }
    }

    #[test]
    fn cutting_counts_characters_and_not_bytes() {
        assert_eq!(first_chars("äöü", 3), "äöü");
        assert_eq!(first_chars("äöü", 2), "äö");
        assert_eq!(first_chars("äöü", 0), "");
    }
}
