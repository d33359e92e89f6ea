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
    /// Name of the session for which an answer holds that holds for a session: for a delegated child that of its parent, else the same.
    pub conversation: String,
    /// What kind of thing it is.
    pub subject: ApprovalSubject,
    /// What makes it dangerous, in a few words; nothing in it is the script's.
    pub reason: String,
    /// The command, script or list of paths. Of its secrets those are masked that can hide no code; passwords in addresses and tokens in
    /// comments, for example, are not. A script stands in a fenced block of Markdown.
    pub text: String,
    /// How many places of the text are masked because they look like secrets. Whoever approves should be told where it is not zero.
    pub masked: usize,
    /// What an answer for longer holds for: the reason, for files with their paths as they are, or `execute_code` for any script. It is not
    /// meant to be shown. A later run can be told of those of scripts and commands by
    /// [`GuardOptions::approved`](crate::GuardOptions::approved).
    pub pattern_key: String,
    /// Whether the guardian has said no already. Any yes then holds for this time only.
    pub is_override: bool,
}

/// Whose cell asks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asker<'a> {
    /// Name of its session; empty where there is none.
    pub(crate) session: &'a str,
    /// Name of the session that a delegated child belongs to, else of the session.
    pub(crate) conversation: &'a str,
}

impl<'a> From<&'a str> for Asker<'a> {
    /// Makes the asker in a session that belongs to no other one.
    fn from(session: &'a str) -> Self {
        Self {
            session,
            conversation: session,
        }
    }
}

impl ApprovalRequest {
    /// Makes a request; `text` must be redacted already.
    pub(crate) fn new<'a>(
        asker: impl Into<Asker<'a>>,
        subject: ApprovalSubject,
        reason: impl Into<String>,
        text: impl Into<String>,
    ) -> Self {
        let Asker {
            session,
            conversation,
        } = asker.into();
        let reason = reason.into();
        Self {
            session: session.to_owned(),
            conversation: conversation.to_owned(),
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
    /// Yes, also for later requests of this session and its delegated children with the same subject and pattern key. Where there is no
    /// session it is [`Once`](Self::Once).
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
