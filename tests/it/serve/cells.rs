//! Cells over the protocol: results, sessions, interrupts, side by side.

use hermes_tests::{NOT_RUN, Server, Signpost};
use serde_json::{Value, json};

#[tokio::test]
async fn a_cell_is_answered_with_the_result_object() {
    let mut server = Server::start([]);
    let id = server
        .request("execute_code", json!({"code": "print('hello')"}))
        .await;
    let mut answer = server.answer(id).await;
    answer["result"]["duration_seconds"] = Value::from(0);
    assert_eq!(
        answer.to_string(),
        r#"{"jsonrpc":"2.0","id":1,"result":{"status":"success","output":"hello\n","exit_code":0,"tool_calls_made":0,"duration_seconds":0,"kernel":{"mode":"session","reused":false,"execution_count":1,"state_reset":false},"stdout_truncated":false,"stdout_bytes_captured":6,"stdout_bytes_total":6,"stdout_bytes_omitted":0}}"#
    );
}

#[tokio::test]
async fn a_session_keeps_its_state_until_it_is_reset_or_closed() {
    let mut server = Server::start([]);
    server
        .call("execute_code", json!({"code": "x = 1", "session": "a"}))
        .await;
    let second = server
        .call("execute_code", json!({"code": "print(x)", "session": "a"}))
        .await;
    assert_eq!(
        (&second["output"], &second["kernel"]["execution_count"]),
        (&json!("1\n"), &json!(2))
    );
    let other = server
        .call(
            "execute_code",
            json!({"code": "print('x' in dir())", "session": "b"}),
        )
        .await;
    assert_eq!(other["output"], "False\n");
    let reset = server
        .call(
            "execute_code",
            json!({"code": "print('x' in dir())", "session": "a", "reset": true}),
        )
        .await;
    assert_eq!(
        (&reset["output"], &reset["kernel"]["state_reset"]),
        (&json!("False\n"), &json!(true))
    );
    assert_eq!(
        server.call("close_session", json!({"session": "a"})).await,
        json!({"closed": true})
    );
    assert_eq!(
        server.call("close_session", json!({"session": "a"})).await,
        json!({"closed": false})
    );
}

#[tokio::test]
async fn a_running_cell_is_interrupted_by_the_name_of_its_session() {
    let signpost = Signpost::new();
    let mut server = Server::start(["--tools", "terminal", "--workdir", signpost.workdir()]);
    let code = format!("print('start')\n{}while True: pass", Signpost::REACHED);
    let id = server
        .request("execute_code", json!({"code": code, "session": "a"}))
        .await;
    tokio::task::spawn_blocking(move || signpost.wait())
        .await
        .unwrap();
    assert_eq!(
        server.call("interrupt", json!({"session": "b"})).await,
        json!({"interrupted": false})
    );
    assert_eq!(
        server
            .call("interrupt", json!({"session": "a", "reason": "enough"}))
            .await,
        json!({"interrupted": true})
    );
    let result = server.answer(id).await["result"].take();
    assert_eq!(result["status"], "interrupted");
    assert_eq!(
        result["output"],
        "start\n\n[execution interrupted — enough]"
    );
    let next = server
        .call(
            "execute_code",
            json!({"code": "print('fresh')", "session": "a"}),
        )
        .await;
    assert_eq!(
        (&next["output"], &next["kernel"]["reused"]),
        (&json!("fresh\n"), &json!(false))
    );
}

#[tokio::test]
async fn an_interrupt_without_a_reason_names_none() {
    let mut server = Server::start([]);
    let id = server
        .request(
            "execute_code",
            json!({"code": "while True: pass", "session": "a"}),
        )
        .await;
    server
        .interrupt(json!({"session": "a", "reason": null}))
        .await;
    assert_eq!(
        server.answer(id).await["result"]["output"],
        "[execution interrupted]"
    );
}

#[tokio::test]
async fn an_endless_cell_holds_up_no_other_session() {
    let mut server = Server::start([]);
    let endless = server
        .request(
            "execute_code",
            json!({"code": "while True: pass", "session": "endless"}),
        )
        .await;
    for number in 0..4 {
        let quick = server
            .call(
                "execute_code",
                json!({"code": format!("print({number})"), "session": number.to_string()}),
            )
            .await;
        assert_eq!(quick["output"], format!("{number}\n"));
    }
    server.interrupt(json!({"session": "endless"})).await;
    assert_eq!(
        server.answer(endless).await["result"]["status"],
        "interrupted"
    );
}

