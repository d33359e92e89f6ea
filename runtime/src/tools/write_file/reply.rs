//! The answers of `write_file`: their keys in their order.

use serde::Serialize;

use crate::fs::Unseen;
use crate::tools::lint::Lint;
use crate::tools::write_guard::Target;

/// What the tool answers.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum Answer {
    Write(WriteReply),
    Stale(StaleReply),
}

/// Tells what was written, or why nothing was; struct order is key order.
#[derive(Debug, Serialize)]
pub(super) struct WriteReply {
    bytes_written: u64,
    dirs_created: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    verified: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lint: Option<Lint>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
    resolved_path: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    files_modified: Vec<String>,
}

impl WriteReply {
    /// Answers that the file was written and that what was read back is the same.
    pub(super) fn written(
        bytes_written: u64,
        has_directory: bool,
        lint: Lint,
        hint: Option<String>,
        path: String,
    ) -> Self {
        Self {
            bytes_written,
            dirs_created: has_directory,
            verified: Some(true),
            lint: Some(lint),
            error: None,
            hint,
            files_modified: vec![path.clone()],
            resolved_path: path,
        }
    }

    /// Answers that nothing was written, or that the file does not hold what was.
    pub(super) fn refused(error: String, path: String) -> Self {
        Self {
            bytes_written: 0,
            dirs_created: false,
            verified: None,
            lint: None,
            error: Some(error),
            hint: None,
            resolved_path: path,
            files_modified: Vec::new(),
        }
    }
}

/// Tells that the session does not know what it would overwrite; struct order is key order.
#[derive(Debug, Serialize)]
pub(super) struct StaleReply {
    error: String,
    stale_write_blocked: bool,
    path: String,
    resolved_path: String,
}

impl StaleReply {
    pub(super) fn new(target: &Target, reason: Unseen, resolved_path: String) -> Self {
        let shown = target.shown();
        Self {
            error: format!(
                "Refusing to overwrite {shown}: {reason} The file was NOT modified. Reload the current contents with read_file (every page, for a file that needs offset/limit), merge the requested change, then call write_file again. For small edits, prefer patch so existing unrelated changes are preserved."
            ),
            stale_write_blocked: true,
            path: shown.to_owned(),
            resolved_path,
        }
    }
}
