//! The log of tool calls: one event for each dispatched call, at the level `debug`.
//!
//! Refused calls are not in it; a call that is dropped before it ends is, as cancelled. Arguments may hold secrets: they
//! are redacted before they leave this file.

use std::time::Instant;

use crate::text::redact::{Profile, Redactor};
use crate::text::truncate::first_chars;

/// Longest shown part of a call's arguments, in characters.
const PREVIEW_CHARS: usize = 80;
/// Part of the arguments that is redacted, in characters; a secret that the shown part cuts is still whole in it.
const REDACTED_CHARS: usize = 400;
const CANCELLED: &str = "cancelled";

/// A call that is running; its event is written when it ends, whatever ends it.
#[derive(Debug)]
pub(super) struct CallRecord<'a> {
    tool: &'a str,
    arguments: &'a [u8],
    redactor: &'a Redactor,
    start: Instant,
    is_written: bool,
}

impl<'a> CallRecord<'a> {
    /// Begins the record of a call that is dispatched now.
    pub(super) fn begin(tool: &'a str, arguments: &'a [u8], redactor: &'a Redactor) -> Self {
        Self {
            tool,
            arguments,
            redactor,
            start: Instant::now(),
            is_written: false,
        }
    }

    /// Writes the event of a call that has its answer.
    pub(super) fn finish(mut self, error: Option<&str>) {
        self.write(error);
    }

    /// Writes the event; without a listener it costs nothing.
    fn write(&mut self, error: Option<&str>) {
        self.is_written = true;
        if tracing::enabled!(tracing::Level::DEBUG) {
            let tool = self.tool;
            let args_preview = preview(self.arguments, self.redactor);
            let error = error.map(|error| self.redactor.redact(error, Profile::CodeFile));
            let duration = (self.start.elapsed().as_secs_f64() * 100.0).round() / 100.0;
            tracing::debug!(
                tool,
                args_preview,
                duration,
                error = error.as_deref(),
                "tool call"
            );
        }
    }
}

impl Drop for CallRecord<'_> {
    /// Records a call whose future was dropped, for its cell timed out or was interrupted.
    fn drop(&mut self) {
        if !self.is_written {
            self.write(Some(CANCELLED));
        }
    }
}

/// Returns the start of the arguments' text, without secrets.
fn preview(arguments: &[u8], redactor: &Redactor) -> String {
    // No character has more than 4 bytes.
    let (start, _) = arguments.split_at(arguments.len().min(REDACTED_CHARS * 4));
    let start = String::from_utf8_lossy(start);
    let clean = redactor.redact(first_chars(&start, REDACTED_CHARS), Profile::CodeFile);
    first_chars(&clean, PREVIEW_CHARS).to_owned()
}

#[cfg(test)]
mod tests {
    use super::super::events::Events;
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

    #[test]
    fn every_call_has_one_event_however_it_ends() {
        let events = Events::listen();
        let redactor = Redactor::default();
        let begin = |tool| CallRecord::begin(tool, b"{}", &redactor);
        begin("answered").finish(None);
        begin("failed").finish(Some("with ghp_abcdefghijklmnopqrst"));
        drop(begin("dropped"));
        let lines = events.lines();
        let [answered, failed, dropped] = lines.as_slice() else {
            panic!("{lines:?}");
        };
        assert!(answered.contains("tool=\"answered\"") && !answered.contains("error="));
        assert!(failed.contains("error=\"with ghp_ab...qrst\""), "{failed}");
        assert!(
            dropped.contains("tool=\"dropped\"") && dropped.contains("error=\"cancelled\""),
            "{dropped}"
        );
    }
}
