//! Golden results of cells that ran in a session kernel on this machine.

use std::time::Duration;

use super::super::{CellReport, Ending, ExitStatus, KernelInfo, Outcome, ToolErrors};
use super::sample::{stdout, truncated_stdout};

const TRACEBACK: &str = "Traceback (most recent call last):\n  File \"<cell>\", line 1, in <module>\n\
                         ZeroDivisionError: division by zero\n";

fn local(ending: Ending, text: &str) -> CellReport {
    CellReport {
        ending,
        stdout: stdout(text),
        stderr: String::new(),
        traceback: None,
        tool_calls_made: 0,
        duration: Duration::from_millis(1_014),
        kernel: KernelInfo {
            reused: false,
            execution_count: 1,
            state_reset: false,
            ended: false,
            exit_status: None,
        },
        tool_errors: Vec::new(),
        tools: vec!["terminal".to_owned(), "read_file".to_owned()],
        fuel: None,
    }
}

/// Completes what differs between local rows with the keys in the middle that do not.
#[track_caller]
fn assert_local(report: CellReport, head: &str, kernel_end: &str, tail: &str) {
    let size = report.stdout.bytes_total;
    let expected = format!(
        r#"{{{head},"tool_calls_made":0,"duration_seconds":1.01,"kernel":{{"mode":"session","reused":false,"execution_count":1,"state_reset":false{kernel_end}}},"stdout_truncated":false,"stdout_bytes_captured":{size},"stdout_bytes_total":{size},"stdout_bytes_omitted":0{tail}}}"#
    );
    assert_eq!(Outcome::new(report).to_json(), expected);
}

#[test]
fn silent_cell_has_every_counter() {
    let report = CellReport {
        duration: Duration::ZERO,
        ..local(Ending::Ok, "")
    };
    assert_eq!(
        Outcome::new(report).to_json(),
        r#"{"status":"success","output":"","exit_code":0,"tool_calls_made":0,"duration_seconds":0.0,"kernel":{"mode":"session","reused":false,"execution_count":1,"state_reset":false},"stdout_truncated":false,"stdout_bytes_captured":0,"stdout_bytes_total":0,"stdout_bytes_omitted":0}"#
    );
}

