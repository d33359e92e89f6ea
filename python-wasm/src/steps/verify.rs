//! The proof that the artifact works: cells run in it, through the runtime, as a user's would.

use std::path::PathBuf;

use anyhow::{Context as _, Result, ensure};
use hermes_runtime::{Request, Runtime, Status};

use crate::command::Log;
use crate::digest::Key;
use crate::step::{Context, Step};

/// Raised when this file does something else with the same inputs.
const RECIPE: &str = "1";

/// What a sandbox must be able to do, and what it must print.
const CELLS: [(&str, &str); 4] = [
    ("print(6 * 7)", "42\n"),
    (
        "import bz2, gzip, lzma, sqlite3, tarfile, zipfile, zlib\nprint(zlib.decompress(zlib.compress(b'same')).decode())",
        "same\n",
    ),
    (
        "import datetime, zoneinfo\nprint(datetime.datetime(2026, 1, 1, tzinfo=zoneinfo.ZoneInfo('Asia/Kolkata')).utcoffset())",
        "5:30:00\n",
    ),
    ("import sys\nprint(len(sys.modules) >= 200)", "True\n"),
];

/// Runs cells in the finished artifact.
#[derive(Debug)]
pub(crate) struct Verify;

impl Step for Verify {
    fn name(&self) -> &'static str {
        "verify"
    }

    fn task(&self) -> &'static str {
        "runs cells in the artifact"
    }

    fn needs(&self, _: &Context) -> Vec<&'static str> {
        vec!["artifact", "compile"]
    }

    fn inputs(&self, context: &Context, key: &mut Key) -> Result<()> {
        key.text("recipe", RECIPE);
        for (code, output) in CELLS {
            key.text(code, output);
        }
        // The runtime that the cells run in.
        let root = context.workspace.root();
        key.directory("runtime", &root.join("runtime/src"))?;
        key.file("lock", &root.join("Cargo.lock"))
    }

    fn run(&self, context: &Context, log: &Log) -> Result<Option<String>> {
        let runtime = Runtime::builder()
            .artifact_dir(context.workspace.artifacts())
            .build()?;
        let executor = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .context("cannot start an executor")?;
        for (code, expected) in CELLS {
            let outcome = executor.block_on(runtime.execute(Request::new(code)))?;
            log.write(&format!("{code}\n{}\n", outcome.to_json()))?;
            ensure!(
                outcome.status == Status::Success && outcome.output == expected,
                "a cell gave the wrong result\n{code}\nexpected {expected:?}, got {}",
                outcome.to_json()
            );
        }
        Ok(Some(format!("{} cells", CELLS.len())))
    }

    fn outputs(&self, _: &Context) -> Result<Vec<PathBuf>> {
        Ok(Vec::new())
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use std::fs;

    use super::*;

    #[test]
    fn the_runtime_and_its_dependencies_are_inputs() {
        let directory = tempfile::tempdir().unwrap();
        let context = Context::scratch(directory.path());
        let source = context.workspace.root().join("runtime/src/lib.rs");
        let lock = context.workspace.root().join("Cargo.lock");
        fs::create_dir_all(source.parent().unwrap()).unwrap();
        fs::write(&source, "one").unwrap();
        fs::write(&lock, "one").unwrap();
        let first = context.inputs(&Verify).unwrap();
        fs::write(&source, "two").unwrap();
        let second = context.inputs(&Verify).unwrap();
        assert_ne!(first, second);
        fs::write(&lock, "two").unwrap();
        assert_ne!(second, context.inputs(&Verify).unwrap());
    }
}
