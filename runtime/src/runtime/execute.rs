//! The way of a request: guards, session, engine, cleaning, contract.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::contract::{CellReport, Ending, ExitStatus, KernelInfo, Outcome, Stdout};
use crate::engine::{Cell, CellEnd, Kernel, Limits, Stop, StopCause, Verdict};
use crate::guard::{Asker, Blocked, Candidate, Guards, Mode};
use crate::process::Shell;
use crate::request::Request;
use crate::schema::SchemaRequest;
use crate::session::{NoTurn, Registry, Searches, ShellInUse, Shells, Slot, child_owner, is_of};
use crate::text::clean::Cleaner;
use crate::text::redact::Redactor;
use crate::text::truncate::STDERR_LIMIT;
use crate::tools::{self, CellAuthority, ToolSet};

use super::activity::Listener;
use super::builder::RuntimeBuilder;
use super::engines::Engines;
use super::error::RuntimeError;
use super::plan::{Defaults, Plan, conversation, owner};

/// Output above this size, in bytes, is cleaned on a thread that may block.
const CLEAN_INLINE: u64 = 256 << 10;

/// Runs requests; cheap to clone, and to be shared by everything in a process that runs code.
///
/// Code that fails is an outcome, and a session outlives it:
///
/// ```
/// use hermes_runtime::{Request, Runtime, Status};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), hermes_runtime::RuntimeError> {
/// # let artifact = concat!(env!("CARGO_MANIFEST_DIR"), "/../target/artifact");
/// let runtime = Runtime::builder()
/// #     .artifact_dir(artifact)
///     .build()?;
/// let cell = |code: &str| Request::new(code).session("sums");
/// let failed = runtime.execute(cell("x = 41\n1 / 0")).await?;
/// assert_eq!(failed.status, Status::Error);
/// let outcome = runtime.execute(cell("print(x + 1)")).await?;
/// assert_eq!(outcome.output, "42\n");
/// assert!(outcome.kernel.reused);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Runtime {
    inner: Arc<Inner>,
}

#[derive(Debug)]
pub(super) struct Inner {
    pub(super) engines: Engines,
    pub(super) tools: Arc<ToolSet>,
    pub(super) defaults: Defaults,
    pub(super) guards: Guards,
    pub(super) registry: Arc<Registry>,
    pub(super) searches: Searches,
    pub(super) shells: Shells,
    pub(super) cleaner: Arc<Cleaner>,
    pub(super) redactor: Arc<Redactor>,
    pub(super) listener: Listener,
}

impl Runtime {
    /// Returns a builder with the documented defaults.
    pub fn builder() -> RuntimeBuilder {
        RuntimeBuilder::default()
    }

    pub(super) fn new(inner: Inner) -> Self {
        Self {
            inner: Arc::new(inner),
        }
    }

    /// Runs a request and returns its result. Dropping the future ends the run.
    ///
    /// # Errors
    ///
    /// Fails when the call is refused (no code, an unavailable mode, no approval, a directory that cannot be opened) or when the runtime
    /// itself fails. Code that raises, times out or breaks its sandbox is an outcome.
    pub async fn execute(&self, request: Request) -> Result<Outcome, RuntimeError> {
        let inner = &self.inner;
        match inner.admit(&request).await {
            Ok(()) => {}
            Err(Blocked::Refused(refusal)) => return Err(refusal.into()),
            Err(Blocked::ModeOff) => return Err(RuntimeError::ModeUnavailable("project")),
            Err(Blocked::NotApproved(refusal)) => return Err(refusal.into()),
            Err(Blocked::Stopped) => {
                let reason = inner.interrupt_reason(&request.interrupt.stop);
                return Ok(not_begun(Ending::InterruptedUnapproved { reason }));
            }
        }
        let mut plan = Plan::new(request, &inner.defaults, &inner.tools, &inner.redactor)?;
        loop {
            // One that was stopped before its turn, in a host's own queue for example, costs no session its state and no other one its place.
            if plan.key.is_some() && plan.stop.token().is_cancelled() {
                return Ok(inner.stopped_waiting(&plan.stop));
            }
            // Held from here to the end of the cell, so that the cell finds what it was planned with.
            let shell = inner.shell_of(&plan);
            if plan.is_project() && !inner.locate(&mut plan, shell.as_deref()).await? {
                return Ok(inner.stopped_waiting(&plan.stop));
            }
            let Some(key) = &plan.key else {
                return inner.run(&plan, &mut Slot::default(), false).await;
            };
            let lease = inner.registry.acquire(key, plan.reset);
            match lease.turn(&plan.stop).await {
                Ok(mut turn) => {
                    return inner.run(&plan, &mut turn.slot, lease.state_reset).await;
                }
                Err(NoTurn::Stopped) => return Ok(inner.stopped_waiting(&plan.stop)),
                // What says where its cells run, the shell for one, was given up with the session.
                Err(NoTurn::Closed) => {}
            }
        }
    }

