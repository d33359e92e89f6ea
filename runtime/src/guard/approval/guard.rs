//! The approval guard: what the settings decide, what is remembered, the guardian, and at last the user.

use std::sync::Arc;

use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::super::context::ExecutionContext;
use super::super::host::Confinement;
use super::super::options::{ApprovalMode, GuardOptions};
use super::approver::{ApprovalRequest, ApprovalSubject, Asker};
use super::breaker::{DenialBreaker, addendum};
use super::guardian::{Assessment, Guardian};
use super::memory::{Approvals, Consent};
use super::not_approved::{DESCRIPTION, NotApproved};
use super::policy::{Decision, decide};
use super::prompt::shown;
use crate::text::redact::Redactor;

/// What consent to scripts is remembered under, whatever the script.
const PATTERN_KEY: &str = "execute_code";
/// Scripts above this size, in bytes, are redacted on a thread that may block.
const SHOWN_INLINE: usize = 64 << 10;

/// Decides whether a script may run, and asks where it has to.
#[derive(Debug)]
pub(crate) struct ApprovalGuard {
    approvals: Arc<Approvals>,
    guardian: Option<Arc<dyn Guardian>>,
    redactor: Arc<Redactor>,
    denials: DenialBreaker,
    options: GuardOptions,
}

impl ApprovalGuard {
    /// Makes a guard that asks through `approvals`.
    pub(crate) fn new(
        options: GuardOptions,
        approvals: Arc<Approvals>,
        guardian: Option<Arc<dyn Guardian>>,
        redactor: Arc<Redactor>,
    ) -> Self {
        Self {
            approvals,
            guardian,
            redactor,
            denials: DenialBreaker::default(),
            options,
        }
    }

    /// Decides about one script; waits for an answer where somebody is asked.
    pub(crate) async fn consent(
        &self,
        code: &str,
        asker: impl Into<Asker<'_>>,
        confinement: &Confinement,
        context: &ExecutionContext,
    ) -> Result<(), NotApproved> {
        let asker = asker.into();
        let session = asker.session;
        let refusal = match decide(confinement, &self.options, context) {
            Decision::Approved => None,
            Decision::Refused(message) => Some(NotApproved::by_policy(message)),
            Decision::Ask => self.ask(code, asker, context).await,
        };
        let Some(mut refusal) = refusal else {
            self.denials.approved(session);
            return Ok(());
        };
        let count = self.denials.refused(session);
        let threshold = self.options.denial_breaker_threshold;
        refusal.message.extend(addendum(count, threshold));
        tracing::debug!(session, count, "a script was not approved");
        Err(refusal)
    }

    /// Forgets what was answered in the sessions that are over.
    pub(crate) fn forget(&self, is_over: impl Fn(&str) -> bool) {
        self.approvals.forget(&is_over);
        self.denials.forget(is_over);
    }

    async fn ask(
        &self,
        code: &str,
        asker: Asker<'_>,
        context: &ExecutionContext,
    ) -> Option<NotApproved> {
        let mut request = ApprovalRequest::new(asker, ApprovalSubject::Code, DESCRIPTION, "");
        PATTERN_KEY.clone_into(&mut request.pattern_key);
        if self.approvals.holds_for(&request) {
            return None;
        }
        // A session that is closed from here on has no part in the answer.
        let question = self.approvals.begin(asker.session);
        let Some((text, masked)) = self.text(code).await else {
            return NotApproved::from_consent(Consent::Undelivered, context.audience);
        };
        request.text = text;
        request.masked = masked;
        match self.assess(&request).await {
            Assessment::Approve => return None,
            Assessment::Deny => request.is_override = true,
            Assessment::Escalate => {}
        }
        match question.ask(&request).await {
            Consent::NoApprover if request.is_override => Some(NotApproved::by_guardian()),
            consent => NotApproved::from_consent(consent, context.audience),
        }
    }

    /// Asks the guardian, where there is one. Its silence is neither yes nor no.
    async fn assess(&self, request: &ApprovalRequest) -> Assessment {
        match &self.guardian {
            Some(guardian) if self.options.mode == ApprovalMode::Smart => {
                timeout(self.options.timeout, guardian.assess(request))
                    .await
                    .unwrap_or(Assessment::Escalate)
            }
            _ => Assessment::Escalate,
        }
    }

    /// Returns what is shown; nothing where making it has failed, and so nobody could judge it.
    async fn text(&self, code: &str) -> Option<(String, usize)> {
        if code.len() <= SHOWN_INLINE {
            return Some(shown(code, &self.redactor));
        }
        let (code, redactor) = (code.to_owned(), Arc::clone(&self.redactor));
        let work = spawn_blocking(move || shown(&code, &redactor));
        work.await.ok()
    }
}

#[cfg(test)]
mod tests;
