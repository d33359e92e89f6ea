//! Project mode: the start of a kernel, the next cell of one, and tool calls out of it.
//!
//! The reference's own figures, of the same kind of machine, are what the goals halve.

use anyhow::Result;
use hermes_runtime::{Mode, ProjectOptions};

use crate::bench::Bench;
use crate::canned::Canned;
use crate::native;
use crate::quantity::Quantity;
use crate::sandbox::Sandbox;
use crate::stats::median;
use crate::table::{Goal, Row};

const SCRIPT: &str = include_str!("../../scripts/tool_call.py");

/// What the reference needs, in seconds, to start a kernel, for a cell that does nothing, and for a refused tool call.
const REFERENCE: [f64; 3] = [0.032, 0.001_25, 0.000_068];

/// Measures starts in turns with those of the interpreter itself, then cells and calls.
pub(super) fn rows(bench: &Bench) -> Result<Vec<Row>> {
    let mut options = ProjectOptions::default();
    options.interpreter = Some(bench.native.path().to_owned());
    let sandbox = Sandbox::with(|builder| {
        let builder = builder.mode(Mode::Project).project(options);
        builder.tool(Canned::answer("{}"))
    })?;
    let (mut start, mut alone, mut warm) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..=bench.times(40, 3) {
        let seconds = sandbox.time("print(1)", "1\n")?;
        let begun = std::time::Instant::now();
        native::read(bench.native.command().args(["-c", "pass"]))?;
        let native = begun.elapsed().as_secs_f64();
        sandbox.time_in_session("pass")?;
        // The first round finds out what is usable.
        if round > 0 {
            start.push(seconds);
            alone.push(native);
            for _ in 0..8 {
                warm.push(sandbox.time_in_session("pass")?);
            }
        }
    }
    let calls = bench.times(5_000, 200);
    let call = |name: &str| -> Result<f64> {
        let script = SCRIPT.replace("answer", name);
        let mut samples = Vec::new();
        for _ in 0..bench.times(7, 1) {
            samples.push(sandbox.number(&format!("CALLS = {calls}\n{script}"))?);
        }
        Ok(median(&samples))
    };
    let [starting, warm_cell, calling] =
        REFERENCE.map(|seconds| Goal::AtMost(Quantity::Seconds(seconds / 2.0)));
    let seconds = |samples: &[f64]| Quantity::Seconds(median(samples));
    Ok(vec![
        Row::new("project kernel to first output", seconds(&start))
            .against(seconds(&alone))
            .goal(starting),
        Row::new("project: `pass` in a session", seconds(&warm)).goal(warm_cell),
        Row::new(
            "project: tool call, nothing to do",
            Quantity::Seconds(call(Canned::NAME)?),
        )
        .goal(calling),
    ])
}
