//! What `terminal` answers, key for key, and which calls it does not serve.

#![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use std::fs;
use std::sync::Arc;

use serde_json::json;
use tempfile::TempDir;

use super::*;
use crate::fs::{Grants, Scope};

struct Place {
    _place: TempDir,
    context: ToolContext,
}

impl Place {
    fn new() -> Self {
        let place = tempfile::tempdir().unwrap();
        let scope = Arc::new(Scope::open(place.path()).unwrap());
        Self {
            _place: place,
            context: ToolContext::new("s").with_grants(Arc::new(Grants::of(scope))),
        }
    }

    fn root(&self) -> String {
        self.context.workdir().unwrap().to_str().unwrap().to_owned()
    }

    async fn reply(&self, arguments: Value) -> String {
        call(arguments, &self.context).await
    }

    async fn run(&self, command: &str) -> Value {
        serde_json::from_str(&self.reply(json!({"command": command})).await).unwrap()
    }
}

async fn call(arguments: Value, context: &ToolContext) -> String {
    let Value::Object(arguments) = arguments else {
        panic!("not an object")
    };
    Terminal::new(&TerminalOptions::default())
        .call(arguments, context)
        .await
        .unwrap()
        .into_json()
}

fn not_run(error: &str, status: &str) -> String {
    json!({"output": "", "exit_code": -1, "error": error, "status": status}).to_string()
}

#[tokio::test]
async fn output_and_exit_code_are_the_answer() {
    let place = Place::new();
    assert_eq!(
        place
            .reply(json!({"command": "echo hi; echo err >&2; exit 3", "timeout": null}))
            .await,
        r#"{"output":"hi\nerr","exit_code":3,"error":null}"#
    );
    let grep = place.reply(json!({"command": "grep nope /dev/null"})).await;
    assert_eq!(
        grep,
        r#"{"output":"","exit_code":1,"error":null,"exit_code_meaning":"No matches found (not an error)"}"#
    );
}

#[tokio::test]
async fn a_changed_directory_is_told_once_and_kept() {
    let place = Place::new();
    fs::create_dir(place.context.workdir().unwrap().join("d")).unwrap();
    let below = format!("{}/d", place.root());
    assert_eq!(
        place.reply(json!({"command": "cd d && pwd"})).await,
        format!(r#"{{"output":"{below}","exit_code":0,"error":null,"cwd":"{below}"}}"#)
    );
    let again = place.run("pwd").await;
    assert_eq!((&again["output"], again.get("cwd")), (&json!(below), None));
    let elsewhere = place
        .reply(json!({"command": "cd /; pwd", "workdir": "/tmp"}))
        .await;
    assert_eq!(elsewhere, r#"{"output":"/","exit_code":0,"error":null}"#);
    assert_eq!(place.run("pwd").await["output"], below);
}

#[tokio::test]
async fn a_command_at_its_time_limit_keeps_its_output() {
    let place = Place::new();
    assert_eq!(
        place
            .reply(json!({"command": "echo a; sleep 600", "timeout": 1}))
            .await,
        format!(
            r#"{{"output":"a\n\n[Command timed out after 1s]","exit_code":124,"error":null,"hint":"{TIMEOUT_HINT}"}}"#
        )
    );
}

#[tokio::test]
async fn escapes_and_secrets_are_gone_and_long_output_is_cut() {
    let place = Place::new();
    let clean = place
        .run(r"printf '\033[31mghp_abcdefghijklmnopqrst\033[0m'")
        .await;
    assert_eq!(clean["output"], "ghp_ab...qrst");
    let cut = place.run("yes 12345678 | head -n 10000").await;
    let output = cut["output"].as_str().unwrap();
    assert!(
        output.contains(
            "\n\n... [OUTPUT TRUNCATED - 40,000 chars omitted out of 90,000 total] ...\n\n"
        )
    );
    assert!(output.starts_with("12345678\n") && output.ends_with("12345678"));
}

#[tokio::test]
async fn a_flood_is_counted_and_not_kept() {
    let place = Place::new();
    let flood = place
        .run("yes 1234567 | head -c 10000000; echo; echo end")
        .await;
    let output = flood["output"].as_str().unwrap();
    assert!(
        output.contains("[OUTPUT TRUNCATED - 9,950,005 chars omitted out of 10,000,005 total]")
    );
    assert!(output.ends_with("\nend"));
    assert!(output.chars().count() < 50_100);
}

#[tokio::test]
async fn calls_that_cannot_be_served_say_why() {
    let place = Place::new();
    let rows = [
        (json!({}), "Invalid command: expected string, got NoneType"),
        (
            json!({"command": ["ls"]}),
            "Invalid command: expected string, got list",
        ),
        (json!({"code": "1"}), CODE_INSTEAD_OF_COMMAND),
        (
            json!({"command": "x", "timeout": 0}),
            "timeout must be a positive number of seconds (got 0).",
        ),
        (
            json!({"command": "x", "timeout": -2.5}),
            "timeout must be a positive number of seconds (got -2.5).",
        ),
        (
            json!({"command": "x", "timeout": "9"}),
            "timeout must be a positive number of seconds (got \"9\").",
        ),
        (
            json!({"command": "x", "timeout": 601}),
            "timeout must be at most 600 seconds (got 601): a command of a script runs in the foreground.",
        ),
        (
            json!({"command": "x", "workdir": 1}),
            "Invalid workdir: expected string, got int",
        ),
        (
            json!({"command": "x", "workdir": "/no/such"}),
            "workdir is not an existing directory: /no/such",
        ),
        (
            json!({"command": "nohup x"}),
            foreground::refusal("nohup x").unwrap(),
        ),
    ];
    for (arguments, expected) in rows {
        assert_eq!(place.reply(arguments).await, not_run(expected, "error"));
    }
}

#[tokio::test]
async fn refused_calls_are_blocked() {
    let place = Place::new();
    let floor = place.reply(json!({"command": "rm -rf /"})).await;
    assert_eq!(
        floor,
        not_run(&floor::refusal("rm -rf /").unwrap(), "blocked")
    );
    assert_eq!(
        place
            .reply(json!({"command": "ls", "workdir": "/tmp;ls"}))
            .await,
        not_run(
            "Blocked: workdir contains disallowed character ';'. Use a simple filesystem path without shell metacharacters.",
            "blocked"
        )
    );
    let ungranted = call(json!({"command": "ls"}), &ToolContext::new("s")).await;
    assert_eq!(ungranted, not_run(NO_SCOPE, "disabled"));
}
