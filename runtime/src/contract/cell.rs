//! The result of a cell that ran in a session kernel on this machine.
//!
//! It owns the table "ending → status, exit code, output, error" and the sentences of that table. It does not judge
//! what happened: the engine's report says so. Every outcome carries the four byte counters and the kernel.

use serde::Serialize;

use super::exit_status::ExitStatus;
use super::report::{CellReport, Ending, StdoutInfo};
use super::tool_errors::ToolFailure;
use super::{hint, output, wire};
use crate::text::truncate::grouped;

/// Stands for the traceback of a cell that raised and left none.
pub(super) const RAISED_WITHOUT_TRACEBACK: &str = "Cell raised an exception.";
const INTERRUPTED: &str = "Interrupted; the session kernel was killed and its state was lost.";
const INTERRUPTED_UNAPPROVED: &str =
    "Interrupted before it was approved; the code was not run and the session keeps its state.";
const INTERRUPTED_WAITING: &str = "Interrupted while it waited for its turn; the code was not run.";
const KERNEL_DIED: &str = "The session kernel died while running the cell";
const KERNEL_LOST: &str = "the session kernel was killed and its state was lost. \
                           The next execute_code call starts a fresh kernel.";
const FUEL_SYMBOL: char = '⛽';
/// Opens the notice of a run that took too long, on this machine and on others.
pub(super) const TIMEOUT_SYMBOL: char = '⏰';
/// Exit code of a cell that was stopped from outside.
const STOPPED: i32 = -1;

/// Holds the result of one cell; a cell that failed is a result like any other.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Outcome {
    /// How the run went, in one word.
    pub status: Status,
    /// What the cell wrote, and a notice if it was stopped.
    pub output: String,
    /// 0 for success, 1 for an exception, -1 for a cell that was stopped or lost.
    pub exit_code: i32,
    /// Tool calls that reached a tool.
    pub tool_calls_made: u64,
    /// Wall time in seconds, rounded to two decimals.
    pub duration_seconds: f64,
    /// The kernel that ran the cell.
    pub kernel: KernelInfo,
    /// How much of the standard output is shown.
    #[serde(flatten)]
    pub stdout: StdoutInfo,
    /// Failures that tools reported to this cell; at most 5.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tool_errors: Vec<ToolFailure>,
    /// The traceback, or the sentence that tells why the cell was stopped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Advice for a recognised mistake.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// Metered use, when metering is on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// Where in `output` the streams are.
    #[serde(skip)]
    streams: output::Streams,
}

/// Says in one word how a run went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Status {
    /// The code ran to its end or asked to exit.
    Success,
    /// The code raised, ran out of fuel, or its kernel was lost.
    Error,
    /// The wall clock ran out.
    Timeout,
    /// The host stopped the code.
    Interrupted,
}

/// Describes the session kernel that ran a cell.
// The tag gives every kernel object the constant first key `"mode": "session"`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(tag = "mode", rename = "session")]
#[non_exhaustive]
pub struct KernelInfo {
    /// Whether the kernel existed before this cell.
    pub reused: bool,
    /// Number of the cell in its kernel, from 1.
    pub execution_count: u64,
    /// Whether an older kernel was dropped for this cell, by request or because it had died.
    pub state_reset: bool,
    /// Whether the code asked to exit, which ends the kernel too.
    #[serde(skip_serializing_if = "wire::is_false")]
    pub ended: bool,
    /// What the code gave to `sys.exit`, where the engine tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit_status: Option<ExitStatus>,
}

/// Tells what a cell used up, in metered units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Usage {
    /// Units of fuel.
    pub fuel: u64,
}

