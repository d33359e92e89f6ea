//! Lines that are no calls: each is answered with an error of the protocol, and the server lives on.

use hermes_tests::Server;
use serde_json::{Value, json};

async fn is_healthy(server: &mut Server) {
    let result = server
        .call("execute_code", json!({"code": "print('healthy')"}))
        .await;
    assert_eq!(result["output"], "healthy\n");
}

#[tokio::test]
async fn a_line_that_is_no_call_is_answered_and_the_server_lives_on() {
    let mut server = Server::start([]);
    let rows: &[(&[u8], i64, Value)] = &[
        (b"nonsense", -32700, Value::Null),
        (b"{\"jsonrpc\":\"2.0\",\"id\":1", -32700, Value::Null),
        (b"\xff\xfe", -32700, Value::Null),
        (b"[]", -32600, Value::Null),
        (b"[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"interrupt\"}]", -32600, Value::Null),
        (b"7", -32600, Value::Null),
        (b"\"text\"", -32600, Value::Null),
        (b"null", -32600, Value::Null),
        (b"{}", -32600, Value::Null),
        (b"{\"jsonrpc\":\"1.0\",\"id\":\"a\",\"method\":\"interrupt\"}", -32600, json!("a")),
        (b"{\"id\":\"b\",\"method\":\"interrupt\"}", -32600, json!("b")),
        (b"{\"jsonrpc\":\"2.0\",\"id\":\"c\",\"method\":7}", -32600, json!("c")),
        (b"{\"jsonrpc\":\"2.0\",\"id\":\"d\"}", -32600, json!("d")),
        (b"{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"interrupt\"}", -32600, Value::Null),
        (b"{\"jsonrpc\":\"2.0\",\"id\":\"e\",\"method\":\"no_such_method\"}", -32601, json!("e")),
        (b"{\"jsonrpc\":\"2.0\",\"id\":\"f\",\"method\":\"EXECUTE_CODE\"}", -32601, json!("f")),
        (b"{\"jsonrpc\":\"2.0\",\"id\":\"g\",\"method\":\"interrupt\"}", -32602, json!("g")),
        (b"{\"jsonrpc\":\"2.0\",\"id\":\"h\",\"method\":\"interrupt\",\"params\":{\"session\":7}}", -32602, json!("h")),
        (b"{\"jsonrpc\":\"2.0\",\"id\":\"i\",\"method\":\"close_session\",\"params\":[\"a\"]}", -32602, json!("i")),
        (b"{\"jsonrpc\":\"2.0\",\"id\":\"j\",\"method\":\"execute_code\",\"params\":[\"print(1)\"]}", -32602, json!("j")),
    ];
    for (line, code, id) in rows {
        server.send_line(line).await;
        let answer = server.next_answer().await.unwrap();
        let shown = String::from_utf8_lossy(line);
        assert_eq!(
            (&answer["error"]["code"], &answer["id"]),
            (&json!(code), id),
            "{shown}: {answer}"
        );
        assert!(
            answer["error"]["message"]
                .as_str()
                .is_some_and(|message| !message.is_empty()),
            "{shown}"
        );
        assert!(answer.get("result").is_none(), "{shown}");
    }
    is_healthy(&mut server).await;
}

#[tokio::test]
async fn blank_lines_and_other_line_ends_are_no_calls() {
    let mut server = Server::start([]);
    server.send_line("").await;
    server.send_line("   ").await;
    server.send_line("{\"jsonrpc\":\"2.0\",\"id\":\"crlf\",\"method\":\"close_session\",\"params\":{\"session\":\"a\"}}\r").await;
    assert_eq!(
        server.answer("crlf").await["result"],
        json!({"closed": false})
    );
    is_healthy(&mut server).await;
}

