//! What `terminal` answers, key for key, and which calls it does not serve.

#![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use std::fs;
use std::sync::Mutex;

use serde_json::json;

use super::super::call::CODE_INSTEAD_OF_COMMAND;
use super::super::foreground;
use super::*;
use crate::guard::{Approval, ApprovalRequest, Approvals, Approver, GuardOptions};
use crate::tools::granted::{Granted, reply};

impl Granted {
    async fn answer(&self, arguments: Value) -> String {
        self.reply(&tool(), arguments).await
    }

    async fn run(&self, command: &str) -> Value {
        self.value(&tool(), json!({"command": command})).await
    }

    fn root(&self) -> String {
        self.shown("")
    }

    fn asking(mut self, approvals: Approvals) -> Self {
        self.context = self.context.clone().with_approvals(Arc::new(approvals));
        self
    }
}

fn tool() -> Terminal {
    Terminal::new(&TerminalOptions::default())
}

fn not_run(error: &str, status: &str) -> String {
    json!({"output": "", "exit_code": -1, "error": error, "status": status}).to_string()
}

#[tokio::test]
async fn output_and_exit_code_are_the_answer() {
    let place = Granted::new();
    assert_eq!(
        place
            .answer(json!({"command": "echo hi; echo err >&2; exit 3", "timeout": null}))
            .await,
        r#"{"output":"hi\nerr","exit_code":3,"error":null}"#
    );
    let grep = place
        .answer(json!({"command": "grep nope /dev/null"}))
        .await;
    assert_eq!(
        grep,
        r#"{"output":"","exit_code":1,"error":null,"exit_code_meaning":"No matches found (not an error)"}"#
    );
}

#[tokio::test]
async fn a_changed_directory_is_told_once_and_kept() {
    let place = Granted::new();
    fs::create_dir(place.path("d")).unwrap();
    let below = format!("{}/d", place.root());
    assert_eq!(
        place.answer(json!({"command": "cd d && pwd"})).await,
        format!(r#"{{"output":"{below}","exit_code":0,"error":null,"cwd":"{below}"}}"#)
    );
    let again = place.run("pwd").await;
    assert_eq!((&again["output"], again.get("cwd")), (&json!(below), None));
    let elsewhere = place
        .answer(json!({"command": "cd /; pwd", "workdir": "/tmp"}))
        .await;
    assert_eq!(elsewhere, r#"{"output":"/","exit_code":0,"error":null}"#);
    assert_eq!(place.run("pwd").await["output"], below);
}

#[tokio::test]
async fn a_command_at_its_time_limit_keeps_its_output() {
    let place = Granted::new();
    assert_eq!(
        place
            .answer(json!({"command": "echo a; sleep 600", "timeout": 1}))
            .await,
        format!(
            r#"{{"output":"a\n\n[Command timed out after 1s]","exit_code":124,"error":null,"hint":"{TIMEOUT_HINT}"}}"#
        )
    );
}

#[tokio::test]
async fn escapes_and_secrets_are_gone_and_long_output_is_cut() {
    let place = Granted::new();
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
    let place = Granted::new();
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
    let place = Granted::new();
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
            json!({"command": "x", "timeout": 86401}),
            "timeout must be at most 86400 seconds (got 86401).",
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
            json!({"command": "x\0y"}),
            "Invalid command: it contains a NUL character, which no shell accepts.",
        ),
        (
            json!({"command": "x".repeat(1_048_577)}),
            "Invalid command: it has 1048577 bytes; at most 1048576 are allowed. Write long texts with write_file.",
        ),
        (
            json!({"command": "nohup x"}),
            foreground::refusal("nohup x").unwrap(),
        ),
    ];
    for (arguments, expected) in rows {
        assert_eq!(place.answer(arguments).await, not_run(expected, "error"));
    }
}

#[tokio::test]
async fn refused_calls_are_blocked() {
    let place = Granted::new();
    let floor = place.answer(json!({"command": "rm -rf /"})).await;
    assert_eq!(
        floor,
        not_run(
            "BLOCKED (hardline): recursive delete of the root filesystem. This command is on the unconditional blocklist and cannot be executed via the agent — not even with --yolo, /yolo, approvals.mode=off, or cron approve mode. If you genuinely need to run it, run it yourself in a terminal outside the agent.",
            "blocked"
        )
    );
    assert_eq!(
        place
            .answer(json!({"command": "ls", "workdir": "/tmp;ls"}))
            .await,
        not_run(
            "Blocked: workdir contains disallowed character ';'. Use a simple filesystem path without shell metacharacters.",
            "blocked"
        )
    );
    let ungranted = reply(&tool(), json!({"command": "ls"}), &ToolContext::new("s")).await;
    assert_eq!(ungranted, not_run(NO_SCOPE, "disabled"));
}

