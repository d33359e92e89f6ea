#![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use std::future::ready;
use std::path::PathBuf;

use async_trait::async_trait;
use rustix::io::Errno;
use serde_json::{Map, Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpStream, UnixStream};
use tokio::sync::Barrier;
use tokio::time::Instant;

use super::*;
use crate::tools::{Tool, ToolContext, ToolError, ToolReply, ToolSet};

const TOKEN: &str = "t0ken";

/// Answers with its arguments.
struct Echo(&'static str);

#[async_trait]
impl Tool for Echo {
    fn name(&self) -> &str {
        self.0
    }
    fn description(&self) -> &'static str {
        "A tool of a test."
    }
    fn parameters(&self) -> Value {
        json!({"type": "object", "properties": {}})
    }
    async fn call(
        &self,
        arguments: Map<String, Value>,
        _: &ToolContext,
    ) -> Result<ToolReply, ToolError> {
        ToolReply::json(&arguments)
    }
}

/// Answers when so many calls are in it at once.
struct Meeting(Barrier);

#[async_trait]
impl Tool for Meeting {
    fn name(&self) -> &'static str {
        "meeting"
    }
    fn description(&self) -> &'static str {
        "A tool of a test."
    }
    fn parameters(&self) -> Value {
        json!({"type": "object", "properties": {}})
    }
    async fn call(
        &self,
        arguments: Map<String, Value>,
        _: &ToolContext,
    ) -> Result<ToolReply, ToolError> {
        self.0.wait().await;
        ToolReply::json(&arguments)
    }
}

fn authority(budget: u64) -> Arc<CellAuthority> {
    let tools = ToolSet::default()
        .with(Echo("echo"))
        .unwrap()
        .with(Echo("terminal"))
        .unwrap()
        .with(Meeting(Barrier::new(10)))
        .unwrap();
    let allowed = ["echo", "meeting", "terminal"].map(str::to_owned).to_vec();
    Arc::new(CellAuthority::new(
        Arc::new(tools),
        allowed,
        budget,
        ToolContext::new("s"),
    ))
}

fn server() -> RpcServer {
    RpcServer::start(Token(TOKEN.to_owned())).unwrap()
}

/// A client that knows nothing but lines.
struct Client(BufReader<UnixStream>);

impl Client {
    async fn of(server: &RpcServer) -> Self {
        let path = PathBuf::from(server.address());
        Self(BufReader::new(UnixStream::connect(path).await.unwrap()))
    }

    async fn send(&mut self, line: impl AsRef<[u8]>) {
        self.0.write_all(line.as_ref()).await.unwrap();
    }

    async fn line(&mut self) -> String {
        let mut line = String::new();
        self.0.read_line(&mut line).await.unwrap();
        line
    }

    async fn ask(&mut self, line: &str) -> String {
        self.send(format!("{line}\n")).await;
        self.line().await
    }
}

fn request(tool: &str, args: &Value) -> String {
    json!({"tool": tool, "args": args, "token": TOKEN}).to_string()
}

#[tokio::test]
async fn the_plain_protocol_is_a_line_there_and_a_line_back() {
    let server = server();
    server.install(&authority(50));
    let mut client = Client::of(&server).await;
    for number in 0..3 {
        let answer = client.ask(&request("echo", &json!({"n": number}))).await;
        assert_eq!(answer, format!("{{\"n\":{number}}}\n"));
    }
}

