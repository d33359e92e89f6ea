//! Golden results of code that ran on another machine, in a kernel or as a script.

use std::time::Duration;

use super::super::ToolErrors;
use super::super::remote::{
    RemoteEnding, RemoteOutcome, RemoteReport, ScriptOutcome, ScriptReport,
};
use super::sample::{stdout, truncated_stdout};

fn remote(ending: RemoteEnding, text: &str) -> RemoteReport {
    RemoteReport {
        ending,
        stdout: stdout(text),
        stderr: String::new(),
        traceback: String::new(),
        tool_calls_made: 0,
        duration: Duration::from_secs(2),
        reused: true,
        execution_count: 2,
        state_reset: false,
        previous_gone: false,
        tool_errors: Vec::new(),
    }
}

#[track_caller]
fn assert_remote(report: RemoteReport, head: &str, kernel_end: &str, tail: &str) {
    let size = report.stdout.bytes_total;
    let expected = format!(
        r#"{{{head},"tool_calls_made":0,"duration_seconds":2.0,"kernel":{{"reused":true,"remote":true{kernel_end}}},"stdout_truncated":false,"stdout_bytes_captured":{size},"stdout_bytes_total":{size},"stdout_bytes_omitted":0{tail}}}"#
    );
    assert_eq!(RemoteOutcome::new(report).to_json(), expected);
}

#[test]
fn remote_cell_has_no_exit_code() {
    let head = r#""status":"success","output":"42\n""#;
    assert_remote(
        remote(RemoteEnding::Ok, "42\n"),
        head,
        r#","execution_count":2"#,
        "",
    );
}

#[test]
fn remote_cell_that_exits_ends_its_kernel() {
    let head = r#""status":"success","output":"q""#;
    assert_remote(
        remote(RemoteEnding::Exited, "q"),
        head,
        r#","execution_count":2,"ended":true"#,
        "",
    );
}

#[test]
fn remote_cell_that_raises_has_only_the_last_line_as_error() {
    let report = RemoteReport {
        stderr: "w\n".to_owned(),
        traceback: "Traceback\n  x\nNameError: name 'retry' is not defined\n".to_owned(),
        ..remote(RemoteEnding::Raised, "")
    };
    assert_remote(
        report,
        r#""status":"error","output":"\n--- stderr ---\nw\nTraceback\n  x\nNameError: name 'retry' is not defined\n""#,
        r#","execution_count":2"#,
        r#","error":"NameError: name 'retry' is not defined""#,
    );
    assert_remote(
        remote(RemoteEnding::Raised, ""),
        r#""status":"error","output":"""#,
        r#","execution_count":2"#,
        r#","error":"Cell raised an exception.""#,
    );
}

#[test]
fn remote_timeout_loses_the_state_and_says_so_in_the_note() {
    assert_remote(
        remote(RemoteEnding::Timeout { limit_seconds: 2.0 }, "a"),
        r#""status":"timeout","output":"a\n\n⏰ Cell timed out after 2s; the remote session kernel was killed and its state was lost. The next call starts fresh.""#,
        r#","ended":true,"state_lost":true,"note":"Cell timed out; the remote session kernel was killed and its state was lost. The next call starts a fresh kernel.""#,
        r#","error":"Cell timed out after 2s; the remote session kernel was killed and its state was lost. The next call starts fresh.""#,
    );
}

#[test]
fn unreadable_remote_reply_is_a_protocol_failure() {
    assert_remote(
        remote(RemoteEnding::ProtocolFailure, ""),
        r#""status":"error","output":"""#,
        r#","ended":true,"state_lost":true,"note":"Remote kernel protocol failure; kernel killed, state lost.""#,
        r#","error":"Remote kernel protocol failure; kernel killed, state lost.""#,
    );
}

#[test]
fn vanished_remote_kernel_is_noted_on_the_next_cell() {
    let report = RemoteReport {
        previous_gone: true,
        state_reset: true,
        ..remote(RemoteEnding::Ok, "")
    };
    assert_remote(
        report,
        r#""status":"success","output":"""#,
        r#","execution_count":2,"state_lost":true,"state_reset":true,"note":"The previous remote kernel was gone (transport drop, container restart, or idle self-exit); state from earlier calls was lost and a fresh kernel was started.""#,
        "",
    );
}

