//! The runtime's settings and their defaults.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::config::{self, ByteSize, Config};
use crate::engine::native::{NativeEngine, ProjectOptions};
use crate::engine::wasm::{Metering, Slots, WasmOptions};
use crate::fs::{Access, Grants, Scope};
use crate::guard::{
    ApprovalGuard, Approvals, Approver, ExecutionContext, GuardOptions, Guardian, Guards,
    HostPolicy, Mode,
};
use crate::process;
use crate::schema::SchemaRequest;
use crate::session::{Registry, Searches, Shells};
use crate::text::clean::Cleaner;
use crate::text::redact::Redactor;
use crate::tools::{TERMINAL, Tool, ToolOptions, ToolSet};

use super::activity::{Activity, Listener};
use super::artifact_report::ArtifactReport;
use super::configured;
use super::engines::Engines;
use super::error::RuntimeError;
use super::execute::{Inner, Runtime};
use super::plan::Defaults;

/// Wall clock of a cell.
const TIMEOUT: Duration = Duration::from_mins(5);
/// Calls that may reach a tool in one cell.
const MAX_TOOL_CALLS: u64 = 50;
/// Memory of one sandbox.
const MEMORY_LIMIT: ByteSize = ByteSize::mebibytes(512);
/// Native stack of one sandbox's code. Every kind of deep recursion that CPython knows (parser, `repr`, `pickle`, `json`, `__repr__` that
/// calls itself) reaches CPython's own limit within it and becomes an exception; who builds the artifact sees that it does so with a
/// mebibyte to spare, for how much of the stack a function takes is decided anew in each build.
const STACK_LIMIT: ByteSize = ByteSize::mebibytes(6);
/// Kernels that address space is reserved for.
const RESERVED_KERNELS: u32 = 16;
/// Sessions that are kept.
const MAX_SESSIONS: usize = 4;
/// How long an unused session is kept.
const SESSION_IDLE: Duration = Duration::from_mins(30);

/// Settings of a [`Runtime`]; nothing is granted that was not asked for.
///
/// | setting | default |
/// |---|---|
/// | `workdir` | none: file tools and `terminal` answer with an error |
/// | `allow_read`, `allow_write` | no further directory |
/// | `enabled_tools` | every tool but `terminal` |
/// | `timeout` | 300 s a cell |
/// | `max_tool_calls` | 50 a cell |
/// | `memory_limit` | 512 MiB a sandbox |
/// | `stack_limit` | 6 MiB a sandbox |
/// | `max_sessions`, `session_idle` | 4 sessions, 1,800 s |
/// | `approver` | none: what needs approval is refused |
/// | `guardian` | none: the approver decides alone |
/// | `guards`, `host` | see [`GuardOptions`] and [`HostPolicy`] |
/// | `execution_context` | [`ExecutionContext::cli`]: scripts of project mode run unasked |
/// | `tool_options` | see [`ToolOptions`] |
/// | `metering` | [`Metering::Epoch`] |
/// | `reserved_kernels` | 16; more than that at once is possible, and slower to start |
/// | `mode` | [`Mode::Strict`] |
/// | `project` | off: a request for [`Mode::Project`] is refused |
/// | `on_activity` | nobody is told of long cells |
/// | `redact_secrets` | on, unless `HERMES_REDACT_SECRETS` is `0`, `false`, `no` or `off` |
/// | `spill_dir` | `$HERMES_HOME/cache/exec`, else `~/.hermes/cache/exec` |
#[derive(Debug)]
#[must_use]
pub struct RuntimeBuilder {
    engine: WasmOptions,
    options: ToolOptions,
    host_tools: ToolSet,
    left_out: Vec<String>,
    approver: Option<Arc<dyn Approver>>,
    guardian: Option<Arc<dyn Guardian>>,
    guards: GuardOptions,
    host: HostPolicy,
    context: ExecutionContext,
    invalid_tool: Option<RuntimeError>,
    workdir: Option<PathBuf>,
    further_directories: Vec<(PathBuf, Access)>,
    enabled_tools: Option<Vec<String>>,
    timeout: Duration,
    max_tool_calls: u64,
    max_sessions: usize,
    session_idle: Duration,
    mode: Mode,
    project: Option<ProjectOptions>,
    /// What project mode has where the mode alone enables it.
    project_defaults: ProjectOptions,
    listener: Listener,
    redact: bool,
    vault: Vec<String>,
    spill_dir: Option<PathBuf>,
}

