//! A runtime of the library with the thread that drives it.
//!
//! All rows start from the same settings: the defaults, but without spill files and with room for many tool calls.
//! Everything runs on the calling thread: what a cell costs is not hidden on another core. A cell that does not do
//! what the row expects is an error, so that no row measures a failure.

use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use hermes_runtime::{Metering, Outcome, Request, Runtime, RuntimeBuilder, Status};
use tokio::runtime;

/// The session that rows share where they name none.
const SESSION: &str = "bench";

/// Tool calls that a cell may make: more than any row makes.
const TOOL_CALLS: u64 = 1_000_000;

/// Runs cells one after another.
#[derive(Debug)]
pub(crate) struct Sandbox {
    runtime: Runtime,
    driver: runtime::Runtime,
}

impl Sandbox {
    /// Loads the runtime with the settings that all rows share.
    pub(crate) fn new() -> Result<Self> {
        Self::with(|builder| builder)
    }

    /// Loads the runtime with another way of metering.
    pub(crate) fn metered(metering: Metering) -> Result<Self> {
        Self::with(|builder| builder.metering(metering))
    }

    /// Loads the runtime with changed settings; compiles the module where that was not done before.
    pub(crate) fn with(change: impl FnOnce(RuntimeBuilder) -> RuntimeBuilder) -> Result<Self> {
        let builder = change(
            Runtime::builder()
                .spill_dir(None)
                .max_tool_calls(TOOL_CALLS),
        );
        let driver = runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let runtime = driver.block_on(async { builder.build() })?;
        Ok(Self { runtime, driver })
    }

    /// Runs a request, whatever its end.
    pub(crate) fn run(&self, request: Request) -> Result<Outcome> {
        Ok(self.driver.block_on(self.runtime.execute(request))?)
    }

    /// Runs code in a fresh sandbox and returns what it printed.
    pub(crate) fn output(&self, code: &str) -> Result<String> {
        succeeded(self.run(Request::new(code))?)
    }

    /// Runs code in a fresh sandbox and returns the one number that it printed.
    pub(crate) fn number(&self, code: &str) -> Result<f64> {
        number_in(&self.output(code)?)
    }

    /// Runs code in the session and returns the seconds that it took.
    pub(crate) fn time_in_session(&self, code: &str) -> Result<f64> {
        let request = Request::new(code).session(SESSION);
        let start = Instant::now();
        let outcome = self.run(request)?;
        let seconds = start.elapsed().as_secs_f64();
        succeeded(outcome)?;
        Ok(seconds)
    }

    /// Runs code in a fresh sandbox, checks what it prints and returns the seconds that it took.
    pub(crate) fn time(&self, code: &str, expected: &str) -> Result<f64> {
        let start = Instant::now();
        let output = self.output(code)?;
        let seconds = start.elapsed().as_secs_f64();
        ensure!(
            output == expected,
            "`{code}` printed {output:?} instead of {expected:?}"
        );
        Ok(seconds)
    }
}

fn succeeded(outcome: Outcome) -> Result<String> {
    ensure!(
        outcome.status == Status::Success,
        "a cell failed: {}",
        outcome.to_json()
    );
    Ok(outcome.output)
}

/// Reads the one number that a script printed.
pub(crate) fn number_in(output: &str) -> Result<f64> {
    output
        .trim()
        .parse()
        .with_context(|| format!("{output:?} is not a number"))
}
