//! The answers that hold for longer than one request, and the one way to ask.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

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
#[derive(Debug, Default)]
pub(crate) struct Approvals {
    approver: Option<Arc<dyn Approver>>,
    /// Approved reasons; without a session they hold for all.
    approved: Mutex<HashSet<Key>>,
}

type Key = (Option<String>, ApprovalSubject, String);

impl Approvals {
    /// Asks this approver.
    pub(crate) fn by(approver: Arc<dyn Approver>) -> Self {
        Self {
            approver: Some(approver),
            approved: Mutex::default(),
        }
    }

    /// Asks for consent, unless it was given for the session or for good.
    pub(crate) async fn ask(&self, request: &ApprovalRequest) -> Consent {
        let key = |session: Option<String>| (session, request.subject, request.reason.clone());
        let session = key(Some(request.session.clone()));
        if self.holds(&key(None)) || self.holds(&session) {
            return Consent::Given { is_fresh: false };
        }
        let Some(approver) = &self.approver else {
            return Consent::NoApprover;
        };
        match approver.decide(request).await {
            Approval::Once => {}
            Approval::Session => self.remember(session),
            Approval::Always => self.remember(key(None)),
            Approval::Denied => return Consent::Denied,
            Approval::TimedOut => return Consent::TimedOut,
            Approval::Undelivered => return Consent::Undelivered,
        }
        Consent::Given { is_fresh: true }
    }

    fn holds(&self, key: &Key) -> bool {
        let approved = self.approved.lock().unwrap_or_else(PoisonError::into_inner);
        approved.contains(key)
    }

    fn remember(&self, key: Key) {
        let mut approved = self.approved.lock().unwrap_or_else(PoisonError::into_inner);
        approved.insert(key);
    }
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
        Approvals::by(Arc::new(Answers(Mutex::new(answers))))
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
}
