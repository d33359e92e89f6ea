//! How a server ends: after its input, by a signal, without its reader.

use hermes_tests::{EndlessLine, Server};
use serde_json::json;

#[tokio::test]
async fn the_end_of_the_input_lets_running_cells_end() {
    let mut server = Server::start([]);
    let id = server
        .request("execute_code", json!({"code": "print(sum(range(10**6)))"}))
        .await;
    server.close_input();
    assert_eq!(
        server.answer(id).await["result"]["output"],
        "499999500000\n"
    );
    assert_eq!(server.next_answer().await, None);
    assert_eq!(server.end().await, (Some(0), String::new()));
}

#[tokio::test]
async fn a_signal_interrupts_the_cells_and_answers_them() {
    for signal in ["INT", "TERM", "HUP"] {
        // The tests themselves may run where the end of a terminal is ignored.
        let mut server = Server::start_by(&["env", "--default-signal=HUP"], &[]);
        // The answer to another call shows that the server reads; the endless cell is then in flight.
        let id = server
            .request(
                "execute_code",
                json!({"code": "while True: pass", "session": "a"}),
            )
            .await;
        server.call("close_session", json!({"session": "b"})).await;
        server.signal(signal).await;
        let result = server.answer(id).await["result"].take();
        assert_eq!(result["status"], "interrupted", "{signal}");
        assert_eq!(
            result["output"], "[execution interrupted — the server is shutting down]",
            "{signal}"
        );
        assert_eq!(server.next_answer().await, None);
        assert_eq!(server.end().await.0, Some(130), "{signal}");
    }
}

#[tokio::test]
async fn a_server_under_nohup_outlives_the_terminal() {
    let mut server = Server::start_by(&["env", "--ignore-signal=HUP"], &[]);
    server.call("close_session", json!({"session": "b"})).await;
    server.signal("HUP").await;
    let result = server
        .call("execute_code", json!({"code": "print('lives')"}))
        .await;
    assert_eq!(result["output"], "lives\n");
    server.close_input();
    assert_eq!(server.end().await.0, Some(0));
}

#[tokio::test]
async fn a_search_in_one_long_line_keeps_no_server_from_ending() {
    let line = EndlessLine::write();
    let mut server = Server::start(["--workdir", line.workdir()]);
    let params = json!({"code": EndlessLine::SEARCH, "timeout": 2});
    let result = server.call("execute_code", params).await;
    assert_eq!(result["status"], "timeout");
    server.close_input();
    assert_eq!(server.next_answer().await, None);
    assert_eq!(server.end().await.0, Some(0));
}

#[tokio::test]
async fn a_server_without_calls_ends_with_its_input() {
    let mut server = Server::start([]);
    server.close_input();
    assert_eq!(server.next_answer().await, None);
    assert_eq!(server.end().await, (Some(0), String::new()));
}

#[tokio::test]
async fn a_last_line_without_its_end_is_a_call() {
    let mut server = Server::start([]);
    server.send("{\"jsonrpc\":\"2.0\",\"id\":\"last\",\"method\":\"execute_code\",\"params\":{\"code\":\"print(1)\"}}").await;
    server.close_input();
    assert_eq!(server.answer("last").await["result"]["output"], "1\n");
}