#[test]
fn cell_with_everything_optional_shows_it_in_order() {
    let mut errors = ToolErrors::default();
    errors.record("terminal", r#"{"error":"denied"}"#, str::to_owned);
    let report = CellReport {
        stdout: truncated_stdout(),
        traceback: Some("ModuleNotFoundError: No module named 'x'".to_owned()),
        tool_calls_made: 2,
        kernel: KernelInfo {
            reused: true,
            execution_count: 7,
            state_reset: true,
            ended: false,
            exit_status: None,
        },
        tool_errors: errors.into_failures(),
        fuel: Some(12_345),
        ..local(Ending::Raised, "")
    };
    assert_eq!(
        Outcome::new(report).to_json(),
        r#"{"status":"error","output":"aé\n--- stderr ---\nModuleNotFoundError: No module named 'x'","exit_code":1,"tool_calls_made":2,"duration_seconds":1.01,"kernel":{"mode":"session","reused":true,"execution_count":7,"state_reset":true},"stdout_truncated":true,"stdout_bytes_captured":50000,"stdout_bytes_total":60001,"stdout_bytes_omitted":10001,"warning":"too long","stdout_spill_path":"/spill/stdout-0.txt","tool_errors":[{"tool":"terminal","error":"denied"}],"error":"ModuleNotFoundError: No module named 'x'","hint":"'x' is not installed in the sandbox interpreter. Use Python stdlib inside execute_code, or run the code via terminal() with the project venv's python instead.","usage":{"fuel":12345}}"#
    );
}

#[test]
fn successful_cell_shows_stdout() {
    assert_local(
        local(Ending::Ok, "42\n"),
        r#""status":"success","output":"42\n","exit_code":0"#,
        "",
        "",
    );
}

#[test]
fn successful_cell_shows_stderr_behind_its_marker() {
    let report = CellReport {
        stderr: "e\n".to_owned(),
        ..local(Ending::Ok, "")
    };
    assert_local(
        report,
        r#""status":"success","output":"\n--- stderr ---\ne\n","exit_code":0"#,
        "",
        "",
    );
}

#[test]
fn raising_cell_shows_the_traceback_behind_stderr_and_in_error() {
    let report = CellReport {
        stderr: "warned\n".to_owned(),
        traceback: Some(TRACEBACK.to_owned()),
        ..local(Ending::Raised, "before\n")
    };
    assert_local(
        report,
        r#""status":"error","output":"before\n\n--- stderr ---\nwarned\nTraceback (most recent call last):\n  File \"<cell>\", line 1, in <module>\nZeroDivisionError: division by zero\n","exit_code":1"#,
        "",
        r#","error":"Traceback (most recent call last):\n  File \"<cell>\", line 1, in <module>\nZeroDivisionError: division by zero\n""#,
    );
}

#[test]
fn raising_cell_without_a_traceback_says_that_it_raised() {
    for traceback in [None, Some(String::new())] {
        assert_local(
            CellReport {
                traceback,
                ..local(Ending::Raised, "")
            },
            r#""status":"error","output":"","exit_code":1"#,
            "",
            r#","error":"Cell raised an exception.""#,
        );
    }
}

#[test]
fn exiting_cell_is_a_success_that_ends_its_kernel() {
    let report = CellReport {
        traceback: Some("SystemExit: 3".to_owned()),
        ..local(Ending::Exited, "q\n")
    };
    assert_local(
        report,
        r#""status":"success","output":"q\n","exit_code":0"#,
        r#","ended":true"#,
        "",
    );
}

#[test]
fn exiting_cell_whose_engine_tells_shows_what_it_gave() {
    for (exit_status, kernel_end, output) in [
        (ExitStatus::Code(0), "0", "q"),
        (
            ExitStatus::Code(3),
            "3",
            r"q\n--- stderr ---\ne\nSystemExit: 3\n",
        ),
        (
            ExitStatus::Message("bye".to_owned()),
            r#""bye""#,
            r"q\n--- stderr ---\ne\nSystemExit: bye\n",
        ),
    ] {
        let mut report = local(Ending::Exited, "q");
        if !exit_status.is_success() {
            report.stderr = "e".to_owned();
        }
        report.kernel.exit_status = Some(exit_status);
        assert_local(
            report,
            &format!(r#""status":"success","output":"{output}","exit_code":0"#),
            &format!(r#","ended":true,"exit_status":{kernel_end}"#),
            "",
        );
    }
}

#[test]
fn timed_out_cell_without_output_shows_the_notice_alone() {
    assert_local(
        local(Ending::Timeout { limit_seconds: 1.0 }, ""),
        r#""status":"timeout","output":"⏰ Cell timed out after 1s; the session kernel was killed and its state was lost. The next execute_code call starts a fresh kernel.","exit_code":-1"#,
        "",
        r#","error":"Cell timed out after 1s; the session kernel was killed and its state was lost. The next execute_code call starts a fresh kernel.""#,
    );
}

#[test]
fn timed_out_cell_keeps_stdout_and_stderr_before_the_notice() {
    let report = CellReport {
        stderr: "e".to_owned(),
        ..local(Ending::Timeout { limit_seconds: 0.5 }, "s")
    };
    assert_local(
        report,
        r#""status":"timeout","output":"s\n--- stderr ---\ne\n\n⏰ Cell timed out after 0.5s; the session kernel was killed and its state was lost. The next execute_code call starts a fresh kernel.","exit_code":-1"#,
        "",
        r#","error":"Cell timed out after 0.5s; the session kernel was killed and its state was lost. The next execute_code call starts a fresh kernel.""#,
    );
}

#[test]
fn interrupted_cell_gets_its_marker_on_a_new_line() {
    let lost = r#","error":"Interrupted; the session kernel was killed and its state was lost.""#;
    for (reason, text, output) in [
        (None, "", "[execution interrupted]"),
        (Some(""), "", "[execution interrupted]"),
        (None, "a", r"a\n[execution interrupted]"),
        (
            Some("new message"),
            "",
            "[execution interrupted — new message]",
        ),
        (
            Some("new message"),
            "a",
            r"a\n[execution interrupted — new message]",
        ),
    ] {
        let head = format!(r#""status":"interrupted","output":"{output}","exit_code":-1"#);
        let ending = Ending::Interrupted {
            reason: reason.map(str::to_owned),
        };
        assert_local(local(ending, text), &head, "", lost);
    }
}

#[test]
fn dead_kernel_shows_what_it_left() {
    for (detail, error) in [
        (None, "The session kernel died while running the cell."),
        (
            Some(" \n"),
            "The session kernel died while running the cell.",
        ),
        (
            Some("segfault\n"),
            "The session kernel died while running the cell: segfault",
        ),
    ] {
        let tail = format!(r#","error":"{error}""#);
        let ending = Ending::Died {
            detail: detail.map(str::to_owned),
        };
        assert_local(
            local(ending, "raw\n"),
            r#""status":"error","output":"raw\n","exit_code":-1"#,
            "",
            &tail,
        );
    }
}

#[test]
fn cell_out_of_fuel_keeps_its_output_and_names_the_limit() {
    let report = CellReport {
        fuel: Some(1_000_000),
        ..local(Ending::FuelExhausted { limit: 1_000_000 }, "a\n")
    };
    assert_local(
        report,
        r#""status":"error","output":"a\n\n\n⛽ Cell used up its fuel limit of 1,000,000 units; the session kernel was killed and its state was lost. The next execute_code call starts a fresh kernel.","exit_code":-1"#,
        "",
        r#","error":"Cell used up its fuel limit of 1,000,000 units; the session kernel was killed and its state was lost. The next execute_code call starts a fresh kernel.","usage":{"fuel":1000000}"#,
    );
}