impl Outcome {
    /// Returns the outcome that an engine's report amounts to.
    pub(crate) fn new(report: CellReport) -> Self {
        let (text, stdout) = report.stdout.into_parts();
        let stdout_length = text.len();
        let mut stderr = report.stderr;
        let traceback = match report.ending {
            Ending::Raised => report.traceback.unwrap_or_default(),
            _ => String::new(),
        };
        stderr.push_str(&traceback);
        if let Some(status) = report
            .kernel
            .exit_status
            .as_ref()
            .filter(|status| !status.is_success())
        {
            if !stderr.is_empty() && !stderr.ends_with('\n') {
                stderr.push('\n');
            }
            stderr.push_str(&exit_notice(status));
        }
        let hint = hint::for_traceback(&traceback, &report.tools);
        let streams = output::Streams::new(stdout_length, stderr.len());
        let ended = report.ending == Ending::Exited;
        let verdict = Verdict::new(report.ending, output::with_stderr(text, &stderr), traceback);
        Self {
            status: verdict.status,
            output: verdict.output,
            exit_code: verdict.exit_code,
            tool_calls_made: report.tool_calls_made,
            duration_seconds: wire::rounded_seconds(report.duration),
            kernel: KernelInfo {
                ended,
                ..report.kernel
            },
            stdout,
            tool_errors: report.tool_errors,
            error: verdict.error,
            hint,
            usage: report.fuel.map(|fuel| Usage { fuel }),
            streams,
        }
    }

    /// Returns the part of `output` that the cell wrote to its standard output.
    pub fn stdout_text(&self) -> &str {
        self.streams.stdout(&self.output)
    }

    /// Returns the part of `output` that the cell wrote to its standard error, with the traceback of a cell that raised.
    pub fn stderr_text(&self) -> &str {
        self.streams.stderr(&self.output)
    }

    /// Returns the result as one line of JSON, in the documented order of keys.
    pub fn to_json(&self) -> String {
        wire::to_json(self)
    }
}

/// Tells in the stderr block what an exit that is no success gave as its reason.
fn exit_notice(status: &ExitStatus) -> String {
    format!("SystemExit: {status}\n")
}

/// The part of an outcome that depends on the ending.
struct Verdict {
    status: Status,
    exit_code: i32,
    output: String,
    error: Option<String>,
}

impl Verdict {
    fn new(ending: Ending, body: String, traceback: String) -> Self {
        match ending {
            Ending::Ok | Ending::Exited => Self {
                status: Status::Success,
                exit_code: 0,
                output: body,
                error: None,
            },
            Ending::Raised => {
                let error = if traceback.is_empty() {
                    RAISED_WITHOUT_TRACEBACK.to_owned()
                } else {
                    traceback
                };
                Self {
                    status: Status::Error,
                    exit_code: 1,
                    output: body,
                    error: Some(error),
                }
            }
            Ending::Timeout { limit_seconds } => {
                let message = format!("Cell timed out after {limit_seconds}s; {KERNEL_LOST}");
                let output = output::with_notice(body, TIMEOUT_SYMBOL, &message);
                Self::stopped(Status::Timeout, output, message)
            }
            Ending::Interrupted { reason } => {
                let output = output::with_interrupt_marker(body, reason.as_deref());
                Self::stopped(Status::Interrupted, output, INTERRUPTED.to_owned())
            }
            Ending::InterruptedWaiting { reason } => {
                let output = output::with_interrupt_marker(body, reason.as_deref());
                Self::stopped(Status::Interrupted, output, INTERRUPTED_WAITING.to_owned())
            }
            Ending::InterruptedUnapproved { reason } => {
                let output = output::with_interrupt_marker(body, reason.as_deref());
                Self::stopped(
                    Status::Interrupted,
                    output,
                    INTERRUPTED_UNAPPROVED.to_owned(),
                )
            }
            Ending::Died { detail } => {
                let error = match detail.as_deref().map(str::trim) {
                    None | Some("") => format!("{KERNEL_DIED}."),
                    Some(detail) => format!("{KERNEL_DIED}: {detail}"),
                };
                Self::stopped(Status::Error, body, error)
            }
            Ending::FuelExhausted { limit } => {
                let message = format!(
                    "Cell used up its fuel limit of {} units; {KERNEL_LOST}",
                    grouped(limit)
                );
                let output = output::with_notice(body, FUEL_SYMBOL, &message);
                Self::stopped(Status::Error, output, message)
            }
        }
    }

