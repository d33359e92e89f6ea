use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use tokio::sync::{Notify, Semaphore};

use super::*;

/// Gives its answers one after another, then fails the test.
#[derive(Debug)]
struct Answers(Mutex<Vec<Approval>>);

#[async_trait]
impl Approver for Answers {
    async fn decide(&self, request: &ApprovalRequest) -> Approval {
        let answer = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        answer.unwrap_or_else(|| panic!("asked once too often: {request:?}"))
    }
}

fn answering(answers: &[Approval]) -> Approvals {
    let answers = answers.iter().rev().copied().collect();
    let answers = Arc::new(Answers(Mutex::new(answers)));
    Approvals::new(Some(answers), &GuardOptions::default())
}

fn request(session: &str, reason: &str) -> ApprovalRequest {
    ApprovalRequest::new(session, ApprovalSubject::Command, reason, "rm -r x")
}

const FRESH: Consent = Consent::Given { is_fresh: true };
const KNOWN: Consent = Consent::Given { is_fresh: false };

#[tokio::test]
async fn an_answer_holds_as_long_as_it_says() {
    let approvals = answering(&[
        Approval::Once,
        Approval::Session,
        Approval::Denied,
        Approval::Always,
    ]);
    let rows = [
        ("a", "delete", FRESH),
        ("a", "delete", FRESH),
        ("a", "delete", KNOWN),
        ("b", "delete", Consent::Denied),
        ("b", "format", FRESH),
        ("c", "format", KNOWN),
    ];
    for (session, reason, expected) in rows {
        assert_eq!(approvals.ask(&request(session, reason)).await, expected);
    }
}

#[tokio::test]
async fn an_answer_for_one_subject_does_not_hold_for_another() {
    let approvals = answering(&[Approval::Always, Approval::Denied]);
    assert_eq!(approvals.ask(&request("a", "x")).await, FRESH);
    let code = ApprovalRequest::new("a", ApprovalSubject::Code, "x", "pass");
    assert_eq!(approvals.ask(&code).await, Consent::Denied);
}

#[tokio::test]
async fn silence_is_no_consent() {
    let approvals = answering(&[Approval::TimedOut, Approval::Undelivered]);
    for expected in [Consent::TimedOut, Consent::Undelivered] {
        assert_eq!(approvals.ask(&request("a", "x")).await, expected);
    }
    let nobody = Approvals::default();
    assert_eq!(nobody.ask(&request("a", "x")).await, Consent::NoApprover);
}
/// Never answers.
#[derive(Debug)]
struct Silent;

#[async_trait]
impl Approver for Silent {
    async fn decide(&self, _: &ApprovalRequest) -> Approval {
        std::future::pending().await
    }
}

#[tokio::test(start_paused = true)]
async fn an_answer_is_waited_for_as_long_as_the_settings_say() {
    let options = GuardOptions {
        timeout: Duration::from_secs(7),
        ..GuardOptions::default()
    };
    let approvals = Approvals::new(Some(Arc::new(Silent)), &options);
    let began = tokio::time::Instant::now();
    assert_eq!(approvals.ask(&request("a", "x")).await, Consent::TimedOut);
    assert_eq!(began.elapsed().as_secs(), 7);
}

#[tokio::test]
async fn requests_without_a_session_have_none_in_common() {
    let approvals = answering(&[Approval::Session, Approval::Denied]);
    assert_eq!(approvals.ask(&request("", "x")).await, FRESH);
    assert_eq!(approvals.ask(&request("", "x")).await, Consent::Denied);
}

#[tokio::test]
async fn a_yes_against_the_guardian_holds_once() {
    let approvals = answering(&[Approval::Always, Approval::Session]);
    let overriding = ApprovalRequest {
        is_override: true,
        ..request("a", "x")
    };
    for _ in 0..2 {
        assert_eq!(approvals.ask(&overriding).await, FRESH);
    }
}

#[tokio::test]
async fn what_was_approved_in_an_earlier_run_holds_for_commands_and_code() {
    let options = GuardOptions {
        approved: vec!["x".to_owned()],
        ..GuardOptions::default()
    };
    let approvals = Approvals::new(None, &options);
    for (subject, key, expected) in [
        (ApprovalSubject::Code, "x", KNOWN),
        (ApprovalSubject::Command, "x", KNOWN),
        (ApprovalSubject::Command, "y", Consent::NoApprover),
        (ApprovalSubject::Files, "x", Consent::NoApprover),
    ] {
        let request = ApprovalRequest::new("a", subject, key, "text");
        assert_eq!(approvals.ask(&request).await, expected, "{request:?}");
    }
}

#[tokio::test]
async fn a_session_that_is_over_leaves_no_consent_behind() {
    let approvals = answering(&[Approval::Session, Approval::Session, Approval::Denied]);
    assert_eq!(approvals.ask(&request("a", "x")).await, FRESH);
    assert_eq!(approvals.ask(&request("b", "x")).await, FRESH);
    approvals.forget(|session| session == "a");
    assert_eq!(approvals.ask(&request("b", "x")).await, KNOWN);
    assert_eq!(approvals.ask(&request("a", "x")).await, Consent::Denied);
}

/// Gives one answer when it is told to, and counts how often it was asked.
#[derive(Debug)]
struct Slow {
    answer: Approval,
    asked: AtomicUsize,
    is_asked: Notify,
    may_answer: Semaphore,
}

#[async_trait]
impl Approver for Slow {
    async fn decide(&self, _: &ApprovalRequest) -> Approval {
        self.asked.fetch_add(1, Ordering::SeqCst);
        self.is_asked.notify_one();
        let permit = self.may_answer.acquire().await;
        permit.map_or(Approval::Undelivered, |permit| {
            permit.forget();
            self.answer
        })
    }
}

