//! The "error result" envelope: a call that was accepted and then could not give a cell result.
//!
//! It serves refused approvals, a missing interpreter and failures of the runtime around the cell. A cell that fails
//! by itself is an `Outcome`, never this. `status` is always `error`.

use std::time::Duration;

use serde::{Serialize, Serializer};

use super::cell::Status;
use super::wire;

/// Holds the text of a failure and what had been done when it came.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct ErrorResult {
    status: Status,
    error: String,
    tool_calls_made: u64,
    #[serde(rename = "duration_seconds", serialize_with = "seconds")]
    duration: Option<Duration>,
    #[serde(skip_serializing_if = "Option::is_none")]
    user_summary: Option<String>,
}

impl ErrorResult {
    /// Returns the result of a call whose code was not started: both counters are the integer 0.
    pub(crate) fn not_started(error: impl Into<String>) -> Self {
        Self {
            status: Status::Error,
            error: error.into(),
            tool_calls_made: 0,
            duration: None,
            user_summary: None,
        }
    }

    /// Returns the result of a call that failed after `duration`, with `tool_calls_made` calls dispatched.
    pub(crate) fn failed(
        error: impl Into<String>,
        tool_calls_made: u64,
        duration: Duration,
    ) -> Self {
        Self {
            tool_calls_made,
            duration: Some(duration),
            ..Self::not_started(error)
        }
    }

    /// Adds the sentence that a front end may show to the person who refused.
    #[must_use]
    pub(crate) fn with_user_summary(mut self, summary: impl Into<String>) -> Self {
        self.user_summary = Some(summary.into());
        self
    }

    /// Returns the envelope as JSON.
    pub(crate) fn to_json(&self) -> String {
        wire::to_json(self)
    }
}

#[expect(clippy::ref_option, reason = "serde passes the field by reference")]
fn seconds<S: Serializer>(duration: &Option<Duration>, serializer: S) -> Result<S::Ok, S::Error> {
    match duration {
        Some(duration) => serializer.serialize_f64(wire::rounded_seconds(*duration)),
        None => serializer.serialize_u64(0),
    }
}
