//! The configuration as a host uses it: read once, never in the way.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::file;
use super::paths;
use super::raw::RawConfig;
use super::resolved::Resolved;
use super::setting::{EffectiveSetting, Origin, Setting};
use crate::guard::Mode;

/// The effective values of `config.yaml`'s keys that concern execution, and where each came from.
///
/// A value comes from the first of these that names one: the calls of `with_…` here, an environment variable, the file, the default. Only
/// `security.allow_private_urls` is read from the file first. Null is as good as no value. What is missing or broken never fails: the next
/// layer counts, and [`warnings`](Self::warnings) says so.
///
/// ```
/// use hermes_runtime::{Config, Mode, Runtime};
///
/// let config = Config::from_yaml("code_execution: {timeout: 60, max_tool_calls: many}");
/// assert_eq!(config.mode(), Mode::Strict);
/// assert_eq!(config.warnings().len(), 1);
/// let builder = Runtime::builder().config(&config);
/// ```
#[derive(Debug, Clone)]
pub struct Config {
    resolved: Resolved,
    path: Option<PathBuf>,
    warnings: Vec<String>,
}

impl Default for Config {
    /// Returns the defaults.
    fn default() -> Self {
        Self::new(&RawConfig::default(), &|_| None)
    }
}

impl Config {
    /// The target of the warnings that are logged, so that a host can let them pass whatever else it leaves out.
    pub const LOG_TARGET: &str = "hermes_runtime::notice";

    /// Reads `config.yaml` in `HERMES_HOME`, else in `~/.hermes`, and the environment; at most 1 MiB of the file. What is wrong is logged
    /// as a warning, too.
    ///
    /// A file that everybody can change or replace, or that belongs to another user than this one and root, is not used.
    pub fn load() -> Self {
        let path = paths::config_file();
        let environment =
            |name: &str| std::env::var_os(name).map(|value| value.to_string_lossy().into_owned());
        let mut config = match &path {
            Some(path) => Self::from_file(path, &environment),
            None => Self::new(&RawConfig::default(), &environment),
        };
        config.path = path;
        config.log();
        config
    }

    /// Reads a text in the place of the file, and nothing of the environment. What is wrong is logged as a warning, too.
    pub fn from_yaml(text: &str) -> Self {
        let config = Self::from_text(text, &|_| None);
        config.log();
        config
    }

    /// Returns the mode that the configuration asks for: strict unless it names project mode.
    ///
    /// It has no effect by itself, so that no file takes a host's sandbox away: a host that wants to follow it passes it to
    /// [`RuntimeBuilder::mode`](crate::RuntimeBuilder::mode).
    pub fn mode(&self) -> Mode {
        self.resolved.code_execution.mode.value
    }

    /// Returns where the mode came from.
    pub fn mode_origin(&self) -> Origin {
        self.resolved.code_execution.mode.origin
    }

    /// Puts a mode over what was read.
    #[must_use]
    pub fn with_mode(self, mode: Mode) -> Self {
        self.with(mode, |resolved| &mut resolved.code_execution.mode)
    }

    /// Puts a wall clock of a cell over what was read.
    #[must_use]
    pub fn with_timeout(self, timeout: Duration) -> Self {
        self.with(timeout, |resolved| &mut resolved.code_execution.timeout)
    }

    /// Puts a number of tool calls in a cell over what was read.
    #[must_use]
    pub fn with_max_tool_calls(self, calls: u64) -> Self {
        self.with(calls, |resolved| {
            &mut resolved.code_execution.max_tool_calls
        })
    }

    /// Puts a number of sessions over what was read.
    #[must_use]
    pub fn with_max_sessions(self, sessions: usize) -> Self {
        self.with(sessions, |resolved| {
            &mut resolved.code_execution.max_session_kernels
        })
    }

    /// Puts an idle time of sessions over what was read.
    #[must_use]
    pub fn with_session_idle(self, idle: Duration) -> Self {
        self.with(idle, |resolved| {
            &mut resolved.code_execution.kernel_idle_timeout
        })
    }

    /// Puts a directory in which sessions of project mode begin over what was read. Unlike the file's it is taken as it is.
    #[must_use]
    pub fn with_project_directory(self, directory: &Path) -> Self {
        let directory = Some(directory.to_string_lossy().into_owned());
        self.with(directory, |resolved| &mut resolved.terminal.cwd)
    }

    /// Returns every effective value, in the order of the file's parts. Secrets in texts are masked.
    pub fn settings(&self) -> Vec<EffectiveSetting> {
        self.resolved.effective()
    }

    /// Returns the path of the file, be it there or not; `None` where the user has no home.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Returns what is wrong, a sentence each: the key, what its value is, what it should be and what is used. No value is shown.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    pub(crate) fn resolved(&self) -> &Resolved {
        &self.resolved
    }

    fn new(raw: &RawConfig, environment: &dyn Fn(&str) -> Option<String>) -> Self {
        let (resolved, warnings) = Resolved::read(raw, environment);
        Self {
            resolved,
            path: None,
            warnings,
        }
    }

    fn from_text(text: &str, environment: &dyn Fn(&str) -> Option<String>) -> Self {
        match RawConfig::from_yaml(text) {
            Ok(raw) => Self::new(&raw, environment),
            Err(error) => Self::without_file(&error.to_string(), environment),
        }
    }

    pub(super) fn from_file(path: &Path, environment: &dyn Fn(&str) -> Option<String>) -> Self {
        match file::read(path) {
            Ok(Some(text)) => Self::from_text(&text, environment),
            Ok(None) => Self::new(&RawConfig::default(), environment),
            Err(error) => Self::without_file(&error.to_string(), environment),
        }
    }

    fn without_file(problem: &str, environment: &dyn Fn(&str) -> Option<String>) -> Self {
        let mut config = Self::new(&RawConfig::default(), environment);
        let warning = format!("config.yaml is not used: {problem}; using the defaults");
        config.warnings.insert(0, warning);
        config
    }

    fn log(&self) {
        for warning in &self.warnings {
            tracing::warn!(target: Config::LOG_TARGET, "{warning}");
        }
    }

    fn with<T>(mut self, value: T, setting: impl FnOnce(&mut Resolved) -> &mut Setting<T>) -> Self {
        setting(&mut self.resolved).set(value, Origin::CommandLine);
        self
    }
}

#[cfg(test)]
mod tests;
