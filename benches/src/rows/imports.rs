//! What the first import of a common module costs in a fresh sandbox.

use anyhow::{Context as _, Result};

use crate::bench::Bench;
use crate::native;
use crate::quantity::Quantity;
use crate::sandbox::{Sandbox, number_in};
use crate::stats::median;
use crate::table::{Goal, Row};

/// Modules that scripts import most, one a line.
const MODULES: &str = include_str!("../../scripts/imports.txt");

/// Measures each module in sandboxes of its own and shows the slowest.
pub(super) fn rows(bench: &Bench) -> Result<Vec<Row>> {
    let sandbox = Sandbox::new()?;
    let mut slowest = ("", f64::NEG_INFINITY);
    for module in MODULES.lines() {
        let code = timed_import(module);
        let samples: Result<Vec<f64>> = (0..bench.times(7, 1))
            .map(|_| sandbox.number(&code))
            .collect();
        let seconds = median(&samples.with_context(|| format!("`import {module}` failed"))?);
        if seconds > slowest.1 {
            slowest = (module, seconds);
        }
    }
    let (module, seconds) = slowest;
    let native = number_in(&native::read(
        bench.native.command().args(["-c", &timed_import(module)]),
    )?)?;
    let what = format!(
        "slowest of {} first imports ({module})",
        MODULES.lines().count()
    );
    let goal = Goal::AtMost(Quantity::Seconds(0.003));
    Ok(vec![
        Row::new(what, Quantity::Seconds(seconds))
            .against(Quantity::Seconds(native))
            .goal(goal),
    ])
}

fn timed_import(module: &str) -> String {
    format!(
        "from time import perf_counter\nstart = perf_counter()\nimport {module}\nprint(perf_counter() - start)"
    )
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn sixty_different_modules_are_imported() {
        assert_eq!(MODULES.lines().count(), 60);
        assert_eq!(MODULES.lines().collect::<BTreeSet<_>>().len(), 60);
    }
}