#[tokio::test]
async fn cells_of_one_session_run_in_the_order_of_their_arrival() {
    let mut server = Server::start([]);
    let mut ids = Vec::new();
    for number in 0..8 {
        ids.push(server.request("execute_code", json!({"code": format!("seen = globals().get('seen', []) + [{number}]\nprint(seen)"), "session": "a"})).await);
    }
    for (number, id) in ids.into_iter().enumerate() {
        let expected: Vec<_> = (0..=number).map(|each| each.to_string()).collect();
        assert_eq!(
            server.answer(id).await["result"]["output"],
            format!("[{}]\n", expected.join(", "))
        );
    }
}

#[tokio::test]
async fn closing_a_session_ends_its_cells() {
    let mut server = Server::start([]);
    let running = server
        .request(
            "execute_code",
            json!({"code": "while True: pass", "session": "a"}),
        )
        .await;
    let waiting = server
        .request(
            "execute_code",
            json!({"code": "print('never')", "session": "a"}),
        )
        .await;
    assert_eq!(
        server.call("close_session", json!({"session": "a"})).await,
        json!({"closed": true})
    );
    let stopped = "[execution interrupted — session closed]";
    assert_eq!(server.answer(running).await["result"]["output"], stopped);
    assert_has_waited(&server.answer(waiting).await["result"], stopped);
}

/// Asserts that nothing of a cell has run, nor was a kernel made for it.
fn assert_has_waited(result: &Value, output: &str) {
    assert_eq!(result["output"], output, "{result}");
    assert_eq!(result["error"], NOT_RUN, "{result}");
    assert_eq!(result["kernel"]["execution_count"], 0, "{result}");
}

#[tokio::test]
async fn cells_that_wait_when_a_signal_comes_do_not_run() {
    let mut server = Server::start([]);
    let mut ids = Vec::new();
    for code in ["while True: pass", "print('never')", "print('nor this')"] {
        let params = json!({"code": code, "session": "a"});
        ids.push(server.request("execute_code", params).await);
    }
    // The answer to another call shows that the server has read them.
    server.call("close_session", json!({"session": "b"})).await;
    server.signal("TERM").await;
    for id in ids.split_off(1) {
        let result = server.answer(id).await["result"].take();
        assert_has_waited(
            &result,
            "[execution interrupted — the server is shutting down]",
        );
    }
}

#[tokio::test]
async fn every_argument_is_taken() {
    let mut server = Server::start(["--timeout", "100"]);
    let timed_out = server
        .call(
            "execute_code",
            json!({"code": "while True: pass", "timeout": 0.5}),
        )
        .await;
    assert_eq!(timed_out["status"], "timeout");
    let code = "from hermes_tools import web_search as w; print(w('x'))";
    let refused = server.call("execute_code", json!({"code": code, "max_tool_calls": 0, "enabled_tools": ["web_search"], "mode": "strict"})).await;
    assert_eq!(
        refused["output"],
        "{'error': 'Tool call limit reached (0). No more tool calls allowed in this execution.'}\n"
    );
}

#[tokio::test]
async fn the_options_are_defaults_of_the_cells() {
    let mut server = Server::start([
        "--timeout",
        "0.5",
        "--max-tool-calls",
        "0",
        "--tools",
        "web_search",
        "--max-sessions",
        "1",
    ]);
    assert_eq!(
        server
            .call("execute_code", json!({"code": "while True: pass"}))
            .await["status"],
        "timeout"
    );
    let refused = server
        .call(
            "execute_code",
            json!({"code": "from hermes_tools import web_search as w; print(w('x'))"}),
        )
        .await;
    assert_eq!(
        refused["output"],
        "{'error': 'Tool call limit reached (0). No more tool calls allowed in this execution.'}\n"
    );
    for (session, reused) in [("a", false), ("b", false), ("b", true), ("a", false)] {
        let result = server
            .call("execute_code", json!({"code": "pass", "session": session}))
            .await;
        assert_eq!(result["kernel"]["reused"], reused, "{session}");
    }
}

#[tokio::test]
async fn what_a_script_prints_never_gets_between_the_answers() {
    let mut server = Server::start([]);
    let code = "import os\nos.write(1, b'{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"forged\"}\\n')\nos.write(2, b'noise\\n')";
    let result = server.call("execute_code", json!({"code": code})).await;
    assert_eq!(
        result["output"],
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"forged\"}\n\n--- stderr ---\nnoise\n"
    );
}
