//! One run of one piece of source: what goes into an engine and what comes out.

use std::sync::Arc;
use std::time::Duration;

use crate::contract::ExitStatus;
use crate::engine::Stop;
use crate::text::capture::Capture;
use crate::text::clip::Printed;
use crate::tools::CellAuthority;

/// A piece of Python source, to be run once.
#[derive(Debug)]
pub(crate) struct Cell {
    /// The source, UTF-8.
    pub(crate) code: String,
    /// What the cell may take.
    pub(crate) limits: Limits,
    /// The only way from the cell to the host's tools; retired when the cell ends.
    pub(crate) authority: Arc<CellAuthority>,
    /// Tripped by whoever wants the cell to end early.
    pub(crate) stop: Arc<Stop>,
}

/// What one cell may take.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// Wall clock from the first instruction on.
    pub(crate) timeout: Duration,
    /// Units of fuel, where the engine meters it.
    pub(crate) fuel: Option<u64>,
}

/// Ends a cell's authority over the tools when the cell ends in whatever way, also when its future is dropped.
pub(super) struct Retire(pub(super) Arc<CellAuthority>);

impl Drop for Retire {
    fn drop(&mut self) {
        self.0.retire();
    }
}

/// What an engine saw of a cell.
#[derive(Debug)]
pub(crate) struct CellEnd {
    pub(crate) verdict: Verdict,
    pub(crate) stdout: Printed,
    pub(crate) stderr: Capture,
    pub(crate) traceback: Capture,
    /// Units used, where the engine meters fuel.
    pub(crate) fuel_used: Option<u64>,
}

/// How a cell ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The code ran to its last line; the kernel lives.
    Ended,
    /// An exception left the code; the kernel lives.
    Raised,
    /// The code asked to exit, with this where the engine tells; the kernel is over.
    Exited(Option<ExitStatus>),
    /// The wall clock ran out; the kernel is over.
    TimedOut,
    /// Somebody stopped the cell; the kernel is over.
    Interrupted(Option<String>),
    /// The fuel ran out; the kernel is over.
    OutOfFuel,
    /// The kernel broke down; the kernel is over.
    Died(String),
}

impl Verdict {
    /// Returns whether the kernel can run another cell.
    pub(crate) fn kernel_lives(&self) -> bool {
        matches!(self, Self::Ended | Self::Raised)
    }
}
