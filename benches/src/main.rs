//! Measures the runtime beside the native interpreter, in one run, and prints one table.
//!
//! This file only wires: options, the groups of rows, the table, the exit code.

mod bench;
mod canned;
mod footprint;
mod machine;
mod native;
mod options;
mod quantity;
mod rows;
mod sandbox;
mod stats;
mod table;

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::Result;

use bench::Bench;
use options::{Command, Options};
use table::Table;

fn main() -> Result<ExitCode> {
    match Command::from_arguments(std::env::args_os().skip(1))? {
        Command::Measure(options) => measure(&options),
        Command::ProbeMemory { sessions } => {
            rows::memory::probe(sessions, &mut io::stdout())?;
            Ok(ExitCode::SUCCESS)
        }
        Command::Help => {
            io::stdout().write_all(options::USAGE.as_bytes())?;
            Ok(ExitCode::SUCCESS)
        }
    }
}

fn measure(options: &Options) -> Result<ExitCode> {
    let bench = Bench::prepare(options)?;
    let mut table = Table::default();
    for (name, rows) in rows::GROUPS {
        if options.wants(name) {
            bench.progress(name)?;
            table.extend(rows(&bench)?);
        }
    }
    let mut stdout = io::stdout().lock();
    machine::describe(&bench, &mut stdout)?;
    write!(stdout, "{table}")?;
    let failed = options.strict && table.failures() > 0;
    Ok(if failed {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}
