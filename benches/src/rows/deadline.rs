//! How late a cell ends that would never end: what passes between its limit and its result, for every way to hang.

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use hermes_runtime::{Metering, Request, Status};

use crate::bench::Bench;
use crate::canned::Canned;
use crate::quantity::Quantity;
use crate::sandbox::Sandbox;
use crate::stats::p99;
use crate::table::{Goal, Row};

/// The wall clock of each cell.
const LIMIT: Duration = Duration::from_millis(50);

/// Cells that do not end in the time that they have, each in its own way.
const HANGS: [(&str, &str); 12] = [
    ("loop", "while True: pass"),
    (
        "loop that catches everything",
        "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
    ),
    ("flood of output", "while True: print('x' * 1000)"),
    (
        "recursion",
        "def f(n):\n    for _ in range(10): f(n + 1) if n < 500 else None\nf(0)",
    ),
    (
        "regular expression",
        "import re\nre.match(r'(a+)+$', 'a' * 50 + 'b')",
    ),
    ("power", "10 ** 10 ** 8"),
    (
        "division",
        "a = 7 ** 400_000\n(a ** 8) // (a ** 4 + 1)\nwhile True: a = a * a // (a + 1) + 1",
    ),
    ("sum", "sum(range(10 ** 12))"),
    (
        "search",
        "('a' * 2_000_000 + 'b').count('a' * 1_000_000 + 'c')\nwhile True: ('ab' * 500_000).replace('ba', 'cc')",
    ),
    (
        "key derivation",
        "import hashlib\nhashlib.pbkdf2_hmac('sha256', b'p', b's', 10 ** 9)",
    ),
    ("sleep", "import time\ntime.sleep(3600)"),
    ("blocked tool", "from hermes_tools import answer\nanswer()"),
];

/// Measures every hang under both ways of metering that can stop one.
pub(super) fn rows(bench: &Bench) -> Result<Vec<Row>> {
    let epoch = Sandbox::with(|builder| builder.tool(Canned::silence()))?;
    let fuel = Sandbox::with(|builder| {
        builder
            .tool(Canned::silence())
            .metering(Metering::Fuel { per_cell: u64::MAX })
    })?;
    let goal = Goal::AtMost(Quantity::Seconds(0.050));
    Ok(vec![
        Row::new(
            "deadline overshoot p99, default",
            overshoot(bench, "default", &epoch)?,
        )
        .goal(goal),
        Row::new(
            "deadline overshoot p99, fuel",
            overshoot(bench, "fuel", &fuel)?,
        )
        .goal(goal),
    ])
}

fn overshoot(bench: &Bench, profile: &str, sandbox: &Sandbox) -> Result<Quantity> {
    let mut all = Vec::new();
    for (name, code) in HANGS {
        let mut late = Vec::new();
        for _ in 0..bench.times(12, 1) {
            let request = Request::new(code).timeout(LIMIT);
            let start = Instant::now();
            let outcome = sandbox.run(request)?;
            late.push((start.elapsed().as_secs_f64()) - LIMIT.as_secs_f64());
            ensure!(
                outcome.status == Status::Timeout,
                "{name} did not time out: {}",
                outcome.to_json()
            );
        }
        bench.progress(&format!(
            "deadline, {profile}: {name}: {}",
            Quantity::Seconds(p99(&late))
        ))?;
        all.extend(late);
    }
    Ok(Quantity::Seconds(p99(&all)))
}
