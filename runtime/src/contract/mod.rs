//! The JSON result: every envelope that a caller of `execute_code` can receive.
//!
//! This room owns key names, key order, caps and the fixed sentences of a result. It does not run, clean or cut
//! anything: the text that it is given is already stripped, redacted and truncated. Struct order is key order.

mod cell;
mod error_result;
mod exit_status;
#[cfg(test)]
mod golden;
mod hint;
mod output;
mod refusal;
#[cfg_attr(
    not(test),
    expect(
        dead_code,
        reason = "only an engine that runs cells on another machine answers in these shapes"
    )
)]
pub(crate) mod remote;
mod report;
mod tool_errors;
mod wire;

pub use cell::{KernelInfo, Outcome, Status, Usage};
pub use exit_status::ExitStatus;
pub use report::StdoutInfo;
pub use tool_errors::ToolFailure;

pub(crate) use error_result::ErrorResult;
pub(crate) use refusal::RefusalEnvelope;
pub(crate) use report::{CellReport, Ending, Stdout};
pub(crate) use tool_errors::ToolErrors;
pub(crate) use wire::is_false;
