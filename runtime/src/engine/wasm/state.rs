//! What the host keeps for one sandbox: its limit, and the cell that runs in it now.

use std::sync::Arc;

use crate::text::capture::Capture;
use crate::tools::CellAuthority;

use super::limits::MemoryLimit;

/// Bytes of standard error that a cell keeps, the first ones: room for the contract's 10,000 after cleaning.
const STDERR_KEPT: usize = 64 << 10;

/// Bytes of a traceback that are kept, the first ones. CPython's own are far smaller unless an exception's message is a flood.
const TRACEBACK_KEPT: usize = 256 << 10;

/// The data of a store.
#[derive(Debug)]
pub(super) struct GuestState {
    pub(super) limit: MemoryLimit,
    /// The description of the enabled tools, a JSON text; fixed for the life of the kernel.
    pub(super) tools: Arc<str>,
    /// Bytes that wait for the module to take them: a cell's source, a tool's answer.
    pub(super) waiting: Vec<u8>,
    pub(super) output: Output,
    /// The authority of the cell that runs now. Without one no tool can be reached.
    pub(super) authority: Option<Arc<CellAuthority>>,
    /// The code that the module gave when it asked to exit.
    pub(super) exit_code: Option<i32>,
}

impl GuestState {
    pub(super) fn new(memory_limit: usize, tools: Arc<str>) -> Self {
        Self {
            limit: MemoryLimit {
                bytes: memory_limit,
            },
            tools,
            waiting: Vec::new(),
            output: Output::default(),
            authority: None,
            exit_code: None,
        }
    }
}

/// What a cell has written so far; each stream is capped while it grows.
#[derive(Debug)]
pub(super) struct Output {
    pub(super) stdout: Capture,
    pub(super) stderr: Capture,
    pub(super) traceback: Capture,
}

impl Default for Output {
    fn default() -> Self {
        Self {
            stdout: Capture::stdout(),
            stderr: Capture::head_only(STDERR_KEPT),
            traceback: Capture::head_only(TRACEBACK_KEPT),
        }
    }
}