impl Default for RuntimeBuilder {
    fn default() -> Self {
        Self {
            engine: WasmOptions {
                artifact: None,
                cache: None,
                metering: Metering::default(),
                slots: Some(Slots(RESERVED_KERNELS)),
                memory_limit: bytes(MEMORY_LIMIT),
                stack_limit: bytes(STACK_LIMIT),
            },
            options: ToolOptions::default(),
            host_tools: ToolSet::default(),
            left_out: Vec::new(),
            approver: None,
            guardian: None,
            guards: GuardOptions::default(),
            host: HostPolicy::default(),
            context: ExecutionContext::default(),
            invalid_tool: None,
            workdir: None,
            further_directories: Vec::new(),
            enabled_tools: None,
            timeout: TIMEOUT,
            max_tool_calls: MAX_TOOL_CALLS,
            max_sessions: MAX_SESSIONS,
            session_idle: SESSION_IDLE,
            mode: Mode::default(),
            project: None,
            project_defaults: ProjectOptions::default(),
            listener: Listener::default(),
            redact: redaction_is_on(),
            vault: Vec::new(),
            spill_dir: config::spill_directory(),
        }
    }
}

impl RuntimeBuilder {
    /// Applies what a configuration names; what it does not name stays as it is.
    ///
    /// These are limits of cells and sessions, options of the tools, redaction, and the options of a project mode that
    /// [`mode`](Self::mode) enables. The mode itself is none of them: a host that follows the file's says `.mode(config.mode())`. Calls
    /// after this one come on top of it, and [`tool_options`](Self::tool_options) takes the place of what was configured for the tools.
    pub fn config(mut self, config: &Config) -> Self {
        let resolved = config.resolved();
        configured::files(resolved, &mut self.options.files);
        configured::terminal(resolved, config.path(), &mut self.options.terminal);
        configured::approvals(resolved, &mut self.options.terminal);
        configured::guards(resolved, &mut self.guards);
        configured::web(resolved, &mut self.options.web);
        configured::project(resolved, &mut self.project_defaults);
        let execution = &resolved.code_execution;
        self.timeout = execution.timeout.named().copied().unwrap_or(self.timeout);
        let calls = execution.max_tool_calls.named().copied();
        self.max_tool_calls = calls.unwrap_or(self.max_tool_calls);
        let sessions = execution.max_session_kernels.named().copied();
        self.max_sessions = sessions.unwrap_or(self.max_sessions);
        let idle = execution.kernel_idle_timeout.named().copied();
        self.session_idle = idle.unwrap_or(self.session_idle);
        let redact = resolved.security.redact_secrets.named().copied();
        self.redact = redact.unwrap_or(self.redact);
        self
    }

    /// Takes the guest artifact from this directory instead of searching for it.
    pub fn artifact_dir(mut self, directory: impl Into<PathBuf>) -> Self {
        self.engine.artifact = Some(directory.into());
        self
    }

    /// Keeps compiled modules in this directory, which must belong to the user and be closed to others.
    pub fn cache_dir(mut self, directory: impl Into<PathBuf>) -> Self {
        self.engine.cache = Some(directory.into());
        self
    }

    /// Chooses how the work of a cell is metered.
    pub fn metering(mut self, metering: Metering) -> Self {
        self.engine.metering = metering;
        self
    }

    /// Reserves address space (4 GiB each) for this many kernels, which makes fresh ones start faster. Kernels beyond that, and all of them
    /// where `None` is given or the system grants no such space, get their memory on demand.
    pub fn reserved_kernels(mut self, kernels: impl Into<Option<u32>>) -> Self {
        self.engine.slots = kernels.into().map(Slots);
        self
    }

    /// Limits the memory of one sandbox. The script's interpreter takes about 40 MiB of it.
    pub fn memory_limit(mut self, limit: ByteSize) -> Self {
        self.engine.memory_limit = bytes(limit);
        self
    }

    /// Limits the native stack of one sandbox's code. With less than the default, recursion that would raise `RecursionError` may end the
    /// sandbox instead, as a runtime fault: who builds an artifact of their own sees with it how near it comes. Addresses are reserved for
    /// the whole of it, memory is taken as far as it is used.
    pub fn stack_limit(mut self, limit: ByteSize) -> Self {
        self.engine.stack_limit = bytes(limit);
        self
    }

    /// Grants the tools this directory, to read and to change; a script's relative paths begin in it.
    ///
    /// They see nothing outside of it but what [`allow_read`](Self::allow_read) and [`allow_write`](Self::allow_write) add.
    pub fn workdir(mut self, directory: impl Into<PathBuf>) -> Self {
        self.workdir = Some(directory.into());
        self
    }

