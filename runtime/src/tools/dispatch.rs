//! One dispatched call: from the arguments' text to the reply's text, whatever the tool does.
//!
//! A tool that fails or panics answers with an error dict; it never takes its cell or the host down.

use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::Poll;

use serde_json::{Map, Value};

use super::json_fault::JsonFault;
use super::set::TERMINAL;
use super::{Tool, ToolContext, ToolReply};
use crate::guard::python_type;

/// Parameters of `terminal` that a script cannot use: they make processes that outlive the call.
const BLOCKED_TERMINAL_PARAMETERS: [&str; 7] = [
    "background",
    "pty",
    "notify",
    "notify_on_complete",
    "watch_patterns",
    "heartbeat",
    "persist_on_release",
];

/// Parses the text of a call's arguments; the error is the reply that says what is wrong with it.
pub(super) fn parse_arguments(json: &[u8]) -> Result<Map<String, Value>, String> {
    let invalid = |detail: &dyn std::fmt::Display| {
        ToolReply::error(&format!("Invalid RPC request: {detail}"))
    };
    match serde_json::from_slice(json) {
        Ok(Value::Object(arguments)) => Ok(arguments),
        Ok(other) => {
            let type_name = python_type(&other);
            Err(invalid(&format_args!(
                "arguments must be an object, got {type_name}"
            )))
        }
        Err(error) => Err(invalid(&JsonFault::new(json, &error))),
    }
}

/// Removes what a script may not pass to the tool.
pub(super) fn strip_arguments(tool: &str, arguments: &mut Map<String, Value>) {
    if tool == TERMINAL {
        arguments.retain(|name, _| !BLOCKED_TERMINAL_PARAMETERS.contains(&name.as_str()));
    }
}

/// What came out of a dispatched call.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Reply {
    pub(super) json: String,
    /// The message, if the tool failed instead of answering.
    pub(super) failure: Option<String>,
}

impl Reply {
    pub(super) fn failed(message: String) -> Self {
        Self {
            json: ToolReply::error(&message),
            failure: Some(message),
        }
    }
}

/// Calls the tool.
pub(super) async fn dispatch(
    tool: &dyn Tool,
    arguments: Map<String, Value>,
    context: &ToolContext,
) -> Reply {
    // The inner block makes the tool's future within the guarded poll, for that can panic too.
    let mut call = pin!(async { tool.call(arguments, context).await });
    // A future that panicked is not polled again, and what the tool itself left half done is the tool's own affair.
    let guarded =
        poll_fn(
            |task| match catch_unwind(AssertUnwindSafe(|| call.as_mut().poll(task))) {
                Ok(poll) => poll.map(Some),
                Err(_) => Poll::Ready(None),
            },
        );
    match guarded.await {
        Some(Ok(reply)) => Reply {
            json: reply.into_json(),
            failure: None,
        },
        Some(Err(error)) => Reply::failed(error.to_string()),
        None => Reply::failed(format!("tool `{}` panicked", tool.name())),
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use serde_json::json;

    use super::*;

    #[test]
    fn malformed_arguments_are_named() {
        let rows: [(&[u8], &str); 6] = [
            (
                b"",
                "Invalid RPC request: Expecting value (line 1, column 1)",
            ),
            (
                b"[1]",
                "Invalid RPC request: arguments must be an object, got list",
            ),
            (
                b"null",
                "Invalid RPC request: arguments must be an object, got NoneType",
            ),
            (
                b"{\"a\": NaN}",
                "Invalid RPC request: NaN is not valid JSON (line 1, column 7)",
            ),
            (
                b"{\"a\": \"\\ud800\"}",
                "Invalid RPC request: unexpected end of hex escape (line 1, column 14)",
            ),
            (
                b"{\"a\": \"\xff\"}",
                "Invalid RPC request: invalid unicode code point (line 1, column 8)",
            ),
        ];
        for (json, expected) in rows {
            assert_eq!(parse_arguments(json), Err(ToolReply::error(expected)));
        }
    }

    #[test]
    fn a_depth_bomb_is_an_error() {
        let bomb = format!("{{\"a\":{}", "[".repeat(1_000_000));
        assert_eq!(
            parse_arguments(bomb.as_bytes()),
            Err(ToolReply::error(
                "Invalid RPC request: recursion limit exceeded (line 1, column 132)"
            ))
        );
    }

    #[test]
    fn only_terminal_loses_parameters() {
        let all: Map<String, Value> = BLOCKED_TERMINAL_PARAMETERS
            .iter()
            .map(|&name| (name.to_owned(), json!(true)))
            .collect();
        let mut arguments = all.clone();
        arguments.insert("command".to_owned(), json!("ls"));
        strip_arguments("terminal", &mut arguments);
        assert_eq!(Value::from(arguments), json!({"command": "ls"}));
        let mut kept = all.clone();
        strip_arguments("other", &mut kept);
        assert_eq!(kept, all);
    }

    #[test]
    fn arguments_keep_their_order() {
        let arguments = parse_arguments(br#"{"z":1,"a":2}"#).unwrap();
        assert_eq!(Value::from(arguments).to_string(), r#"{"z":1,"a":2}"#);
    }
}