    fn stopped(status: Status, output: String, error: String) -> Self {
        Self {
            status,
            exit_code: STOPPED,
            output,
            error: Some(error),
        }
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use std::path::PathBuf;
    use std::time::Duration;

    use proptest::prelude::*;
    use serde_json::{Map, Value};

    use super::super::report::Stdout;
    use super::*;

    const KEYS: [&str; 16] = [
        "status",
        "output",
        "exit_code",
        "tool_calls_made",
        "duration_seconds",
        "kernel",
        "stdout_truncated",
        "stdout_bytes_captured",
        "stdout_bytes_total",
        "stdout_bytes_omitted",
        "warning",
        "stdout_spill_path",
        "tool_errors",
        "error",
        "hint",
        "usage",
    ];
    const ALWAYS_PRESENT: usize = 10;

    #[test]
    fn numbers_get_a_comma_before_each_group_of_three() {
        for (number, expected) in [
            (0, "0"),
            (999, "999"),
            (1_000, "1,000"),
            (123_456, "123,456"),
            (12_345_678, "12,345,678"),
        ] {
            assert_eq!(grouped(number), expected);
        }
    }

    fn endings() -> impl Strategy<Value = Ending> {
        prop_oneof![
            Just(Ending::Ok),
            Just(Ending::Raised),
            Just(Ending::Exited),
            any::<f64>().prop_map(|limit_seconds| Ending::Timeout { limit_seconds }),
            any::<Option<String>>().prop_map(|reason| Ending::Interrupted { reason }),
            any::<Option<String>>().prop_map(|detail| Ending::Died { detail }),
            any::<u64>().prop_map(|limit| Ending::FuelExhausted { limit }),
        ]
    }

    prop_compose! {
        fn stdouts()(
            text: String,
            truncated: bool,
            [bytes_captured, bytes_total, bytes_omitted]: [u64; 3],
            warning: Option<String>,
            spill_path: Option<String>,
        ) -> Stdout {
            let spill_path = spill_path.map(PathBuf::from);
            Stdout { text, truncated, bytes_captured, bytes_total, bytes_omitted, warning, spill_path }
        }
    }

    prop_compose! {
        fn reports()(
            ending in endings(),
            stdout in stdouts(),
            [stderr, tool, error]: [String; 3],
            traceback in prop_oneof![any::<Option<String>>(), Just(Some("No module named 'x'".to_owned()))],
            [tool_calls_made, execution_count]: [u64; 2],
            duration: Duration,
            [reused, state_reset]: [bool; 2],
            failures in 0_usize..6,
            tools: Vec<String>,
            fuel: Option<u64>,
        ) -> CellReport {
            let kernel = KernelInfo { reused, execution_count, state_reset, ended: false, exit_status: None };
            let tool_errors = vec![ToolFailure { tool, error }; failures];
            CellReport {
                ending, stdout, stderr, traceback, tool_calls_made, duration, kernel, tool_errors, tools, fuel,
            }
        }
    }

    proptest! {
        #[test]
        fn every_report_becomes_json_with_the_documented_keys_in_order(report in reports()) {
            let ending = report.ending.clone();
            let expected_text = report.stdout.text.clone();
            let json = Outcome::new(report).to_json();
            let object: Map<String, Value> = serde_json::from_str(&json).unwrap();

            let keys: Vec<&str> = object.keys().map(String::as_str).collect();
            let in_order: Vec<&str> = KEYS.into_iter().filter(|key| object.contains_key(*key)).collect();
            prop_assert_eq!(&keys, &in_order);
            prop_assert_eq!(&keys[..ALWAYS_PRESENT], &KEYS[..ALWAYS_PRESENT]);
            prop_assert!(!json.contains('\n'));

            let succeeded = matches!(ending, Ending::Ok | Ending::Exited);
            prop_assert_eq!(object["status"] == "success", succeeded);
            prop_assert_eq!(object.contains_key("error"), !succeeded);
            prop_assert!(object["output"].as_str().unwrap().starts_with(&expected_text));
            prop_assert_eq!(object["kernel"].get("ended").is_some(), ending == Ending::Exited);
        }
    }
}
