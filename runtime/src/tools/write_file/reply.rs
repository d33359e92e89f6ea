//! The answer of `write_file`: its keys in their order.

use serde::Serialize;

use super::lint::Lint;

/// Holds the answer; struct order is key order.
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
        path: String,
    ) -> Self {
        Self {
            bytes_written,
            dirs_created: has_directory,
            verified: Some(true),
            lint: Some(lint),
            error: None,
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
            resolved_path: path,
            files_modified: Vec::new(),
        }
    }
}
