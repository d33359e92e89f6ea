//! What the person at the terminal sees: one line per step on standard error, and the error that ended the work.

use std::io::{self, Write as _};
use std::time::Duration;

/// Steps that take longer than this many seconds say beforehand how long they are likely to take.
const LONG: u32 = 10;

/// Begins the line of a step.
pub(crate) fn begin(number: usize, total: usize, name: &str) {
    show(&format!("[{number}/{total}] {name:<9} … "));
}

/// Shows on the step's line what it is about to do. `seconds` is how long that is likely to take on 2 cores.
pub(crate) fn working(task: &str, seconds: u32) {
    show(&announcement(task, seconds));
}

/// Ends the line of a step that had nothing to do.
pub(crate) fn up_to_date() {
    show("up to date\n");
}

/// Ends the line of a step that was done.
pub(crate) fn done(took: Duration, note: Option<&str>) {
    let note = note.map(|note| format!(", {note}")).unwrap_or_default();
    show(&format!("{} s{note}\n", took.as_secs_f64().round()));
}

/// Ends the line of a step that failed.
pub(crate) fn failed() {
    show("failed\n");
}

/// Shows the error that ended the work.
pub(crate) fn failure(error: &anyhow::Error) {
    show(&format!("error: {error:#}\n"));
}

/// Shows a line of information.
pub(crate) fn note(text: &str) {
    show(&format!("{text}\n"));
}

/// Prints a line of what was asked for to standard output.
pub(crate) fn print(text: &str) {
    // A reader that has gone away is no reason to fail.
    let _ = writeln!(io::stdout(), "{text}");
}

fn announcement(task: &str, seconds: u32) -> String {
    if seconds > LONG {
        format!("{task} (about {seconds} s on 2 cores) … ")
    } else {
        format!("{task} … ")
    }
}

fn show(text: &str) {
    // Progress is a courtesy: a closed terminal does not stop the build.
    let mut stderr = io::stderr().lock();
    let _ = stderr
        .write_all(text.as_bytes())
        .and_then(|()| stderr.flush());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_long_steps_announce_their_time() {
        assert_eq!(
            announcement("builds the interpreter", 80),
            "builds the interpreter (about 80 s on 2 cores) … "
        );
        assert_eq!(announcement("copies", 2), "copies … ");
    }
}