#[test]
fn remote_cell_shows_warning_spill_and_tool_errors_before_the_error() {
    let mut errors = ToolErrors::default();
    errors.record("patch", r#"{"error":"no match"}"#, str::to_owned);
    let report = RemoteReport {
        stdout: truncated_stdout(),
        traceback: "E: x".to_owned(),
        tool_calls_made: 1,
        tool_errors: errors.into_failures(),
        ..remote(RemoteEnding::Raised, "")
    };
    assert_eq!(
        RemoteOutcome::new(report).to_json(),
        r#"{"status":"error","output":"aé\n--- stderr ---\nE: x","tool_calls_made":1,"duration_seconds":2.0,"kernel":{"reused":true,"remote":true,"execution_count":2},"stdout_truncated":true,"stdout_bytes_captured":50000,"stdout_bytes_total":60001,"stdout_bytes_omitted":10001,"warning":"too long","stdout_spill_path":"/spill/stdout-0.txt","tool_errors":[{"tool":"patch","error":"no match"}],"error":"E: x"}"#
    );
}

fn script(exit_code: i32, text: &str) -> ScriptReport {
    ScriptReport {
        exit_code,
        limit_seconds: 300.0,
        interrupt_reason: None,
        stdout: stdout(text),
        tool_calls_made: 0,
        duration: Duration::from_millis(250),
        tool_errors: Vec::new(),
    }
}

#[track_caller]
fn assert_script(report: ScriptReport, head: &str, tail: &str) {
    let size = report.stdout.bytes_total;
    let expected = format!(
        r#"{{{head},"tool_calls_made":0,"duration_seconds":0.25,"stdout_truncated":false,"stdout_bytes_captured":{size},"stdout_bytes_total":{size},"stdout_bytes_omitted":0{tail}}}"#
    );
    assert_eq!(ScriptOutcome::new(report).to_json(), expected);
}

#[test]
fn script_that_ends_well_has_no_kernel() {
    assert_script(
        script(0, "ok\n"),
        r#""status":"success","output":"ok\n","exit_code":0"#,
        "",
    );
}

#[test]
fn script_that_timed_out_is_told_by_its_exit_code() {
    assert_script(
        script(124, "a"),
        r#""status":"timeout","output":"a\n\n⏰ Script timed out after 300s and was killed.","exit_code":124"#,
        r#","error":"Script timed out after 300s and was killed.""#,
    );
}

#[test]
fn interrupted_script_has_a_marker_and_no_error() {
    assert_script(
        script(130, "a"),
        r#""status":"interrupted","output":"a\n[execution interrupted]","exit_code":130"#,
        "",
    );
    let report = ScriptReport {
        interrupt_reason: Some("stop".to_owned()),
        ..script(130, "")
    };
    assert_script(
        report,
        r#""status":"interrupted","output":"[execution interrupted — stop]","exit_code":130"#,
        "",
    );
}

#[test]
fn failed_script_names_its_exit_code() {
    for code in [1, 2, -9] {
        let head = format!(r#""status":"error","output":"","exit_code":{code}"#);
        let tail = format!(r#","error":"Script exited with code {code}""#);
        assert_script(script(code, ""), &head, &tail);
    }
}

#[test]
fn script_shows_warning_spill_and_tool_errors_before_the_error() {
    let mut errors = ToolErrors::default();
    errors.record("patch", r#"{"error":"no match"}"#, str::to_owned);
    let report = ScriptReport {
        stdout: truncated_stdout(),
        tool_calls_made: 1,
        tool_errors: errors.into_failures(),
        ..script(1, "")
    };
    assert_eq!(
        ScriptOutcome::new(report).to_json(),
        r#"{"status":"error","output":"aé","exit_code":1,"tool_calls_made":1,"duration_seconds":0.25,"stdout_truncated":true,"stdout_bytes_captured":50000,"stdout_bytes_total":60001,"stdout_bytes_omitted":10001,"warning":"too long","stdout_spill_path":"/spill/stdout-0.txt","tool_errors":[{"tool":"patch","error":"no match"}],"error":"Script exited with code 1"}"#
    );
}
