//! Memory: the process after its first cell, and what each idle session adds.
//!
//! It is measured in a process that does nothing else; for that this program starts itself again.

use std::env;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, ensure};
use hermes_runtime::{Request, Status};

use crate::bench::Bench;
use crate::footprint::Footprint;
use crate::native;
use crate::options::PROBE_MEMORY;
use crate::quantity::Quantity;
use crate::sandbox::{Sandbox, number_in};
use crate::table::{Goal, Row};

/// Sessions that are open before the others are counted. Pages of the snapshot that one session reads are private until
/// a second one reads them too: with a single session before, the others would seem to give memory back.
const WARM_SESSIONS: usize = 3;

/// An interpreter that waits for nothing, as an idle session does.
const IDLE: &str = "import sys; print(1, flush=True); sys.stdin.read()";

/// Measures this program's sessions and one native interpreter.
pub(super) fn rows(bench: &Bench) -> Result<Vec<Row>> {
    let sessions = bench.times(40, 8).to_string();
    let own = env::current_exe().context("cannot find the own executable")?;
    let probe = native::read(Command::new(own).args([PROBE_MEMORY, &sessions]))?;
    let (base, session) = probe
        .split_once(' ')
        .context("the probe printed one number")?;
    let base = Row::new(
        "resident memory after the first cell",
        Quantity::Bytes(number_in(base)?),
    );
    let session = Row::new(
        "private memory of an idle session",
        Quantity::Bytes(number_in(session)?),
    );
    let idle = idle_interpreter(bench)?;
    Ok(vec![
        session
            .against(Quantity::Bytes(idle.private))
            .goal(Goal::AtMost(Quantity::Bytes(1.5e6))),
        base.against(Quantity::Bytes(idle.resident))
            .goal(Goal::AtMost(Quantity::Bytes(100e6))),
    ])
}

/// Writes the bytes of this process after its first cell, and the bytes that each of so many idle sessions adds.
pub(crate) fn probe(sessions: u32, out: &mut impl Write) -> Result<()> {
    let limit = usize::try_from(sessions)?.saturating_add(WARM_SESSIONS);
    let sandbox = Sandbox::with(|builder| builder.max_sessions(limit))?;
    let open = |name: String| -> Result<()> {
        let outcome = sandbox.run(Request::new("print(1)").session(name))?;
        let is_fresh = outcome.status == Status::Success && !outcome.kernel.reused;
        ensure!(is_fresh, "{}", outcome.to_json());
        Ok(())
    };
    let mut resident = f64::NAN;
    for number in 0..WARM_SESSIONS {
        open(format!("warm {number}"))?;
        if number == 0 {
            resident = Footprint::of("self")?.resident;
        }
    }
    let before = Footprint::of("self")?.private;
    (0..sessions).try_for_each(|number| open(number.to_string()))?;
    let added = Footprint::of("self")?.private - before;
    writeln!(out, "{resident} {}", added / f64::from(sessions))?;
    Ok(())
}

/// Returns the memory of a native interpreter that waits.
fn idle_interpreter(bench: &Bench) -> Result<Footprint> {
    let mut command = bench.native.command();
    let mut child = command
        .args(["-c", IDLE])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut line = String::new();
    if let Some(stdout) = child.stdout.as_mut() {
        BufReader::new(stdout).read_line(&mut line)?;
    }
    let footprint = Footprint::of(&child.id().to_string());
    // Its standard input ends here, and with it the process.
    child.wait()?;
    ensure!(line == "1\n", "the idle interpreter printed {line:?}");
    footprint
}
