//! Tool calls: there and back with nothing, and with a megabyte.
//!
//! The native side is what a script would do without us: JSON, a line at a time, over a pair of Unix sockets to
//! another process.

use anyhow::Result;
use serde_json::{Value, json};

use crate::bench::Bench;
use crate::canned::Canned;
use crate::native;
use crate::quantity::Quantity;
use crate::sandbox::{Sandbox, number_in};
use crate::stats::median;
use crate::table::{Goal, Row};

const SCRIPT: &str = include_str!("../../scripts/tool_call.py");
const PEER: &str = include_str!("../../scripts/socket_pair.py");

/// A line of a log; its JSON form has 86 bytes.
const LINE: &str =
    "2026-01-01T00:00:00Z INFO request served: path=/index.html status=200 time=\"12 ms\"\n";

/// Lines that make a megabyte.
const LINES: usize = 11_600;

/// Records that make a megabyte.
const RECORDS: u32 = 6_400;

/// Measures a call that carries nothing and those that carry much.
pub(super) fn rows(bench: &Bench) -> Result<Vec<Row>> {
    let text = large_text();
    let file = json!({"content": text, "total_lines": LINES, "truncated": false});
    let large = |what, answer: &Value| row(bench, what, &answer.to_string(), 20);
    let limit = Goal::AtMost(Quantity::Seconds(0.002));
    Ok(vec![
        row(bench, "tool call, nothing to do", "{}", 10_000)?.goal(Goal::Ratio(1.0 / 5.0)),
        large("tool result of 1 MB, dict of a text", &file)?.goal(limit),
        large("tool result of 1 MB, text", &text)?.goal(limit),
        // Making 50,000 objects takes longer than that in any interpreter: this one is only shown.
        large("tool result of 1 MB, 6,000 records", &large_records())?,
    ])
}

fn row(bench: &Bench, what: &str, answer: &str, calls: u32) -> Result<Row> {
    let sandbox = Sandbox::with(|builder| builder.tool(Canned::answer(answer)))?;
    let peer = bench.file("socket_pair.py", PEER)?;
    let answer = bench.file("answer.json", answer)?;
    let script = format!("CALLS = {calls}\n{SCRIPT}");
    let (mut ours, mut native) = (Vec::new(), Vec::new());
    for _ in 0..bench.times(7, 1) {
        ours.push(sandbox.number(&script)?);
        let mut command = bench.native.command();
        command.arg(&peer).arg(calls.to_string()).arg(&answer);
        native.push(number_in(&native::read(&mut command)?)?);
    }
    Ok(
        Row::new(what, Quantity::Seconds(median(&ours)))
            .against(Quantity::Seconds(median(&native))),
    )
}

/// Returns a megabyte of text, as a file has it.
fn large_text() -> Value {
    Value::from(LINE.repeat(LINES))
}

/// Returns a megabyte of records, as a search finds them.
fn large_records() -> Value {
    let record = |number: u32| {
        json!({
            "id": number,
            "path": format!("src/module_{}/file_{number}.py", number % 100),
            "line": number % 977,
            "score": f64::from(number % 1000) / 8.0,
            "content": "    return [item for item in items if item]",
            "tags": ["a", "b"],
            "seen": null,
        })
    };
    json!({"matches": (0..RECORDS).map(record).collect::<Vec<_>>()})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_answers_have_a_megabyte() {
        for answer in [large_text(), large_records()] {
            let kilobytes = answer.to_string().len() / 1000;
            assert!((950..1050).contains(&kilobytes), "{kilobytes} kB");
        }
    }
}
