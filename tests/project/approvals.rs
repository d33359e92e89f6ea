//! Who is asked before a script runs on the user's machine, what is remembered, and what ends the asking.

use std::env;
use std::process::Command;

use hermes_runtime::{
    Approval, ApprovalSubject, Confinement, ExecutionContext, GuardOptions, HostPolicy, Request,
    Runtime, RuntimeBuilder, RuntimeError, Unattended,
};
use hermes_tests::{Human, Session, builder, within_deadline};
use serde_json::{Value, json};

const SCRIPT: &str = "print('ran')";

fn gateway() -> RuntimeBuilder {
    builder().execution_context(ExecutionContext::gateway())
}

fn gateway_of(human: &Human) -> Runtime {
    gateway().approver(human.clone()).build().unwrap()
}

async fn envelope(session: &Session) -> Value {
    let refused = session.case(SCRIPT).refused().await;
    assert!(matches!(refused, RuntimeError::NotApproved(_)) && refused.is_refusal());
    serde_json::from_str(&refused.to_json()).unwrap()
}

#[tokio::test]
async fn a_gateway_without_anybody_to_ask_runs_nothing() {
    let runtime = gateway().build().unwrap();
    let refused = runtime.execute(Request::new(SCRIPT)).await.unwrap_err();
    assert_eq!(
        refused.to_json(),
        r#"{"status":"error","error":"BLOCKED: Failed to send execute_code approval request to user. Do NOT retry.","tool_calls_made":0,"duration_seconds":0,"user_summary":"The approval request could not be delivered; the script did not run."}"#
    );
    assert_eq!(runtime.sessions(), 0);
}

#[tokio::test]
async fn what_is_approved_for_a_session_is_asked_once_in_it() {
    let human = Human::answering([Approval::Session, Approval::Session, Approval::Session]);
    let runtime = gateway_of(&human);
    let (first, second) = (Session::on(&runtime), Session::on(&runtime));
    for (session, script, asked) in [
        (&first, "x = 1", 1),
        (&first, "x", 1),
        (&second, "y = 2", 2),
    ] {
        session.run(script).await.succeeds();
        assert_eq!(human.asked().len(), asked);
    }
    runtime.close_session(first.name());
    first.run("x = 1").await.succeeds();
    assert_eq!(human.asked().len(), 3, "the conversation is another one");
}

#[tokio::test]
async fn what_is_approved_once_or_without_a_session_is_asked_again() {
    let human = Human::answering([
        Approval::Once,
        Approval::Once,
        Approval::Session,
        Approval::Denied,
    ]);
    let runtime = gateway_of(&human);
    let session = Session::on(&runtime);
    for _ in 0..2 {
        session.run(SCRIPT).await.succeeds();
    }
    let approved = runtime.execute(Request::new(SCRIPT)).await.unwrap();
    assert_eq!(approved.output, "ran\n");
    let refused = runtime.execute(Request::new(SCRIPT)).await.unwrap_err();
    assert!(
        matches!(refused, RuntimeError::NotApproved(_)),
        "{refused:?}"
    );
    assert_eq!(
        refused.to_string(),
        "BLOCKED: execute_code script denied by user. The user has NOT consented to running this code. Do NOT retry, do NOT rephrase the script, and do NOT attempt the same outcome via a different tool."
    );
}

#[tokio::test]
async fn nobody_is_asked_on_a_command_line_or_about_a_container() {
    let human = Human::answering([]);
    let docker = |volume: &str| {
        let mut host = HostPolicy::default();
        host.confinement = Confinement::Docker {
            mounts_cwd: false,
            volumes: vec![volume.to_owned()],
        };
        host
    };
    for builder in [
        builder(),
        gateway().host(docker("cache:/c")),
        builder().execution_context(ExecutionContext::cli()),
    ] {
        let runtime = builder.approver(human.clone()).build().unwrap();
        Session::on(&runtime).run(SCRIPT).await.succeeds();
    }
    assert_eq!(human.asked(), []);
    human.says(Approval::Denied);
    let mounted = gateway().host(docker("/host:/c"));
    let runtime = mounted.approver(human.clone()).build().unwrap();
    envelope(&Session::on(&runtime)).await;
    assert_eq!(human.asked().len(), 1);
}

#[tokio::test]
async fn a_job_runs_only_where_the_operator_trusts_it() {
    let human = Human::answering([]);
    let context = ExecutionContext::cron();
    let refusing = builder().execution_context(context.clone());
    let runtime = refusing.approver(human.clone()).build().unwrap();
    assert_eq!(
        envelope(&Session::on(&runtime)).await,
        json!({
            "status": "error",
            "error": "BLOCKED: execute_code runs arbitrary local Python (including subprocess calls that bypass shell-string approval checks). Cron jobs run without a user present to approve it. Use normal tools instead, or set approvals.cron_mode: approve only if this cron profile is intentionally trusted.",
            "tool_calls_made": 0,
            "duration_seconds": 0,
        })
    );
    let mut trusting = GuardOptions::default();
    trusting.cron = Unattended::Approve;
    let runtime = builder()
        .guards(trusting)
        .approver(human.clone())
        .build()
        .unwrap();
    let session = Session::on(&runtime);
    let case = session.case(SCRIPT).execution_context(context);
    case.run().await.succeeds().output("ran\n");
    assert_eq!(human.asked(), []);
}