    /// Ends the cells that run now in the sessions of that name, and those for which an interpreter is looked for; returns whether there was
    /// one.
    pub fn interrupt(&self, session: &str, reason: Option<&str>) -> bool {
        let searches = self.inner.searches.interrupt(session, reason);
        searches + self.inner.registry.interrupt(session, reason) > 0
    }

    /// Drops the sessions of that name and those of its delegated children with their state and with what was approved for them, and ends
    /// their running cells; returns whether there was one, or what is left of one without a kernel: the state of its shell, or a command in
    /// the background.
    pub fn close_session(&self, session: &str) -> bool {
        let had_shell = self.inner.shells.forget(session);
        let approval = &self.inner.guards.approval;
        approval.forget(|name| is_of(name, session));
        self.inner.registry.close(session) > 0 || had_shell
    }

    /// Drops the sessions of a delegated child that has finished; returns whether there was one.
    pub fn end_child(&self, session: &str, child: &str) -> bool {
        self.close_session(&child_owner(session, child))
    }

    /// Returns how many sessions are kept now.
    pub fn sessions(&self) -> usize {
        self.inner.registry.len()
    }

    /// Returns what the schema of `execute_code` depends on, with this runtime's tools and defaults.
    pub fn schema(&self) -> SchemaRequest {
        let defaults = &self.inner.defaults;
        let request = SchemaRequest::new(
            Arc::clone(&self.inner.tools),
            defaults.mode,
            defaults.timeout,
            defaults.max_tool_calls,
        );
        match &defaults.enabled_tools {
            Some(names) => request.enabled_tools(names),
            None => request,
        }
    }

    /// Returns the names of the tools that this runtime has, sorted.
    pub fn tools(&self) -> Vec<String> {
        self.inner.tools.names().map(str::to_owned).collect()
    }
}

impl Inner {
    /// Runs the plan in the slot's kernel, which is made where there is none and dropped where the cell ends it.
    async fn run(
        &self,
        plan: &Plan,
        slot: &mut Slot,
        state_reset: bool,
    ) -> Result<Outcome, RuntimeError> {
        // The shell keeps what `cd` and `export` left; like the kernel it belongs to the session.
        if let Some(shell) = self.shell_of(plan) {
            slot.shell = shell.shared();
        }
        let context = plan
            .context
            .clone()
            .with_shell(Arc::clone(&slot.shell))
            .with_seen_files(Arc::clone(&slot.seen_files));
        let authority = CellAuthority::new(
            Arc::clone(&self.tools),
            plan.allowed.clone(),
            plan.budget,
            context,
        );
        let authority = Arc::new(authority);
        // A future that is dropped in the middle of a cell leaves no half-run kernel behind: it goes with the future.
        let kept = slot.take();
        let has_died = kept.as_ref().is_some_and(|(kernel, _)| !kernel.is_alive());
        let (mut kernel, executed) = match kept.filter(|_| !has_died) {
            Some(kept) => kept,
            None => (self.fresh(plan).await?, 0),
        };
        let state_reset = state_reset || has_died;
        let started = Instant::now();
        let cell = Cell {
            code: plan.code.clone(),
            limits: plan.limits,
            authority: Arc::clone(&authority),
            stop: Arc::clone(&plan.stop),
        };
        let session = plan.context.session();
        // Apart, for it is most of the size of a call that runs.
        let run = Box::pin(kernel.run(cell));
        let end = self.listener.watch(session, run).await;
        let duration = started.elapsed();
        let exit_status = match &end.verdict {
            Verdict::Exited(status) => status.clone().map(|status| self.clean_status(status)),
            _ => None,
        };
        let info = KernelInfo {
            exit_status,
            reused: executed > 0,
            execution_count: executed + 1,
            state_reset,
            ..KernelInfo::default()
        };
        if end.verdict.kernel_lives() {
            slot.put(kernel, executed + 1);
        }
        self.compose(end, plan, info, duration, &authority).await
    }

