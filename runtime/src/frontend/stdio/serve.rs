//! `hermes-exec serve`: puts the server together from its options, and takes it apart in the right order.

use std::time::Duration;

use clap::Args;
use tokio::runtime;
use tokio_util::sync::CancellationToken;

use crate::executor::leave;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::options::{self, CellOptions};
use crate::signals;

use super::reader;
use super::server::Server;
use super::writer::Writer;

/// Arguments of `serve`.
#[derive(Debug, Args)]
pub(crate) struct ServeArguments {
    /// Read calls from stdin and write answers to stdout (required: the only transport so far)
    ///
    /// Methods: `execute_code {code, session?, reset?, enabled_tools?, timeout?, max_tool_calls?, mode?}`,
    /// `interrupt {session, reason?}` and `close_session {session}`. A line has at most 64 MiB, and at most 1024 calls
    /// may be in flight. The options below are defaults: a call may ask for other tools, limits or another mode.
    /// Logs go to stderr; `HERMES_LOG` says what is logged.
    #[arg(long, required = true)]
    stdio: bool,

    #[command(flatten)]
    cells: CellOptions,

    /// Sessions that are kept; beyond that the least recently used one goes, a busy one never [default: 4]
    #[arg(long, value_name = "N", value_parser = options::positive::<usize>, allow_negative_numbers = true)]
    max_sessions: Option<usize>,

    /// Seconds after which an unused session is dropped [default: 1800]
    #[arg(long, value_name = "SECONDS", value_parser = options::seconds, allow_negative_numbers = true)]
    session_idle: Option<Duration>,

    /// Sandboxes for which address space (4 GiB each) is reserved ahead, which makes them start faster; more can exist at once [default: 16]
    #[arg(long, value_name = "N", value_parser = options::positive::<u32>, allow_negative_numbers = true)]
    reserved_kernels: Option<u32>,
}

/// Serves the program on the other ends of stdin and stdout.
pub(crate) fn serve(arguments: ServeArguments) -> Result<Exit, Failure> {
    let ServeArguments {
        cells,
        max_sessions,
        session_idle,
        reserved_kernels,
        stdio: _,
    } = arguments;
    let runtime = cells.load(|mut builder| {
        if let Some(sessions) = max_sessions {
            builder = builder.max_sessions(sessions);
        }
        if let Some(idle) = session_idle {
            builder = builder.session_idle(idle);
        }
        match reserved_kernels {
            Some(kernels) => builder.reserved_kernels(kernels),
            None => builder,
        }
    })?;
    let executor = runtime::Builder::new_multi_thread().enable_all().build();
    let executor = executor.map_err(Failure::to("start the program's executor"))?;
    let stop = CancellationToken::new();
    let stopped = stop.clone();
    signals::watch(move || stopped.cancel()).map_err(Failure::to("watch for signals"))?;
    let calls = reader::start().map_err(Failure::to("start reading stdin"))?;
    let (writer, answers) = Writer::start().map_err(Failure::to("start writing to stdout"))?;
    // The server holds the only sender: when it is done, the writer ends with the last answer.
    let exit = executor.block_on(Server::new(runtime, answers).run(calls, &stop));
    let written = writer.finish();
    leave(executor);
    written.map_err(Failure::to("write to stdout"))?;
    Ok(exit)
}
