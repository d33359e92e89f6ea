//! The tool itself: checks a call, runs the command in the session's shell and cleans what it wrote.

use std::path::{Path, PathBuf};
use std::time::Duration;

use async_trait::async_trait;
use schemars::JsonSchema;
use serde_json::{Map, Value};

use super::meaning::meaning;
use super::reply::{NotRun, Ran};
use super::{floor, foreground};
use crate::fs::NO_SCOPE;
use crate::guard::python_type;
use crate::process::{Ending, Pieces, Run, ShellFault};
use crate::text::ansi;
use crate::text::redact::{Profile, Redactor};
use crate::text::truncate::{Unit, truncate, truncate_pieces};
use crate::tools::arguments::{given, schema_of};
use crate::tools::set::TERMINAL;
use crate::tools::{TerminalOptions, Tool, ToolContext, ToolError, ToolReply};

const DEFAULT_TIMEOUT: Duration = Duration::from_mins(3);
const MAX_TIMEOUT_SECONDS: f64 = 600.0;
/// Longest shown output in characters.
const MAX_OUTPUT_CHARS: usize = 50_000;
/// Exit code of a command that was killed at its time limit.
const TIMEOUT_CODE: i32 = 124;
const TIMEOUT_HINT: &str = "Exit 124: the command hit its timeout. Raise timeout= (foreground max 600s) or run it with background=true and notify_on_complete=true.";
const CODE_INSTEAD_OF_COMMAND: &str = "terminal received a 'code' parameter, but it requires a shell command in 'command'. Use execute_code(code=...) for Python; for shell, retry as terminal(command=...).";
/// Characters of a working directory's path besides letters and digits.
const WORKDIR_PUNCTUATION: &str = "/\\:_-.~ +@=,";

/// Runs shell commands for scripts.
#[derive(Debug)]
pub(in crate::tools) struct Terminal {
    options: TerminalOptions,
}

impl Terminal {
    pub(in crate::tools) fn new(options: &TerminalOptions) -> Self {
        let options = options.clone();
        Self { options }
    }
}

#[async_trait]
impl Tool for Terminal {
    fn name(&self) -> &'static str {
        TERMINAL
    }

    fn description(&self) -> &'static str {
        "Runs a shell command on the host and returns a dict with 'output' and 'exit_code'. This leaves the sandbox: the command can do what the host's user can. Directory and exported variables are kept between calls."
    }

    fn parameters(&self) -> Value {
        schema_of::<Arguments>()
    }

    async fn call(
        &self,
        arguments: Map<String, Value>,
        context: &ToolContext,
    ) -> Result<ToolReply, ToolError> {
        match Call::check(&arguments, context.workdir()) {
            Ok(call) => match call.run(context).await {
                Ok(ran) => ToolReply::json(&ran),
                Err(refusal) => ToolReply::json(&refusal),
            },
            Err(refusal) => ToolReply::json(&refusal),
        }
    }
}

/// Arguments of `terminal`.
#[derive(Debug, JsonSchema)]
#[expect(
    dead_code,
    reason = "the struct is the signature; values are checked one by one"
)]
struct Arguments {
    /// The shell command.
    command: String,
    /// Time limit in seconds, at most 600; 180 if not given.
    #[schemars(default)]
    timeout: Option<u64>,
    /// Directory for this command only.
    #[schemars(default)]
    workdir: Option<String>,
}

/// A call that passed every check.
#[derive(Debug)]
struct Call<'a> {
    command: &'a str,
    start: &'a Path,
    workdir: Option<PathBuf>,
    timeout: Duration,
}

