//! The way of a request: guards, session, engine, cleaning, contract.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::contract::{CellReport, Ending, KernelInfo, Outcome, ToolFailure};
use crate::engine::wasm::{Metering, WasmEngine};
use crate::engine::{Cell, CellEnd, Limits, Stop, Verdict};
use crate::fs::Scope;
use crate::guard::{self, Candidate, Mode};
use crate::request::Request;
use crate::session::{Lease, Registry, SessionKey, Slot};
use crate::text::clean::Cleaner;
use crate::text::redact::Redactor;
use crate::text::truncate::STDERR_LIMIT;
use crate::tools::{self, CellAuthority, ToolContext, ToolSet};

use super::builder::RuntimeBuilder;
use super::error::RuntimeError;

/// Output above this size, in bytes, is cleaned on a thread that may block.
const CLEAN_INLINE: u64 = 256 << 10;

/// Runs requests; cheap to clone, and to be shared by everything in a process that runs code.
#[derive(Debug, Clone)]
pub struct Runtime {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    engine: WasmEngine,
    tools: Arc<ToolSet>,
    defaults: Defaults,
    registry: Arc<Registry>,
    cleaner: Arc<Cleaner>,
    redactor: Arc<Redactor>,
}

/// What holds where a request says nothing.
#[derive(Debug)]
pub(super) struct Defaults {
    pub(super) scope: Option<Arc<Scope>>,
    pub(super) enabled_tools: Option<Vec<String>>,
    pub(super) timeout: Duration,
    pub(super) max_tool_calls: u64,
    pub(super) mode: Mode,
    pub(super) metering: Metering,
}

/// What a request amounts to, before a kernel is involved.
struct Plan {
    code: String,
    allowed: Vec<String>,
    scope: Option<Arc<Scope>>,
    context: ToolContext,
    budget: u64,
    limits: Limits,
}

impl Runtime {
    /// Returns a builder with the documented defaults.
    pub fn builder() -> RuntimeBuilder {
        RuntimeBuilder::default()
    }

    pub(super) fn new(
        engine: WasmEngine,
        tools: Arc<ToolSet>,
        defaults: Defaults,
        registry: Arc<Registry>,
        cleaner: Arc<Cleaner>,
        redactor: Arc<Redactor>,
    ) -> Self {
        Self {
            inner: Arc::new(Inner {
                engine,
                tools,
                defaults,
                registry,
                cleaner,
                redactor,
            }),
        }
    }

    /// Runs a request and returns its result. Dropping the future ends the run.
    ///
    /// # Errors
    ///
    /// Fails when the call is refused (no code, an unavailable mode, a directory that cannot be opened) or when the runtime itself
    /// fails. Code that raises, times out or breaks its sandbox is an outcome.
    pub async fn execute(&self, request: Request) -> Result<Outcome, RuntimeError> {
        let inner = &self.inner;
        guard::check(&Candidate {
            code: &request.code,
        })?;
        let mode = request.mode.unwrap_or(inner.defaults.mode);
        if mode != Mode::Strict {
            return Err(RuntimeError::ModeUnavailable("project"));
        }
        let plan = inner.plan(&request)?;
        let Some(owner) = request.session else {
            return inner
                .run(plan, &request.interrupt.stop, &mut Slot::default(), false)
                .await;
        };
        let key = SessionKey {
            owner,
            mode,
            workdir: plan.scope.as_ref().map(|scope| scope.root().to_path_buf()),
            tools: plan.allowed.clone(),
        };
        let lease = inner.registry.acquire(&key, request.reset);
        inner
            .run_in(&lease, &key, plan, &request.interrupt.stop)
            .await
    }

    /// Ends the cells that run now in the sessions of that name; returns whether there was one.
    pub fn interrupt(&self, session: &str, reason: Option<&str>) -> bool {
        self.inner.registry.interrupt(session, reason) > 0
    }

    /// Drops the sessions of that name with their state, and ends their running cells; returns whether there was one.
    pub fn close_session(&self, session: &str) -> bool {
        self.inner.registry.close(session) > 0
    }

    /// Returns how many sessions are kept now.
    pub fn sessions(&self) -> usize {
        self.inner.registry.len()
    }

    /// Returns the names of the tools that this runtime has, sorted.
    pub fn tools(&self) -> Vec<String> {
        self.inner.tools.names().map(str::to_owned).collect()
    }
}

impl Inner {
    fn plan(&self, request: &Request) -> Result<Plan, RuntimeError> {
        let defaults = &self.defaults;
        let scope = match &request.workdir {
            Some(directory) => Some(self.open(directory)?),
            None => defaults.scope.clone(),
        };
        let enabled = request
            .enabled_tools
            .as_ref()
            .or(defaults.enabled_tools.as_ref());
        let allowed = self.tools.allowed(enabled.map(Vec::as_slice));
        let stop = &request.interrupt.stop;
        let session = request.session.clone().unwrap_or_default();
        let mut context = ToolContext::new(session)
            .with_cancellation(stop.token().clone())
            .with_redactor(Arc::clone(&self.redactor));
        if let Some(scope) = &scope {
            context = context.with_scope(Arc::clone(scope));
        }
        let budget = request.max_tool_calls.unwrap_or(defaults.max_tool_calls);
        let fuel = match defaults.metering {
            Metering::Fuel { per_cell } => Some(per_cell),
            Metering::Epoch | Metering::Unmetered => None,
        };
        let limits = Limits {
            timeout: request.timeout.unwrap_or(defaults.timeout),
            fuel,
        };
        Ok(Plan {
            code: request.code.clone(),
            allowed,
            scope,
            context,
            budget,
            limits,
        })
    }