    /// Grants the file tools a further directory for reading, by its absolute path.
    pub fn allow_read(mut self, directory: impl Into<PathBuf>) -> Self {
        self.further_directories
            .push((directory.into(), Access::Read));
        self
    }

    /// Grants the file tools a further directory for reading and changing, by its absolute path.
    pub fn allow_write(mut self, directory: impl Into<PathBuf>) -> Self {
        self.further_directories
            .push((directory.into(), Access::Write));
        self
    }

    /// Enables exactly the named tools where a request names none.
    pub fn enabled_tools(mut self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.enabled_tools = Some(names.into_iter().map(Into::into).collect());
        self
    }

    /// Adds a tool of the host's own, or replaces the built-in one of that name.
    pub fn tool(mut self, tool: impl Tool + 'static) -> Self {
        match self.host_tools.clone().with(tool) {
            Ok(tools) => self.host_tools = tools,
            Err(error) => {
                self.invalid_tool.get_or_insert(error.into());
            }
        }
        self
    }

    /// Leaves out a built-in tool.
    pub fn without_tool(mut self, name: &str) -> Self {
        self.left_out.push(name.to_owned());
        self
    }

    /// Sets limits and options of the built-in tools.
    pub fn tool_options(mut self, options: ToolOptions) -> Self {
        self.options = options;
        self
    }

    /// Changes limits and options of the built-in tools, and leaves what is not changed.
    pub fn change_tool_options(mut self, change: impl FnOnce(&mut ToolOptions)) -> Self {
        change(&mut self.options);
        self
    }

    /// Asks this approver about what needs a user's word. Without one, what needs approval is refused.
    pub fn approver(mut self, approver: impl Approver + 'static) -> Self {
        self.approver = Some(Arc::new(approver));
        self
    }

    /// Lets this guardian assess scripts of project mode before the approver is asked about them.
    pub fn guardian(mut self, guardian: impl Guardian + 'static) -> Self {
        self.guardian = Some(Arc::new(guardian));
        self
    }

    /// Sets what needs approval, and from whom.
    pub fn guards(mut self, options: GuardOptions) -> Self {
        self.guards = options;
        self
    }

    /// Tells the guards about the host.
    pub fn host(mut self, host: HostPolicy) -> Self {
        self.host = host;
        self
    }

    /// Says on whose behalf cells run whose request does not say so.
    pub fn execution_context(mut self, context: ExecutionContext) -> Self {
        self.context = context;
        self
    }

    /// Limits the wall clock of cells whose request names no limit.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Limits the tool calls of cells whose request names no limit.
    pub fn max_tool_calls(mut self, calls: u64) -> Self {
        self.max_tool_calls = calls;
        self
    }

    /// Keeps at most this many sessions; the least recently used goes first, a busy one never.
    pub fn max_sessions(mut self, sessions: usize) -> Self {
        self.max_sessions = sessions;
        self
    }

    /// Drops a session that was not used for this long.
    pub fn session_idle(mut self, idle: Duration) -> Self {
        self.session_idle = idle;
        self
    }

    /// Enables project mode, in which cells run in a child process of this machine's own Python, with the user's rights: an envelope with
    /// limits, and no jail. Strict mode stays the default.
    pub fn project(mut self, options: ProjectOptions) -> Self {
        self.project = Some(options);
        self
    }

