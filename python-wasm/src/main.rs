//! `python-wasm` makes the guest artifact: `CPython` for WASI, the guest crate linked with it, pre-initialised.
//!
//! This file owns the command line only. The order of work is in `pipeline`, what a step does is in `steps`.

mod apt;
mod cargo;
mod command;
mod digest;
mod machine;
mod manifest;
mod pipeline;
mod progress;
mod sections;
mod sources;
mod step;
mod steps;
mod toolchain;
mod workspace;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Args, Parser, Subcommand};

use crate::pipeline::{Options, Pipeline};
use crate::sources::Overrides;
use crate::steps::system::MissingPackages;
use crate::workspace::Workspace;

/// The exit code for what the caller has to put right first: wrong arguments, missing system packages.
const EXIT_USAGE: u8 = 2;

/// The end of the help text.
const ENVIRONMENT: &str = "Environment:
  CPYTHON_SRC    a release tarball of CPython 3.13, used instead of the downloaded one
  XZ_SRC         a release tarball of xz, used instead of the downloaded one
  WASI_SDK_PATH  an installed wasi-sdk, whose compiler and C library are used; there is no profile then";

/// Makes the guest artifact of the runtime, step by step; a step whose inputs did not change is skipped.
#[derive(Debug, Parser)]
#[command(name = "python-wasm", version, after_help = ENVIRONMENT)]
struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Runs every step that is not up to date.
    Build(BuildArguments),
    /// Shows the state of every step and changes nothing.
    Status(PlaceArguments),
    /// Installs the system packages and the Rust target, and nothing else.
    Setup(PlaceArguments),
}

#[derive(Debug, Args)]
struct PlaceArguments {
    /// Directory of the intermediate results [default: target/python-wasm of the workspace].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Directory of the finished artifact [default: target/artifact of the workspace].
    #[arg(long, value_name = "DIR")]
    artifact_dir: Option<PathBuf>,
    /// Leaves out the profile-guided optimisation: a faster build of a slower interpreter.
    #[arg(long)]
    no_profile: bool,
}

#[derive(Debug, Args)]
struct BuildArguments {
    #[command(flatten)]
    place: PlaceArguments,
    /// How many compiler processes run at once [default: the number of cores].
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// The last step to run.
    #[arg(long, value_name = "STEP")]
    until: Option<String>,
}

fn main() -> ExitCode {
    match run(Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            progress::failure(&error);
            let usage = error.is::<MissingPackages>() || error.is::<pipeline::UnknownStep>();
            if usage {
                ExitCode::from(EXIT_USAGE)
            } else {
                ExitCode::FAILURE
            }
        }
    }
}

fn run(arguments: Arguments) -> Result<()> {
    match arguments.action {
        Action::Build(build) => pipeline(&build.place, build.jobs)?.build(build.until.as_deref()),
        Action::Status(place) => pipeline(&place, None)?.status(),
        Action::Setup(place) => pipeline(&place, None)?.setup(),
    }
}

fn pipeline(place: &PlaceArguments, jobs: Option<usize>) -> Result<Pipeline> {
    let workspace = Workspace::locate(place.out.as_deref(), place.artifact_dir.as_deref())?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let options = Options {
        jobs: jobs.unwrap_or(cores).max(1),
        profile: !place.no_profile,
    };
    Pipeline::open(workspace, Overrides::from_environment(), &options)
}