fn slow(answer: Approval) -> (Arc<Slow>, Approvals) {
    let slow = Arc::new(Slow {
        answer,
        asked: AtomicUsize::new(0),
        is_asked: Notify::new(),
        may_answer: Semaphore::new(0),
    });
    let approver = Arc::clone(&slow) as Arc<dyn Approver>;
    let approvals = Approvals::new(Some(approver), &GuardOptions::default());
    (slow, approvals)
}

#[tokio::test]
async fn a_yes_that_comes_after_its_session_was_closed_is_not_remembered() {
    for (closed, is_kept) in [("a", false), ("b", true)] {
        let (human, approvals) = slow(Approval::Session);
        let asked = request("a", "x");
        let close = async {
            human.is_asked.notified().await;
            approvals.forget(|session| session == closed);
            human.may_answer.add_permits(1);
        };
        assert_eq!(tokio::join!(approvals.ask(&asked), close).0, FRESH);
        assert_eq!(approvals.holds_for(&asked), is_kept, "{closed}");
        assert!(approvals.lock().open.is_empty());
    }
}

#[tokio::test]
async fn a_question_of_a_closed_session_that_waits_for_another_is_not_remembered_either() {
    let (human, approvals) = slow(Approval::Session);
    let asked = request("a", "x");
    let close = async {
        human.is_asked.notified().await;
        approvals.forget(|session| session == "a");
        human.may_answer.add_permits(2);
    };
    let (first, second, ()) = tokio::join!(approvals.ask(&asked), approvals.ask(&asked), close);
    assert_eq!([first, second], [FRESH, FRESH]);
    assert!(!approvals.holds_for(&asked));
}

#[tokio::test]
async fn the_same_question_of_a_session_is_asked_once_at_a_time() {
    for (answer, sessions, expected, count) in [
        (Approval::Session, ["a", "a"], [FRESH, KNOWN], 1),
        (Approval::Once, ["a", "a"], [FRESH, FRESH], 2),
        (Approval::Denied, ["a", "a"], [Consent::Denied; 2], 2),
        (Approval::Session, ["a", "b"], [FRESH, FRESH], 2),
        (Approval::Session, ["", ""], [FRESH, FRESH], 2),
    ] {
        let (human, approvals) = slow(answer);
        let is_shared = sessions[0] == sessions[1] && !sessions[0].is_empty();
        let [first, second] = sessions.map(|session| request(session, "x"));
        let answers = async {
            human.is_asked.notified().await;
            // Both have been polled: all futures of the join are, before a waiting one is again.
            tokio::task::yield_now().await;
            let at_once = if is_shared { 1 } else { 2 };
            assert_eq!(human.asked.load(Ordering::SeqCst), at_once, "{answer:?}");
            human.may_answer.add_permits(2);
        };
        let (first, second, ()) =
            tokio::join!(approvals.ask(&first), approvals.ask(&second), answers);
        assert_eq!([first, second], expected, "{answer:?}");
        assert_eq!(human.asked.load(Ordering::SeqCst), count, "{answer:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn those_who_have_waited_while_nobody_answered_do_not_ask_again() {
    let options = GuardOptions {
        timeout: Duration::from_secs(7),
        ..GuardOptions::default()
    };
    let approvals = Approvals::new(Some(Arc::new(Silent)), &options);
    let began = tokio::time::Instant::now();
    let asked = request("a", "x");
    let six = [(); 6].map(|()| approvals.ask(&asked));
    let answers = futures_util::future::join_all(six).await;
    assert_eq!(answers, [Consent::TimedOut; 6]);
    assert_eq!(began.elapsed().as_secs(), 7);
    // Who asks later is somebody's chance to answer again.
    assert_eq!(approvals.ask(&asked).await, Consent::TimedOut);
    assert_eq!(began.elapsed().as_secs(), 14);
}

#[tokio::test]
async fn an_answer_for_the_session_holds_for_its_children_until_the_session_is_over() {
    let approvals = answering(&[Approval::Session, Approval::Denied, Approval::Denied]);
    let of_child = |child| ApprovalRequest {
        conversation: "a".to_owned(),
        ..request(child, "x")
    };
    let (first, second) = (of_child("a::child::1"), of_child("a::child::2"));
    assert_eq!(approvals.ask(&first).await, FRESH);
    assert_eq!(approvals.ask(&second).await, KNOWN);
    assert_eq!(approvals.ask(&request("a", "x")).await, KNOWN);
    assert_eq!(approvals.ask(&request("b", "x")).await, Consent::Denied);
    // The end of a child is not that of its conversation.
    approvals.forget(|session| session == "a::child::1");
    assert_eq!(approvals.ask(&second).await, KNOWN);
    approvals.forget(|session| session == "a");
    assert_eq!(approvals.ask(&second).await, Consent::Denied);
}

#[tokio::test]
async fn a_question_that_is_given_up_lets_the_next_one_ask() {
    let (human, approvals) = slow(Approval::Once);
    let asked = request("a", "x");
    {
        let given_up = approvals.ask(&asked);
        tokio::select! {
            biased;
            _ = given_up => panic!("nobody has answered"),
            () = human.is_asked.notified() => {}
        }
    }
    human.may_answer.add_permits(1);
    assert_eq!(approvals.ask(&asked).await, FRESH);
    let memory = approvals.lock();
    assert!(memory.open.is_empty());
    assert!(memory.turns.len() <= 1);
}