/// Runs tests of this file in a process with variables that another run has left behind.
#[test]
fn variables_of_other_runs_change_nothing() {
    if env::var_os("HERMES_EXEC_ASK").is_some() {
        return;
    }
    for test in [
        "approvals::a_job_runs_only_where_the_operator_trusts_it",
        "approvals::what_is_approved_for_a_session_is_asked_once_in_it",
        "approvals::nobody_is_asked_on_a_command_line_or_about_a_container",
    ] {
        let run = Command::new(env::current_exe().unwrap())
            .args(["--exact", test])
            .env("HERMES_EXEC_ASK", "1")
            .env("HERMES_CRON_SESSION", "1")
            .env("HERMES_GATEWAY_SESSION", "1")
            .env("HERMES_YOLO_MODE", "1")
            .output()
            .unwrap();
        let told = String::from_utf8_lossy(&run.stdout);
        assert!(run.status.success() && told.contains("1 passed"), "{told}");
    }
}

#[tokio::test]
async fn the_user_sees_no_secret_and_the_script_has_it() {
    let human = Human::answering([Approval::Once]);
    let runtime = gateway_of(&human);
    let script = "key = 'sk-proj-abcdefghijklmnopqrstuv'\nprint(len(key), key[8:12])";
    let finished = Session::on(&runtime).run(script).await;
    finished.succeeds().output("30 abcd\n");
    let asked = human.asked();
    let [request] = asked.as_slice() else {
        panic!("{asked:?}")
    };
    assert_eq!(request.subject, ApprovalSubject::Code);
    assert_eq!(
        request.text,
        "```python\nkey = 'sk-pro...stuv'\nprint(len(key), key[8:12])\n```"
    );
}

#[tokio::test]
async fn an_interrupt_of_the_session_is_stale_once_the_user_has_approved() {
    let human = Human::answering([]);
    let runtime = gateway_of(&human);
    let session = Session::on(&runtime);
    let cell = tokio::spawn(session.case(SCRIPT).run());
    within_deadline("the prompt", human.prompted.notified()).await;
    assert!(!runtime.interrupt(session.name(), Some("a new message")));
    human.says(Approval::Once);
    cell.await
        .unwrap()
        .succeeds()
        .output("ran\n")
        .kernel(false, 1);
}

#[tokio::test]
async fn an_interrupt_of_the_call_closes_the_prompt_and_spares_the_session() {
    let human = Human::answering([Approval::Once]);
    let runtime = gateway_of(&human);
    let session = Session::on(&runtime);
    session.run("x = 41").await.succeeds();
    within_deadline("the first prompt", human.prompted.notified()).await;
    within_deadline("its end", human.closed.notified()).await;
    let case = session.case("x = 0");
    let handle = case.interrupt_handle();
    let cell = tokio::spawn(case.run());
    within_deadline("the prompt", human.prompted.notified()).await;
    handle.interrupt(Some("changed my mind"));
    within_deadline("the end of the prompt", human.closed.notified()).await;
    let json = cell.await.unwrap().json();
    assert_eq!(json["status"], "interrupted");
    assert_eq!(json["output"], "[execution interrupted — changed my mind]");
    assert_eq!(
        json["error"],
        "Interrupted before it was approved; the code was not run and the session keeps its state."
    );
    human.says(Approval::Once);
    let next = session.run("print(x + 1)").await;
    next.succeeds().output("42\n").kernel(true, 2);
}

#[tokio::test]
async fn a_call_that_waits_for_approval_holds_up_no_other() {
    let human = Human::answering([]);
    let runtime = gateway_of(&human);
    let session = Session::on(&runtime);
    let waiting = tokio::spawn(session.case("print(x)").run());
    within_deadline("the prompt", human.prompted.notified()).await;
    let other = session
        .case("x = 7")
        .execution_context(ExecutionContext::cli());
    other.run().await.succeeds();
    human.says(Approval::Once);
    waiting
        .await
        .unwrap()
        .succeeds()
        .output("7\n")
        .kernel(true, 2);
}

#[tokio::test]
async fn refusals_in_a_row_end_in_a_request_to_stop() {
    let human = Human::answering([Approval::Denied; 4]);
    let runtime = gateway_of(&human);
    let session = Session::on(&runtime);
    let mut stops = Vec::new();
    for _ in 0..4 {
        let error = envelope(&session).await["error"].to_string();
        assert!(error.starts_with("\"BLOCKED: execute_code script denied by user."));
        stops.push(error.contains(" STOP ASKING: "));
    }
    human.says(Approval::Once);
    session.run(SCRIPT).await.succeeds();
    human.says(Approval::Denied);
    let error = envelope(&session).await["error"].to_string();
    stops.push(error.contains(" STOP ASKING: "));
    assert_eq!(stops, [false, false, true, true, false]);
}
