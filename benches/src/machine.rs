//! The lines above the table: when, on which machine, with what it was measured.

use std::fs;
use std::io::{self, Write};
use std::process::Command;
use std::thread;

use anyhow::Result;
use hermes_runtime::{Runtime, WASMTIME_VERSION};

use crate::bench::Bench;
use crate::native;

/// Writes the date, the machine and the two sides of the comparison.
pub(crate) fn describe(bench: &Bench, out: &mut impl Write) -> Result<()> {
    let date = native::read(Command::new("date").args(["-u", "+%Y-%m-%d %H:%M UTC"]))?;
    let cores = thread::available_parallelism()?;
    let native = &bench.native;
    writeln!(
        out,
        "{}, {} with {cores} cores",
        date.trim_end(),
        cpu_model()?
    )?;
    writeln!(
        out,
        "ours: CPython {} on wasmtime {}; native: CPython {} ({})",
        Runtime::builder().artifact()?.manifest().cpython,
        WASMTIME_VERSION,
        native.version(),
        native.path().display()
    )?;
    if bench.is_quick() {
        writeln!(out, "few repetitions (--quick): the figures mean little")?;
    }
    writeln!(out)?;
    Ok(())
}

fn cpu_model() -> io::Result<String> {
    let text = fs::read_to_string("/proc/cpuinfo")?;
    Ok(model_in(&text).unwrap_or("unknown processor").to_owned())
}

fn model_in(cpuinfo: &str) -> Option<&str> {
    let line = cpuinfo
        .lines()
        .find(|line| line.starts_with("model name"))?;
    line.split_once(':').map(|(_, model)| model.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_model_is_the_first_processors() {
        let text = "processor\t: 0\nmodel name\t: ACME 9\nprocessor\t: 1\nmodel name\t: ACME 10\n";
        assert_eq!(model_in(text), Some("ACME 9"));
        assert_eq!(model_in("processor\t: 0\n"), None);
    }
}