#[tokio::test]
async fn arguments_that_are_refused_are_a_result() {
    let mut server = Server::start([]);
    for (params, error) in [
        (
            json!({}),
            "No code provided. execute_code requires a non-empty 'code' parameter containing Python source. To run shell commands, use terminal(command=...) instead.",
        ),
        (
            json!({"command": "ls"}),
            "execute_code received a 'command' parameter, but it requires Python source in 'code'. Use terminal(command=...) for shell commands; for Python, retry as execute_code(code=...).",
        ),
        (
            json!({"code": 7}),
            "execute_code received a int in 'code', but it requires Python source as a string. Retry as execute_code(code=\"...\").",
        ),
        (
            json!({"code": "1", "timeout": -1}),
            "execute_code received a negative number in 'timeout', but it requires a positive number of seconds.",
        ),
        (
            json!({"code": "1", "mode": "project"}),
            "mode `project` is not enabled in this runtime; hint: use mode `strict`",
        ),
    ] {
        assert_eq!(
            server.call("execute_code", params).await,
            json!({"error": error})
        );
    }
    is_healthy(&mut server).await;
}

#[tokio::test]
async fn numbers_that_json_does_not_have_are_no_json() {
    let mut server = Server::start([]);
    server.send_line("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"execute_code\",\"params\":{\"code\":\"1\",\"timeout\":NaN}}").await;
    assert_eq!(server.next_answer().await.unwrap()["error"]["code"], -32700);
    is_healthy(&mut server).await;
}

#[tokio::test]
async fn a_line_of_more_than_64_mib_is_skipped() {
    let mut server = Server::start([]);
    server.send_line(vec![b'x'; (64 << 20) + 1]).await;
    let answer = server.next_answer().await.unwrap();
    assert_eq!(
        (&answer["error"]["code"], &answer["id"]),
        (&json!(-32700), &Value::Null)
    );
    is_healthy(&mut server).await;
}

#[tokio::test]
async fn a_script_of_ten_megabytes_is_a_call_like_any_other() {
    let mut server = Server::start([]);
    let result = server
        .call(
            "execute_code",
            json!({"code": format!("print(len('{}'))", "x".repeat(10_000_000))}),
        )
        .await;
    assert_eq!(result["output"], "10000000\n");
}

#[tokio::test]
async fn an_id_comes_back_as_it_was() {
    let mut server = Server::start([]);
    for id in [
        "\"text\"",
        "7",
        "-1",
        "12345678901234567890123",
        "1.50",
        "null",
        "\"\\u00e9\"",
    ] {
        server.send_line(format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"close_session\",\"params\":{{\"session\":\"a\"}}}}")).await;
        let answer = server.next_answer().await.unwrap();
        let expected: Value = serde_json::from_str(id).unwrap();
        assert_eq!(answer["id"], expected);
        assert_eq!(answer["result"], json!({"closed": false}));
    }
}

#[tokio::test]
async fn a_notification_runs_and_is_not_answered() {
    let mut server = Server::start([]);
    server
        .notify("execute_code", json!({"code": "x = 42", "session": "a"}))
        .await;
    server.notify("no_such_method", json!({})).await;
    server
        .send_line("{\"jsonrpc\":\"2.0\",\"method\":\"execute_code\"}")
        .await;
    let id = server
        .request("execute_code", json!({"code": "print(x)", "session": "a"}))
        .await;
    let answer = server.next_answer().await.unwrap();
    assert_eq!(
        (&answer["id"], &answer["result"]["output"]),
        (&json!(id), &json!("42\n"))
    );
}

#[tokio::test]
async fn more_calls_than_can_be_in_flight_are_refused_and_not_lost() {
    let mut server = Server::start(["--max-sessions", "1"]);
    let blocker = server
        .request(
            "execute_code",
            json!({"code": "while True: pass", "session": "a"}),
        )
        .await;
    for _ in 0..1_023 {
        server
            .request("execute_code", json!({"code": "pass", "session": "a"}))
            .await;
    }
    let refused = server
        .request("execute_code", json!({"code": "pass", "session": "a"}))
        .await;
    assert_eq!(server.answer(refused).await["error"]["code"], -32000);
    server.interrupt(json!({"session": "a"})).await;
    assert_eq!(
        server.answer(blocker).await["result"]["status"],
        "interrupted"
    );
    for id in blocker + 1..refused {
        assert_eq!(
            server.answer(id).await["result"]["status"],
            "success",
            "{id}"
        );
    }
    is_healthy(&mut server).await;
}
