//! The tool itself: checks a call, runs the command in the session's shell and cleans what it wrote.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use serde_json::{Map, Value};
use tokio::task::spawn_blocking;

use super::call::{Arguments, Call};
use super::consent::{self, Finding};
use super::meaning::meaning;
use super::reply::{NotRun, Promoted, Ran};
use super::{TerminalOptions, background, sudo};
use crate::fs::NO_SCOPE;
use crate::guard::DenyPatterns;
use crate::process::{Ending, Finished, Run, ShellFault};
use crate::text::redact::Profile;
use crate::tools::arguments::schema_of;
use crate::tools::set::TERMINAL;
use crate::tools::{Tool, ToolContext, ToolError, ToolReply};

/// Exit code of a command that was killed at its time limit.
const TIMEOUT_CODE: i32 = 124;
/// Exit code of a command that was killed because its cell ends.
const INTERRUPT_CODE: i32 = 130;
const TIMEOUT_HINT: &str = "Exit 124: the command hit its timeout. Raise timeout= (foreground max 600s) or run it with background=true and notify_on_complete=true.";
const INTERRUPTED: &str = "\n[Command interrupted]";

/// What a model is told, up to what is kept between calls.
macro_rules! described {
    ($kept:literal) => {
        concat!(
            "Runs a shell command on the host and returns a dict with 'output' and 'exit_code'. It runs beside the script and not within it: the command can do what the host's user can. ",
            $kept
        )
    };
}
const DESCRIPTION: &str =
    described!("Directory, exported variables, functions and aliases are kept between calls.");
const FORGETFUL: &str =
    described!("Nothing is kept between calls: each begins in the working directory.");

/// Runs shell commands for scripts.
#[derive(Debug)]
pub(in crate::tools) struct Terminal {
    options: TerminalOptions,
    denied: Arc<DenyPatterns>,
}

/// What becomes of a command that may run.
enum Answer {
    Ran(Ran),
    Promoted(Promoted),
}

impl Terminal {
    pub(in crate::tools) fn new(options: &TerminalOptions) -> Self {
        let mut options = options.clone();
        for file in &mut options.init_files {
            // A session's own directory is one that scripts may write to.
            if let Ok(absolute) = std::path::absolute(&*file) {
                *file = absolute;
            }
        }
        Self {
            denied: Arc::new(DenyPatterns::new(&options.deny)),
            options,
        }
    }

    async fn answer(
        &self,
        arguments: &Map<String, Value>,
        context: &ToolContext,
    ) -> Result<Answer, NotRun> {
        let call = Call::read(arguments, &self.options)?;
        let finding = self.examine(call.command).await?;
        if let Finding::Stopped(refusal) = finding {
            return Err(refusal);
        }
        let start = context
            .workdir()
            .ok_or_else(|| NotRun::disabled(NO_SCOPE))?;
        let approval = match finding {
            Finding::Dangerous(reason) => {
                consent::obtain(call.command, reason, &self.options, context).await?
            }
            _ => None,
        };
        if call.is_long {
            let promoted = background::start(&call, start, context, &self.options).await?;
            return Ok(Answer::Promoted(Promoted {
                approval,
                ..promoted
            }));
        }
        let ran = self.run(&call, start, context).await?;
        Ok(Answer::Ran(Ran { approval, ..ran }))
    }

    async fn examine(&self, command: &str) -> Result<Finding, NotRun> {
        let (command, denied) = (command.to_owned(), Arc::clone(&self.denied));
        // A long command takes a while; it must not hold the executor up.
        let finding = spawn_blocking(move || consent::examine(&command, &denied)).await;
        // What could not be judged does not run.
        finding.map_err(|error| NotRun::error(format!("Command execution failed: {error}")))
    }

    async fn run(
        &self,
        call: &Call<'_>,
        start: &Path,
        context: &ToolContext,
    ) -> Result<Ran, NotRun> {
        let run = Run {
            command: call.command,
            start,
            workdir: call.workdir.as_deref(),
            timeout: call.timeout,
            cancellation: context.cancellation(),
            init_files: &self.options.init_files,
            is_persistent: self.options.persistent_shell,
        };
        let finished = context.shell().run(run).await.map_err(not_started)?;
        let (command, redactor) = (call.command.to_owned(), Arc::clone(context.redactor()));
        let spill_dir = context.spill_dir().map(Path::to_owned);
        let (limit, seconds) = (self.options.max_output_chars, call.timeout.as_secs_f64());
        let concluded = spawn_blocking(move || {
            let profile = Profile::for_command(&command);
            let shown = finished
                .output
                .show(&redactor, profile, limit, spill_dir.as_deref());
            conclude(Ran::with_output(shown), &finished, &command, seconds)
        });
        concluded
            .await
            .map_err(|error| NotRun::error(format!("Command execution failed: {error}")))
    }
}

#[async_trait]
impl Tool for Terminal {
    fn name(&self) -> &'static str {
        TERMINAL
    }

    fn description(&self) -> &'static str {
        if self.options.persistent_shell {
            DESCRIPTION
        } else {
            FORGETFUL
        }
    }

    fn parameters(&self) -> Value {
        schema_of::<Arguments>()
    }

    async fn call(
        &self,
        arguments: Map<String, Value>,
        context: &ToolContext,
    ) -> Result<ToolReply, ToolError> {
        match self.answer(&arguments, context).await {
            Ok(Answer::Ran(ran)) => ToolReply::json(&ran),
            Ok(Answer::Promoted(promoted)) => ToolReply::json(&promoted),
            Err(refusal) => ToolReply::json(&refusal),
        }
    }
}

pub(super) fn not_started(fault: ShellFault) -> NotRun {
    match fault {
        ShellFault::Workdir(_) | ShellFault::NotReached | ShellFault::Copy(_) => {
            NotRun::error(fault.to_string())
        }
        ShellFault::Start(source) | ShellFault::State(source) => NotRun::disabled(format!(
            "Terminal tool disabled: environment creation failed ({source})"
        )),
    }
}

/// Adds to the output how the command ended.
fn conclude(mut ran: Ran, finished: &Finished, command: &str, seconds: f64) -> Ran {
    ran.environment_recreated = finished.is_recreated;
    match finished.ending {
        Ending::Exited(code) => {
            ran.exit_code = code;
            ran.cwd = finished
                .new_cwd
                .as_ref()
                .map(|cwd| cwd.to_string_lossy().into_owned());
            ran.exit_code_meaning = meaning(command, code);
            ran.sudo_auth_failed = code != 0 && sudo::asked_for_password(&ran.output);
            ran.hint = ran.sudo_auth_failed.then_some(sudo::HINT);
        }
        Ending::TimedOut => {
            ran.exit_code = TIMEOUT_CODE;
            ran.hint = Some(TIMEOUT_HINT);
            // Writing to a string cannot fail.
            let _ = write!(ran.output, "\n[Command timed out after {seconds}s]");
        }
        Ending::Interrupted => {
            ran.exit_code = INTERRUPT_CODE;
            ran.output.push_str(INTERRUPTED);
        }
    }
    ran.output = ran.output.trim().to_owned();
    ran
}

#[cfg(test)]
mod tests;
