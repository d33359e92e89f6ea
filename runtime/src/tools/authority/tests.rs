//! The order of the refusals, the budget, and what ends a call.

#![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use std::future::{pending, poll_fn};
use std::pin::{Pin, pin};
use std::task::Poll;

use async_trait::async_trait;
use serde_json::{Map, Value, json};
use tokio::sync::Notify;

use super::super::events::Events;
use super::super::{Tool, ToolError, ToolOptions};
use super::*;

/// What the tool of a test does with its call.
enum Act {
    Echo,
    Fail,
    FailWith(String),
    Panic,
    /// Tells that it has begun, then never ends; tells when it is dropped.
    Hang {
        begun: Arc<Notify>,
        dropped: Arc<Notify>,
    },
}

struct Acting(&'static str, Act);

struct OnDrop<'a>(&'a Notify);

impl Drop for OnDrop<'_> {
    fn drop(&mut self) {
        self.0.notify_one();
    }
}

#[async_trait]
impl Tool for Acting {
    fn name(&self) -> &str {
        self.0
    }
    fn description(&self) -> &'static str {
        ""
    }
    fn parameters(&self) -> Value {
        json!({})
    }
    async fn call(
        &self,
        arguments: Map<String, Value>,
        context: &ToolContext,
    ) -> Result<ToolReply, ToolError> {
        match &self.1 {
            Act::Echo => ToolReply::json(&json!({"in": context.session(), "got": arguments})),
            Act::Fail => Err(ToolError::new("denied")),
            Act::FailWith(text) => Err(ToolError::new(text)),
            Act::Panic => panic!("on purpose"),
            Act::Hang { begun, dropped } => {
                let _guard = OnDrop(dropped);
                begun.notify_one();
                pending().await
            }
        }
    }
}

/// Polls a call once.
async fn poll_once(mut call: Pin<&mut impl Future<Output = String>>) -> Poll<String> {
    poll_fn(|task| Poll::Ready(call.as_mut().poll(task))).await
}

fn authority(act: Act) -> CellAuthority {
    authority_with_budget(act, 50)
}

fn authority_with_budget(act: Act, budget: u64) -> CellAuthority {
    let tools = ToolSet::builtin(&ToolOptions::default())
        .with(Acting("terminal", Act::Echo))
        .unwrap();
    let tools = tools.with(Acting("act", act)).unwrap();
    let allowed = vec!["act".to_owned(), "terminal".to_owned()];
    CellAuthority::new(Arc::new(tools), allowed, budget, ToolContext::new("s"))
}

fn error(text: &str) -> String {
    json!({"error": text}).to_string()
}

