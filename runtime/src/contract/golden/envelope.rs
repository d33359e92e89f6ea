//! Golden results of calls that gave no cell result: refusals and failures around the cell.

use std::time::Duration;

use super::super::remote::python_is_missing;
use super::super::{ErrorResult, RefusalEnvelope};

#[test]
fn refusal_is_one_key() {
    let json = RefusalEnvelope::new("No — not \"that\"").to_json();
    assert_eq!(json, r#"{"error":"No — not \"that\""}"#);
}

#[test]
fn refusal_keeps_extra_keys_behind_the_error() {
    let json = RefusalEnvelope::new("BLOCKED")
        .with("already_read", 3)
        .with("a", true)
        .to_json();
    assert_eq!(json, r#"{"error":"BLOCKED","already_read":3,"a":true}"#);
}

#[test]
fn error_result_of_a_call_that_did_not_start_has_integer_zeros() {
    let json = ErrorResult::not_started("BLOCKED: no").to_json();
    assert_eq!(
        json,
        r#"{"status":"error","error":"BLOCKED: no","tool_calls_made":0,"duration_seconds":0}"#
    );
}

#[test]
fn error_result_with_a_user_summary_shows_it_last() {
    let json = ErrorResult::not_started("BLOCKED: no")
        .with_user_summary("Refused.")
        .to_json();
    assert_eq!(
        json,
        r#"{"status":"error","error":"BLOCKED: no","tool_calls_made":0,"duration_seconds":0,"user_summary":"Refused."}"#
    );
}

#[test]
fn error_result_of_a_failed_run_has_real_counters() {
    let json = ErrorResult::failed("broken pipe", 3, Duration::from_secs(2)).to_json();
    assert_eq!(
        json,
        r#"{"status":"error","error":"broken pipe","tool_calls_made":3,"duration_seconds":2.0}"#
    );
}

#[test]
fn missing_interpreter_is_an_error_result() {
    assert_eq!(
        python_is_missing("docker").to_json(),
        r#"{"status":"error","error":"Python 3 is not available in the docker terminal environment. Install Python to use execute_code with remote backends.","tool_calls_made":0,"duration_seconds":0}"#
    );
}
