//! The log of tool calls: one event for each dispatched call, at the level `debug`.
//!
//! Refused calls are not in it. Arguments may hold secrets: they are redacted before they leave this file.

use std::time::Duration;

use crate::text::redact::{Profile, Redactor};

/// Longest shown part of a call's arguments, in characters.
const PREVIEW_CHARS: usize = 80;
/// Part of the arguments that is redacted, in characters; a secret that the shown part cuts is still whole in it.
const REDACTED_CHARS: usize = 400;

/// Writes the event of one call; without a listener it costs nothing.
pub(super) fn record(
    tool: &str,
    arguments: &[u8],
    duration: Duration,
    error: Option<&str>,
    redactor: &Redactor,
) {
    if tracing::enabled!(tracing::Level::DEBUG) {
        let args_preview = preview(arguments, redactor);
        let error = error.map(|error| redactor.redact(error, Profile::CodeFile));
        let duration = (duration.as_secs_f64() * 100.0).round() / 100.0;
        tracing::debug!(
            tool,
            args_preview,
            duration,
            error = error.as_deref(),
            "tool call"
        );
    }
}

/// Returns the start of the arguments' text, without secrets.
fn preview(arguments: &[u8], redactor: &Redactor) -> String {
    // No character has more than 4 bytes.
    let (start, _) = arguments.split_at(arguments.len().min(REDACTED_CHARS * 4));
    let start: String = String::from_utf8_lossy(start)
        .chars()
        .take(REDACTED_CHARS)
        .collect();
    redactor
        .redact(&start, Profile::CodeFile)
        .chars()
        .take(PREVIEW_CHARS)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(arguments: &str) -> String {
        preview(arguments.as_bytes(), &Redactor::default())
    }

    #[test]
    fn long_arguments_are_cut_at_their_characters() {
        assert_eq!(shown(r#"{"a":1}"#), r#"{"a":1}"#);
        assert_eq!(shown(&"ü".repeat(10_000)), "ü".repeat(80));
    }

    #[test]
    fn a_secret_at_the_cut_is_gone() {
        let secret = "ghp_abcdefghijklmnopqrst";
        let before = "x".repeat(65);
        assert_eq!(
            shown(&format!("{before} {secret}")),
            format!("{before} ghp_ab...qrst")
        );
    }
}
