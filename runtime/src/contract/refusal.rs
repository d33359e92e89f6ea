//! The "tool error" envelope: the answer to a call that was refused before anything ran.
//!
//! It owns the shape and the cap of the message, not the messages: those belong to the guards and tools that refuse.
//! `error` is always the first key, and it is never longer than the cap plus its marker.

use serde_json::{Map, Value};

use super::wire;
use crate::text::truncate::first_chars;

/// Longest message, in characters; a refusal quotes its input, which may be of any size.
const MAX_MESSAGE_CHARS: usize = 2_048;
const CUT_MARKER: &str = "… [truncated]";

/// Holds `{"error": message}` and whatever keys a refusal adds after it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RefusalEnvelope {
    keys: Map<String, Value>,
}

impl RefusalEnvelope {
    /// Returns an envelope for `message`, cut to 2,048 characters.
    pub(crate) fn new(message: &str) -> Self {
        let mut keys = Map::new();
        keys.insert("error".to_owned(), Value::String(capped(message)));
        Self { keys }
    }

    /// Adds a key after those that are there.
    #[must_use]
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "only a guard that asks for approval adds keys")
    )]
    pub(crate) fn with(mut self, key: &'static str, value: impl Into<Value>) -> Self {
        self.keys.insert(key.to_owned(), value.into());
        self
    }

    /// Returns the envelope as JSON.
    pub(crate) fn to_json(&self) -> String {
        wire::to_json(&self.keys)
    }
}

fn capped(message: &str) -> String {
    let kept = first_chars(message, MAX_MESSAGE_CHARS);
    if kept.len() == message.len() {
        message.to_owned()
    } else {
        format!("{kept}{CUT_MARKER}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn message_of_the_longest_length_is_kept_whole() {
        let message = "ü".repeat(2_048);
        assert_eq!(
            RefusalEnvelope::new(&message).to_json(),
            format!("{{\"error\":\"{message}\"}}")
        );
    }

    #[test]
    fn message_one_character_too_long_is_cut_and_marked() {
        let json = RefusalEnvelope::new(&"ü".repeat(2_049)).to_json();
        assert_eq!(
            json,
            format!("{{\"error\":\"{}… [truncated]\"}}", "ü".repeat(2_048))
        );
    }
}
