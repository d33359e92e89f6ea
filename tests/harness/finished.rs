//! A cell's result and what can be asserted of it. Every failed assertion shows the whole result.

use std::fmt;

use hermes_runtime::{Outcome, Status};
use serde_json::Value;

/// Characters of a text that a failed assertion shows.
const SHOWN: usize = 3_000;
const STATE_LOST: &str = "the session kernel was killed and its state was lost. The next execute_code call starts a fresh kernel.";

/// The error of a cell that was stopped while it waited.
pub const NOT_RUN: &str = "Interrupted while it waited for its turn; the code was not run.";

/// The result of a cell that was run.
#[derive(Debug)]
pub struct Finished {
    code: String,
    outcome: Outcome,
}

impl Finished {
    pub(crate) fn new(code: String, outcome: Outcome) -> Self {
        Self { code, outcome }
    }

    /// Returns the outcome itself.
    pub fn outcome(&self) -> &Outcome {
        &self.outcome
    }

    /// Returns the parsed result object.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.outcome.to_json()).unwrap()
    }

    /// Asserts that the code ran to its end, or asked to exit.
    #[track_caller]
    pub fn succeeds(&self) -> &Self {
        self.has("status", &self.outcome.status, &Status::Success);
        self.has("exit_code", &self.outcome.exit_code, &0);
        self.has("error", &self.outcome.error, &None)
    }

    /// Asserts that an exception left the code and that this is the last line of its traceback.
    #[track_caller]
    pub fn raises(&self, last_line: &str) -> &Self {
        self.has("status", &self.outcome.status, &Status::Error);
        self.has("exit_code", &self.outcome.exit_code, &1);
        let error = self.outcome.error.as_deref().unwrap_or_default();
        self.has(
            "last line of the error",
            &error.lines().last().unwrap_or_default(),
            &last_line,
        );
        self.shows_no_frame_of_the_runtime()
    }

    /// Asserts that an exception left the code with exactly this traceback, which also ends the output.
    #[track_caller]
    pub fn traceback(&self, expected: &str) -> &Self {
        self.has("status", &self.outcome.status, &Status::Error);
        self.has("exit_code", &self.outcome.exit_code, &1);
        self.has("error", &self.outcome.error.as_deref(), &Some(expected));
        assert!(
            self.outcome.output.ends_with(expected),
            "the output does not end with the traceback\n{self}"
        );
        self.shows_no_frame_of_the_runtime()
    }

    /// Asserts that no line of the result names a file of the guest's own.
    #[track_caller]
    pub fn shows_no_frame_of_the_runtime(&self) -> &Self {
        for text in [Some(&self.outcome.output), self.outcome.error.as_ref()]
            .into_iter()
            .flatten()
        {
            for own in ["hermes_guest", "File \"<hermes"] {
                assert!(
                    !text.contains(own),
                    "a frame of the runtime's own (`{own}`) is shown\n{self}"
                );
            }
        }
        self
    }

    /// Asserts that the wall clock ran out, given as Python would print the seconds, and that `before` is what was printed until then.
    #[track_caller]
    pub fn times_out(&self, seconds: &str, before: &str) -> &Self {
        let message = format!("Cell timed out after {seconds}s; {STATE_LOST}");
        let gap = if before.is_empty() { "" } else { "\n\n" };
        self.has("status", &self.outcome.status, &Status::Timeout);
        self.has("exit_code", &self.outcome.exit_code, &-1);
        self.has(
            "error",
            &self.outcome.error.as_deref(),
            &Some(message.as_str()),
        );
        self.output(&format!("{before}{gap}⏰ {message}"))
    }

    /// Asserts that the host stopped the cell, for this reason, and that `before` is what was printed until then.
    #[track_caller]
    pub fn is_interrupted(&self, reason: Option<&str>, before: &str) -> &Self {
        let gap = if before.is_empty() { "" } else { "\n" };
        let marker = match reason {
            Some(reason) => format!("[execution interrupted — {reason}]"),
            None => "[execution interrupted]".to_owned(),
        };
        self.has("status", &self.outcome.status, &Status::Interrupted);
        self.has("exit_code", &self.outcome.exit_code, &-1);
        let message = "Interrupted; the session kernel was killed and its state was lost.";
        self.has("error", &self.outcome.error.as_deref(), &Some(message));
        self.output(&format!("{before}{gap}{marker}"))
    }

    /// Asserts that the kernel was lost, with this detail.
    #[track_caller]
    pub fn dies(&self, detail: &str) -> &Self {
        self.has("status", &self.outcome.status, &Status::Error);
        self.has("exit_code", &self.outcome.exit_code, &-1);
        let message = format!("The session kernel died while running the cell: {detail}");
        self.has(
            "error",
            &self.outcome.error.as_deref(),
            &Some(message.as_str()),
        )
    }

    /// Asserts the whole output.
    #[track_caller]
    pub fn output(&self, expected: &str) -> &Self {
        self.has("output", &self.outcome.output.as_str(), &expected)
    }

    /// Asserts the kernel's `reused` and `execution_count`.
    #[track_caller]
    pub fn kernel(&self, reused: bool, execution_count: u64) -> &Self {
        self.has("kernel.reused", &self.outcome.kernel.reused, &reused);
        self.has(
            "kernel.execution_count",
            &self.outcome.kernel.execution_count,
            &execution_count,
        )
    }

    /// Asserts whether an older kernel was dropped for this cell.
    #[track_caller]
    pub fn state_reset(&self, expected: bool) -> &Self {
        self.has(
            "kernel.state_reset",
            &self.outcome.kernel.state_reset,
            &expected,
        )
    }

    /// Asserts whether the code ended its kernel.
    #[track_caller]
    pub fn ended(&self, expected: bool) -> &Self {
        self.has("kernel.ended", &self.outcome.kernel.ended, &expected)
    }

    /// Asserts the number of dispatched tool calls.
    #[track_caller]
    pub fn tool_calls(&self, expected: u64) -> &Self {
        self.has("tool_calls_made", &self.outcome.tool_calls_made, &expected)
    }

    /// Asserts the advice, or that there is none.
    #[track_caller]
    pub fn hint(&self, expected: Option<&str>) -> &Self {
        self.has("hint", &self.outcome.hint.as_deref(), &expected)
    }

    /// Asserts the byte counters: captured, total, omitted.
    #[track_caller]
    pub fn bytes(&self, captured: u64, total: u64, omitted: u64) -> &Self {
        let stdout = &self.outcome.stdout;
        let counters = (
            stdout.bytes_captured,
            stdout.bytes_total,
            stdout.bytes_omitted,
        );
        self.has("byte counters", &counters, &(captured, total, omitted));
        self.has("stdout_truncated", &stdout.truncated, &(omitted > 0))
    }

    #[track_caller]
    fn has<T: PartialEq + fmt::Debug>(&self, what: &str, found: &T, expected: &T) -> &Self {
        assert!(
            found == expected,
            "{what} differs\nexpected: {}\nfound:    {}\n{self}",
            shortened(&format!("{expected:?}")),
            shortened(&format!("{found:?}"))
        );
        self
    }
}

impl fmt::Display for Finished {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "cell:\n{}\nresult: {}",
            shortened(&self.code),
            shortened(&self.outcome.to_json())
        )
    }
}

/// Cuts the middle out of a long text.
pub(crate) fn shortened(text: &str) -> String {
    let length = text.chars().count();
    if length <= SHOWN {
        return text.to_owned();
    }
    let head: String = text.chars().take(SHOWN / 2).collect();
    let tail: String = text.chars().skip(length - SHOWN / 2).collect();
    format!("{head} … {tail}")
}
