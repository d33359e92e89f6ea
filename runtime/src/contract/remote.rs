//! The results of code that ran on another machine: in a remote session kernel, or once as a script of its own.
//!
//! Both shapes differ from the local one on purpose: a remote kernel gives no exit code and no hint, and a script run
//! once has no kernel. Sentences that a remote engine shows live here; where the code runs is not this file's matter.
//!
//! Nothing outside the tests calls it yet: the one engine of this version runs cells on this machine. The shapes are a
//! part of the contract all the same, and the golden tests hold them until an engine for other machines fills them.

use std::time::Duration;

use serde::Serialize;

use super::cell::{RAISED_WITHOUT_TRACEBACK, Status, TIMEOUT_SYMBOL};
use super::error_result::ErrorResult;
use super::report::{Stdout, StdoutInfo};
use super::tool_errors::ToolFailure;
use super::{output, wire};

const TIMED_OUT_NOTE: &str = "Cell timed out; the remote session kernel was killed and its state was lost. \
                              The next call starts a fresh kernel.";
const PROTOCOL_FAILURE: &str = "Remote kernel protocol failure; kernel killed, state lost.";
const KERNEL_GONE_NOTE: &str = "The previous remote kernel was gone (transport drop, container restart, or idle \
                                self-exit); state from earlier calls was lost and a fresh kernel was started.";

/// Exit code that a script gets from the remote `timeout`.
const TIMED_OUT: i32 = 124;
/// Exit code of a script that was interrupted.
const INTERRUPTED: i32 = 130;

/// Tells everything that a remote kernel reported of one cell.
#[derive(Debug, Clone)]
pub(crate) struct RemoteReport {
    pub(crate) ending: RemoteEnding,
    pub(crate) stdout: Stdout,
    pub(crate) stderr: String,
    /// The traceback of a cell that raised.
    pub(crate) traceback: String,
    pub(crate) tool_calls_made: u64,
    pub(crate) duration: Duration,
    /// Whether the kernel existed before this cell.
    pub(crate) reused: bool,
    /// Number of the cell in its kernel, from 1.
    pub(crate) execution_count: u64,
    /// Whether the caller asked for a fresh kernel.
    pub(crate) state_reset: bool,
    /// Whether an older kernel had vanished before this cell.
    pub(crate) previous_gone: bool,
    pub(crate) tool_errors: Vec<ToolFailure>,
}

/// Tells how a cell in a remote kernel came to its end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum RemoteEnding {
    Ok,
    Raised,
    Exited,
    Timeout {
        limit_seconds: f64,
    },
    /// No reply came, or one that cannot be read; the kernel is killed either way.
    ProtocolFailure,
}

/// Holds the result of one cell of a remote session kernel.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct RemoteOutcome {
    status: Status,
    output: String,
    tool_calls_made: u64,
    duration_seconds: f64,
    kernel: RemoteKernel,
    #[serde(flatten)]
    stdout: StdoutInfo,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_errors: Vec<ToolFailure>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

impl RemoteOutcome {
    /// Returns the outcome that a remote report amounts to.
    pub(crate) fn new(report: RemoteReport) -> Self {
        let kernel = RemoteKernel::new(&report);
        let (text, stdout) = report.stdout.into_parts();
        let raised = report.ending == RemoteEnding::Raised;
        let mut stderr = report.stderr;
        if raised {
            stderr.push_str(&report.traceback);
        }
        let body = output::with_stderr(text, &stderr);
        let (status, output, error) = match report.ending {
            RemoteEnding::Ok | RemoteEnding::Exited => (Status::Success, body, None),
            RemoteEnding::Raised => (
                Status::Error,
                body,
                Some(last_line(&report.traceback).to_owned()),
            ),
            RemoteEnding::Timeout { limit_seconds } => {
                let message = format!(
                    "Cell timed out after {limit_seconds}s; the remote session kernel was killed and its state was \
                     lost. The next call starts fresh."
                );
                (
                    Status::Timeout,
                    output::with_notice(body, TIMEOUT_SYMBOL, &message),
                    Some(message),
                )
            }
            RemoteEnding::ProtocolFailure => {
                (Status::Error, body, Some(PROTOCOL_FAILURE.to_owned()))
            }
        };
        Self {
            status,
            output,
            tool_calls_made: report.tool_calls_made,
            duration_seconds: wire::rounded_seconds(report.duration),
            kernel,
            stdout,
            tool_errors: report.tool_errors,
            error,
        }
    }