    fn open(&self, directory: &Path) -> Result<Arc<Scope>, RuntimeError> {
        match &self.defaults.scope {
            Some(scope) if scope.root() == directory => Ok(Arc::clone(scope)),
            _ => Ok(Arc::new(Scope::open(directory)?)),
        }
    }

    async fn run_in(
        &self,
        lease: &Lease,
        key: &SessionKey,
        plan: Plan,
        stop: &Arc<Stop>,
    ) -> Result<Outcome, RuntimeError> {
        lease
            .run(stop, async |slot| {
                let outcome = self.run(plan, stop, slot, lease.state_reset).await;
                if slot.kernel.is_none() {
                    self.registry.forget(key);
                }
                outcome
            })
            .await
    }

    /// Runs the plan in the slot's kernel, which is made where there is none and dropped where the cell ends it.
    async fn run(
        &self,
        plan: Plan,
        stop: &Arc<Stop>,
        slot: &mut Slot,
        state_reset: bool,
    ) -> Result<Outcome, RuntimeError> {
        let Plan {
            code,
            allowed,
            context,
            budget,
            limits,
            ..
        } = plan;
        // The shell keeps what `cd` and `export` left; like the kernel it belongs to the session.
        let context = context.with_shell(Arc::clone(&slot.shell));
        let authority = CellAuthority::new(Arc::clone(&self.tools), allowed.clone(), context)
            .with_budget(budget);
        let authority = Arc::new(authority);
        // A future that is dropped in the middle of a cell leaves no half-run kernel behind: it goes with the future.
        let reused = slot.kernel.is_some();
        let mut kernel = if let Some(kernel) = slot.kernel.take() {
            kernel
        } else {
            slot.executed = 0;
            let description = tools::describe(&self.tools, &allowed);
            self.engine.kernel(description.into()).await?
        };
        let started = Instant::now();
        let cell = Cell {
            code,
            limits,
            authority: Arc::clone(&authority),
            stop: Arc::clone(stop),
        };
        let end = kernel.run(cell).await;
        let duration = started.elapsed();
        slot.executed += 1;
        let info = KernelInfo {
            reused,
            execution_count: slot.executed,
            state_reset,
            ..KernelInfo::default()
        };
        if end.verdict.kernel_lives() {
            slot.kernel = Some(kernel);
        }
        self.compose(end, limits, info, duration, &authority, allowed)
            .await
    }

    async fn compose(
        &self,
        end: CellEnd,
        limits: Limits,
        kernel: KernelInfo,
        duration: Duration,
        authority: &CellAuthority,
        tools: Vec<String>,
    ) -> Result<Outcome, RuntimeError> {
        let cleaner = Arc::clone(&self.cleaner);
        let CellEnd {
            verdict,
            stdout,
            stderr,
            traceback,
            fuel_used,
        } = end;
        let size = stdout
            .total()
            .saturating_add(stderr.total())
            .saturating_add(traceback.total());
        let clean = move || {
            let traceback = (!traceback.is_empty()).then(|| cleaner.fragment(&traceback, None));
            (
                cleaner.stdout(&stdout),
                cleaner.fragment(&stderr, Some(STDERR_LIMIT)),
                traceback,
            )
        };
        let (stdout, stderr, traceback) = if size > CLEAN_INLINE {
            tokio::task::spawn_blocking(clean).await?
        } else {
            clean()
        };
        let tool_errors = authority
            .take_errors()
            .into_iter()
            .map(|failure| self.shown(failure))
            .collect();
        Ok(Outcome::new(CellReport {
            ending: ending(verdict, limits),
            stdout,
            stderr,
            traceback,
            tool_calls_made: authority.calls_made(),
            duration,
            kernel,
            tool_errors,
            tools,
            fuel: fuel_used,
        }))
    }
}

impl Inner {
    /// Returns a tool's failure without escapes and secrets: its text comes from the host, or from whatever the host read.
    fn shown(&self, failure: ToolFailure) -> ToolFailure {
        ToolFailure {
            error: self.cleaner.text(&failure.error),
            ..failure
        }
    }
}

fn ending(verdict: Verdict, limits: Limits) -> Ending {
    match verdict {
        Verdict::Ended => Ending::Ok,
        Verdict::Raised => Ending::Raised,
        Verdict::Exited => Ending::Exited,
        Verdict::TimedOut => Ending::Timeout {
            limit_seconds: limits.timeout.as_secs_f64(),
        },
        Verdict::Interrupted(reason) => Ending::Interrupted { reason },
        Verdict::OutOfFuel => Ending::FuelExhausted {
            limit: limits.fuel.unwrap_or_default(),
        },
        Verdict::Died(detail) => Ending::Died {
            detail: Some(detail),
        },
    }
}
