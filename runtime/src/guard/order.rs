//! The guards of a call, in the order in which they are asked.
//!
//! The order is data: a new guard is one line in the list, at its place. The first refusal ends the questions. What is wrong with the
//! arguments is refused before there is a call at all, see `argument.rs`.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::approval::{ApprovalGuard, Asker, NotApproved};
use super::context::ExecutionContext;
use super::host::HostPolicy;
use super::lifecycle;
use super::mode::Mode;
use super::refusal::Refusal;

/// Shows the guards what is about to run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Candidate<'a> {
    pub(crate) code: &'a str,
    pub(crate) mode: Mode,
    /// Whether the host has enabled the mode.
    pub(crate) is_enabled: bool,
    /// Whose cell it is.
    pub(crate) asker: Asker<'a>,
    /// Time limit of the cell.
    pub(crate) timeout: Duration,
    /// The request's own context.
    pub(crate) context: Option<&'a ExecutionContext>,
}

/// Why a call does not run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Blocked {
    /// A guard refuses it.
    Refused(Refusal),
    /// The host has not enabled its mode.
    ModeOff,
    /// Nobody has approved it.
    NotApproved(NotApproved),
    /// It was stopped while a guard waited for an answer.
    Stopped,
}

/// The guards with what the host has told them.
#[derive(Debug)]
pub(crate) struct Guards {
    pub(crate) host: HostPolicy,
    /// Holds for requests that have none of their own.
    pub(crate) context: ExecutionContext,
    pub(crate) approval: ApprovalGuard,
}

/// One guard. What it concerns is decided by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Guard {
    Availability,
    TerminalScope,
    Code,
    Lifecycle,
    Approval,
}

/// Whoever is asked about a script must know that it would run: the user's word comes last. An interrupt of the session does not reach a
/// call that waits for it, because it has no turn yet: so there is none to be cleared once the user has approved.
const ORDER: [Guard; 5] = [
    Guard::Availability,
    Guard::TerminalScope,
    Guard::Code,
    Guard::Lifecycle,
    Guard::Approval,
];

impl Guards {
    /// Asks every guard; fails with the first refusal, or when `stop` is cancelled while an answer is waited for.
    pub(crate) async fn pass(
        &self,
        candidate: &Candidate<'_>,
        stop: &CancellationToken,
    ) -> Result<(), Blocked> {
        for guard in ORDER {
            match guard {
                Guard::Availability => self.is_available(candidate)?,
                Guard::TerminalScope => self.has_terminal_policy()?,
                Guard::Code => has_code(candidate.code)?,
                Guard::Lifecycle => unless_stopped(stop, self.spares_gateway(candidate)).await??,
                Guard::Approval => unless_stopped(stop, self.is_approved(candidate)).await??,
            }
        }
        Ok(())
    }

    fn is_available(&self, candidate: &Candidate<'_>) -> Result<(), Blocked> {
        if self.host.is_unavailable {
            Err(Refusal::Unavailable.into())
        } else if !candidate.is_enabled {
            Err(Blocked::ModeOff)
        } else {
            Ok(())
        }
    }

    fn has_terminal_policy(&self) -> Result<(), Refusal> {
        match &self.host.terminal_policy_error {
            Some(reason) => Err(Refusal::TerminalScope {
                reason: reason.clone(),
            }),
            None => Ok(()),
        }
    }

    /// A script in the sandbox starts no process and kills none; what it asks `terminal` for is guarded there.
    async fn spares_gateway(&self, candidate: &Candidate<'_>) -> Result<(), Refusal> {
        match &self.host.gateway {
            Some(gateway) if candidate.mode == Mode::Project => {
                lifecycle::check(gateway, candidate.code, candidate.timeout).await
            }
            _ => Ok(()),
        }
    }

    /// A script in the sandbox needs no approval: it reaches nothing but its tools, and each of them asks for itself where it has to.
    async fn is_approved(&self, candidate: &Candidate<'_>) -> Result<(), Blocked> {
        if candidate.mode != Mode::Project {
            return Ok(());
        }
        let context = candidate.context.unwrap_or(&self.context);
        let consent = self.approval.consent(
            candidate.code,
            candidate.asker,
            &self.host.confinement,
            context,
        );
        consent.await.map_err(Blocked::NotApproved)
    }
}

/// Waits for an answer until the call is stopped. An answer that needs no waiting counts, stopped or not: the cell then ends by itself.
async fn unless_stopped<T>(
    stop: &CancellationToken,
    answer: impl Future<Output = T>,
) -> Result<T, Blocked> {
    tokio::select! {
        biased;
        answer = answer => Ok(answer),
        () = stop.cancelled() => Err(Blocked::Stopped),
    }
}

fn has_code(code: &str) -> Result<(), Refusal> {
    if code.chars().all(is_blank) {
        Err(Refusal::NoCode)
    } else {
        Ok(())
    }
}

/// Tells whether Python's `str.strip` would remove the character.
fn is_blank(character: char) -> bool {
    // Python also counts the four ASCII separators, which Unicode's White_Space property leaves out.
    character.is_whitespace() || matches!(character, '\x1c'..='\x1f')
}

impl From<Refusal> for Blocked {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

#[cfg(test)]
mod tests;