    /// Returns the result as one line of JSON.
    pub(crate) fn to_json(&self) -> String {
        wire::to_json(self)
    }
}

/// Returns the line of a traceback that names the exception.
fn last_line(traceback: &str) -> &str {
    traceback
        .trim()
        .lines()
        .next_back()
        .unwrap_or(RAISED_WITHOUT_TRACEBACK)
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each flag is a key of the documented object"
)]
struct RemoteKernel {
    reused: bool,
    remote: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    execution_count: Option<u64>,
    #[serde(skip_serializing_if = "wire::is_false")]
    ended: bool,
    #[serde(skip_serializing_if = "wire::is_false")]
    state_lost: bool,
    #[serde(skip_serializing_if = "wire::is_false")]
    state_reset: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'static str>,
}

impl RemoteKernel {
    fn new(report: &RemoteReport) -> Self {
        let killed = |note| Self {
            reused: report.reused,
            remote: true,
            execution_count: None,
            ended: true,
            state_lost: true,
            state_reset: false,
            note: Some(note),
        };
        match report.ending {
            RemoteEnding::Timeout { .. } => killed(TIMED_OUT_NOTE),
            RemoteEnding::ProtocolFailure => killed(PROTOCOL_FAILURE),
            RemoteEnding::Ok | RemoteEnding::Raised | RemoteEnding::Exited => Self {
                reused: report.reused,
                remote: true,
                execution_count: Some(report.execution_count),
                ended: report.ending == RemoteEnding::Exited,
                state_lost: report.previous_gone,
                state_reset: report.state_reset,
                note: report.previous_gone.then_some(KERNEL_GONE_NOTE),
            },
        }
    }
}

/// Tells everything that is known of a script that ran once.
#[derive(Debug, Clone)]
pub(crate) struct ScriptReport {
    pub(crate) exit_code: i32,
    /// The limit that the script ran under, in seconds.
    pub(crate) limit_seconds: f64,
    /// Why the host interrupted the script, if it did and recorded it.
    pub(crate) interrupt_reason: Option<String>,
    /// What the script wrote; stderr is already merged in.
    pub(crate) stdout: Stdout,
    pub(crate) tool_calls_made: u64,
    pub(crate) duration: Duration,
    pub(crate) tool_errors: Vec<ToolFailure>,
}

/// Holds the result of a script that ran once, without a kernel.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct ScriptOutcome {
    status: Status,
    output: String,
    exit_code: i32,
    tool_calls_made: u64,
    duration_seconds: f64,
    #[serde(flatten)]
    stdout: StdoutInfo,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_errors: Vec<ToolFailure>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

impl ScriptOutcome {
    /// Returns the outcome that a script's exit code amounts to.
    pub(crate) fn new(report: ScriptReport) -> Self {
        let (text, stdout) = report.stdout.into_parts();
        let (status, output, error) = match report.exit_code {
            0 => (Status::Success, text, None),
            TIMED_OUT => {
                let message = format!(
                    "Script timed out after {}s and was killed.",
                    report.limit_seconds
                );
                (
                    Status::Timeout,
                    output::with_notice(text, TIMEOUT_SYMBOL, &message),
                    Some(message),
                )
            }
            INTERRUPTED => {
                let reason = report.interrupt_reason.as_deref();
                (
                    Status::Interrupted,
                    output::with_interrupt_marker(text, reason),
                    None,
                )
            }
            code => (
                Status::Error,
                text,
                Some(format!("Script exited with code {code}")),
            ),
        };
        Self {
            status,
            output,
            exit_code: report.exit_code,
            tool_calls_made: report.tool_calls_made,
            duration_seconds: wire::rounded_seconds(report.duration),
            stdout,
            tool_errors: report.tool_errors,
            error,
        }
    }

    /// Returns the result as one line of JSON.
    pub(crate) fn to_json(&self) -> String {
        wire::to_json(self)
    }
}

/// Returns the result for a terminal environment that has no interpreter.
pub(crate) fn python_is_missing(env_type: &str) -> ErrorResult {
    ErrorResult::not_started(format!(
        "Python 3 is not available in the {env_type} terminal environment. Install Python to use execute_code with \
         remote backends."
    ))
}
