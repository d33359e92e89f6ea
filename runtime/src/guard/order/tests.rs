#![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use std::sync::Arc;

use super::super::{Approvals, Gateway, GuardOptions};
use super::*;
use crate::text::redact::Redactor;

const NO_CODE: &str = "No code provided. execute_code requires a non-empty 'code' parameter containing Python source. To run shell commands, use terminal(command=...) instead.";

fn guards(host: HostPolicy, context: ExecutionContext) -> Guards {
    let options = GuardOptions::default();
    let approvals = Arc::new(Approvals::new(None, &options));
    let redactor = Arc::new(Redactor::new(true, Vec::new()));
    Guards {
        host,
        context,
        approval: ApprovalGuard::new(options, approvals, None, redactor),
    }
}

fn candidate(code: &str) -> Candidate<'_> {
    Candidate {
        code,
        mode: Mode::Project,
        is_enabled: true,
        asker: "s".into(),
        timeout: Duration::from_secs(1),
        context: None,
    }
}

async fn asked(guards: &Guards, candidate: &Candidate<'_>) -> Result<(), Blocked> {
    guards.pass(candidate, &CancellationToken::new()).await
}

/// Returns the message of whatever blocks a call.
async fn told(guards: &Guards, candidate: &Candidate<'_>) -> String {
    match asked(guards, candidate).await.unwrap_err() {
        Blocked::Refused(refusal) => refusal.to_string(),
        Blocked::NotApproved(refusal) => refusal.to_string(),
        other => format!("{other:?}"),
    }
}

#[tokio::test]
async fn the_first_guard_that_refuses_is_the_one_that_is_heard() {
    let place = tempfile::tempdir().unwrap();
    let mut gateway = Gateway::new(place.path().join("gateway.pid"));
    gateway.is_managed = Some(true);
    std::fs::write(&gateway.pid_file, std::process::id().to_string()).unwrap();
    let mut guards = guards(
        HostPolicy {
            is_unavailable: true,
            terminal_policy_error: Some("no config.yaml".to_owned()),
            gateway: Some(gateway),
            ..HostPolicy::default()
        },
        ExecutionContext::cron(),
    );
    let mut call = candidate(" \n");
    call.is_enabled = false;
    assert_eq!(
        told(&guards, &call).await,
        "execute_code sandbox is unavailable in this environment. Use normal tool calls (terminal, read_file, write_file, ...) instead."
    );
    guards.host.is_unavailable = false;
    assert_eq!(told(&guards, &call).await, "ModeOff");
    call.is_enabled = true;
    assert_eq!(
        told(&guards, &call).await,
        "execute_code refused: terminal policy unavailable for this profile: no config.yaml (profile terminal policy unresolved; fix the profile's config.yaml / .env and retry)"
    );
    guards.host.terminal_policy_error = None;
    assert_eq!(told(&guards, &call).await, NO_CODE);
    call.code = "# hermes gateway stop\n'''\npkill python\n'''";
    assert_eq!(
        told(&guards, &call).await,
        "Blocked: cannot restart or stop the gateway from inside the gateway process. The gateway would kill this script before it could complete (SIGTERM propagates to child processes). Run the lifecycle command from a shell outside the gateway."
    );
    call.code = "'''\npkill python\n'''";
    assert_eq!(
        told(&guards, &call).await,
        "Blocked: cannot kill every process named 'python' from inside the gateway process. The gateway, or what it runs, has that name and would be killed as well. Kill a process by its number, or by a pattern that only its own command line has."
    );
    call.code = "print(1)";
    assert!(told(&guards, &call).await.contains("approvals.cron_mode"));
    let context = ExecutionContext::cli();
    call.context = Some(&context);
    assert_eq!(asked(&guards, &call).await, Ok(()));
}

#[tokio::test]
async fn a_script_of_the_sandbox_needs_no_approval_and_ends_no_gateway() {
    let place = tempfile::tempdir().unwrap();
    let mut gateway = Gateway::new(place.path().join("gateway.pid"));
    gateway.is_managed = Some(true);
    std::fs::write(&gateway.pid_file, std::process::id().to_string()).unwrap();
    let host = HostPolicy {
        gateway: Some(gateway),
        ..HostPolicy::default()
    };
    let guards = guards(host, ExecutionContext::cron());
    let mut call = candidate("# hermes gateway stop");
    call.mode = Mode::Strict;
    assert_eq!(asked(&guards, &call).await, Ok(()));
    call.code = "";
    assert_eq!(told(&guards, &call).await, NO_CODE);
}

#[tokio::test]
async fn a_context_of_the_request_replaces_that_of_the_runtime() {
    let guards = guards(HostPolicy::default(), ExecutionContext::cli());
    let mut call = candidate("print(1)");
    assert_eq!(asked(&guards, &call).await, Ok(()));
    let context = ExecutionContext::unattended("webhook");
    call.context = Some(&context);
    assert!(told(&guards, &call).await.contains("platform (webhook)"));
}

#[tokio::test]
async fn blank_code_is_refused_and_odd_code_is_not() {
    let guards = guards(HostPolicy::default(), ExecutionContext::cli());
    for code in ["", "   \n", "\t\r\n", "\u{a0}\u{3000}", "\x1c\x1f"] {
        assert_eq!(told(&guards, &candidate(code)).await, NO_CODE, "{code:?}");
    }
    for code in ["1", " # only a comment", "\0", "\u{200b}"] {
        assert_eq!(asked(&guards, &candidate(code)).await, Ok(()), "{code:?}");
    }
}