/// Gives one answer to every request, and keeps what it was asked.
#[derive(Debug)]
struct Answers(Approval, Arc<Mutex<Vec<ApprovalRequest>>>);

#[async_trait]
impl Approver for Answers {
    async fn decide(&self, request: &ApprovalRequest) -> Approval {
        self.1.lock().unwrap().push(request.clone());
        self.0
    }
}

fn answering(answer: Approval) -> (Granted, Arc<Mutex<Vec<ApprovalRequest>>>) {
    let asked = Arc::default();
    let answers = Answers(answer, Arc::clone(&asked));
    let place = Granted::new().asking(Approvals::new(
        Some(Arc::new(answers)),
        &GuardOptions::default(),
    ));
    (place, asked)
}

#[tokio::test]
async fn a_dangerous_command_runs_only_with_the_users_word() {
    let command = "rm -r d; T=ghp_abcdefghijklmnopqrst; echo $T";
    let denied = "Command denied: recursive delete. Use the approval prompt to allow it, or rephrase the command.";
    let no_answer = "BLOCKED: Action timed out without user response. The user has NOT consented to this action. Do NOT retry it, do NOT rephrase it, and do NOT attempt the same outcome via a different path. Silence is not consent.";
    let undelivered = "BLOCKED: Failed to send command approval request to user. Do NOT retry.";
    let rows = [
        (Some(Approval::Denied), denied),
        (Some(Approval::TimedOut), no_answer),
        (Some(Approval::Undelivered), undelivered),
        (None, denied),
    ];
    for (answer, expected) in rows {
        let place = match answer {
            Some(answer) => answering(answer).0,
            None => Granted::new(),
        };
        place.put("d/file", "x");
        let told = place.answer(json!({"command": command})).await;
        assert_eq!(told, not_run(expected, "blocked"));
        assert!(place.path("d/file").exists());
    }
    let (place, asked) = answering(Approval::Once);
    place.put("d/file", "x");
    assert_eq!(
        place.answer(json!({"command": command})).await,
        r#"{"output":"ghp_ab...qrst","exit_code":0,"error":null,"approval":"Command was approved by the user (recursive delete)."}"#
    );
    assert!(!place.path("d").exists());
    let asked = asked.lock().unwrap();
    let [request] = asked.as_slice() else {
        panic!("{asked:?}")
    };
    let shown = "rm -r d; T=ghp_ab...qrst; echo $T".to_owned();
    assert_eq!(
        (&request.text, request.reason.as_str()),
        (&shown, "recursive delete")
    );
}

#[tokio::test]
async fn an_approval_for_the_session_is_asked_and_told_once() {
    let (place, asked) = answering(Approval::Session);
    let first = place.run("rm -rf x").await;
    let second = place.run("rm -rf y").await;
    assert!(first.get("approval").is_some() && second.get("approval").is_none());
    assert_eq!(asked.lock().unwrap().len(), 1);
    let more = place.run("rm -rf y; git push --force nowhere").await;
    assert!(more.get("approval").is_some());
}

#[tokio::test]
async fn nobody_is_asked_about_what_cannot_run_anyway() {
    let (place, asked) = answering(Approval::Always);
    for command in ["rm -rf /", "nohup rm -r x", "bash -c 'mkfs x'"] {
        assert_eq!(place.run(command).await["exit_code"], -1, "{command}");
    }
    let context = place.context.clone().with_grants(Arc::default());
    let ungranted = reply(&tool(), json!({"command": "rm -r x"}), &context).await;
    assert_eq!(ungranted, not_run(NO_SCOPE, "disabled"));
    assert_eq!(asked.lock().unwrap().len(), 0);
}

