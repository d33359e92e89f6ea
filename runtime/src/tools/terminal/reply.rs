//! The answers of `terminal`: their keys in their order.

use std::path::PathBuf;

use serde::Serialize;

use crate::text::transcript::Shown;
use crate::text::truncate::grouped;

/// Holds the answer for a command that ran; struct order is key order.
#[derive(Debug, Default, Serialize)]
pub(super) struct Ran {
    pub(super) output: String,
    pub(super) exit_code: i32,
    /// Always null: a command that fails is an answer.
    pub(super) error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) cwd: Option<String>,
    /// True or absent.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) environment_recreated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) output_total_chars: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) full_output_path: Option<PathBuf>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) truncation_note: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) approval: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) exit_code_meaning: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) hint: Option<&'static str>,
    /// True or absent.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) sudo_auth_failed: bool,
}

impl Ran {
    /// Answers with an output, and tells where the whole of it is if it was cut.
    pub(super) fn with_output(shown: Shown) -> Self {
        let note = shown.saved.as_ref().map(|saved| {
            let (path, total) = (saved.path.display(), grouped(shown.total_chars));
            let what = if saved.is_whole {
                format!("Full output ({total} chars)")
            } else {
                format!("The start of the output ({total} chars in all)")
            };
            format!(
                "Output exceeded the capture window (head+tail shown). {what} saved to {path} — search it with search_files or page it with read_file instead of re-running the command."
            )
        });
        Self {
            output: shown.text,
            output_total_chars: shown.is_truncated.then_some(shown.total_chars),
            full_output_path: shown.saved.map(|saved| saved.path),
            truncation_note: note,
            ..Self::default()
        }
    }
}

/// Holds the answer for a command that was started in the background; struct order is key order.
#[derive(Debug, Serialize)]
#[expect(
    clippy::struct_field_names,
    reason = "the contract names the key like this"
)]
pub(super) struct Promoted {
    pub(super) output: &'static str,
    pub(super) exit_code: i32,
    /// Always null.
    pub(super) error: Option<String>,
    pub(super) session_id: String,
    /// The file that is there when the command has ended.
    pub(super) full_output_path: PathBuf,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) approval: Option<String>,
    pub(super) promoted_from_foreground: String,
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
