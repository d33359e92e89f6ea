//! `hermes-exec`: runs Python that a model wrote, from a command line or for another program over stdio.
//!
//! The binary is a thin shell over the library [`hermes_runtime`]: it reads arguments, streams and signals, and puts
//! results into words and exit codes. Nothing here decides what a script may do.

mod cli;
mod executor;
mod exit;
mod failure;
mod log;
mod options;
mod progress;
mod report;
mod session_options;
mod signals;
mod stdio;
mod streams;

use std::process::ExitCode;

use clap::Parser;

use crate::cli::Cli;
use crate::exit::Exit;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // When even the help cannot be printed, the exit code is all that is left to say.
            let _ = error.print();
            return Exit::from(&error).into();
        }
    };
    log::start();
    let exit = cli.run().unwrap_or_else(|failure| {
        streams::complain(&report::render(&failure));
        Exit::from(&failure)
    });
    exit.into()
}
