//! The right of one cell to call tools: which ones, how often, and until when.
//!
//! Every refusal is free; only a dispatched call uses budget and is logged. When the cell has settled the authority is
//! retired: calls that are still running are dropped, later ones are refused.

use std::borrow::Cow;
use std::future::pending;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use super::dispatch::{Reply, dispatch, parse_arguments, strip_arguments};
use super::json_fault::JsonFault;
use super::log::CallRecord;
use super::surrogate::{self, LoneSurrogate};
use super::{ToolContext, ToolReply, ToolSet};
use crate::contract::{ToolErrors, ToolFailure};
use crate::text::clean::without_escapes_and_secrets;
use crate::text::truncate::first_chars;

/// Longest part of an unknown tool's name that a refusal repeats, in characters.
const MAX_NAME_CHARS: usize = 100;

const RETIRED: &str = "No active execute_code cell: the cell this kernel call belonged to has settled, so its tool authority is retired.";
const UNAUTHORIZED: &str = "Unauthorized RPC request";
const NOT_INSTALLED: &str =
    "No active execute_code cell: this kernel has no cell authority installed.";

/// Returns the reply to a call that is made before any cell has run.
pub(crate) fn no_authority() -> String {
    ToolReply::error(NOT_INSTALLED)
}

/// Returns the reply to a request that is no JSON object, or one whose values have wrong types.
pub(crate) fn malformed_request(request: &[u8], error: &serde_json::Error) -> String {
    let fault = JsonFault::new(request, error);
    ToolReply::error(&format!("Invalid RPC request: {fault}"))
}

/// Returns the reply to a request without the kernel's token.
pub(crate) fn unauthorized_request() -> String {
    ToolReply::error(UNAUTHORIZED)
}

/// Answers the tool calls of one cell.
#[derive(Debug)]
pub(crate) struct CellAuthority {
    tools: Arc<ToolSet>,
    allowed: Vec<String>,
    budget: u64,
    context: ToolContext,
    /// Cancelled when the cell is stopped, not when it ends by itself.
    stop: CancellationToken,
    /// Number of dispatched calls.
    calls_made: AtomicU64,
    errors: Mutex<ToolErrors>,
}

impl CellAuthority {
    /// Makes the authority of a cell that may make `budget` calls of the `allowed` tools, which are sorted by name.
    ///
    /// The calls run under a token of their own below the context's, so that retiring one cell leaves others alone.
    pub(crate) fn new(
        tools: Arc<ToolSet>,
        allowed: Vec<String>,
        budget: u64,
        context: ToolContext,
    ) -> Self {
        let stop = context.cancellation().clone();
        let token = stop.child_token();
        Self {
            stop,
            tools,
            allowed,
            budget,
            context: context.with_cancellation(token),
            calls_made: AtomicU64::new(0),
            errors: Mutex::default(),
        }
    }

    /// Answers one call with a JSON text; `arguments_json` comes from the sandbox and may be anything.
    pub(crate) async fn call(&self, name: &str, arguments_json: &[u8]) -> String {
        if self.token().is_cancelled() {
            return self.refuse_late().await.json;
        }
        let (mut arguments, surrogate) = match parse_for(name, arguments_json) {
            Ok(parsed) => parsed,
            Err(reply) => return reply,
        };
        let is_allowed = self.allowed.iter().any(|allowed| allowed == name);
        let Some(tool) = self.tools.get(name).filter(|_| is_allowed) else {
            let name = first_chars(name, MAX_NAME_CHARS);
            return ToolReply::error(&format!(
                "Tool '{name}' is not available in execute_code. Available: {}",
                self.allowed.join(", ")
            ));
        };
        if !self.take_call() {
            return ToolReply::error(&format!(
                "Tool call limit reached ({}). No more tool calls allowed in this execution.",
                self.budget
            ));
        }
        strip_arguments(name, &mut arguments);
        let context = match surrogate {
            Some(surrogate) => Cow::Owned(self.context.clone().with_lone_surrogate(surrogate)),
            None => Cow::Borrowed(&self.context),
        };
        let redactor = context.redactor();
        let record = CallRecord::begin(name, arguments_json, redactor);
        let reply = tokio::select! {
            biased;
            () = self.token().cancelled() => self.refuse_late().await,
            reply = dispatch(tool, arguments, &context) => {
                let clean = |text: &str| without_escapes_and_secrets(text, redactor).into_owned();
                lock(&self.errors).record(name, &reply.json, clean);
                reply
            }
        };
        record.finish(reply.failure.as_deref());
        reply.json
    }

    /// Refuses a call of a cell that has ended. One that is being stopped gets no answer: it could come to an end of its own with it, and
    /// whoever stopped it would be told that it ran to its end.
    async fn refuse_late(&self) -> Reply {
        if self.stop.is_cancelled() {
            return pending().await;
        }
        Reply::failed(RETIRED.to_owned())
    }

    /// Ends the authority: running calls are dropped and later ones refused.
    pub(crate) fn retire(&self) {
        self.token().cancel();
    }

    /// Returns the number of dispatched calls.
    pub(crate) fn calls_made(&self) -> u64 {
        self.calls_made.load(Ordering::Relaxed)
    }

    /// Takes the failures that tools have reported so far; their texts are clean.
    pub(crate) fn take_errors(&self) -> Vec<ToolFailure> {
        std::mem::take(&mut *lock(&self.errors)).into_failures()
    }

    fn token(&self) -> &CancellationToken {
        self.context.cancellation()
    }

    /// Takes one call out of the budget, if there is one.
    fn take_call(&self) -> bool {
        let next = |made| (made < self.budget).then_some(made + 1);
        self.calls_made
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, next)
            .is_ok()
    }
}

/// Parses a call's arguments. Where a text among them is no Unicode, a tool that wants it so gets a stand-in; for the
/// others the reply tells what is wrong.
fn parse_for(
    name: &str,
    json: &[u8],
) -> Result<(Map<String, Value>, Option<LoneSurrogate>), String> {
    parse_arguments(json)
        .map(|arguments| (arguments, None))
        .or_else(|reply| {
            let (surrogate, json) = LoneSurrogate::replace_all(json).ok_or(reply)?;
            if surrogate::TOOLS.contains(&name) {
                return parse_arguments(&json).map(|arguments| (arguments, Some(surrogate)));
            }
            let name = first_chars(name, MAX_NAME_CHARS);
            Err(ToolReply::error(&format!(
                "{name}: the arguments contain a lone surrogate character ({surrogate}) that cannot be encoded as UTF-8."
            )))
        })
}

/// Locks what is only ever appended to: a panic elsewhere leaves nothing half done in it.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