impl<'a> Call<'a> {
    fn check(arguments: &'a Map<String, Value>, start: Option<&'a Path>) -> Result<Self, NotRun> {
        let command = match given(arguments, "command") {
            Some(Value::String(command)) => command,
            None if given(arguments, "code").is_some() => {
                return Err(NotRun::error(CODE_INSTEAD_OF_COMMAND));
            }
            other => {
                let got = python_type(other.unwrap_or(&Value::Null));
                return Err(NotRun::error(format!(
                    "Invalid command: expected string, got {got}"
                )));
            }
        };
        if command.contains('\0') {
            return Err(NotRun::error(
                "Invalid command: it contains a NUL character, which no shell accepts.",
            ));
        }
        let timeout = given(arguments, "timeout").map_or(Ok(DEFAULT_TIMEOUT), parse_timeout)?;
        let workdir = given(arguments, "workdir").map(parse_workdir).transpose()?;
        if let Some(refusal) = floor::refusal(command) {
            return Err(NotRun::blocked(refusal));
        }
        if let Some(refusal) = foreground::refusal(command) {
            return Err(NotRun::error(refusal));
        }
        let start = start.ok_or_else(|| NotRun::disabled(NO_SCOPE))?;
        Ok(Self {
            command,
            start,
            workdir,
            timeout,
        })
    }

    async fn run(self, context: &ToolContext) -> Result<Ran, NotRun> {
        let run = Run {
            command: self.command,
            start: self.start,
            workdir: self.workdir.as_deref(),
            timeout: self.timeout,
        };
        let finished = context
            .shell()
            .run(run)
            .await
            .map_err(|fault| match fault {
                ShellFault::Workdir(_) => NotRun::error(fault.to_string()),
                ShellFault::Start(source) | ShellFault::State(source) => NotRun::disabled(format!(
                    "Terminal tool disabled: environment creation failed ({source})"
                )),
            })?;
        let output = shown(finished.output, self.command, context.redactor());
        Ok(match finished.ending {
            Ending::Exited(code) => Ran {
                output: output.trim().to_owned(),
                exit_code: code,
                error: None,
                cwd: finished
                    .new_cwd
                    .map(|cwd| cwd.to_string_lossy().into_owned()),
                exit_code_meaning: meaning(self.command, code),
                hint: None,
            },
            Ending::TimedOut => {
                let marked = format!(
                    "{output}\n[Command timed out after {}s]",
                    self.timeout.as_secs_f64()
                );
                Ran {
                    output: marked.trim().to_owned(),
                    exit_code: TIMEOUT_CODE,
                    error: None,
                    cwd: None,
                    exit_code_meaning: None,
                    hint: Some(TIMEOUT_HINT),
                }
            }
        })
    }
}

fn parse_timeout(value: &Value) -> Result<Duration, NotRun> {
    let seconds = value
        .as_f64()
        .filter(|seconds| *seconds > 0.0)
        .ok_or_else(|| {
            NotRun::error(format!(
                "timeout must be a positive number of seconds (got {value})."
            ))
        })?;
    if seconds > MAX_TIMEOUT_SECONDS {
        return Err(NotRun::error(format!(
            "timeout must be at most {MAX_TIMEOUT_SECONDS} seconds (got {value}): a command of a script runs in the foreground."
        )));
    }
    // The number is positive, finite and small here; one that is too small to count gives the shortest time.
    Ok(Duration::try_from_secs_f64(seconds).unwrap_or_default())
}

fn parse_workdir(value: &Value) -> Result<PathBuf, NotRun> {
    let Some(path) = value.as_str() else {
        let got = python_type(value);
        return Err(NotRun::error(format!(
            "Invalid workdir: expected string, got {got}"
        )));
    };
    let is_allowed =
        |letter: &char| letter.is_alphanumeric() || WORKDIR_PUNCTUATION.contains(*letter);
    match path.chars().find(|letter| !is_allowed(letter)) {
        Some(letter) => Err(NotRun::blocked(format!(
            "Blocked: workdir contains disallowed character {letter:?}. Use a simple filesystem path without shell metacharacters."
        ))),
        None => Ok(PathBuf::from(path)),
    }
}

/// Cleans the output in the one order: strip, redact, truncate.
fn shown(output: Pieces, command: &str, redactor: &Redactor) -> String {
    let profile = Profile::for_command(command);
    let clean = |text: &str| redactor.redact(&ansi::strip(text), profile).into_owned();
    let head = clean(&output.head);
    match output.tail {
        None => truncate(&head, MAX_OUTPUT_CHARS, Unit::Chars).text,
        Some(tail) => {
            let tail = clean(&tail);
            truncate_pieces(
                &head,
                output.lost_chars,
                &tail,
                MAX_OUTPUT_CHARS,
                Unit::Chars,
            )
            .text
        }
    }
}

#[cfg(test)]
mod tests;
