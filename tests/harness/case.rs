//! One cell, written as a specification, and a session of its own for cells that share state.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use hermes_runtime::{ExecutionContext, InterruptHandle, Request, Runtime, RuntimeError};

use crate::deadline::within_deadline;
use crate::finished::Finished;
use crate::shared::shared;

/// A cell to be run, in a sandbox of its own unless it names a session.
#[derive(Debug, Clone)]
#[must_use]
pub struct Case {
    runtime: Runtime,
    request: Request,
    code: String,
}

impl Case {
    /// Makes a case of this source, to be run by the shared runtime.
    pub fn new(code: impl Into<String>) -> Self {
        let code = code.into();
        Self {
            runtime: shared().clone(),
            request: Request::new(code.clone()),
            code,
        }
    }

    /// Runs it by another runtime.
    pub fn on(mut self, runtime: &Runtime) -> Self {
        self.runtime = runtime.clone();
        self
    }

    /// Runs it in the named session.
    pub fn session(self, name: impl Into<String>) -> Self {
        self.with(|request| request.session(name))
    }

    /// Discards the session's state first.
    pub fn reset(self) -> Self {
        self.with(|request| request.reset(true))
    }

    /// Enables exactly these tools.
    pub fn tools<const N: usize>(self, names: [&str; N]) -> Self {
        self.with(|request| request.enabled_tools(names))
    }

    /// Limits the wall clock, in milliseconds.
    pub fn timeout_ms(self, milliseconds: u64) -> Self {
        self.with(|request| request.timeout(Duration::from_millis(milliseconds)))
    }

    /// Limits the tool calls.
    pub fn max_tool_calls(self, calls: u64) -> Self {
        self.with(|request| request.max_tool_calls(calls))
    }

    /// Says on whose behalf it runs.
    pub fn execution_context(self, context: ExecutionContext) -> Self {
        self.with(|request| request.execution_context(context))
    }

    /// Grants a directory to the tools.
    pub fn workdir(self, directory: &Path) -> Self {
        self.with(|request| request.workdir(directory))
    }

    /// Returns the handle that ends the run.
    pub fn interrupt_handle(&self) -> InterruptHandle {
        self.request.interrupt_handle()
    }

    /// Runs the cell and returns its result.
    pub async fn run(self) -> Finished {
        let code = self.code.clone();
        match self.try_run().await {
            Ok(finished) => finished,
            Err(error) => panic!(
                "the runtime gave no result: {error:?}\nfor the cell:\n{}",
                crate::finished::shortened(&code)
            ),
        }
    }

    /// Runs the cell where the call is to be refused, and returns why.
    pub async fn refused(self) -> RuntimeError {
        match self.try_run().await {
            Ok(finished) => panic!("the call was not refused: {finished}"),
            Err(error) => error,
        }
    }

    async fn try_run(self) -> Result<Finished, RuntimeError> {
        let run = within_deadline("a cell", self.runtime.execute(self.request)).await;
        run.map(|outcome| Finished::new(self.code, outcome))
    }

    fn with(mut self, change: impl FnOnce(Request) -> Request) -> Self {
        self.request = change(self.request);
        self
    }
}

/// A session that no other test uses.
#[derive(Debug)]
pub struct Session {
    runtime: Runtime,
    name: String,
}

impl Session {
    /// Makes a session of the shared runtime.
    pub fn fresh() -> Self {
        Self::on(shared())
    }

    /// Makes a session of another runtime.
    pub fn on(runtime: &Runtime) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self {
            runtime: runtime.clone(),
            name: format!("session-{}", NEXT.fetch_add(1, Ordering::Relaxed)),
        }
    }

    /// Returns the session's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Makes a case that runs in this session.
    pub fn case(&self, code: impl Into<String>) -> Case {
        Case::new(code).on(&self.runtime).session(&self.name)
    }

    /// Runs a cell with the defaults.
    pub async fn run(&self, code: impl Into<String>) -> Finished {
        self.case(code).run().await
    }

    /// Asserts that the session runs cells as if nothing had happened.
    pub async fn is_healthy(&self) {
        self.run("import json, sys\nprint(json.dumps({'healthy': 6 * 7}), file=sys.stdout)")
            .await
            .succeeds()
            .output("{\"healthy\": 42}\n");
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.runtime.close_session(&self.name);
    }
}
