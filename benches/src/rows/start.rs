//! From nothing to the first output: a new process, a fresh sandbox in a warm process, the next cell of a session.

use std::time::Instant;

use anyhow::{Result, ensure};

use crate::bench::Bench;
use crate::footprint;
use crate::native;
use crate::quantity::Quantity;
use crate::sandbox::Sandbox;
use crate::stats::median;
use crate::table::{Goal, Row};

const CODE: &str = "print(1)";
const OUTPUT: &str = "1\n";

/// Fresh sandboxes for each start of a process.
const FRESH_PER_START: u32 = 8;

/// Measures the starts in turns, then the throughput.
pub(super) fn rows(bench: &Bench) -> Result<Vec<Row>> {
    let on_demand = Sandbox::with(|builder| builder.reserved_kernels(None))?;
    let reserved = Sandbox::new()?;
    let samples = Samples::take(bench, &on_demand, &reserved)?;
    let seconds = |samples: &[f64]| Quantity::Seconds(median(samples));
    let native = seconds(&samples.native);
    let fresh = Goal::Ratio(1.0 / 20.0);
    let runs = Goal::AtLeast(Quantity::PerSecond(1500.0));
    Ok(vec![
        Row::new("cold process to first output", seconds(&samples.cold))
            .against(native)
            .goal(Goal::Ratio(1.0)),
        Row::new("cold process, native with `-I -S`", seconds(&samples.cold))
            .against(seconds(&samples.bare)),
        Row::new(
            "fresh sandbox to first output",
            seconds(&samples.fresh_reserved),
        )
        .against(native)
        .goal(fresh),
        Row::new(
            "fresh sandbox, its memory on demand",
            seconds(&samples.fresh),
        )
        .against(native),
        Row::new("trivial cell in a session", seconds(&samples.session)),
        Row::new(
            "fresh runs per second and core",
            throughput(bench, &reserved)?,
        )
        .goal(runs),
        Row::new(
            "fresh runs, their memory on demand",
            throughput(bench, &on_demand)?,
        ),
    ])
}

/// Seconds of each kind of start.
#[derive(Default)]
struct Samples {
    cold: Vec<f64>,
    native: Vec<f64>,
    bare: Vec<f64>,
    fresh: Vec<f64>,
    fresh_reserved: Vec<f64>,
    session: Vec<f64>,
}

impl Samples {
    fn take(bench: &Bench, on_demand: &Sandbox, reserved: &Sandbox) -> Result<Self> {
        // The first of each kind pays for things that stay: files in the page cache, compiled modules, the first instance.
        Self::default().round(bench, on_demand, reserved)?;
        let mut samples = Self::default();
        for _ in 0..bench.times(60, 3) {
            samples.round(bench, on_demand, reserved)?;
        }
        Ok(samples)
    }

    fn round(&mut self, bench: &Bench, on_demand: &Sandbox, reserved: &Sandbox) -> Result<()> {
        self.cold
            .push(process(bench.command_line().args(["run", "-c", CODE]))?);
        self.native
            .push(process(bench.native.command().args(["-c", CODE]))?);
        self.bare.push(process(
            bench.native.command().args(["-I", "-S", "-c", CODE]),
        )?);
        for _ in 0..FRESH_PER_START {
            self.fresh.push(on_demand.time(CODE, OUTPUT)?);
            self.fresh_reserved.push(reserved.time(CODE, OUTPUT)?);
        }
        for _ in 0..FRESH_PER_START {
            self.session.push(on_demand.time_in_session("x = 1")?);
        }
        Ok(())
    }
}

/// Returns the seconds from the start of a process to its end.
fn process(command: &mut std::process::Command) -> Result<f64> {
    let start = Instant::now();
    let output = native::read(command)?;
    let seconds = start.elapsed().as_secs_f64();
    ensure!(output == OUTPUT, "{command:?} printed {output:?}");
    Ok(seconds)
}

/// Returns fresh runs for each second of the wall clock or of processor time, whichever is more: work on another
/// core does not count as gained.
fn throughput(bench: &Bench, sandbox: &Sandbox) -> Result<Quantity> {
    let runs = bench.times(2000, 50);
    let mut rates = Vec::new();
    for _ in 0..3 {
        let (start, processor) = (Instant::now(), footprint::processor_seconds()?);
        for _ in 0..runs {
            sandbox.time(CODE, OUTPUT)?;
        }
        let wall = start.elapsed().as_secs_f64();
        let processor = footprint::processor_seconds()? - processor;
        rates.push(f64::from(runs) / wall.max(processor));
    }
    Ok(Quantity::PerSecond(median(&rates)))
}
