//! The files that a call may change: whether it may, and what they hold.

use thiserror::Error;

use super::document::MAX_BYTES;
use crate::fs::{OldFile, Place, WriteFault};
use crate::tools::{FileOptions, ToolContext, ToolError};

/// Refuses a place that no tool may write, or that needs the consent of the host's user; the guards are those of `write_file`.
pub(super) async fn check_guards(
    _place: &Place,
    _options: &FileOptions,
    _context: &ToolContext,
) -> Result<(), ToolError> {
    Ok(())
}

/// Reads a whole file, which the user may write; `None` if there is none.
pub(super) fn read(place: &Place) -> Result<Option<OldFile>, ReadFault> {
    // One byte more tells that a file is too large. A length in memory fits into 64 bits.
    let file = OldFile::look(place, MAX_BYTES as u64 + 1)?;
    match file {
        Some(file) if file.start.len() > MAX_BYTES => Err(ReadFault::TooLarge),
        file => Ok(file),
    }
}

/// Says why a file cannot be read.
#[derive(Debug, Error)]
pub(super) enum ReadFault {
    #[error("the file is missing")]
    Missing,
    #[error("the file is too large")]
    TooLarge,
    #[error(transparent)]
    Failed(#[from] WriteFault),
}

impl ReadFault {
    /// Returns what to tell a script about it.
    pub(super) fn explain(&self, place: &Place) -> String {
        let path = place.given();
        match self {
            Self::Missing => format!("Failed to read file: {path}"),
            Self::TooLarge => format!(
                "Cannot patch '{path}': the file has more than {MAX_BYTES} bytes. Use terminal utilities, or rewrite the part that changes in a script."
            ),
            Self::Failed(fault) => fault.explain(place),
        }
    }
}

/// Returns the refusal of a file that is not text.
pub(super) fn not_text(path: &str) -> String {
    format!(
        "Refusing to overwrite existing binary file '{path}': it is not UTF-8 text, and an edit as text would destroy its bytes. The file was NOT modified."
    )
}