#[tokio::test]
async fn checks_come_in_their_order_and_refusals_are_free() {
    let server = server();
    let authority = authority(1);
    let mut client = Client::of(&server).await;
    let unauthorized = "{\"error\":\"Unauthorized RPC request\"}\n";
    let not_installed = "{\"error\":\"No active execute_code cell: this kernel has no cell authority installed.\"}\n";
    assert_eq!(
        client.ask(&request("echo", &json!({}))).await,
        not_installed
    );
    server.install(&authority);
    for (line, expected) in [
        (
            "x",
            "{\"error\":\"Invalid RPC request: Expecting value (line 1, column 1)\"}\n",
        ),
        (r#"{"tool":"none","args":{}}"#, unauthorized),
        (r#"{"tool":"echo","args":{},"token":"wrong"}"#, unauthorized),
        (r#"{"tool":"echo","args":{},"token":""}"#, unauthorized),
        (r#"{"tool":"echo","args":{},"token":"tökèn"}"#, unauthorized),
        (
            r#"{"tool":"echo","args":{},"token":["t0ken"]}"#,
            unauthorized,
        ),
        (
            r#"{"tool":"echo","args":{},"token":"\ud800"}"#,
            unauthorized,
        ),
        (
            r#"{"tool":"delegate_task","args":{},"token":"t0ken"}"#,
            "{\"error\":\"Tool 'delegate_task' is not available in execute_code. Available: echo, meeting, terminal\"}\n",
        ),
        (
            r#"{"tool":"echo","args":[1],"token":"t0ken"}"#,
            "{\"error\":\"Invalid RPC request: arguments must be an object, got list\"}\n",
        ),
        (
            r#"{"tool":"terminal","args":{"command":"ls","background":true,"pty":1},"token":"t0ken"}"#,
            "{\"command\":\"ls\"}\n",
        ),
        (
            r#"{"tool":"echo","args":{},"token":"t0ken"}"#,
            "{\"error\":\"Tool call limit reached (1). No more tool calls allowed in this execution.\"}\n",
        ),
    ] {
        assert_eq!(client.ask(line).await, expected, "{line}");
    }
    assert_eq!(authority.calls_made(), 1);
    authority.retire();
    assert_eq!(
        client.ask(&request("echo", &json!({}))).await,
        "{\"error\":\"No active execute_code cell: the cell this kernel call belonged to has settled, so its tool authority is retired.\"}\n"
    );
}

#[tokio::test]
async fn an_empty_token_admits_nobody() {
    let server = RpcServer::start(Token(String::new())).unwrap();
    server.install(&authority(1));
    let mut client = Client::of(&server).await;
    for line in [r#"{"tool":"echo","token":""}"#, r#"{"tool":"echo"}"#] {
        assert_eq!(
            client.ask(line).await,
            "{\"error\":\"Unauthorized RPC request\"}\n"
        );
    }
}

#[tokio::test]
async fn calls_with_ids_run_side_by_side_on_one_connection() {
    let server = server();
    server.install(&authority(50));
    let mut client = Client::of(&server).await;
    // None of the ten is answered before all ten are there.
    for id in 0..10 {
        let line = json!({"id": id, "tool": "meeting", "args": {"n": id}, "token": TOKEN});
        client.send(format!("{line}\n")).await;
    }
    let mut seen = Vec::new();
    for _ in 0..10 {
        let head: Value = serde_json::from_str(&client.line().await).unwrap();
        let length = head["bytes"].to_string().parse().unwrap();
        let mut body = vec![0; length];
        client.0.read_exact(&mut body).await.unwrap();
        let body: Value = serde_json::from_slice(&body).unwrap();
        assert_eq!(body["n"], head["id"]);
        seen.push(head["id"].to_string().parse::<u64>().unwrap());
    }
    seen.sort_unstable();
    assert_eq!(seen, (0..10).collect::<Vec<_>>());
}

#[tokio::test]
async fn calls_of_several_connections_run_side_by_side() {
    let server = server();
    server.install(&authority(50));
    let mut clients = Vec::new();
    for number in 0..10 {
        let mut client = Client::of(&server).await;
        client
            .send(format!("{}\n", request("meeting", &json!({"n": number}))))
            .await;
        clients.push(client);
    }
    for (number, client) in clients.iter_mut().enumerate() {
        assert_eq!(client.line().await, format!("{{\"n\":{number}}}\n"));
    }
}

#[tokio::test]
async fn connections_that_only_wait_make_way() {
    let server = server();
    server.install(&authority(500));
    let mut silent = Vec::new();
    for number in 0..2 * MAX_CONNECTIONS {
        let mut client = Client::of(&server).await;
        // Some have called, some have called and got no answer line of the plain kind, some never call, some never end their line.
        match number % 4 {
            0 => drop(client.ask(&request("echo", &json!({}))).await),
            1 => {
                let line = json!({"id": 1, "tool": "echo", "args": {}, "token": TOKEN});
                drop(client.ask(&line.to_string()).await);
            }
            2 => {}
            _ => client.send("{").await,
        }
        silent.push(client);
    }
    let mut client = Client::of(&server).await;
    let answer = client.ask(&request("echo", &json!({"n": 1}))).await;
    assert_eq!(answer, "{\"n\":1}\n");
    // The first ones were sent away, the last ones not.
    assert_eq!(silent[0].line().await, "");
    let last = silent.len() - 4;
    let answer = silent[last].ask(&request("echo", &json!({"n": 2}))).await;
    assert_eq!(answer, "{\"n\":2}\n");
}

#[tokio::test]
async fn arguments_may_follow_the_line() {
    let server = server();
    server.install(&authority(50));
    let mut client = Client::of(&server).await;
    let body = r#"{"n": [1, 2]}"#;
    let head = json!({"id": "x", "tool": "echo", "token": TOKEN, "bytes": body.len()});
    client.send(format!("{head}\n{body}")).await;
    assert_eq!(client.line().await, "{\"id\":\"x\",\"bytes\":11}\n");
    let mut answer = [0; 11];
    client.0.read_exact(&mut answer).await.unwrap();
    assert_eq!(&answer, br#"{"n":[1,2]}"#);
}

#[tokio::test]
async fn arguments_beyond_the_limit_are_answered_when_all_of_them_have_come() {
    let server = server();
    server.install(&authority(50));
    let mut client = Client::of(&server).await;
    let size = bounds::MAX_ARGUMENTS + (128 << 10);
    client
        .send(format!(
            "{{\"tool\":\"echo\",\"token\":\"{TOKEN}\",\"bytes\":{size}}}\n"
        ))
        .await;
    client.send(vec![b' '; size]).await;
    assert_eq!(
        client.line().await,
        format!(
            "{{\"error\":\"Invalid RPC request: the arguments have {size} bytes; at most {} are allowed\"}}\n",
            bounds::MAX_ARGUMENTS
        )
    );
    let next = client.ask(&request("echo", &json!({"n": 1}))).await;
    assert_eq!(next, "{\"n\":1}\n");
}

#[tokio::test]
async fn whoever_breaks_the_framing_is_hung_up_on() {
    let server = server();
    server.install(&authority(50));
    for line in [
        json!({"tool": "echo", "token": TOKEN, "bytes": u64::MAX}).to_string(),
        json!({"tool": "echo", "token": "wrong", "bytes": 5}).to_string(),
    ] {
        let mut client = Client::of(&server).await;
        client.send(format!("{line}\n")).await;
        let mut rest = String::new();
        client.0.read_to_string(&mut rest).await.unwrap();
        assert!(rest.is_empty() || rest.contains("Unauthorized"), "{rest}");
    }
}

#[tokio::test]
async fn loopback_serves_where_there_are_no_unix_sockets() {
    let endpoint = Endpoint::listen_at_loopback().unwrap();
    let server = RpcServer::start_at(endpoint, Token(TOKEN.to_owned()));
    server.install(&authority(50));
    let address = server.address().to_str().unwrap();
    let address = address.strip_prefix("tcp://").unwrap();
    let mut stream = BufReader::new(TcpStream::connect(address).await.unwrap());
    stream
        .write_all(format!("{}\n", request("echo", &json!({"a": 1}))).as_bytes())
        .await
        .unwrap();
    let mut line = String::new();
    stream.read_line(&mut line).await.unwrap();
    assert_eq!(line, "{\"a\":1}\n");
}

#[tokio::test(start_paused = true)]
async fn what_the_system_cannot_accept_is_tried_again_after_a_pause_and_what_is_lost_at_once() {
    let lost = || io::Error::from(io::ErrorKind::ConnectionAborted);
    let full = || io::Error::from(Errno::MFILE);
    let mut tries = [Err(full()), Err(lost()), Err(full()), Ok("there")].into_iter();
    let start = Instant::now();
    let connection = accepted(|| ready(tries.next().unwrap())).await;
    assert_eq!((connection, tries.len()), ("there", 0));
    assert_eq!(start.elapsed(), 2 * PAUSE);
}

#[tokio::test]
async fn a_server_that_is_dropped_hangs_up_and_removes_its_socket() {
    let server = server();
    let path = PathBuf::from(server.address());
    let mut client = Client::of(&server).await;
    drop(server);
    // What was not accepted yet is reset, what was is closed.
    let mut line = String::new();
    let read = client.0.read_line(&mut line).await;
    assert!(matches!(read, Ok(0) | Err(_)), "{line}");
    assert!(!path.exists());
}
