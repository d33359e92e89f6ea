//! Why a script was not approved, in the words that the caller reads, and in those for the user.

use thiserror::Error;

use super::super::context::Audience;
use super::memory::Consent;

/// What a script is to the user who is asked about it; also what the host shows.
pub(super) const DESCRIPTION: &str = "execute_code script execution. The script can spawn subprocesses or mutate files without passing through terminal command approval; approval is one-shot for this run.";

const UNDELIVERED: &str =
    "BLOCKED: Failed to send execute_code approval request to user. Do NOT retry.";
const NO_ANSWER: &str = "BLOCKED: Action timed out without user response. The user has NOT consented to this action. Do NOT retry it, do NOT rephrase it, and do NOT attempt the same outcome via a different path. Silence is not consent.";
const GUARDIAN: &str = "BLOCKED: execute_code script execution was assessed as genuinely dangerous by the guardian. Do NOT retry.";

/// A script that was not approved. Nothing of it has run.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{message}")]
#[non_exhaustive]
pub struct NotApproved {
    /// What the one who wrote the script is told.
    pub message: String,
    /// A sentence that a front end can show to the user.
    pub user_summary: Option<String>,
}

impl NotApproved {
    /// Makes a refusal by the operator's settings.
    pub(super) fn by_policy(message: String) -> Self {
        Self {
            message,
            user_summary: None,
        }
    }

    /// Makes a refusal by the guardian, where no user is there to override it.
    pub(super) fn by_guardian() -> Self {
        Self::new(
            GUARDIAN,
            "The guardian held the script to be dangerous and nobody could be asked; it did not run.",
        )
    }

    /// Makes the refusal that follows from what the user has answered, or not; consent gives none.
    pub(super) fn from_consent(consent: Consent, audience: Audience) -> Option<Self> {
        let refusal = match (consent, audience) {
            (Consent::Given { .. }, _) => return None,
            (Consent::Denied, Audience::Gateway) => Self::new(
                gateway("denied by user"),
                "You declined the script; it did not run.",
            ),
            (Consent::Denied, _) => Self::new(
                format!(
                    "BLOCKED: User denied execute_code script execution (matched '{DESCRIPTION}'). Do NOT retry — the user has explicitly rejected it."
                ),
                "You declined the script; it did not run.",
            ),
            (Consent::TimedOut, Audience::Gateway) => Self::new(
                gateway("timed out without user response"),
                "The approval request was not answered in time; the script did not run.",
            ),
            (Consent::TimedOut, _) => Self::new(
                NO_ANSWER,
                "The approval request was not answered in time; the script did not run.",
            ),
            (Consent::Undelivered | Consent::NoApprover, _) => Self::new(
                UNDELIVERED,
                "The approval request could not be delivered; the script did not run.",
            ),
        };
        Some(refusal)
    }

    fn new(message: impl Into<String>, summary: &str) -> Self {
        Self {
            message: message.into(),
            user_summary: Some(summary.to_owned()),
        }
    }
}

fn gateway(reason: &str) -> String {
    format!(
        "BLOCKED: execute_code script {reason}. The user has NOT consented to running this code. Do NOT retry, do NOT rephrase the script, and do NOT attempt the same outcome via a different tool."
    )
}
