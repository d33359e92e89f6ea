//! The answers that hold for longer than one request, and the one way to ask.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::timeout;

use super::super::options::GuardOptions;
use super::approver::{Approval, ApprovalRequest, ApprovalSubject, Approver};

/// What came of asking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Consent {
    /// It may be done. `is_fresh` tells that the user has answered during this very call.
    Given { is_fresh: bool },
    /// The user said no.
    Denied,
    /// Nobody answered in time.
    TimedOut,
    /// Nobody could be asked: the message was not delivered.
    Undelivered,
    /// Nobody can be asked: the host has no approver.
    NoApprover,
}

/// Asks the host's approver, and remembers what was approved for longer.
#[derive(Debug)]
pub(crate) struct Approvals {
    approver: Option<Arc<dyn Approver>>,
    /// How long an answer is waited for.
    patience: Duration,
    /// Approved pattern keys; without a session they hold for all.
    approved: Mutex<HashSet<Key>>,
}

type Key = (Option<String>, ApprovalSubject, String);

impl Default for Approvals {
    fn default() -> Self {
        Self {
            approver: None,
            patience: GuardOptions::default().timeout,
            approved: Mutex::default(),
        }
    }
}

impl Approvals {
    /// Asks this approver, if there is one; what the options name was approved for good before.
    pub(crate) fn new(approver: Option<Arc<dyn Approver>>, options: &GuardOptions) -> Self {
        // What tells agents what to do is never approved in advance.
        let subjects = [ApprovalSubject::Code, ApprovalSubject::Command];
        let keys = |subject| {
            options
                .approved
                .iter()
                .map(move |key| (None, subject, key.clone()))
        };
        Self {
            approver,
            patience: options.timeout,
            approved: Mutex::new(subjects.into_iter().flat_map(keys).collect()),
        }
    }

    /// Asks for consent, unless it was given for the session or for good.
    pub(crate) async fn ask(&self, request: &ApprovalRequest) -> Consent {
        if self.holds_for(request) {
            return Consent::Given { is_fresh: false };
        }
        self.ask_now(request).await
    }

    /// Returns whether consent was given for the session or for good.
    pub(crate) fn holds_for(&self, request: &ApprovalRequest) -> bool {
        let approved = self.lock();
        let holds = |session| approved.contains(&key(session, request));
        holds(None) || holds(Some(request.session.clone()))
    }

    /// Asks for consent, whatever was answered before.
    pub(crate) async fn ask_now(&self, request: &ApprovalRequest) -> Consent {
        let Some(approver) = &self.approver else {
            return Consent::NoApprover;
        };
        let answer = timeout(self.patience, approver.decide(request)).await;
        match answer.unwrap_or(Approval::TimedOut) {
            Approval::Session if has_memory(request) && !request.session.is_empty() => {
                self.remember(key(Some(request.session.clone()), request));
            }
            Approval::Always if has_memory(request) => self.remember(key(None, request)),
            Approval::Once | Approval::Session | Approval::Always => {}
            Approval::Denied => return Consent::Denied,
            Approval::TimedOut => return Consent::TimedOut,
            Approval::Undelivered => return Consent::Undelivered,
        }
        Consent::Given { is_fresh: true }
    }

    /// Forgets what was approved for the sessions that are over.
    pub(crate) fn forget(&self, is_over: impl Fn(&str) -> bool) {
        self.lock()
            .retain(|(session, _, _)| !session.as_deref().is_some_and(&is_over));
    }

    fn remember(&self, key: Key) {
        self.lock().insert(key);
    }

    fn lock(&self) -> MutexGuard<'_, HashSet<Key>> {
        // One call changes the set, so that a panic leaves it whole.
        self.approved.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Tells whether a yes can hold for longer than this time.
fn has_memory(request: &ApprovalRequest) -> bool {
    !request.is_override
}

fn key(session: Option<String>, request: &ApprovalRequest) -> Key {
    (session, request.subject, request.pattern_key.clone())
}

#[cfg(test)]
mod tests {
    use async_trait::async_trait;

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
}
