//! What a call can fail with that is not the script's doing.

use std::time::Duration;

use crate::contract::{ErrorResult, RefusalEnvelope};
use crate::engine::native::KernelError;
use crate::engine::wasm::EngineError;
use crate::fs::ScopeError;
use crate::guard::{NotApproved, Refusal};
use crate::tools::ToolSetError;

/// A call that was refused, or a runtime that failed. Code that fails is an [`Outcome`](crate::Outcome).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RuntimeError {
    /// The call was refused before anything of it ran.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The script needs approval, and has none.
    #[error(transparent)]
    NotApproved(#[from] NotApproved),
    /// The host has not enabled the mode.
    #[error("mode `{0}` is not enabled in this runtime; hint: use mode `strict`")]
    ModeUnavailable(&'static str),
    /// The directory that was to be granted cannot be opened.
    #[error(transparent)]
    Workdir(#[from] ScopeError),
    /// The file system of this machine cannot be opened for the tools of project mode.
    #[error("cannot open the file system for the tools")]
    Host(#[source] std::io::Error),
    /// A host's tool has a name that scripts could not use.
    #[error(transparent)]
    ToolName(#[from] ToolSetError),
    /// The sandbox engine failed.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The child process of project mode cannot be had.
    #[error(transparent)]
    Kernel(#[from] KernelError),
    /// Cleaning the output of a cell that had run ended in a panic.
    #[error("the output of the cell could not be cleaned")]
    Task {
        /// Calls that had reached a tool.
        tool_calls_made: u64,
        /// How long the cell had run.
        duration: Duration,
        /// Why.
        source: tokio::task::JoinError,
    },
}

impl RuntimeError {
    /// Returns the JSON that stands in place of a result: `{"error": …}` for a refusal; for a script that was not approved, and for a
    /// failure of the runtime, the object that a failed cell would have, with `status`, `error` and counters.
    pub fn to_json(&self) -> String {
        let message = self.message();
        match self {
            Self::NotApproved(refusal) => {
                let result = ErrorResult::not_started(message);
                match &refusal.user_summary {
                    Some(summary) => result.with_user_summary(summary.as_str()),
                    None => result,
                }
                .to_json()
            }
            _ if self.is_refusal() => RefusalEnvelope::new(&message).to_json(),
            Self::Task {
                tool_calls_made,
                duration,
                ..
            } => ErrorResult::failed(message, *tool_calls_made, *duration).to_json(),
            _ => ErrorResult::not_started(message).to_json(),
        }
    }

    /// Returns the error and its causes on one line.
    pub fn message(&self) -> String {
        let mut text = self.to_string();
        let mut source = std::error::Error::source(self);
        while let Some(cause) = source {
            text.push_str(": ");
            text.push_str(&cause.to_string());
            source = cause.source();
        }
        text
    }

    /// Returns whether the call was refused, as opposed to a failure of the runtime.
    pub fn is_refusal(&self) -> bool {
        matches!(
            self,
            Self::Refused(_) | Self::NotApproved(_) | Self::ModeUnavailable(_) | Self::Workdir(_)
        )
    }
}
