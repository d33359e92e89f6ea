//! One call: the code, and what differs from the runtime's defaults.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use crate::engine::{Stop, StopCause};
use crate::guard::{Arguments, ExecutionContext, Mode, Refusal};

/// A piece of Python source to run, with its options. What is not set is the runtime's default.
#[derive(Debug, Clone)]
pub struct Request {
    pub(crate) code: String,
    pub(crate) session: Option<String>,
    pub(crate) child: Option<String>,
    pub(crate) reset: bool,
    pub(crate) enabled_tools: Option<Vec<String>>,
    pub(crate) timeout: Option<Duration>,
    pub(crate) max_tool_calls: Option<u64>,
    pub(crate) workdir: Option<PathBuf>,
    pub(crate) mode: Option<Mode>,
    pub(crate) context: Option<ExecutionContext>,
    pub(crate) interrupt: InterruptHandle,
}

impl Request {
    /// Makes a request to run `code` in a sandbox of its own, which is thrown away afterwards.
    pub fn new(code: impl Into<String>) -> Self {
        Self {
            code: code.into(),
            session: None,
            child: None,
            reset: false,
            enabled_tools: None,
            timeout: None,
            max_tool_calls: None,
            workdir: None,
            mode: None,
            context: None,
            interrupt: InterruptHandle::default(),
        }
    }

    /// Reads the arguments of an `execute_code` call: `code`, `session`, `reset`, `enabled_tools`, `timeout` (seconds),
    /// `max_tool_calls` and `mode`. Unknown names are ignored.
    ///
    /// # Errors
    ///
    /// Fails with the refusal that the caller should see when an argument has a wrong type or range.
    pub fn from_arguments(arguments: &Value) -> Result<Self, Refusal> {
        let arguments = Arguments::from_json(arguments)?;
        Ok(Self {
            session: arguments.session,
            reset: arguments.reset,
            enabled_tools: arguments.enabled_tools,
            timeout: arguments.timeout,
            max_tool_calls: arguments.max_tool_calls,
            mode: arguments.mode,
            ..Self::new(arguments.code)
        })
    }

    /// Runs in the named session, whose state (variables, imports, files) lives on between its cells.
    #[must_use]
    pub fn session(mut self, name: impl Into<String>) -> Self {
        self.session = Some(name.into());
        self
    }

    /// Runs for a delegated child of the session: in a session of its own, which shares nothing with its parent's and is not dropped to
    /// make room for others. Whoever delegated disposes of it with [`Runtime::end_child`](crate::Runtime::end_child).
    #[must_use]
    pub fn child(mut self, id: impl Into<String>) -> Self {
        self.child = Some(id.into());
        self
    }

    /// Discards the session's state before the code runs. A cell that runs in the session goes on to its end, with the old state.
    #[must_use]
    pub fn reset(mut self, reset: bool) -> Self {
        self.reset = reset;
        self
    }

    /// Enables exactly the named tools; names that the runtime does not have are ignored.
    #[must_use]
    pub fn enabled_tools(mut self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.enabled_tools = Some(names.into_iter().map(Into::into).collect());
        self
    }

    /// Limits the wall clock, from the first instruction on. Zero leaves no time at all: the cell times out.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// Limits the calls that reach a tool.
    #[must_use]
    pub fn max_tool_calls(mut self, calls: u64) -> Self {
        self.max_tool_calls = Some(calls);
        self
    }

    /// Grants the tools this directory instead of the runtime's.
    #[must_use]
    pub fn workdir(mut self, directory: impl Into<PathBuf>) -> Self {
        self.workdir = Some(directory.into());
        self
    }

    /// Chooses the mode.
    #[must_use]
    pub fn mode(mut self, mode: Mode) -> Self {
        self.mode = Some(mode);
        self
    }

    /// Says on whose behalf the code runs, which decides whether anybody is asked before it runs in project mode.
    #[must_use]
    pub fn execution_context(mut self, context: ExecutionContext) -> Self {
        self.context = Some(context);
        self
    }

    /// Returns a handle that ends the run of this request, now or later, from anywhere.
    pub fn interrupt_handle(&self) -> InterruptHandle {
        self.interrupt.clone()
    }
}

/// Ends the run of one request. A clone does the same.
#[derive(Debug, Clone, Default)]
pub struct InterruptHandle {
    pub(crate) stop: Arc<Stop>,
}

impl InterruptHandle {
    /// Ends the run; its kernel and state are lost, what it printed is kept. The reason is shown in the output.
    pub fn interrupt(&self, reason: Option<&str>) {
        self.stop
            .trip(StopCause::Interrupt(reason.map(str::to_owned)));
    }
}
