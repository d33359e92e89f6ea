//! The native interpreter: of the same source, as the cross build asks for, and to pack the standard library with.

use std::path::PathBuf;

use anyhow::Result;

use super::fetch::empty;
use crate::command::{Log, command};
use crate::digest::Key;
use crate::step::{Context, Step};

/// The source as build directories name it: the same for all of them, and without a path of this machine.
pub(super) const CONFIGURE: &str = "../src/cpython/configure";

/// Options of configure; the whole recipe, with the make targets.
const OPTIONS: &[&str] = &["--quiet", "--disable-test-modules"];

const TARGETS: &[&str] = &["python", "sharedmods"];

/// Builds the native interpreter.
#[derive(Debug)]
pub(crate) struct Native;

impl Step for Native {
    fn name(&self) -> &'static str {
        "native"
    }

    fn task(&self) -> &'static str {
        "builds the native interpreter"
    }

    fn seconds(&self) -> u32 {
        80
    }

    fn needs(&self, _: &Context) -> Vec<&'static str> {
        vec!["fetch"]
    }

    fn inputs(&self, _: &Context, key: &mut Key) -> Result<()> {
        key.text("recipe", &format!("{OPTIONS:?} {TARGETS:?}"));
        Ok(())
    }

    fn run(&self, context: &Context, log: &Log) -> Result<Option<String>> {
        let directory = context.workspace.native();
        empty(&directory)?;
        log.run(command(CONFIGURE).args(OPTIONS).current_dir(&directory))?;
        log.run(
            command("make")
                .arg(format!("-j{}", context.jobs))
                .args(TARGETS)
                .current_dir(&directory),
        )?;
        // The packing of the standard library would fail with a less clear error.
        log.run(
            command(context.workspace.interpreter())
                .args(["-c", "import zlib, zipfile, hashlib, json"]),
        )?;
        Ok(None)
    }

    fn outputs(&self, context: &Context) -> Result<Vec<PathBuf>> {
        Ok(vec![context.workspace.interpreter()])
    }
}
