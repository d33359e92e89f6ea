//! The answers of `terminal`: their keys in their order.

use serde::Serialize;

/// Holds the answer for a command that ran; struct order is key order.
#[derive(Debug, Serialize)]
pub(super) struct Ran {
    pub(super) output: String,
    pub(super) exit_code: i32,
    /// Always null: a command that fails is an answer.
    pub(super) error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) cwd: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) exit_code_meaning: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) hint: Option<&'static str>,
}

/// Holds the answer for a command that was not run; struct order is key order.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct NotRun {
    output: &'static str,
    exit_code: i32,
    error: String,
    status: &'static str,
}

impl NotRun {
    /// Answers that the call cannot be served.
    pub(super) fn error(error: impl Into<String>) -> Self {
        Self {
            output: "",
            exit_code: -1,
            error: error.into(),
            status: "error",
        }
    }

    /// Answers that the command is refused.
    pub(super) fn blocked(error: impl Into<String>) -> Self {
        Self {
            status: "blocked",
            ..Self::error(error)
        }
    }

    /// Answers that there is no place to run commands in.
    pub(super) fn disabled(error: impl Into<String>) -> Self {
        Self {
            status: "disabled",
            ..Self::error(error)
        }
    }
}
