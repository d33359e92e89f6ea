//! The file tools as a script calls them: a search through a large tree, the first page of a large file, a patch in a
//! file of 5 MB, a small file read.
//!
//! The native side of the search is `rg`, or `grep -rn` where there is none.

use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};

use crate::bench::Bench;
use crate::quantity::Quantity;
use crate::sandbox::Sandbox;
use crate::stats::median;
use crate::table::{Goal, Row};

/// A line of a file; it has 64 bytes.
const LINE: &str = "    return [item for item in items if item is not None]  # line\n";

/// What a few files of the tree hold.
const NEEDLE: &str = "needle_in_the_haystack";

/// Files of the tree that hold the needle: one in so many.
const RARE: u32 = 10_000;

/// Lines of one file of the tree.
const TREE_LINES: usize = 40;

/// Measures the file tools.
pub(super) fn rows(bench: &Bench) -> Result<Vec<Row>> {
    Ok(vec![
        search(bench)?,
        first_page(bench)?,
        patch(bench)?,
        small_read(bench)?,
    ])
}

fn search(bench: &Bench) -> Result<Row> {
    let place = tempfile::tempdir().context("cannot make a directory")?;
    let files = bench.times(100_000, 10_000);
    make_tree(place.path(), files)?;
    let hits = files.div_ceil(RARE);
    let sandbox = Sandbox::with(|builder| builder.workdir(place.path()))?;
    let script = format!(
        "from time import perf_counter\nfrom hermes_tools import search_files\nstart = perf_counter()\n\
         found = search_files({NEEDLE:?})\nend = perf_counter()\n\
         assert found['total_count'] == {hits}, found\nprint(end - start)"
    );
    let (mut ours, mut native) = (Vec::new(), Vec::new());
    // The first round of each side warms the cache of the file system.
    for round in 0..=bench.times(9, 1) {
        let own = sandbox.number(&script)?;
        let start = Instant::now();
        let found = searcher(place.path()).output()?.stdout;
        let other = start.elapsed().as_secs_f64();
        let lines = found.split(|byte| *byte == b'\n').count() - 1;
        ensure!(
            u32::try_from(lines) == Ok(hits),
            "the native search found {lines} lines"
        );
        if round > 0 {
            ours.push(own);
            native.push(other);
        }
    }
    let what = format!("search_files, {files} files");
    Ok(Row::new(what, Quantity::Seconds(median(&ours)))
        .against(Quantity::Seconds(median(&native)))
        .goal(Goal::Ratio(1.5)))
}

fn make_tree(root: &Path, files: u32) -> Result<()> {
    let text = LINE.repeat(TREE_LINES);
    for number in 0..files {
        let directory = root.join(format!("d{}/e{}", number % 50, number / 50 % 20));
        if number < 1_000 {
            fs::create_dir_all(&directory)?;
        }
        let needle = if number % RARE == 0 { NEEDLE } else { "" };
        let path = directory.join(format!("file_{number}.py"));
        fs::write(path, format!("{text}{needle}\n"))?;
    }
    Ok(())
}

/// Returns the command of the native search.
fn searcher(root: &Path) -> Command {
    let has_rg = Command::new("rg")
        .arg("--version")
        .stdout(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    let mut command = Command::new(if has_rg { "rg" } else { "grep" });
    command.arg(if has_rg { "-n" } else { "-rn" });
    command.args([NEEDLE, "."]).current_dir(root);
    command
}

fn first_page(bench: &Bench) -> Result<Row> {
    let place = tempfile::tempdir().context("cannot make a directory")?;
    let megabytes = bench.times(1_000, 50);
    let mut file = BufWriter::new(File::create(place.path().join("large"))?);
    let block = LINE.repeat(1_000_000 / LINE.len());
    for _ in 0..megabytes {
        file.write_all(block.as_bytes())?;
    }
    file.flush()?;
    let mut times = Vec::new();
    for _ in 0..bench.times(9, 1) {
        // A runtime that has not seen the file yet.
        let sandbox = Sandbox::with(|builder| builder.workdir(place.path()))?;
        times.push(sandbox.number(
            "from time import perf_counter\nfrom hermes_tools import read_file\nstart = perf_counter()\n\
             page = read_file('large')\nend = perf_counter()\n\
             assert page['truncated'] and page['content'].startswith('1|'), page\nprint(end - start)",
        )?);
    }
    let what = format!("read_file, first page of {megabytes} MB");
    Ok(Row::new(what, Quantity::Seconds(median(&times)))
        .goal(Goal::AtMost(Quantity::Seconds(0.005))))
}

fn patch(bench: &Bench) -> Result<Row> {
    let place = tempfile::tempdir().context("cannot make a directory")?;
    let half = LINE.repeat(2_500_000 / LINE.len());
    let path = place.path().join("large.py");
    let sandbox = Sandbox::with(|builder| builder.workdir(place.path()))?;
    let mut times = Vec::new();
    for _ in 0..bench.times(9, 1) {
        fs::write(&path, format!("{half}{NEEDLE} = 1\n{half}"))?;
        times.push(sandbox.number(&format!(
            "from time import perf_counter\nfrom hermes_tools import patch\nstart = perf_counter()\n\
             done = patch('large.py', '{NEEDLE} = 1', '{NEEDLE} = 2')\nend = perf_counter()\n\
             assert done.get('success'), done\nprint(end - start)"
        ))?);
    }
    Ok(
        Row::new("patch, exact, in 5 MB", Quantity::Seconds(median(&times)))
            .goal(Goal::AtMost(Quantity::Seconds(0.05))),
    )
}

fn small_read(bench: &Bench) -> Result<Row> {
    let place = tempfile::tempdir().context("cannot make a directory")?;
    fs::write(place.path().join("small"), LINE.repeat(20))?;
    let sandbox = Sandbox::with(|builder| builder.workdir(place.path()))?;
    let mut times = Vec::new();
    for _ in 0..bench.times(9, 1) {
        times.push(sandbox.number(
            "from time import perf_counter\nfrom hermes_tools import read_file\nread_file('small')\n\
             start = perf_counter()\nfor _ in range(1000):\n    page = read_file('small')\n\
             end = perf_counter()\nassert page['total_lines'] == 20, page\nprint((end - start) / 1000)",
        )?);
    }
    Ok(
        Row::new("read_file, 20 lines", Quantity::Seconds(median(&times)))
            .goal(Goal::AtMost(Quantity::Seconds(0.0001))),
    )
}
