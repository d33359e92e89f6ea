//! What an engine hands in when a cell is over: the ending, the clean text, the counters.
//!
//! The room's input, as the outcome is its output. An engine says what happened and never which words or keys that
//! becomes. All text is already stripped, redacted and truncated.

use std::path::PathBuf;
use std::time::Duration;

use serde::Serialize;

use super::cell::KernelInfo;
use super::tool_errors::ToolFailure;

/// Tells everything that a local engine saw of one cell.
#[derive(Debug, Clone)]
pub(crate) struct CellReport {
    pub(crate) ending: Ending,
    pub(crate) stdout: Stdout,
    /// What the cell and its process wrote to stderr, without the traceback.
    pub(crate) stderr: String,
    /// The traceback of a cell that raised; of other endings it is not shown.
    pub(crate) traceback: Option<String>,
    /// Calls that reached a tool; refused ones do not count.
    pub(crate) tool_calls_made: u64,
    pub(crate) duration: Duration,
    /// The kernel that ran the cell; `ended` is decided by the ending.
    pub(crate) kernel: KernelInfo,
    pub(crate) tool_errors: Vec<ToolFailure>,
    /// Names of the tools that the script could import.
    pub(crate) tools: Vec<String>,
    /// Units that the cell used up, when fuel is metered.
    pub(crate) fuel: Option<u64>,
}

/// Tells how a cell came to its end.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Ending {
    /// The code ran to its last line.
    Ok,
    /// An exception left the code.
    Raised,
    /// The code asked to exit, with whatever code or message.
    Exited,
    /// The wall clock ran out.
    Timeout { limit_seconds: f64 },
    /// The host stopped the cell, for a reason that it may have recorded.
    Interrupted { reason: Option<String> },
    /// The host stopped the cell while it waited for its turn; nothing of it ran.
    InterruptedWaiting { reason: Option<String> },
    /// The host stopped the cell while somebody was asked about it; nothing of it ran.
    InterruptedUnapproved { reason: Option<String> },
    /// The kernel was lost while it ran the cell.
    Died { detail: Option<String> },
    /// The metered fuel ran out.
    FuelExhausted { limit: u64 },
}

/// Holds the standard output of a cell: the text to show, and the facts about it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Stdout {
    pub(crate) text: String,
    pub(crate) truncated: bool,
    pub(crate) bytes_captured: u64,
    pub(crate) bytes_total: u64,
    pub(crate) bytes_omitted: u64,
    pub(crate) warning: Option<String>,
    pub(crate) spill_path: Option<PathBuf>,
}

impl Stdout {
    /// Splits the text from the facts.
    pub(super) fn into_parts(self) -> (String, StdoutInfo) {
        let info = StdoutInfo {
            truncated: self.truncated,
            bytes_captured: self.bytes_captured,
            bytes_total: self.bytes_total,
            bytes_omitted: self.bytes_omitted,
            warning: self.warning,
            spill_path: self
                .spill_path
                .map(|path| path.to_string_lossy().into_owned()),
        };
        (self.text, info)
    }
}

/// Tells how much of the standard output is in `output`. Sizes are in bytes of UTF-8.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct StdoutInfo {
    /// Whether something was left out.
    #[serde(rename = "stdout_truncated")]
    pub truncated: bool,
    /// Bytes that are shown.
    #[serde(rename = "stdout_bytes_captured")]
    pub bytes_captured: u64,
    /// Bytes that the cell wrote.
    #[serde(rename = "stdout_bytes_total")]
    pub bytes_total: u64,
    /// Bytes that are not shown.
    #[serde(rename = "stdout_bytes_omitted")]
    pub bytes_omitted: u64,
    /// Says what to do about output that was left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warning: Option<String>,
    /// File that holds the whole output.
    #[serde(rename = "stdout_spill_path", skip_serializing_if = "Option::is_none")]
    pub spill_path: Option<String>,
}
