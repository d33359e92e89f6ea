//! What a request amounts to: its own wishes on top of the runtime's defaults, before a kernel is involved.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::engine::native::Location;
use crate::engine::wasm::Metering;
use crate::engine::{Limits, Stop};
use crate::fs::{Grants, Scope};
use crate::guard::{Approvals, Mode};
use crate::request::Request;
use crate::session::{SessionKey, child_owner};
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
    /// Where a child process runs the cell; a sandbox runs it where there is none.
    pub(super) location: Option<Location>,
    mode: Mode,
    requested_workdir: Option<PathBuf>,
}

impl Plan {
    /// Plans the run of a request that has passed the guards.
    pub(super) fn new(
        request: Request,
        defaults: &Defaults,
        tools: &ToolSet,
        redactor: &Arc<Redactor>,
    ) -> Result<Self, RuntimeError> {
        let mode = request.mode.unwrap_or(defaults.mode);
        let session = owner(request.session.as_deref(), request.child.as_deref());
        let requested_workdir = match (&request.workdir, defaults.grants.workdir()) {
            (Some(directory), _) => Some(directory.clone()),
            (None, Some(scope)) => Some(scope.root().to_path_buf()),
            (None, None) => None,
        };
        let grants = match &request.workdir {
            Some(directory) => with_workdir(&defaults.grants, directory)?,
            None => Arc::clone(&defaults.grants),
        };
        let enabled = request
            .enabled_tools
            .or_else(|| defaults.enabled_tools.clone());
        let allowed = tools.allowed(enabled.as_deref(), mode);
        let stop = request.interrupt.stop;
        let workdir = grants.workdir().map(|scope| scope.root().to_path_buf());
        let context = ToolContext::new(session.clone().unwrap_or_default())
            .with_cancellation(stop.token().clone())
            .with_redactor(Arc::clone(redactor))
            .with_grants(grants)
            .with_approvals(Arc::clone(&defaults.approvals))
            .with_spill_dir(defaults.spill_dir.clone());
        let context = match conversation(request.session.as_deref(), request.child.as_deref()) {
            Some(conversation) => context.with_conversation(conversation.to_owned()),
            None => context,
        };
        let fuel = match defaults.metering {
            Metering::Fuel { per_cell } => Some(per_cell),
            Metering::Epoch | Metering::Unmetered => None,
        };
        Ok(Self {
            code: request.code,
            key: session.clone().map(|owner| SessionKey {
                owner,
                mode,
                workdir,
                interpreter: None,
                tools: allowed.clone(),
                is_pinned: request.child.is_some(),
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
            location: None,
            mode,
            requested_workdir,
        })
    }

    /// Returns whether the cell runs in project mode.
    pub(super) fn is_project(&self) -> bool {
        self.mode == Mode::Project
    }

    /// Returns the directory that the request or the host set for the cell.
    pub(super) fn requested_workdir(&self) -> Option<&Path> {
        self.requested_workdir.as_deref()
    }

    /// Settles that a child process runs the cell there: its tools reach what the user can reach.
    pub(super) fn settle(&mut self, location: Location) -> Result<(), RuntimeError> {
        let cwd = location.cwd.clone().unwrap_or_else(std::env::temp_dir);
        let workdir = Arc::new(Scope::open(&cwd)?);
        let grants = Grants::whole_host(workdir).map_err(RuntimeError::Host)?;
        self.context = self.context.clone().with_grants(Arc::new(grants));
        if let Some(key) = &mut self.key {
            key.workdir.clone_from(&location.cwd);
            key.interpreter = Some(location.interpreter.clone());
        }
        self.location = Some(location);
        Ok(())
    }
}

/// Returns who owns the state of a request's session: a delegated child owns its own.
pub(super) fn owner(session: Option<&str>, child: Option<&str>) -> Option<String> {
    match child {
        Some(child) => Some(child_owner(session.unwrap_or_default(), child)),
        None => session.map(str::to_owned),
    }
}

/// Returns the session that a delegated child belongs to; `None` where the request's session belongs to none.
pub(super) fn conversation<'a>(session: Option<&'a str>, child: Option<&str>) -> Option<&'a str> {
    session.filter(|session| child.is_some() && !session.is_empty())
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