    /// Asks the guards about a request. Nothing that it needs is taken before they have answered.
    async fn admit(&self, request: &Request) -> Result<(), Blocked> {
        let mode = request.mode.unwrap_or(self.defaults.mode);
        let (parent, child) = (request.session.as_deref(), request.child.as_deref());
        let session = owner(parent, child);
        let session = session.as_deref().unwrap_or_default();
        let asker = Asker {
            session,
            conversation: conversation(parent, child).unwrap_or(session),
        };
        let candidate = Candidate {
            code: &request.code,
            mode,
            is_enabled: mode != Mode::Project || self.engines.native().is_ok(),
            asker,
            timeout: request.timeout.unwrap_or(self.defaults.timeout),
            context: request.context.as_ref(),
        };
        let stop = request.interrupt.stop.token();
        self.guards.pass(&candidate, stop).await
    }

    fn interrupt_reason(&self, stop: &Stop) -> Option<String> {
        match stop.cause() {
            Some(StopCause::Interrupt(Some(reason))) => Some(self.cleaner.text(reason)),
            _ => None,
        }
    }

    fn stopped_waiting(&self, stop: &Stop) -> Outcome {
        let reason = self.interrupt_reason(stop);
        not_begun(Ending::InterruptedWaiting { reason })
    }

    /// Returns the shell of a project session, in use.
    fn shell_of(&self, plan: &Plan) -> Option<ShellInUse<'_>> {
        let key = plan.key.as_ref().filter(|_| plan.is_project())?;
        Some(self.shells.of(&key.owner))
    }

    /// Finds where a cell of project mode runs; returns whether it did before the cell was stopped.
    async fn locate(&self, plan: &mut Plan, shell: Option<&Shell>) -> Result<bool, RuntimeError> {
        let engine = self.engines.native()?;
        let recorded = shell.and_then(Shell::recorded);
        let owner = plan.key.as_ref().map(|key| key.owner.as_str());
        let _search = owner.map(|owner| self.searches.begin(owner, &plan.stop));
        let location = tokio::select! {
            // Where nothing has to be waited for, the cell begins, even if it is to end at once.
            biased;
            location = engine.locate(recorded.as_deref(), plan.requested_workdir()) => location?,
            () = plan.stop.token().cancelled() => return Ok(false),
        };
        plan.settle(location)?;
        Ok(true)
    }

    async fn fresh(&self, plan: &Plan) -> Result<Kernel, RuntimeError> {
        let description = tools::describe(&self.tools, &plan.allowed);
        self.engines
            .kernel(plan.location.as_ref(), description)
            .await
    }

    fn clean_status(&self, status: ExitStatus) -> ExitStatus {
        match status {
            ExitStatus::Message(message) => ExitStatus::Message(self.cleaner.text(&message)),
            code @ ExitStatus::Code(_) => code,
        }
    }

    async fn compose(
        &self,
        end: CellEnd,
        plan: &Plan,
        kernel: KernelInfo,
        duration: Duration,
        authority: &CellAuthority,
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
                cleaner.printed(stdout),
                cleaner.fragment(&stderr, Some(STDERR_LIMIT)),
                traceback,
            )
        };
        let (stdout, stderr, traceback) = if size > CLEAN_INLINE {
            tokio::task::spawn_blocking(clean)
                .await
                .map_err(|source| RuntimeError::Task {
                    tool_calls_made: authority.calls_made(),
                    duration,
                    source,
                })?
        } else {
            clean()
        };
        Ok(Outcome::new(CellReport {
            ending: self.ending(verdict, plan.limits),
            stdout,
            stderr,
            traceback,
            tool_calls_made: authority.calls_made(),
            duration,
            kernel,
            tool_errors: authority.take_errors(),
            tools: plan.allowed.clone(),
            fuel: fuel_used,
        }))
    }
}

/// Returns the result of a cell that ended before anything of it ran.
fn not_begun(ending: Ending) -> Outcome {
    Outcome::new(CellReport {
        ending,
        stdout: Stdout::default(),
        stderr: String::new(),
        traceback: None,
        tool_calls_made: 0,
        duration: Duration::ZERO,
        kernel: KernelInfo::default(),
        tool_errors: Vec::new(),
        tools: Vec::new(),
        fuel: None,
    })
}

impl Inner {
    fn ending(&self, verdict: Verdict, limits: Limits) -> Ending {
        match verdict {
            Verdict::Ended => Ending::Ok,
            Verdict::Raised => Ending::Raised,
            Verdict::Exited(_) => Ending::Exited,
            Verdict::TimedOut => Ending::Timeout {
                limit_seconds: limits.timeout.as_secs_f64(),
            },
            Verdict::Interrupted(reason) => Ending::Interrupted {
                reason: reason.map(|reason| self.cleaner.text(&reason)),
            },
            Verdict::OutOfFuel => Ending::FuelExhausted {
                limit: limits.fuel.unwrap_or_default(),
            },
            Verdict::Died(detail) => Ending::Died {
                detail: Some(self.cleaner.text(&detail)),
            },
        }
    }
}
