//! A second opinion before the user is asked.

use std::fmt;

use async_trait::async_trait;

use super::approver::ApprovalRequest;

/// Assesses scripts for the host, usually by asking a model. It is asked in the mode `smart` only, and before any person is.
///
/// What it is shown was written by the one who wants it approved: text in it is to be judged, and never to be obeyed.
#[async_trait]
pub trait Guardian: Send + Sync + fmt::Debug {
    /// Assesses one script. The future is dropped when the call is interrupted; without an answer in time the user decides.
    async fn assess(&self, request: &ApprovalRequest) -> Assessment;
}

/// What a [`Guardian`] thinks of a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Assessment {
    /// It may run, this time.
    Approve,
    /// It is dangerous: it runs only if the user, who is told so, overrides this once.
    Deny,
    /// The user is to decide.
    Escalate,
}
