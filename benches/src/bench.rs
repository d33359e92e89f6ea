//! What every group of rows needs: the two sides of the comparison, a scratch directory, how often to repeat.
//!
//! It measures nothing itself and knows no row.

use std::env;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use tempfile::TempDir;

use crate::native::Interpreter;
use crate::options::Options;

/// The bench on which things are measured.
#[derive(Debug)]
pub(crate) struct Bench {
    pub(crate) native: Interpreter,
    command_line: PathBuf,
    scratch: TempDir,
    quick: bool,
    started: Instant,
}

impl Bench {
    /// Finds both sides and makes a scratch directory.
    pub(crate) fn prepare(options: &Options) -> Result<Self> {
        let own = env::current_exe().context("cannot find the own executable")?;
        let profile = own
            .parent()
            .context("the own executable is in no directory")?;
        let command_line = profile.join("hermes-exec");
        ensure!(
            command_line.is_file(),
            "`{}` is missing; hint: build it with `cargo build --release`",
            command_line.display()
        );
        let native = Interpreter::find(
            options.python.as_deref(),
            profile.parent().unwrap_or(profile),
        )?;
        let scratch = tempfile::tempdir().context("cannot make a scratch directory")?;
        Ok(Self {
            native,
            command_line,
            scratch,
            quick: options.quick,
            started: Instant::now(),
        })
    }

    /// Returns whether figures are to be had quickly instead of exactly.
    pub(crate) fn is_quick(&self) -> bool {
        self.quick
    }

    /// Returns how often to do something: so often, or `quick` times in a quick run.
    pub(crate) fn times(&self, full: u32, quick: u32) -> u32 {
        if self.quick { quick } else { full }
    }

    /// Says on stderr how far the measurement is.
    pub(crate) fn progress(&self, what: &str) -> Result<()> {
        writeln!(
            io::stderr(),
            "{:>4} s  {what}",
            self.started.elapsed().as_secs()
        )
        .context("cannot write to stderr")
    }

    /// Returns a command that starts the runtime's own program.
    pub(crate) fn command_line(&self) -> Command {
        Command::new(&self.command_line)
    }

    /// Writes a file that a native process is to read, and returns its path.
    pub(crate) fn file(&self, name: &str, content: &str) -> Result<PathBuf> {
        let path = self.scratch.path().join(name);
        std::fs::write(&path, content)
            .with_context(|| format!("cannot write `{}`", path.display()))?;
        Ok(path)
    }
}