    /// Tells a host every ten seconds that a cell is running. The function is called on the cell's executor and must not block.
    pub fn on_activity(mut self, told: impl Fn(&Activity<'_>) + Send + Sync + 'static) -> Self {
        self.listener = Listener::new(told);
        self
    }

    /// Chooses the mode of cells whose request names none; [`Mode::Project`] is enabled by that.
    pub fn mode(mut self, mode: Mode) -> Self {
        self.mode = mode;
        self
    }

    /// Chooses the mode by a name from a configuration; an unknown name is the strict mode, with a warning in the log.
    pub fn mode_name(self, name: &str) -> Self {
        self.mode(config::mode_or_strict(name))
    }

    /// Switches the redaction of secrets in output on or off. Vault values are always redacted.
    pub fn redact_secrets(mut self, redact: bool) -> Self {
        self.redact = redact;
        self
    }

    /// Redacts these exact texts wherever they appear in output.
    pub fn vault(mut self, secrets: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.vault = secrets.into_iter().map(Into::into).collect();
        self
    }

    /// Saves the full text of long outputs in this directory; `None` saves nothing.
    pub fn spill_dir(mut self, directory: impl Into<Option<PathBuf>>) -> Self {
        self.spill_dir = directory.into();
        self
    }

    /// Makes the runtime. Takes a few milliseconds, or seconds when the module has to be compiled first. A runtime whose mode is
    /// [`Mode::Project`] loads the module when a request first asks for strict mode.
    ///
    /// # Errors
    ///
    /// Fails when there is no usable artifact, when a tool's name cannot be used in Python, or when the directory cannot be opened.
    pub fn build(self) -> Result<Runtime, RuntimeError> {
        if let Some(error) = self.invalid_tool {
            return Err(error);
        }
        let mut grants = Grants::default();
        if let Some(directory) = &self.workdir {
            grants = grants.with_workdir(Arc::new(Scope::open(directory)?));
        }
        for (directory, access) in &self.further_directories {
            grants = grants.with(Arc::new(Scope::open(directory)?), *access);
        }
        let redactor = Arc::new(Redactor::new(self.redact, self.vault));
        let cleaner = Cleaner::new(Arc::clone(&redactor), self.spill_dir.clone());
        let metering = self.engine.metering;
        let is_project = self.mode == Mode::Project;
        let project = self
            .project
            .or_else(|| is_project.then_some(self.project_defaults));
        let tools = tools(&self.options, &self.left_out, self.host_tools);
        // Kernels and shells can leave files behind where their host is killed.
        let starts_processes = project.is_some() || tools.names().any(|name| name == TERMINAL);
        let housekeeping = starts_processes.then_some(process::sweep as fn());
        let engines = Engines::new(self.engine, project.map(NativeEngine::new).transpose()?);
        if !is_project {
            engines.load_wasm()?;
        }
        let approvals = Arc::new(Approvals::new(self.approver, &self.guards));
        let guards = Guards {
            host: self.host,
            context: self.context,
            approval: ApprovalGuard::new(
                self.guards,
                Arc::clone(&approvals),
                self.guardian,
                Arc::clone(&redactor),
            ),
        };
        let defaults = Defaults {
            grants: Arc::new(grants),
            enabled_tools: self.enabled_tools,
            timeout: self.timeout,
            max_tool_calls: self.max_tool_calls,
            mode: self.mode,
            metering,
            approvals,
            spill_dir: self.spill_dir,
        };
        Ok(Runtime::new(Inner {
            engines,
            tools: Arc::new(tools),
            defaults,
            guards,
            registry: Registry::new(self.max_sessions, self.session_idle, housekeeping),
            searches: Searches::default(),
            shells: Shells::new(self.max_sessions),
            cleaner: Arc::new(cleaner),
            redactor,
            listener: self.listener,
        }))
    }

    /// Returns what the schema of `execute_code` depends on with these settings, without making a runtime.
    pub fn schema(&self) -> SchemaRequest {
        let tools = tools(&self.options, &self.left_out, self.host_tools.clone());
        let request = SchemaRequest::new(
            Arc::new(tools),
            self.mode,
            self.timeout,
            self.max_tool_calls,
        );
        match &self.enabled_tools {
            Some(names) => request.enabled_tools(names),
            None => request,
        }
    }

    /// Finds the artifact that these settings would use, without loading it.
    ///
    /// # Errors
    ///
    /// Fails when there is none.
    pub fn artifact(&self) -> Result<ArtifactReport, RuntimeError> {
        ArtifactReport::new(&self.engine)
    }
}

/// Returns the built-in tools but for those that are left out, and the host's own.
fn tools(options: &ToolOptions, left_out: &[String], host_tools: ToolSet) -> ToolSet {
    let builtin = ToolSet::builtin(options);
    let kept = left_out
        .iter()
        .fold(builtin, |tools, name| tools.without(name));
    kept.replaced_by(host_tools)
}

/// Returns a size as this machine counts memory; one that it cannot count is no limit.
fn bytes(size: ByteSize) -> usize {
    usize::try_from(size.as_bytes()).unwrap_or(usize::MAX)
}

/// Reads the switch once, in the host's environment: a script cannot turn it off.
fn redaction_is_on() -> bool {
    let value = std::env::var("HERMES_REDACT_SECRETS").unwrap_or_default();
    !matches!(
        value.trim().to_ascii_lowercase().as_str(),
        "0" | "false" | "no" | "off"
    )
}
