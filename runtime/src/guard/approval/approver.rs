//! The host's side of an approval: who is asked, what is shown, what can be answered.

use std::fmt;

use async_trait::async_trait;

/// Decides, for the host's user, about what a script may do beyond its grants.
///
/// The future is dropped when the cell ends or the time for an answer is over, so that a prompt never outlives what it is about.
#[async_trait]
pub trait Approver: Send + Sync + fmt::Debug {
    /// Answers one request.
    async fn decide(&self, request: &ApprovalRequest) -> Approval;
}

/// Names the kind of thing that needs approval.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ApprovalSubject {
    /// A whole script.
    Code,
    /// A shell command.
    Command,
    /// A change of files that tell agents what to do.
    Files,
}

/// What an [`Approver`] is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ApprovalRequest {
    /// Name of the session whose cell asks; empty where the cell has none.
    pub session: String,
    /// What kind of thing it is.
    pub subject: ApprovalSubject,
    /// What makes it dangerous, in a few words.
    pub reason: String,
    /// The command, script or list of paths, without secrets. A script stands in a fenced block of Markdown.
    pub text: String,
    /// How many places of the text are masked because they look like secrets. Whoever approves should be told where it is not zero.
    pub masked: usize,
    /// What an answer for good is to be stored under, so that a later run can be told by
    /// [`GuardOptions::approved`](crate::GuardOptions::approved): the reason, or `execute_code` for any script.
    pub pattern_key: String,
    /// Whether the guardian has said no already. Any yes then holds for this time only.
    pub is_override: bool,
}

impl ApprovalRequest {
    /// Makes a request; `text` must be redacted already.
    pub(crate) fn new(
        session: &str,
        subject: ApprovalSubject,
        reason: impl Into<String>,
        text: impl Into<String>,
    ) -> Self {
        let reason = reason.into();
        Self {
            session: session.to_owned(),
            subject,
            pattern_key: reason.clone(),
            reason,
            text: text.into(),
            masked: 0,
            is_override: false,
        }
    }
}

/// An answer to an [`ApprovalRequest`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Approval {
    /// Yes, for this time.
    Once,
    /// Yes, also for later requests of this session with the same subject and pattern key. Where there is no session it is [`Once`](Self::Once).
    Session,
    /// Yes, also for later requests of every session of this runtime with the same subject and pattern key.
    Always,
    /// No.
    Denied,
    /// Nobody answered in time.
    TimedOut,
    /// The request could not be shown to anybody.
    Undelivered,
}
