//! What a request amounts to: its own wishes on top of the runtime's defaults, before a kernel is involved.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::engine::wasm::Metering;
use crate::engine::{Limits, Stop};
use crate::fs::{Grants, Scope};
use crate::guard::{self, Approvals, Candidate, Mode};
use crate::request::Request;
use crate::session::SessionKey;
use crate::text::redact::Redactor;
use crate::tools::{ToolContext, ToolSet};

use super::error::RuntimeError;

/// What holds where a request says nothing.
#[derive(Debug)]
pub(super) struct Defaults {
    pub(super) grants: Arc<Grants>,
    pub(super) enabled_tools: Option<Vec<String>>,
    pub(super) timeout: Duration,
    pub(super) max_tool_calls: u64,
    pub(super) mode: Mode,
    pub(super) metering: Metering,
    pub(super) approvals: Arc<Approvals>,
    pub(super) spill_dir: Option<PathBuf>,
}

/// One run, ready to be given a kernel.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) code: String,
    /// The session whose kernel is used; without one a fresh kernel serves this run only.
    pub(super) key: Option<SessionKey>,
    pub(super) reset: bool,
    /// Names of the tools that the script may call, sorted.
    pub(super) allowed: Vec<String>,
    pub(super) context: ToolContext,
    pub(super) budget: u64,
    pub(super) limits: Limits,
    pub(super) stop: Arc<Stop>,
}

impl Plan {
    /// Asks the guards and plans the run.
    pub(super) fn new(
        request: Request,
        defaults: &Defaults,
        tools: &ToolSet,
        redactor: &Arc<Redactor>,
    ) -> Result<Self, RuntimeError> {
        guard::check(&Candidate {
            code: &request.code,
        })?;
        let mode = request.mode.unwrap_or(defaults.mode);
        if mode != Mode::Strict {
            return Err(RuntimeError::ModeUnavailable("project"));
        }
        let grants = match &request.workdir {
            Some(directory) => with_workdir(&defaults.grants, directory)?,
            None => Arc::clone(&defaults.grants),
        };
        let enabled = request
            .enabled_tools
            .or_else(|| defaults.enabled_tools.clone());
        let allowed = tools.allowed(enabled.as_deref());
        let stop = request.interrupt.stop;
        let workdir = grants.workdir().map(|scope| scope.root().to_path_buf());
        let context = ToolContext::new(request.session.clone().unwrap_or_default())
            .with_cancellation(stop.token().clone())
            .with_redactor(Arc::clone(redactor))
            .with_grants(grants)
            .with_approvals(Arc::clone(&defaults.approvals))
            .with_spill_dir(defaults.spill_dir.clone());
        let fuel = match defaults.metering {
            Metering::Fuel { per_cell } => Some(per_cell),
            Metering::Epoch | Metering::Unmetered => None,
        };
        Ok(Self {
            code: request.code,
            key: request.session.map(|owner| SessionKey {
                owner,
                mode,
                workdir,
                tools: allowed.clone(),
            }),
            reset: request.reset,
            allowed,
            context,
            budget: request.max_tool_calls.unwrap_or(defaults.max_tool_calls),
            limits: Limits {
                timeout: request.timeout.unwrap_or(defaults.timeout),
                fuel,
            },
            stop,
        })
    }
}

/// Returns the grants with another working directory, unless it is the one that is open already.
fn with_workdir(grants: &Arc<Grants>, directory: &Path) -> Result<Arc<Grants>, RuntimeError> {
    match grants.workdir() {
        Some(scope) if scope.root() == directory => Ok(Arc::clone(grants)),
        _ => {
            let scope = Arc::new(Scope::open(directory)?);
            Ok(Arc::new(Grants::clone(grants).with_workdir(scope)))
        }
    }
}
