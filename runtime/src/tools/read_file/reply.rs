//! The answer of `read_file`: its keys in their order, and its sentences.

use serde::Serialize;

use super::conflict;
use super::page::{Page, PageRequest, Room};
use super::utf16::Utf16;
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
    content: String,
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
    /// `total_lines` counts only what was read: a huge file is not read to its end for one page.
    #[serde(skip_serializing_if = "is_false")]
    total_lines_is_lower_bound: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    conflict_blocks: Option<u64>,
    #[serde(rename = "_hint", skip_serializing_if = "Option::is_none")]
    advice: Option<String>,
}

impl ReadReply {
    /// Answers with a page; `notes` tell how the file was found and read.
    pub(super) fn page(
        page: Page,
        request: PageRequest,
        file_size: u64,
        notes: Vec<String>,
    ) -> Self {
        let next = request.offset.saturating_add(page.shown_lines);
        let goes_on = next <= page.total_lines && page.shown_lines > 0;
        let truncated = goes_on || page.is_full();
        let hint = position_hint(&page, request, next, truncated);
        let is_large =
            file_size > LARGE_FILE_BYTES && request.limit > SMALL_PAGE_LINES && truncated;
        let conflicts = (page.conflict_blocks > 0).then_some(page.conflict_blocks);
        let advice = [
            conflicts.map(conflict::hint),
            is_large.then(|| large_file_advice(file_size)),
        ];
        Self {
            total_lines: page.total_lines,
            file_size,
            truncated,
            truncated_lines: page.has_cut_lines,
            hint: joined(notes.into_iter().chain(hint)),
            truncated_by: page.is_full().then_some("bytes"),
            next_offset: page.is_full().then_some(next),
            total_lines_is_lower_bound: page.is_lower_bound,
            conflict_blocks: conflicts,
            advice: joined(advice.into_iter().flatten()),
            content: page.content,
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

/// Says which part of the file the page is, where it is not the whole.
fn position_hint(page: &Page, request: PageRequest, next: u64, truncated: bool) -> Option<String> {
    let (offset, total) = (request.offset, page.total_lines);
    let last = next.saturating_sub(1);
    let known = if page.is_lower_bound { "at least " } else { "" };
    if total == 0 {
        Some("File is empty (0 bytes).".to_owned())
    } else if page.shown_lines == 0 {
        Some(format!(
            "Note: offset {offset} is beyond the end of the file ({total} lines total). Retry with offset <= {total}."
        ))
    } else if page.is_full() {
        let clamped = if page.room == Room::Clamped {
            " Note: the first line alone exceeded the budget and was clamped mid-line; its remainder is not retrievable via offset."
        } else {
            ""
        };
        Some(format!(
            "Output truncated at the {}-char read budget after {} line(s) (showing lines {offset}-{last} of {known}{total}). Use offset={next} to continue.{clamped}",
            // A length in memory fits into 64 bits.
            grouped(request.page_chars as u64),
            page.shown_lines,
        ))
    } else if truncated {
        Some(format!(
            "Use offset={next} to continue reading (showing {offset}-{last} of {known}{total} lines)"
        ))
    } else {
        None
    }
}

fn large_file_advice(file_size: u64) -> String {
    format!(
        "This file is large ({} bytes). Consider reading only the section you need with offset and limit to keep context usage efficient.",
        grouped(file_size)
    )
}

/// Joins sentences; `None` if there are none.
fn joined(sentences: impl Iterator<Item = String>) -> Option<String> {
    let sentences: Vec<String> = sentences.collect();
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

/// Says that a file of another name was read.
pub(super) fn equivalent_note(shown: &str) -> String {
    format!(
        "Note: there is no file of exactly the given name. Read '{shown}' instead, whose name differs from it only in its Unicode form (normalization, spaces or quotes)."
    )
}

/// Says that the file is not UTF-8.
pub(super) fn transcoded_note(encoding: Utf16) -> String {
    format!(
        "Transcoded from {encoding} to UTF-8 for display. patch refuses a file in this encoding, and write_file would replace it by one in UTF-8."
    )
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
