//! The files that a call changes, and what they hold.

use std::io;

use thiserror::Error;

use super::document::MAX_BYTES;
use crate::fs::{OldFile, Place, ReadDenial, ReadDenials, WriteFault};

/// Reads a whole file, which the user may write; `None` if there is none.
///
/// The file that was opened is judged, so that a link that was swapped in does not show what may not be read.
pub(super) fn read(place: &Place, denials: &ReadDenials) -> Result<Option<OldFile>, ReadFault> {
    let Some(opened) = OldFile::open(place)? else {
        return Ok(None);
    };
    if let Some(denial) = denials.check_opened(place, &opened) {
        return Err(ReadFault::Denied(denial));
    }
    // One byte more tells that a file is too large. A length in memory fits into 64 bits.
    let file = OldFile::read(opened, MAX_BYTES as u64 + 1)?;
    if file.start.len() > MAX_BYTES {
        return Err(ReadFault::TooLarge);
    }
    Ok(Some(file))
}

/// Says why a file cannot be read.
#[derive(Debug, Error)]
pub(super) enum ReadFault {
    #[error("the file is missing")]
    Missing,
    #[error("the file is too large")]
    TooLarge,
    #[error("the file may not be read")]
    Denied(ReadDenial),
    #[error("the path leads nowhere")]
    Unreachable(#[source] io::Error),
    #[error(transparent)]
    Failed(#[from] WriteFault),
}

impl ReadFault {
    /// Makes the fault of a path that cannot be followed.
    pub(super) fn of(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::NotFound {
            Self::Missing
        } else {
            Self::Unreachable(error)
        }
    }

    /// Returns what to tell a script about it.
    pub(super) fn explain(&self, place: &Place) -> String {
        let path = place.given();
        match self {
            Self::Missing => format!("Failed to read file: {path}"),
            Self::TooLarge => format!(
                "Cannot patch '{path}': the file has more than {MAX_BYTES} bytes. Use terminal utilities, or rewrite the part that changes in a script."
            ),
            Self::Denied(denial) => denial.explain(path),
            Self::Unreachable(error) => place.explain(error, "read"),
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
