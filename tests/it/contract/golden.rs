//! Whole results as JSON texts, key order included. Only the duration is taken out.

use hermes_tests::{Case, Finished, Scripted, Session, builder};
use serde_json::Value;

/// Returns the JSON text with the one value that differs from run to run put to zero.
fn golden(finished: &Finished) -> String {
    let mut json: Value = finished.json();
    assert!(
        json["duration_seconds"]
            .as_f64()
            .is_some_and(|seconds| seconds >= 0.0)
    );
    json["duration_seconds"] = Value::from(0);
    json.to_string()
}

#[tokio::test]
async fn a_cell_that_succeeds() {
    let finished = Case::new("x=41\n1+1").run().await;
    assert_eq!(
        golden(&finished),
        r#"{"status":"success","output":"","exit_code":0,"tool_calls_made":0,"duration_seconds":0,"kernel":{"mode":"session","reused":false,"execution_count":1,"state_reset":false},"stdout_truncated":false,"stdout_bytes_captured":0,"stdout_bytes_total":0,"stdout_bytes_omitted":0}"#
    );
}

#[tokio::test]
async fn a_cell_that_raises() {
    let finished = Case::new("print('before');1/0").run().await;
    assert_eq!(
        golden(&finished),
        r#"{"status":"error","output":"before\n\n--- stderr ---\nTraceback (most recent call last):\n  File \"<cell>\", line 1, in <module>\n    print('before');1/0\n                    ~^~\nZeroDivisionError: division by zero\n","exit_code":1,"tool_calls_made":0,"duration_seconds":0,"kernel":{"mode":"session","reused":false,"execution_count":1,"state_reset":false},"stdout_truncated":false,"stdout_bytes_captured":7,"stdout_bytes_total":7,"stdout_bytes_omitted":0,"error":"Traceback (most recent call last):\n  File \"<cell>\", line 1, in <module>\n    print('before');1/0\n                    ~^~\nZeroDivisionError: division by zero\n"}"#
    );
}

#[tokio::test]
async fn a_cell_that_exits() {
    let finished = Case::new("print('q');import sys;sys.exit(3)").run().await;
    assert_eq!(
        golden(&finished),
        r#"{"status":"success","output":"q\n","exit_code":0,"tool_calls_made":0,"duration_seconds":0,"kernel":{"mode":"session","reused":false,"execution_count":1,"state_reset":false,"ended":true},"stdout_truncated":false,"stdout_bytes_captured":2,"stdout_bytes_total":2,"stdout_bytes_omitted":0}"#
    );
}

#[tokio::test]
async fn a_cell_that_times_out() {
    let finished = Case::new("print('s')\nwhile True: pass")
        .timeout_ms(1_000)
        .run()
        .await;
    let message = "Cell timed out after 1s; the session kernel was killed and its state was lost. The next execute_code call starts a fresh kernel.";
    assert_eq!(
        golden(&finished),
        format!(
            r#"{{"status":"timeout","output":"s\n\n\n⏰ {message}","exit_code":-1,"tool_calls_made":0,"duration_seconds":0,"kernel":{{"mode":"session","reused":false,"execution_count":1,"state_reset":false}},"stdout_truncated":false,"stdout_bytes_captured":2,"stdout_bytes_total":2,"stdout_bytes_omitted":0,"error":"{message}"}}"#
        )
    );
}

#[tokio::test]
async fn a_cell_that_is_interrupted() {
    let case = Case::new("print('never')");
    case.interrupt_handle()
        .interrupt(Some("the budget is spent"));
    assert_eq!(
        golden(&case.run().await),
        r#"{"status":"interrupted","output":"[execution interrupted — the budget is spent]","exit_code":-1,"tool_calls_made":0,"duration_seconds":0,"kernel":{"mode":"session","reused":false,"execution_count":1,"state_reset":false},"stdout_truncated":false,"stdout_bytes_captured":0,"stdout_bytes_total":0,"stdout_bytes_omitted":0,"error":"Interrupted; the session kernel was killed and its state was lost."}"#
    );
}

#[tokio::test]
async fn a_cell_whose_kernel_dies() {
    let finished = Case::new("import os;print('x');os._exit(4)").run().await;
    assert_eq!(
        golden(&finished),
        r#"{"status":"error","output":"x\n","exit_code":-1,"tool_calls_made":0,"duration_seconds":0,"kernel":{"mode":"session","reused":false,"execution_count":1,"state_reset":false},"stdout_truncated":false,"stdout_bytes_captured":2,"stdout_bytes_total":2,"stdout_bytes_omitted":0,"error":"The session kernel died while running the cell: the interpreter exited with code 4"}"#
    );
}

#[tokio::test]
async fn a_cell_with_tool_errors_and_a_hint() {
    let runtime = builder()
        .tool(Scripted::new("fail", |_, _| {
            Err(hermes_runtime::ToolError::new("denied"))
        }))
        .build()
        .unwrap();
    let finished = Case::new("from hermes_tools import fail\nfail()\nimport json_pars_x")
        .on(&runtime)
        .run()
        .await;
    assert_eq!(
        golden(&finished),
        r#"{"status":"error","output":"\n--- stderr ---\nTraceback (most recent call last):\n  File \"<cell>\", line 3, in <module>\n    import json_pars_x\nModuleNotFoundError: No module named 'json_pars_x'\n","exit_code":1,"tool_calls_made":1,"duration_seconds":0,"kernel":{"mode":"session","reused":false,"execution_count":1,"state_reset":false},"stdout_truncated":false,"stdout_bytes_captured":0,"stdout_bytes_total":0,"stdout_bytes_omitted":0,"tool_errors":[{"tool":"fail","error":"denied"}],"error":"Traceback (most recent call last):\n  File \"<cell>\", line 3, in <module>\n    import json_pars_x\nModuleNotFoundError: No module named 'json_pars_x'\n","hint":"'json_pars_x' is not installed in the sandbox interpreter. Use Python stdlib inside execute_code, or run the code via terminal() with the project venv's python instead."}"#
    );
}

#[tokio::test]
async fn a_truncated_cell_has_its_keys_in_their_place() {
    let place = tempfile::tempdir().unwrap();
    let runtime = builder()
        .spill_dir(place.path().to_path_buf())
        .build()
        .unwrap();
    let finished = Case::new("print('a'*60000)\n1/0").on(&runtime).run().await;
    let json = finished.json();
    let keys: Vec<_> = json
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    assert_eq!(
        keys,
        [
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
            "error",
        ]
    );
}

#[tokio::test]
async fn a_result_is_one_line_and_keeps_its_letters() {
    let finished = Session::fresh().run("print('ä漢🐍\\n\\t\"')").await;
    let json = finished.outcome().to_json();
    assert!(
        json.starts_with(r#"{"status":"success","output":"ä漢🐍\n\t\"\n","exit_code":0,"#),
        "{json}"
    );
    assert!(!json.contains('\n'), "{json}");
}