#[tokio::test]
async fn refusals_come_in_order_and_are_free() {
    let authority = authority_with_budget(Act::Echo, 1);
    let unavailable = |name| {
        error(&format!(
            "Tool '{name}' is not available in execute_code. Available: act, terminal"
        ))
    };
    let limit = error("Tool call limit reached (1). No more tool calls allowed in this execution.");
    // A malformed request is refused as such even if the tool is unknown.
    assert!(
        authority
            .call("delegate_task", b"{")
            .await
            .starts_with(r#"{"error":"Invalid RPC"#)
    );
    assert_eq!(
        authority.call("delegate_task", b"{}").await,
        unavailable("delegate_task")
    );
    // A tool of the set that the cell may not call looks like one that does not exist.
    assert_eq!(
        authority.call("read_file", b"{}").await,
        unavailable("read_file")
    );
    assert_eq!(authority.calls_made(), 0);
    assert_eq!(
        authority.call("act", b"{\"a\":1}").await,
        r#"{"in":"s","got":{"a":1}}"#
    );
    assert_eq!(authority.call("act", b"{}").await, limit);
    // The allow list is asked before the budget.
    assert_eq!(
        authority.call("read_file", b"{}").await,
        unavailable("read_file")
    );
    assert_eq!(authority.calls_made(), 1);
    assert_eq!(authority.take_errors(), []);
    authority.retire();
    assert_eq!(authority.call("nonsense", b"{").await, error(RETIRED));
}

#[tokio::test]
async fn a_budget_of_fifty_is_fifty_calls() {
    let authority = authority(Act::Echo);
    for _ in 0..50 {
        assert_eq!(authority.call("act", b"{}").await, r#"{"in":"s","got":{}}"#);
    }
    let last = authority.call("act", b"{}").await;
    assert!(
        last.starts_with(r#"{"error":"Tool call limit reached (50)."#),
        "{last}"
    );
}

#[tokio::test]
async fn blocked_parameters_never_reach_the_handler() {
    let authority = authority(Act::Echo);
    let arguments = br#"{"command":"ls","background":true,"pty":1,"notify_on_complete":true}"#;
    let reply = authority.call("terminal", arguments).await;
    assert_eq!(reply, r#"{"in":"s","got":{"command":"ls"}}"#);
    let reply = authority.call("act", br#"{"background":true}"#).await;
    assert_eq!(reply, r#"{"in":"s","got":{"background":true}}"#);
}

#[tokio::test]
async fn an_empty_allow_list_names_nothing() {
    let tools = Arc::new(ToolSet::builtin(&ToolOptions::default()));
    let authority = CellAuthority::new(tools, Vec::new(), 50, ToolContext::new("s"));
    assert_eq!(
        authority.call("read_file", b"{}").await,
        error("Tool 'read_file' is not available in execute_code. Available: ")
    );
}

#[tokio::test]
async fn failures_and_panics_are_error_dicts_and_are_kept() {
    let failing = authority(Act::Fail);
    assert_eq!(failing.call("act", b"{}").await, error("denied"));
    let [failure] = failing.take_errors().try_into().unwrap();
    assert_eq!(
        (failure.tool.as_str(), failure.error.as_str()),
        ("act", "denied")
    );

    let panicking = authority(Act::Panic);
    assert_eq!(
        panicking.call("act", b"{}").await,
        error("tool `act` panicked")
    );
    assert_eq!(
        panicking.call("terminal", b"{}").await,
        r#"{"in":"s","got":{}}"#
    );
    assert_eq!(panicking.calls_made(), 2);
}

#[tokio::test]
async fn a_secret_at_the_cut_of_an_error_is_gone() {
    for before in 270..=300 {
        let dots = ".".repeat(before - 1);
        let text = format!("\u{1b}[31m{dots} ghp_abcd\u{1b}[0mefghijklmnopqrst denied");
        let failing = authority(Act::FailWith(text));
        failing.call("act", b"{}").await;
        let [failure] = failing.take_errors().try_into().unwrap();
        let expected: String = format!("{dots} ghp_ab...qrst denied")
            .chars()
            .take(300)
            .collect();
        assert_eq!(failure.error, expected);
    }
}

#[tokio::test]
async fn a_call_that_is_dropped_is_logged_as_cancelled() {
    let events = Events::listen();
    let (begun, dropped) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let act = Act::Hang {
        begun: Arc::clone(&begun),
        dropped: Arc::clone(&dropped),
    };
    let authority = authority(act);
    tokio::select! {
        reply = authority.call("act", b"{\"a\":1}") => panic!("{reply}"),
        () = begun.notified() => {}
    }
    dropped.notified().await;
    let lines = events.lines();
    let [line] = lines.as_slice() else {
        panic!("{lines:?}");
    };
    assert!(line.contains("tool=\"act\""), "{line}");
    assert!(line.contains("error=\"cancelled\""), "{line}");
}

#[tokio::test]
async fn retiring_drops_the_running_call() {
    let (begun, dropped) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let act = Act::Hang {
        begun: Arc::clone(&begun),
        dropped: Arc::clone(&dropped),
    };
    let authority = Arc::new(authority(act));
    let call = tokio::spawn({
        let authority = Arc::clone(&authority);
        async move { authority.call("act", b"{}").await }
    });
    begun.notified().await;
    authority.retire();
    dropped.notified().await;
    assert_eq!(call.await.unwrap(), error(RETIRED));
    // The tool did not fail; its cell was over.
    assert_eq!(authority.take_errors(), []);
    assert_eq!(authority.call("act", b"{}").await, error(RETIRED));
    assert_eq!(authority.calls_made(), 1);
}

#[tokio::test]
async fn a_cell_that_is_stopped_gets_no_answer_to_its_calls_and_retiring_stops_no_cell() {
    let (begun, dropped) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let act = Act::Hang {
        begun: Arc::clone(&begun),
        dropped: Arc::clone(&dropped),
    };
    let tools = Arc::new(ToolSet::default().with(Acting("act", act)).unwrap());
    let context = ToolContext::new("s");
    let cell = context.cancellation().clone();
    let allowed = vec!["act".to_owned()];
    CellAuthority::new(Arc::clone(&tools), allowed.clone(), 50, context.clone()).retire();
    assert!(!cell.is_cancelled());
    let authority = CellAuthority::new(tools, allowed, 50, context);
    let stopped = async {
        begun.notified().await;
        cell.cancel();
        dropped.notified().await;
    };
    tokio::select! {
        reply = authority.call("act", b"{}") => panic!("{reply}"),
        () = stopped => {}
    }
    let mut later = pin!(authority.call("act", b"{}"));
    assert!(poll_once(later.as_mut()).await.is_pending());
}

#[test]
fn a_call_before_any_cell_is_refused() {
    assert_eq!(no_authority(), error(NOT_INSTALLED));
}

#[tokio::test]
async fn a_lone_surrogate_is_named_whatever_the_tool() {
    let tools = Arc::new(ToolSet::builtin(&ToolOptions::default()));
    let allowed: Vec<String> = tools.names().map(str::to_owned).collect();
    let authority = CellAuthority::new(tools, allowed.clone(), 50, ToolContext::new("s"));
    for name in allowed.iter().filter(|name| *name != "write_file") {
        assert_eq!(
            authority.call(name, br#"{"x": "\udc41"}"#).await,
            ToolReply::error(&format!(
                "{name}: the arguments contain a lone surrogate character ('\\udc41') that cannot be encoded as UTF-8."
            ))
        );
    }
}
