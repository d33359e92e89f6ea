//! The compiled form: machine code for this CPU, kept in the user's cache where the runtime looks for it.
//!
//! The runtime would make it at its first start as well; here the wait has a name. The runtime owns the format, the
//! place and the trust in it: this step only asks for it.

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use hermes_runtime::Runtime;

use crate::command::Log;
use crate::digest::Key;
use crate::step::{Context, Step};

/// Raised when this file does something else with the same inputs.
const RECIPE: &str = "1";

/// Compiles the module for this machine.
#[derive(Debug)]
pub(crate) struct Compile;

impl Compile {
    /// Returns where the runtime keeps the compiled form; a machine without a cache directory keeps none.
    fn place(context: &Context) -> Result<Option<PathBuf>> {
        let report = Runtime::builder()
            .artifact_dir(context.workspace.artifacts())
            .artifact()?;
        Ok(report.compiled_path().map(PathBuf::from))
    }
}

impl Step for Compile {
    fn name(&self) -> &'static str {
        "compile"
    }

    fn task(&self) -> &'static str {
        "compiles the module for this machine"
    }

    fn seconds(&self) -> u32 {
        8
    }

    fn needs(&self, _: &Context) -> Vec<&'static str> {
        vec!["artifact"]
    }

    fn inputs(&self, context: &Context, key: &mut Key) -> Result<()> {
        key.text("recipe", RECIPE);
        // Before there is an artifact there is no place; the key of its step is part of this one's anyway.
        let place = Self::place(context).ok().flatten().unwrap_or_default();
        key.text("place", &place.to_string_lossy());
        Ok(())
    }

    fn run(&self, context: &Context, _: &Log) -> Result<Option<String>> {
        let report = Runtime::builder()
            .artifact_dir(context.workspace.artifacts())
            .artifact()?;
        let kept = report
            .rebuild()
            .context("the module cannot be compiled for this machine")?;
        Ok(kept
            .is_none()
            .then(|| "not kept: there is no cache directory that can be trusted".into()))
    }

    fn outputs(&self, context: &Context) -> Result<Vec<PathBuf>> {
        Ok(Self::place(context)?
            .into_iter()
            .filter(|path| path.is_file())
            .collect())
    }
}
