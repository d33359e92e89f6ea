//! The answer of `read_file`: its keys in their order, and its sentences.

use serde::Serialize;

use super::page::{MAX_PAGE_CHARS, Page};
use crate::contract::is_false;
use crate::text::truncate::grouped;

/// Size of a file in bytes from which on a reader is told to ask for less.
const LARGE_FILE_BYTES: u64 = 512_000;
/// A page of no more lines than this is small enough for a file of any size.
const SMALL_PAGE_LINES: u64 = 200;

/// Holds the answer; struct order is key order.
#[derive(Debug, Default, Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "the contract has these keys")]
pub(super) struct ReadReply {
    pub(super) content: String,
    total_lines: u64,
    file_size: u64,
    truncated: bool,
    #[serde(skip_serializing_if = "is_false")]
    truncated_lines: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
    is_binary: bool,
    is_image: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    not_found: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    similar_files: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    truncated_by: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_offset: Option<u64>,
    #[serde(rename = "_hint", skip_serializing_if = "Option::is_none")]
    large_file_hint: Option<String>,
}

impl ReadReply {
    /// Answers with a page that begins at line `offset`.
    pub(super) fn page(page: Page, offset: u64, limit: u64, file_size: u64) -> Self {
        let total = page.total_lines;
        let next = offset.saturating_add(page.shown_lines);
        let truncated = next <= total && page.shown_lines > 0;
        let hint = if total == 0 {
            Some("File is empty (0 bytes).".to_owned())
        } else if page.shown_lines == 0 {
            Some(format!(
                "Note: offset {offset} is beyond the end of the file ({total} lines total). Retry with offset <= {total}."
            ))
        } else if page.is_full {
            Some(format!(
                "Output truncated at the {}-char read budget after {} line(s) (showing lines {offset}-{} of {total}). Use offset={next} to continue.",
                grouped(MAX_PAGE_CHARS as u64),
                page.shown_lines,
                next - 1,
            ))
        } else if truncated {
            Some(format!(
                "Use offset={next} to continue reading (showing {offset}-{} of {total} lines)",
                next - 1
            ))
        } else {
            None
        };
        let is_large = file_size > LARGE_FILE_BYTES && limit > SMALL_PAGE_LINES && truncated;
        Self {
            content: page.content,
            total_lines: total,
            file_size,
            truncated,
            truncated_lines: page.has_cut_lines,
            hint,
            truncated_by: page.is_full.then_some("bytes"),
            next_offset: page.is_full.then_some(next),
            large_file_hint: is_large.then(|| {
                format!(
                    "This file is large ({} bytes). Consider reading only the section you need with offset and limit to keep context usage efficient.",
                    grouped(file_size)
                )
            }),
            ..Self::default()
        }
    }

    /// Answers that there is no such file.
    pub(super) fn missing(shown: &str, similar_files: Vec<String>) -> Self {
        Self {
            error: Some(format!("File not found: {shown}")),
            not_found: true,
            similar_files,
            ..Self::default()
        }
    }

    /// Answers that the file is not text.
    pub(super) fn binary(error: String, is_image: bool, file_size: u64) -> Self {
        Self {
            error: Some(error),
            is_binary: true,
            is_image,
            file_size,
            ..Self::default()
        }
    }

    /// Answers that the entry is not a file.
    pub(super) fn not_regular(shown: &str) -> Self {
        let error = format!(
            "Cannot read '{shown}': not a regular file (directory, dangling symlink, FIFO, socket, or device). Reading it could block indefinitely."
        );
        Self {
            error: Some(error),
            ..Self::default()
        }
    }
}

/// Answers that reading the entry could block; struct order is key order.
#[derive(Debug, Serialize)]
pub(super) struct BlockingReply {
    success: bool,
    note: String,
}

impl BlockingReply {
    /// Names the entry by the words for its kind.
    pub(super) fn new(path: &str, kind: &str) -> Self {
        let note = format!(
            "'{path}' is {kind}, not a regular file — reading it would block indefinitely, so no read was attempted. Use terminal utilities if you need to interact with it."
        );
        Self {
            success: false,
            note,
        }
    }
}
