//! The standard library as one zip: compiled modules for speed, sources for tracebacks, and the time zone data.

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use serde::Deserialize;

use super::python::sysconfig;
use crate::command::{Log, command};
use crate::digest::Key;
use crate::sources::TZDATA;
use crate::step::{Context, Step};

/// The program that packs.
const PACKER: &str = "pack.py";

/// Raised when this file does something else with the same inputs.
const RECIPE: &str = "1";

/// Packs the standard library.
#[derive(Debug)]
pub(crate) struct Stdlib;

impl Step for Stdlib {
    fn name(&self) -> &'static str {
        "stdlib"
    }

    fn task(&self) -> &'static str {
        "compiles and packs the standard library"
    }

    fn seconds(&self) -> u32 {
        15
    }

    fn needs(&self, _: &Context) -> Vec<&'static str> {
        vec!["fetch", "native", "python"]
    }

    fn inputs(&self, context: &Context, key: &mut Key) -> Result<()> {
        key.text("recipe", RECIPE);
        key.file("packer", &context.workspace.asset(PACKER))
    }

    fn run(&self, context: &Context, log: &Log) -> Result<Option<String>> {
        let workspace = &context.workspace;
        let mut pack = command(workspace.interpreter());
        // Sets in constants are written in the order of their hashes.
        pack.env("PYTHONHASHSEED", "0")
            .arg("-B")
            .arg(workspace.asset(PACKER))
            .arg("--library")
            .arg(workspace.cpython().join("Lib"))
            .arg("--time-zones")
            .arg(workspace.downloads().join(TZDATA.file))
            .arg("--sysconfig")
            .arg(sysconfig(&workspace.cross())?)
            .arg("--hide")
            .arg(workspace.out())
            .arg("--out")
            .arg(workspace.stdlib());
        let summary = log.capture(&mut pack)?;
        let summary: Summary =
            serde_json::from_slice(&summary).context("the packer printed no summary")?;
        Ok(Some(summary.text()))
    }

    fn outputs(&self, context: &Context) -> Result<Vec<PathBuf>> {
        Ok(vec![context.workspace.stdlib()])
    }
}

/// What the packer prints.
#[derive(Debug, Deserialize)]
struct Summary {
    modules: u32,
    data_files: u32,
    bytes: u64,
}

impl Summary {
    fn text(&self) -> String {
        format!(
            "{} modules and {} data files in {} bytes",
            self.modules, self.data_files, self.bytes
        )
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use super::*;

    #[test]
    fn the_packers_summary_is_shown() {
        let summary: Summary =
            serde_json::from_str(r#"{"modules": 612, "data_files": 600, "bytes": 14000000}"#)
                .unwrap();
        assert_eq!(
            summary.text(),
            "612 modules and 600 data files in 14000000 bytes"
        );
    }
}
