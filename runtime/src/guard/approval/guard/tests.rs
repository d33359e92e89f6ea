#![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use std::future::pending;
use std::sync::Mutex;
use std::time::Duration;

use async_trait::async_trait;

use super::super::{Approval, Approver};
use super::*;

const GATEWAY_DENIED: &str = "BLOCKED: execute_code script denied by user. The user has NOT consented to running this code. Do NOT retry, do NOT rephrase the script, and do NOT attempt the same outcome via a different tool.";
const GATEWAY_SILENT: &str = "BLOCKED: execute_code script timed out without user response. The user has NOT consented to running this code. Do NOT retry, do NOT rephrase the script, and do NOT attempt the same outcome via a different tool.";
const CLI_DENIED: &str = "BLOCKED: User denied execute_code script execution (matched 'execute_code script execution. The script can spawn subprocesses or mutate files without passing through terminal command approval; approval is one-shot for this run.'). Do NOT retry — the user has explicitly rejected it.";
const CLI_SILENT: &str = "BLOCKED: Action timed out without user response. The user has NOT consented to this action. Do NOT retry it, do NOT rephrase it, and do NOT attempt the same outcome via a different path. Silence is not consent.";
const UNDELIVERED: &str =
    "BLOCKED: Failed to send execute_code approval request to user. Do NOT retry.";
const GUARDIAN: &str = "BLOCKED: execute_code script execution was assessed as genuinely dangerous by the guardian. Do NOT retry.";

/// Gives its answers one after another, keeps what it was asked, and has no answer to what comes then.
#[derive(Debug, Clone, Default)]
struct Human {
    answers: Arc<Mutex<Vec<Approval>>>,
    asked: Arc<Mutex<Vec<ApprovalRequest>>>,
}

impl Human {
    fn answering(answers: &[Approval]) -> Self {
        Self {
            answers: Arc::new(Mutex::new(answers.iter().rev().copied().collect())),
            asked: Arc::default(),
        }
    }

    fn asked(&self) -> usize {
        self.asked.lock().unwrap().len()
    }
}

#[async_trait]
impl Approver for Human {
    async fn decide(&self, request: &ApprovalRequest) -> Approval {
        self.asked.lock().unwrap().push(request.clone());
        let answer = self.answers.lock().unwrap().pop();
        match answer {
            Some(answer) => answer,
            None => pending().await,
        }
    }
}

/// Thinks the same of every script; nothing at all without an assessment.
#[derive(Debug)]
struct Thinks(Option<Assessment>);

#[async_trait]
impl Guardian for Thinks {
    async fn assess(&self, _: &ApprovalRequest) -> Assessment {
        match self.0 {
            Some(assessment) => assessment,
            None => pending().await,
        }
    }
}

fn guard(options: GuardOptions, human: Option<&Human>, guardian: Option<Thinks>) -> ApprovalGuard {
    let approver = human.map(|human| Arc::new(human.clone()) as Arc<dyn Approver>);
    let approvals = Arc::new(Approvals::new(approver, &options));
    let guardian = guardian.map(|guardian| Arc::new(guardian) as Arc<dyn Guardian>);
    let redactor = Arc::new(Redactor::new(true, Vec::new()));
    ApprovalGuard::new(options, approvals, guardian, redactor)
}

async fn asked_in(guard: &ApprovalGuard, context: &ExecutionContext) -> Result<(), NotApproved> {
    let confinement = Confinement::None;
    guard.consent("print(1)", "s", &confinement, context).await
}

async fn message_in(guard: &ApprovalGuard, context: &ExecutionContext) -> String {
    asked_in(guard, context).await.unwrap_err().message
}

#[tokio::test(start_paused = true)]
async fn each_no_has_its_words_for_the_model_and_for_the_user() {
    let gateway = ExecutionContext::gateway();
    let cli = ExecutionContext::asking_cli();
    let declined = "You declined the script; it did not run.";
    let silent = "The approval request was not answered in time; the script did not run.";
    let lost = "The approval request could not be delivered; the script did not run.";
    for (answer, context, message, summary) in [
        (Some(Approval::Denied), &gateway, GATEWAY_DENIED, declined),
        (Some(Approval::TimedOut), &gateway, GATEWAY_SILENT, silent),
        (None, &gateway, GATEWAY_SILENT, silent),
        (Some(Approval::Undelivered), &gateway, UNDELIVERED, lost),
        (Some(Approval::Denied), &cli, CLI_DENIED, declined),
        (Some(Approval::TimedOut), &cli, CLI_SILENT, silent),
        (None, &cli, CLI_SILENT, silent),
        (Some(Approval::Undelivered), &cli, UNDELIVERED, lost),
    ] {
        let human = Human::answering(answer.as_slice());
        let guard = guard(GuardOptions::default(), Some(&human), None);
        let refusal = asked_in(&guard, context).await.unwrap_err();
        assert_eq!(refusal.message, message);
        assert_eq!(refusal.user_summary.as_deref(), Some(summary));
        assert_eq!(human.asked(), 1);
    }
    let nobody = guard(GuardOptions::default(), None, None);
    for context in [&gateway, &cli] {
        assert_eq!(message_in(&nobody, context).await, UNDELIVERED);
    }
}

