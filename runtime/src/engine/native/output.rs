//! What a cell wrote, and how it becomes the end of the cell: what other processes wrote comes after what Python captured.

use std::path::PathBuf;

use crate::engine::{CellEnd, Verdict};
use crate::text::capture::Capture;
use crate::text::clip::Printed;

/// Bytes kept of a traceback; the runner sends fewer.
const TRACEBACK_KEPT: usize = 1 << 20;

/// What a cell wrote, stream by stream.
#[derive(Debug)]
pub(super) struct Output {
    pub(super) captured_stdout: Capture,
    pub(super) raw_stdout: Capture,
    pub(super) captured_stderr: Capture,
    pub(super) raw_stderr: Capture,
}

impl Output {
    /// Returns whether nothing was written.
    pub(super) fn is_empty(&self) -> bool {
        let streams = [
            &self.captured_stdout,
            &self.raw_stdout,
            &self.captured_stderr,
            &self.raw_stderr,
        ];
        streams.into_iter().all(Capture::is_empty)
    }

    /// Returns the end of the cell; where the kernel lives, a flood of output goes into the file.
    pub(super) fn end(self, verdict: Verdict, traceback: &str, file: Option<PathBuf>) -> CellEnd {
        let Self {
            captured_stdout: mut captured,
            raw_stdout: raw,
            captured_stderr: mut stderr,
            raw_stderr,
        } = self;
        let stdout = if let Some(file) = file {
            Printed::InKernel {
                captured,
                raw,
                file,
            }
        } else {
            captured.append(&raw);
            Printed::Whole(captured)
        };
        stderr.append(&raw_stderr);
        let mut shown = Capture::head_only(TRACEBACK_KEPT);
        shown.push(traceback.as_bytes());
        CellEnd {
            verdict,
            stdout,
            stderr,
            traceback: shown,
            fuel_used: None,
        }
    }
}
