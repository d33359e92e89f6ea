//! Arguments and answers of any size.

use hermes_runtime::{ByteSize, ToolReply};
use hermes_tests::{Case, Scripted, Session, builder, every_row, is_for_strict_only};
use serde_json::{Value, json};

/// A tool `blob(megabytes)` whose answer has that many megabytes of text.
fn blob() -> Scripted {
    let schema = json!({"type": "object", "properties": {"megabytes": {"type": "integer"}}, "required": ["megabytes"]});
    Scripted::new("blob", |arguments, _| {
        let megabytes = arguments["megabytes"]
            .as_u64()
            .and_then(|count| usize::try_from(count).ok())
            .unwrap_or_default();
        ToolReply::json(&json!({"text": "é".repeat(megabytes * 500_000), "done": true}))
    })
    .taking(schema)
}

#[tokio::test]
async fn answers_of_one_and_of_fifty_megabytes_arrive_whole() {
    let runtime = builder().tool(blob()).build().unwrap();
    every_row([1, 50], async |megabytes| {
        Case::new(format!("from hermes_tools import blob\nanswer = blob({megabytes})\nprint(len(answer['text']), set(answer['text']), answer['done'])"))
            .on(&runtime)
            .run()
            .await
            .succeeds()
            .output(&format!("{} {{'é'}} True\n", megabytes * 500_000));
    })
    .await;
}

#[tokio::test]
async fn an_answer_that_does_not_fit_is_a_memory_error_and_the_session_lives() {
    if is_for_strict_only("the memory of a process is not bounded by default") {
        return;
    }
    let session = Session::on(
        &builder()
            .tool(blob())
            .memory_limit(ByteSize::mebibytes(96))
            .build()
            .unwrap(),
    );
    session
        .run("from hermes_tools import blob\nblob(200)")
        .await
        .raises("MemoryError")
        .tool_calls(1);
    session
        .run("print(len(blob(1)['text']))")
        .await
        .succeeds()
        .output("500000\n")
        .kernel(true, 2);
}

#[tokio::test]
async fn arguments_of_fifty_megabytes_arrive_whole() {
    let size = Scripted::new("size", |arguments, _| {
        ToolReply::json(&arguments["text"].as_str().map(str::len))
    })
    .taking(
        json!({"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}),
    );
    let session = Session::on(&builder().tool(size).build().unwrap());
    session
        .run("from hermes_tools import size\nprint(size('x' * 50_000_000))")
        .await
        .succeeds()
        .output("50000000\n");
    session.is_healthy().await;
}

#[tokio::test]
async fn arguments_beyond_their_limit_are_an_error_of_the_call() {
    let session = Session::on(&builder().tool(blob()).build().unwrap());
    session
        .run("from hermes_tools import blob\nprint(blob('x' * (65 << 20))['error'][:34])")
        .await
        .succeeds()
        .output("Invalid RPC request: the arguments\n");
    session.is_healthy().await;
}

#[tokio::test]
async fn an_answer_that_is_no_json_is_a_text() {
    let tool = Scripted::new("odd", |_, _| Ok(ToolReply::raw("not json")));
    let runtime = builder().tool(tool).build().unwrap();
    Case::new("from hermes_tools import odd\nprint(repr(odd()))")
        .on(&runtime)
        .run()
        .await
        .succeeds()
        .output("'not json'\n");
}

#[tokio::test]
async fn a_deep_answer_is_a_recursion_error_of_python() {
    let tool = Scripted::new("deep", |_, _| {
        Ok(ToolReply::raw(format!(
            "{}{}",
            "[".repeat(100_000),
            "]".repeat(100_000)
        )))
    });
    let session = Session::on(&builder().tool(tool).build().unwrap());
    session
        .run("from hermes_tools import deep\ndeep()")
        .await
        .raises("RecursionError: maximum recursion depth exceeded while decoding a JSON array from a unicode string");
    session.is_healthy().await;
}

#[tokio::test]
async fn failures_in_answers_are_shown_and_errors_that_are_none_are_not() {
    every_row(
        [
            (json!({"error": "denied"}), Some("denied")),
            (json!({"ok": 1, "error": "late"}), Some("late")),
            (json!({"error": {"code": 7}}), Some("{\"code\":7}")),
            (json!({"error": null}), None),
            (json!({"error": ""}), None),
            (json!({"error": false}), None),
            (json!({"errors": "no"}), None),
            (json!(["error"]), None),
            (json!("{\"error\": \"a text\"}"), None),
        ],
        async |(answer, shown)| {
            let tool = Scripted::new("give", |arguments, _| ToolReply::json(&arguments["answer"]))
                .taking(json!({"type": "object", "properties": {"answer": {}}}));
            let runtime = builder().tool(tool).build().unwrap();
            let text = Value::from(answer.to_string()).to_string();
            let finished = Case::new(format!(
                "import json\nfrom hermes_tools import give\nanswer = give(json.loads({text}))"
            ))
            .on(&runtime)
            .run()
            .await;
            finished.succeeds();
            let errors: Vec<_> = finished
                .outcome()
                .tool_errors
                .iter()
                .map(|failure| failure.error.as_str())
                .collect();
            assert_eq!(errors, Vec::from_iter(shown), "{answer}");
        },
    )
    .await;
}
