//! How fast pure computation is: a dozen programs, natively and under each way of metering.
//!
//! Each program checks its own result and prints the milliseconds of its best run, as it measured them itself.

use std::fmt;

use anyhow::Result;
use hermes_runtime::Metering;

use crate::bench::Bench;
use crate::native;
use crate::quantity::{Quantity, Ratio};
use crate::sandbox::{Sandbox, number_in};
use crate::stats::geometric_mean;
use crate::table::{Goal, Row};

/// Defines the programs from the names of their files.
macro_rules! programs {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("../../scripts/cpu/", $name, ".py")))),*]
    };
}

/// Names and sources.
const PROGRAMS: [(&str, &str); 12] = programs![
    "big_integers",
    "calls",
    "classes",
    "dictionaries",
    "digests",
    "floats",
    "generators",
    "json_records",
    "regular_expressions",
    "sorting",
    "text_building",
    "word_count",
];

/// Fuel that no program uses up.
const PLENTY: u64 = 1 << 50;

/// Measures every program on each side in turns.
pub(super) fn rows(bench: &Bench) -> Result<Vec<Row>> {
    let sides = Sides {
        epoch: Sandbox::metered(Metering::Epoch)?,
        unmetered: Sandbox::metered(Metering::Unmetered)?,
        fuel: Sandbox::metered(Metering::Fuel { per_cell: PLENTY })?,
    };
    let mut rows = Vec::new();
    let mut times = Vec::new();
    for (name, program) in PROGRAMS {
        let best = sides.best(bench, name, program)?;
        let what = format!("CPU: {}", name.replace('_', " "));
        rows.push(
            Row::new(what, Quantity::Seconds(best.epoch)).against(Quantity::Seconds(best.native)),
        );
        bench.progress(&format!("cpu: {name}: {best}"))?;
        times.push(best);
    }
    let mean = |side: fn(&Times) -> f64| {
        let seconds: Vec<f64> = times.iter().map(side).collect();
        Quantity::Seconds(geometric_mean(&seconds))
    };
    let row = |what, side, limit| {
        Row::new(what, mean(side))
            .against(mean(|times| times.native))
            .goal(Goal::Ratio(limit))
    };
    rows.push(row("CPU geometric mean, default", |times| times.epoch, 2.2));
    rows.push(row(
        "CPU geometric mean, unmetered",
        |times| times.unmetered,
        1.9,
    ));
    rows.push(row("CPU geometric mean, fuel", |times| times.fuel, 2.7));
    Ok(rows)
}

/// A sandbox for each way of metering.
struct Sides {
    epoch: Sandbox,
    unmetered: Sandbox,
    fuel: Sandbox,
}

/// Seconds of a program's best run on each side.
struct Times {
    native: f64,
    epoch: f64,
    unmetered: f64,
    fuel: f64,
}

impl Sides {
    fn best(&self, bench: &Bench, name: &str, program: &str) -> Result<Times> {
        let file = bench.file(&format!("{name}.py"), program)?;
        let mut best = Times::NONE;
        for _ in 0..bench.times(3, 1) {
            let native = native::read(bench.native.command().arg(&file))?;
            best = best.or_faster(&Times {
                native: number_in(&native)? / 1e3,
                epoch: self.epoch.number(program)? / 1e3,
                unmetered: self.unmetered.number(program)? / 1e3,
                fuel: self.fuel.number(program)? / 1e3,
            });
        }
        Ok(best)
    }
}

impl Times {
    const NONE: Self = Self {
        native: f64::INFINITY,
        epoch: f64::INFINITY,
        unmetered: f64::INFINITY,
        fuel: f64::INFINITY,
    };

    fn or_faster(&self, other: &Self) -> Self {
        Self {
            native: self.native.min(other.native),
            epoch: self.epoch.min(other.epoch),
            unmetered: self.unmetered.min(other.unmetered),
            fuel: self.fuel.min(other.fuel),
        }
    }
}

impl fmt::Display for Times {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ratio = |seconds: f64| Ratio(seconds / self.native);
        write!(
            formatter,
            "native {}, epoch {}, unmetered {}, fuel {} of it",
            Quantity::Seconds(self.native),
            ratio(self.epoch),
            ratio(self.unmetered),
            ratio(self.fuel)
        )
    }
}
