//! `hermes-exec run`: one script in a fresh sandbox.
//!
//! Plain, stdout gets what the script wrote to its stdout, and stderr what it wrote to its stderr and what failed.
//! With `--json`, stdout gets the result object, or the envelope of a refusal or failure, and stderr nothing.

use std::fmt::Write;
use std::io;

use clap::Args;
use hermes_runtime::{Outcome, Request, Runtime};
use tokio::runtime;

use crate::executor::leave;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::options::CellOptions;
use crate::session_options::SessionOptions;
use crate::{signals, streams};

use super::source::Source;

/// Threads for work that blocks: cleaning long output, a tool's file access. One script needs no more.
const BLOCKING_THREADS: usize = 4;

/// Arguments of `run`.
#[derive(Debug, Args)]
pub(super) struct RunArguments {
    #[command(flatten)]
    source: Source,

    /// Print the result as one line of JSON instead of the script's output
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    options: CellOptions,
}

/// Runs the script and prints its result.
pub(super) fn run(arguments: RunArguments) -> Result<Exit, Failure> {
    let RunArguments {
        source,
        json,
        options,
    } = arguments;
    let code = source.read()?;
    let (runtime, request, executor) = match prepare(options, code) {
        Ok(prepared) => prepared,
        Err(failure) => return show(Err(failure), json),
    };
    let result = executor.block_on(Runtime::execute(&runtime, request));
    let exit = show(result.map_err(Failure::from), json);
    leave(executor);
    exit
}

fn prepare(
    options: CellOptions,
    code: String,
) -> Result<(Runtime, Request, runtime::Runtime), Failure> {
    // One sandbox is all that is needed: to reserve room for more would only take time.
    let runtime = options.load(&SessionOptions::default(), |builder| {
        builder.reserved_kernels(None)
    })?;
    let request = Request::new(code);
    // Only now: a signal while the module is loaded or compiled just ends the program.
    let interrupt = request.interrupt_handle();
    signals::watch(move || interrupt.interrupt(None)).map_err(Failure::to("watch for signals"))?;
    let executor = executor().map_err(Failure::to("start the program's executor"))?;
    Ok((runtime, request, executor))
}

fn show(result: Result<Outcome, Failure>, json: bool) -> Result<Exit, Failure> {
    match result {
        Ok(outcome) if json => print(&(outcome.to_json() + "\n"), outcome.status.into()),
        Ok(outcome) => {
            let exit = print(outcome.stdout_text(), outcome.status.into());
            streams::complain(&failures(&outcome));
            exit
        }
        Err(Failure::Runtime(error)) if json => print(&(error.to_json() + "\n"), (&error).into()),
        Err(failure) => Err(failure),
    }
}

/// Makes the executor for one script, on this thread: it starts faster than one with workers.
fn executor() -> io::Result<runtime::Runtime> {
    runtime::Builder::new_current_thread()
        .max_blocking_threads(BLOCKING_THREADS)
        .enable_all()
        .build()
}

fn print(text: &str, exit: Exit) -> Result<Exit, Failure> {
    streams::print(text).map_err(Failure::to("write the output"))?;
    Ok(exit)
}

/// Returns what stderr shows: the script's own stderr, then what failed and what can be done about it.
fn failures(outcome: &Outcome) -> String {
    let mut text = outcome.stderr_text().to_owned();
    // The traceback of a script that raised is the end of its stderr already.
    let error = outcome
        .error
        .as_deref()
        .filter(|error| !text.ends_with(error));
    let tools = outcome.tool_errors.iter();
    let notes = tools
        .map(|failure| format!("warning: tool `{}` failed: {}", failure.tool, failure.error))
        .chain(
            outcome
                .stdout
                .warning
                .iter()
                .map(|warning| format!("warning: {warning}")),
        )
        .chain(error.map(|error| format!("error: {error}")))
        .chain(outcome.hint.iter().map(|hint| format!("hint: {hint}")));
    for note in notes {
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        // Writing to a string does not fail.
        let _ = writeln!(text, "{note}");
    }
    text
}
