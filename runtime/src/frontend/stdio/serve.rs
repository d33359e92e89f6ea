//! `hermes-exec serve`: puts the server together from its options, and takes it apart in the right order.

use clap::Args;
use tokio::runtime;
use tokio_util::sync::CancellationToken;

use crate::executor::leave;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::options::{self, CellOptions};
use crate::session_options::SessionOptions;
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

    #[command(flatten)]
    sessions: SessionOptions,

    /// Sandboxes for which address space (4 GiB each) is reserved ahead, which makes them start faster; more can exist at once [default: 16]
    #[arg(long, value_name = "N", value_parser = options::positive::<u32>, allow_negative_numbers = true)]
    reserved_kernels: Option<u32>,
}

/// Serves the program on the other ends of stdin and stdout.
pub(crate) fn serve(arguments: ServeArguments) -> Result<Exit, Failure> {
    let ServeArguments {
        cells,
        sessions,
        reserved_kernels,
        stdio: _,
    } = arguments;
    let runtime = cells.load(&sessions, |builder| match reserved_kernels {
        Some(kernels) => builder.reserved_kernels(kernels),
        None => builder,
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