#[tokio::test]
async fn a_host_may_allow_what_is_dangerous_but_never_the_floor_nor_what_the_operator_forbids() {
    let place = Granted::new();
    let tool = Terminal::new(&TerminalOptions {
        allow_dangerous: true,
        deny: vec!["git push*".to_owned()],
        ..TerminalOptions::default()
    });
    let command = |text: &str| json!({"command": text});
    let ran = place.reply(&tool, command("sh -c 'echo x'")).await;
    assert_eq!(ran, r#"{"output":"x","exit_code":0,"error":null}"#);
    let floor = place.value(&tool, command("rm -rf /")).await;
    assert_eq!(floor["status"], "blocked");
    assert_eq!(
        place.reply(&tool, command("cd . && git push")).await,
        not_run(
            "Command denied: it matches the operator's rule 'git push*' (approvals.deny), which no approval overrides.",
            "blocked"
        )
    );
}

#[tokio::test]
async fn a_long_output_is_saved_whole_and_without_secrets() {
    let mut place = Granted::new();
    let spill = place.path("spill");
    place.context = place.context.with_spill_dir(Some(spill));
    let answer = place
        .run("for i in $(seq 6000); do echo ghp_abcdefghijklmnopqrst; done")
        .await;
    let path = answer["full_output_path"].as_str().unwrap();
    assert_eq!(
        fs::read_to_string(path).unwrap(),
        "ghp_ab...qrst\n".repeat(6_000)
    );
    assert_eq!(answer["output_total_chars"], 84_000);
    assert_eq!(
        answer["truncation_note"],
        format!(
            "Output exceeded the capture window (head+tail shown). Full output (84,000 chars) saved to {path} — search it with search_files or page it with read_file instead of re-running the command."
        )
    );
    let keys: Vec<_> = answer.as_object().unwrap().keys().collect();
    assert_eq!(
        keys,
        [
            "output",
            "exit_code",
            "error",
            "output_total_chars",
            "full_output_path",
            "truncation_note"
        ]
    );
}

#[tokio::test]
async fn the_hosts_limits_hold() {
    let place = Granted::new();
    let tool = Terminal::new(&TerminalOptions {
        timeout: std::time::Duration::from_millis(500),
        max_timeout: std::time::Duration::from_secs(5),
        max_output_chars: 10,
        ..TerminalOptions::default()
    });
    let cut = place
        .value(&tool, json!({"command": "echo 123456789012345"}))
        .await;
    let notice = "1234\n\n... [OUTPUT TRUNCATED - 6 chars omitted out of 16 total] ...\n\n12345";
    assert_eq!(cut["output"], notice);
    let slow = place.value(&tool, json!({"command": "sleep 600"})).await;
    assert_eq!(slow["output"], "[Command timed out after 0.5s]");
}

#[tokio::test]
async fn an_interrupted_command_says_so() {
    let place = Granted::new();
    place.context.cancellation().cancel();
    let answer = place.answer(json!({"command": "sleep 600"})).await;
    assert_eq!(
        answer,
        r#"{"output":"[Command interrupted]","exit_code":130,"error":null}"#
    );
}

#[test]
fn a_model_is_told_what_is_kept_between_calls() {
    let described = |persistent_shell| {
        let options = TerminalOptions {
            persistent_shell,
            ..TerminalOptions::default()
        };
        let tool = Terminal::new(&options);
        tool.description().rsplit(": ").next().unwrap().to_owned()
    };
    assert_eq!(
        described(true),
        "the command can do what the host's user can. Directory, exported variables, functions and aliases are kept between calls."
    );
    assert_eq!(described(false), "each begins in the working directory.");
}

#[tokio::test]
async fn a_lost_directory_is_told() {
    let place = Granted::new();
    place.run("mkdir d; cd d").await;
    fs::remove_dir(place.path("d")).unwrap();
    assert_eq!(
        place.answer(json!({"command": "pwd"})).await,
        format!(
            r#"{{"output":"{}","exit_code":0,"error":null,"environment_recreated":true}}"#,
            place.root()
        )
    );
}

#[tokio::test]
async fn a_password_that_nobody_can_type_is_told() {
    let place = Granted::new();
    let answer = place
        .run("sudo() { echo 'sudo: a password is required' >&2; return 1; }; sudo -n true")
        .await;
    assert_eq!(answer["sudo_auth_failed"], true);
    assert_eq!(answer["hint"], sudo::HINT);
}

#[tokio::test]
async fn output_that_is_no_text_is_shown_with_replacements() {
    let place = Granted::new();
    let answer = place.run(r"printf 'a\377\000b\r\n'").await;
    assert_eq!(answer["output"], "a\u{fffd}\0b");
}
