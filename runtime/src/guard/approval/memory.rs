//! The answers that hold for longer than one request, and the one way to ask.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::timeout;

use super::super::options::GuardOptions;
use super::approver::{Approval, ApprovalRequest, ApprovalSubject, Approver};
use super::turns::Turns;

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
    memory: Mutex<Memory>,
}

#[derive(Debug, Default)]
struct Memory {
    /// Approved pattern keys; without a session they hold for all.
    approved: HashSet<Key>,
    /// The sessions of the questions that are open. One that is closed is taken out, and its answer is then not remembered for it.
    open: HashMap<u64, String>,
    next: u64,
    turns: Turns,
}

/// A question of a call, open until it is dropped.
#[derive(Debug)]
pub(super) struct Question<'a> {
    approvals: &'a Approvals,
    number: u64,
}

/// The conversation for which an answer holds, if not for all, and what was asked.
pub(super) type Key = (Option<String>, ApprovalSubject, String);

impl Default for Approvals {
    fn default() -> Self {
        Self {
            approver: None,
            patience: GuardOptions::default().timeout,
            memory: Mutex::default(),
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
            memory: Mutex::new(Memory {
                approved: subjects.into_iter().flat_map(keys).collect(),
                ..Memory::default()
            }),
        }
    }

    /// Asks for consent, unless it was given for the session or for good.
    pub(crate) async fn ask(&self, request: &ApprovalRequest) -> Consent {
        self.begin(&request.session).ask(request).await
    }

    /// Opens a question of a session.
    pub(super) fn begin(&self, session: &str) -> Question<'_> {
        let mut memory = self.lock();
        let number = memory.next;
        memory.next += 1;
        memory.open.insert(number, session.to_owned());
        Question {
            approvals: self,
            number,
        }
    }

    /// Returns whether consent was given for the conversation or for good.
    pub(crate) fn holds_for(&self, request: &ApprovalRequest) -> bool {
        let memory = self.lock();
        let holds = |conversation| memory.approved.contains(&key(conversation, request));
        holds(None) || holds(Some(request.conversation.clone()))
    }

    /// Forgets what was approved for the sessions that are over, and what will be answered to their open questions.
    pub(crate) fn forget(&self, is_over: impl Fn(&str) -> bool) {
        let mut memory = self.lock();
        memory
            .approved
            .retain(|(session, _, _)| !session.as_deref().is_some_and(&is_over));
        memory.open.retain(|_, session| !is_over(session));
    }

    fn lock(&self) -> MutexGuard<'_, Memory> {
        // No change leaves one part at odds with another, so that a panic leaves all of it usable.
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Question<'_> {
    /// Asks for consent, unless it was given for the session or for good, be it while another call asked the same.
    pub(super) async fn ask(&self, request: &ApprovalRequest) -> Consent {
        let approvals = self.approvals;
        // A yes against the guardian holds for one script: neither does another answer hold for it, nor is one waited for.
        if request.is_override {
            return self.ask_now(request).await;
        }
        if approvals.holds_for(request) {
            return Consent::Given { is_fresh: false };
        }
        if request.conversation.is_empty() {
            return self.ask_now(request).await;
        }
        let waiting = approvals.lock().turns.wait(own_key(request));
        let mut turn = waiting.turn().await;
        if approvals.holds_for(request) {
            return Consent::Given { is_fresh: false };
        }
        if turn.was_silent() {
            // Nobody is there: to ask again would be another wait for each of those who ask the same.
            return Consent::TimedOut;
        }
        let consent = self.ask_now(request).await;
        if consent == Consent::TimedOut {
            turn.note_silence();
        }
        consent
    }

    /// Asks for consent, whatever was answered before.
    async fn ask_now(&self, request: &ApprovalRequest) -> Consent {
        let approvals = self.approvals;
        let Some(approver) = &approvals.approver else {
            return Consent::NoApprover;
        };
        let answer = timeout(approvals.patience, approver.decide(request)).await;
        match answer.unwrap_or(Approval::TimedOut) {
            Approval::Session if has_memory(request) && !request.conversation.is_empty() => {
                let mut memory = approvals.lock();
                if memory.open.contains_key(&self.number) {
                    memory.approved.insert(own_key(request));
                }
            }
            Approval::Always if has_memory(request) => {
                approvals.lock().approved.insert(key(None, request));
            }
            Approval::Once | Approval::Session | Approval::Always => {}
            Approval::Denied => return Consent::Denied,
            Approval::TimedOut => return Consent::TimedOut,
            Approval::Undelivered => return Consent::Undelivered,
        }
        Consent::Given { is_fresh: true }
    }
}

impl Drop for Question<'_> {
    fn drop(&mut self) {
        self.approvals.lock().open.remove(&self.number);
    }
}

/// Tells whether a yes can hold for longer than this time.
fn has_memory(request: &ApprovalRequest) -> bool {
    !request.is_override
}

fn own_key(request: &ApprovalRequest) -> Key {
    key(Some(request.conversation.clone()), request)
}

fn key(conversation: Option<String>, request: &ApprovalRequest) -> Key {
    (conversation, request.subject, request.pattern_key.clone())
}

#[cfg(test)]
mod tests;
