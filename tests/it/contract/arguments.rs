//! The arguments of a call, and the words with which wrong ones are refused.

use hermes_runtime::{Mode, Request, RuntimeError};
use hermes_tests::{Case, every_row, shared};
use serde_json::{Value, json};

const NO_CODE: &str = "No code provided. execute_code requires a non-empty 'code' parameter containing Python source. To run shell commands, use terminal(command=...) instead.";

async fn refusal(arguments: Value) -> String {
    match Request::from_arguments(&arguments) {
        Err(refusal) => refusal.to_string(),
        Ok(request) => shared().execute(request).await.unwrap_err().to_string(),
    }
}

#[tokio::test]
async fn code_that_is_missing_or_blank_is_refused() {
    every_row(
        [
            json!({"code": ""}),
            json!({"code": "   \n"}),
            json!({"code": null}),
            json!({}),
        ],
        async |arguments| {
            assert_eq!(refusal(arguments).await, NO_CODE);
        },
    )
    .await;
    let error = Case::new(" \t\n").refused().await;
    assert!(error.is_refusal());
    assert_eq!(error.to_json(), json!({"error": NO_CODE}).to_string());
}

#[tokio::test]
async fn a_command_in_place_of_code_is_sent_to_the_terminal() {
    assert_eq!(
        refusal(json!({"command": "ls"})).await,
        "execute_code received a 'command' parameter, but it requires Python source in 'code'. Use terminal(command=...) for shell commands; for Python, retry as execute_code(code=...)."
    );
}

#[tokio::test]
async fn code_that_is_no_text_is_named_by_its_type() {
    every_row([(json!(["a"]), "list"), (json!({"a": 1}), "dict"), (json!(3), "int"), (json!(true), "bool"), (json!(1.5), "float")], async |(code, name)| {
        assert_eq!(
            refusal(json!({"code": code})).await,
            format!("execute_code received a {name} in 'code', but it requires Python source as a string. Retry as execute_code(code=\"...\").")
        );
    })
    .await;
}

#[tokio::test]
async fn limits_that_are_none_are_refused() {
    every_row([
        (json!({"code": "1", "timeout": -1}), "execute_code received a negative number in 'timeout', but it requires a positive number of seconds."),
        (json!({"code": "1", "timeout": 0}), "execute_code received zero in 'timeout', but it requires a positive number of seconds."),
        (json!({"code": "1", "timeout": "NaN"}), "execute_code received a string in 'timeout', but it requires a positive number of seconds."),
        (json!({"code": "1", "max_tool_calls": -1}), "execute_code received a negative number in 'max_tool_calls', but it requires a non-negative integer."),
        (json!({"code": "1", "mode": "bogus"}), "execute_code received the unknown name 'bogus' in 'mode', but it requires 'strict' or 'project'."),
        (json!({"code": "1", "enabled_tools": "terminal"}), "execute_code received a string in 'enabled_tools', but it requires a list of strings."),
        (json!({"code": "1", "reset": 1}), "execute_code received an int in 'reset', but it requires true or false."),
    ], async |(arguments, message)| {
        assert_eq!(refusal(arguments).await, message);
    })
    .await;
}

#[tokio::test]
async fn every_argument_has_its_effect() {
    let call = |arguments: Value| async move {
        shared()
            .execute(Request::from_arguments(&arguments).unwrap())
            .await
            .unwrap()
    };
    let name = "arguments-have-their-effect";
    let first =
        call(json!({"code": "x = 1", "session": name, "enabled_tools": ["web_search", "unknown"]}))
            .await;
    assert!(!first.kernel.reused);
    let second = call(json!({"code": "import hermes_tools\nprint(x, hermes_tools.__all__)", "session": name, "enabled_tools": ["web_search"], "unknown": 7})).await;
    assert_eq!(
        second.output,
        "1 ['json_parse', 'retry', 'shell_quote', 'web_search']\n"
    );
    let third = call(json!({"code": "print('x' in dir())", "session": name, "enabled_tools": ["web_search"], "reset": true, "mode": " STRICT "})).await;
    assert_eq!(
        (third.output.as_str(), third.kernel.state_reset),
        ("False\n", true)
    );
    let fourth = call(json!({"code": "while True: pass", "timeout": 0.5})).await;
    assert_eq!(fourth.exit_code, -1);
    let fifth = call(json!({"code": "from hermes_tools import web_search\nprint(web_search('x'))", "max_tool_calls": 0})).await;
    assert_eq!(
        fifth.output,
        "{'error': 'Tool call limit reached (0). No more tool calls allowed in this execution.'}\n"
    );
    shared().close_session(name);
}

#[tokio::test]
async fn the_project_mode_is_refused_where_there_is_none() {
    let error = shared()
        .execute(Request::new("print(1)").mode(Mode::Project))
        .await
        .unwrap_err();
    assert!(matches!(error, RuntimeError::ModeUnavailable("project")) && error.is_refusal());
    assert_eq!(
        error.to_json(),
        r#"{"error":"mode `project` is not enabled in this runtime; hint: use mode `strict`"}"#
    );
}
