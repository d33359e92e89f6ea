//! The text of the `output` key: stdout, the stderr block and the closing notice.
//!
//! It owns markers and blank lines, and nothing that decides which of them a cell gets. Text that a cell wrote is
//! never dropped here: each function only appends.

const STDERR_MARKER: &str = "\n--- stderr ---\n";

/// Where in the text the two streams are. They stay where they are: what comes later is appended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Streams {
    /// Length of the standard output, in bytes.
    stdout: usize,
    /// Length of the standard error, in bytes.
    stderr: usize,
}

impl Streams {
    pub(super) fn new(stdout: usize, stderr: usize) -> Self {
        Self { stdout, stderr }
    }

    /// Returns the standard output; nothing if the text was changed since.
    pub(super) fn stdout(self, text: &str) -> &str {
        text.get(..self.stdout).unwrap_or_default()
    }

    /// Returns the standard error; nothing if the text was changed since.
    pub(super) fn stderr(self, text: &str) -> &str {
        let start = self.stdout + STDERR_MARKER.len();
        text.get(start..start + self.stderr).unwrap_or_default()
    }
}

/// Appends the stderr block, unless there is nothing to show in it.
pub(super) fn with_stderr(mut stdout: String, stderr: &str) -> String {
    if !stderr.is_empty() {
        stdout.push_str(STDERR_MARKER);
        stdout.push_str(stderr);
    }
    stdout
}

/// Appends `{symbol} {message}` as a paragraph of its own.
pub(super) fn with_notice(mut body: String, symbol: char, message: &str) -> String {
    if !body.is_empty() {
        body.push_str("\n\n");
    }
    body.push(symbol);
    body.push(' ');
    body.push_str(message);
    body
}

/// Appends the marker of an interrupted run, which names the reason if the host recorded one.
pub(super) fn with_interrupt_marker(mut body: String, reason: Option<&str>) -> String {
    if !body.is_empty() {
        body.push('\n');
    }
    match reason.filter(|reason| !reason.is_empty()) {
        Some(reason) => {
            body.push_str("[execution interrupted — ");
            body.push_str(reason);
            body.push(']');
        }
        None => body.push_str("[execution interrupted]"),
    }
    body
}
