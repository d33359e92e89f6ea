//! `hermes-exec artifact`: what is known of the guest module and of its compiled form on this machine.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use hermes_runtime::{ArtifactReport, Metering, Runtime, WASMTIME_VERSION};

use crate::exit::Exit;
use crate::failure::Failure;
use crate::progress::Progress;
use crate::streams;

/// How often a running compilation is mentioned.
const PROGRESS_EVERY: Duration = Duration::from_secs(5);

/// Arguments of `artifact`.
#[derive(Debug, Args)]
pub(super) struct ArtifactArguments {
    /// What to do
    #[arg(value_enum, default_value_t = Action::Show)]
    action: Action,

    /// Profile of the compiled form; each has a form of its own
    #[arg(long, value_enum, value_name = "PROFILE", default_value_t = Profile::Epoch)]
    metering: Profile,

    /// Directory of the guest artifact [default: `HERMES_ARTIFACT_DIR`, else the usual places]
    #[arg(long, value_name = "DIR")]
    artifact: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Action {
    /// Print path, hash, size and version of the module, and where its compiled form is
    Show,
    /// Compare the module with its manifest; exit code 125 if it differs
    Check,
    /// Compile the module anew for this machine
    Rebuild,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Profile {
    /// For runs without `--fuel`
    Epoch,
    /// For runs with `--fuel`
    Fuel,
}

impl From<Profile> for Metering {
    fn from(profile: Profile) -> Self {
        match profile {
            Profile::Epoch => Self::Epoch,
            // The amount is no part of the compiled form.
            Profile::Fuel => Self::Fuel { per_cell: 1 },
        }
    }
}

/// Does what is asked with the artifact, and prints what came of it.
pub(super) fn run(arguments: &ArtifactArguments) -> Result<Exit, Failure> {
    let metering = Metering::from(arguments.metering);
    let mut builder = Runtime::builder().metering(metering);
    if let Some(directory) = &arguments.artifact {
        builder = builder.artifact_dir(directory);
    }
    let report = builder.artifact()?;
    let text = match arguments.action {
        Action::Show => show(&report, metering),
        Action::Check => check(&report)?,
        Action::Rebuild => rebuild(&report, metering)?,
    };
    streams::print(&text).map_err(Failure::to("write the output"))?;
    Ok(Exit::Success)
}

fn show(report: &ArtifactReport, metering: Metering) -> String {
    let manifest = report.manifest();
    let compiled = match report.compiled_path() {
        Some(path) if path.is_file() => path.display().to_string(),
        Some(path) => format!("{} (not there yet)", path.display()),
        None => "not kept: no cache directory".to_owned(),
    };
    format!(
        "module:    {}\nsha256:    {}\nsize:      {} bytes\nCPython:   {}\nwasmtime:  {WASMTIME_VERSION}\n\
         metering:  {}\ncompiled:  {compiled}\n",
        report.module_path().display(),
        manifest.sha256,
        manifest.size,
        manifest.cpython,
        metering.name(),
    )
}

fn check(report: &ArtifactReport) -> Result<String, Failure> {
    report.check()?;
    let sha256 = &report.manifest().sha256;
    Ok(format!(
        "{} matches its manifest: {sha256}\n",
        report.module_path().display()
    ))
}

fn rebuild(report: &ArtifactReport, metering: Metering) -> Result<String, Failure> {
    let started = Instant::now();
    streams::complain(&format!(
        "compiling `{}` for wasmtime {WASMTIME_VERSION}, metering {}; takes up to a few minutes\n",
        report.module_path().display(),
        metering.name(),
    ));
    let progress = Progress::start("compiling the guest module", PROGRESS_EVERY);
    let path = report.rebuild()?;
    drop(progress);
    streams::complain(&format!(
        "compiled in {:.1} s\n",
        started.elapsed().as_secs_f64()
    ));
    Ok(match path {
        Some(path) => format!("{}\n", path.display()),
        None => "not kept: no cache directory that can be trusted\n".to_owned(),
    })
}
