//! Whether a command may run: the guard's judgement, and the user's word where it is needed.

use super::reply::NotRun;
use super::{TerminalOptions, foreground};
use crate::guard::{
    ApprovalRequest, ApprovalSubject, Consent, DenyPatterns, Verdict, for_eyes, judge,
};
use crate::text::redact::PromptKind;
use crate::tools::ToolContext;

const NO_ANSWER: &str = "BLOCKED: Action timed out without user response. The user has NOT consented to this action. Do NOT retry it, do NOT rephrase it, and do NOT attempt the same outcome via a different path. Silence is not consent.";
const NOT_DELIVERED: &str =
    "BLOCKED: Failed to send command approval request to user. Do NOT retry.";

/// Why a command is stopped before anybody is asked, or what has to be asked.
#[derive(Debug)]
pub(super) enum Finding {
    Clear,
    Stopped(NotRun),
    /// The user's word is needed for this reason.
    Dangerous(String),
}

/// Looks at a command; takes a while for a long one.
pub(super) fn examine(command: &str, denied: &DenyPatterns) -> Finding {
    let verdict = judge(command, denied);
    let stopped = match &verdict {
        Verdict::Floor(description) => Some(NotRun::blocked(floor_refusal(description))),
        Verdict::Forbidden(pattern) => Some(NotRun::blocked(format!(
            "Command denied: it matches the operator's rule '{pattern}' (approvals.deny), which no approval overrides."
        ))),
        _ => foreground::refusal(command).map(NotRun::error),
    };
    match (stopped, verdict) {
        (Some(refusal), _) => Finding::Stopped(refusal),
        (None, Verdict::Dangerous(reason)) => Finding::Dangerous(reason),
        (None, _) => Finding::Clear,
    }
}

/// Asks for consent to a dangerous command; returns what the answer tells about it if the user was asked just now.
pub(super) async fn obtain(
    command: &str,
    reason: String,
    options: &TerminalOptions,
    context: &ToolContext,
) -> Result<Option<String>, NotRun> {
    if options.allow_dangerous {
        return Ok(None);
    }
    let (shown, masked) = for_eyes(command, PromptKind::Command, context.redactor());
    let mut request = ApprovalRequest::new(
        context.asker(),
        ApprovalSubject::Command,
        reason.as_str(),
        shown,
    );
    request.masked = masked;
    match context.approvals().ask(&request).await {
        Consent::Given { is_fresh } => {
            let note = format!("Command was approved by the user ({reason}).");
            Ok(is_fresh.then_some(note))
        }
        Consent::Denied | Consent::NoApprover => Err(NotRun::blocked(denied(&reason))),
        Consent::TimedOut => Err(NotRun::blocked(NO_ANSWER)),
        Consent::Undelivered => Err(NotRun::blocked(NOT_DELIVERED)),
    }
}

fn floor_refusal(description: &str) -> String {
    format!(
        "BLOCKED (hardline): {description}. This command is on the unconditional blocklist and cannot be executed via the agent — not even with --yolo, /yolo, approvals.mode=off, or cron approve mode. If you genuinely need to run it, run it yourself in a terminal outside the agent."
    )
}

fn denied(reason: &str) -> String {
    format!(
        "Command denied: {reason}. Use the approval prompt to allow it, or rephrase the command."
    )
}