#[tokio::test]
async fn the_user_sees_the_script_without_its_secrets() {
    let human = Human::answering(&[Approval::Once; 2]);
    let guard = guard(GuardOptions::default(), Some(&human), None);
    let confinement = Confinement::None;
    let context = ExecutionContext::gateway();
    let code = "key = 'sk-proj-abcdefghijklmnopqrstuv'\n";
    let long = code.repeat(SHOWN_INLINE / code.len() + 1);
    for code in [code, &long] {
        let consent = guard.consent(code, "s", &confinement, &context).await;
        assert_eq!(consent, Ok(()));
    }
    let asked = human.asked.lock().unwrap();
    let request = asked.first().unwrap();
    assert_eq!(request.text, "```python\nkey = 'sk-pro...stuv'\n```");
    assert_eq!(request.subject, ApprovalSubject::Code);
    assert_eq!(request.reason, DESCRIPTION);
    assert_eq!(request.pattern_key, "execute_code");
    assert_eq!(request.session, "s");
    assert!(!request.is_override);
    assert!(!asked.last().unwrap().text.contains("abcdef"));
}

#[tokio::test]
async fn a_yes_holds_as_long_as_it_says_for_any_script() {
    let context = ExecutionContext::gateway();
    for (answer, again, elsewhere) in [
        (Approval::Once, 2, 3),
        (Approval::Session, 1, 2),
        (Approval::Always, 1, 1),
    ] {
        let human = Human::answering(&[answer; 3]);
        let guard = guard(GuardOptions::default(), Some(&human), None);
        let confinement = Confinement::None;
        for (code, session, asked) in [("a", "s", 1), ("b", "s", again), ("c", "t", elsewhere)] {
            let consent = guard.consent(code, session, &confinement, &context).await;
            assert_eq!(consent, Ok(()));
            assert_eq!(human.asked(), asked, "{answer:?} {code}");
        }
    }
    let options = GuardOptions {
        approved: vec!["execute_code".to_owned()],
        ..GuardOptions::default()
    };
    assert_eq!(
        asked_in(&guard(options, None, None), &context).await,
        Ok(())
    );
}

#[tokio::test(start_paused = true)]
async fn the_guardian_is_asked_first_and_overridden_once_at_most() {
    let context = ExecutionContext::gateway();
    // What the guardian thinks, what the user would say, what comes of it, and how often the user is asked by two scripts.
    for (thought, answer, expected, asked) in [
        (Some(Assessment::Approve), Approval::Denied, Ok(()), 0),
        (Some(Assessment::Deny), Approval::Session, Ok(()), 2),
        (
            Some(Assessment::Deny),
            Approval::Denied,
            Err(GATEWAY_DENIED),
            2,
        ),
        (Some(Assessment::Escalate), Approval::Session, Ok(()), 1),
        (None, Approval::Denied, Err(GATEWAY_DENIED), 2),
    ] {
        let human = Human::answering(&[answer; 2]);
        let guard = guard(GuardOptions::default(), Some(&human), Some(Thinks(thought)));
        for _ in 0..2 {
            let consent = asked_in(&guard, &context).await;
            let told = consent.as_ref().map_err(|refusal| refusal.message.as_str());
            assert_eq!(told.copied(), expected, "{thought:?}");
        }
        assert_eq!(human.asked(), asked, "{thought:?}");
        let overriding = human.asked.lock().unwrap();
        let is_denied = thought == Some(Assessment::Deny);
        assert!(
            overriding
                .iter()
                .all(|request| request.is_override == is_denied)
        );
    }
    let alone = guard(
        GuardOptions::default(),
        None,
        Some(Thinks(Some(Assessment::Deny))),
    );
    assert_eq!(message_in(&alone, &context).await, GUARDIAN);
}

#[tokio::test]
async fn the_guardian_has_no_say_where_the_user_decides() {
    let options = GuardOptions {
        mode: ApprovalMode::Manual,
        ..GuardOptions::default()
    };
    let human = Human::answering(&[Approval::Denied]);
    let guard = guard(
        options,
        Some(&human),
        Some(Thinks(Some(Assessment::Approve))),
    );
    let context = ExecutionContext::gateway();
    assert_eq!(message_in(&guard, &context).await, GATEWAY_DENIED);
}

#[tokio::test(start_paused = true)]
async fn refusals_in_a_row_end_in_a_request_to_stop() {
    let context = ExecutionContext::gateway();
    let human = Human::answering(&[
        Approval::Denied,
        Approval::TimedOut,
        Approval::Denied,
        Approval::Denied,
        Approval::Once,
        Approval::Denied,
    ]);
    let guard = guard(GuardOptions::default(), Some(&human), None);
    let mut stops = Vec::new();
    for _ in 0..6 {
        let refusal = asked_in(&guard, &context).await.err();
        stops.push(refusal.map(|refusal| refusal.message.contains(" STOP ASKING: ")));
    }
    assert_eq!(
        stops,
        [
            Some(false),
            Some(false),
            Some(true),
            Some(true),
            None,
            Some(false)
        ]
    );
    // Refusals by settings count, too, and end with their session.
    let cron = ExecutionContext::cron();
    for expected in [false, true] {
        let is_told = message_in(&guard, &cron).await.contains(" STOP ASKING: 3 ");
        assert_eq!(is_told, expected);
    }
    guard.forget(|session| session == "s");
    assert!(!message_in(&guard, &cron).await.contains(" STOP ASKING: "));
}

#[tokio::test(start_paused = true)]
async fn a_long_silence_of_guardian_and_user_ends_after_both_times() {
    let human = Human::default();
    let options = GuardOptions {
        timeout: Duration::from_secs(7),
        ..GuardOptions::default()
    };
    let guard = guard(options, Some(&human), Some(Thinks(None)));
    let began = tokio::time::Instant::now();
    let message = message_in(&guard, &ExecutionContext::gateway()).await;
    assert_eq!(message, GATEWAY_SILENT);
    assert_eq!(began.elapsed().as_secs(), 14);
}
