//! How an envelope's values become text: JSON, rounded seconds, flags that are left out.
//!
//! It knows no envelope and no key. Every envelope goes through the same rules, so that two of them cannot disagree.

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

/// Tells serde to leave a flag out that is not set.
#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes the field by reference"
)]
pub(crate) fn is_false(flag: &bool) -> bool {
    !flag
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
}
