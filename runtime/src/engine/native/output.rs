//! What a cell wrote, and how it becomes the end of the cell: what other processes wrote comes after what Python captured.

use std::path::PathBuf;

use crate::engine::{CellEnd, Verdict};
use crate::text::capture::Capture;
use crate::text::clip::{Clipped, Printed, Spilled};

use super::reply;

/// Bytes kept of a traceback; the runner sends fewer.
const TRACEBACK_KEPT: usize = 1 << 20;

/// What a cell wrote, stream by stream.
#[derive(Debug)]
pub(super) struct Output {
    pub(super) captured_stdout: Capture,
    pub(super) raw_stdout: Capture,
    pub(super) captured_stderr: Capture,
    pub(super) raw_stderr: Capture,
    /// The file where the child has kept all that was captured, of which only the beginning is here.
    pub(super) clipped: Option<(PathBuf, reply::Clipped)>,
}

impl Output {
    /// Adds to what was read of the output what the child has kept of it: what it has written after so many bytes, all that it sent.
    pub(super) fn with(mut self, spilled: Option<&Spilled>, sent: Option<u64>) -> Self {
        if let Some(spilled) = spilled {
            let sent = sent.unwrap_or(self.captured_stdout.total());
            spilled.follow(&mut self.captured_stdout, sent);
        }
        self
    }

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

    /// Returns the end of the cell.
    pub(super) fn end(self, verdict: Verdict, traceback: &str) -> CellEnd {
        let Self {
            mut captured_stdout,
            raw_stdout,
            captured_stderr: mut stderr,
            raw_stderr,
            clipped,
        } = self;
        let stdout = if let Some((file, clipped)) = clipped {
            if clipped.withheld > 0 {
                captured_stdout.skip(clipped.withheld);
            }
            Printed::Clipped(Clipped {
                captured: captured_stdout,
                raw: raw_stdout,
                file,
                is_whole: clipped.is_whole,
            })
        } else {
            captured_stdout.append(&raw_stdout);
            Printed::Read(captured_stdout)
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
