//! What a host can set about `terminal`.

use std::time::Duration;

/// Settings of `terminal`.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct TerminalOptions {
    /// Time limit of a command that names none (`terminal.timeout`); 180 s.
    pub timeout: Duration,
    /// Longest shown output in characters (`tool_output.max_bytes`); 50,000.
    pub max_output_chars: usize,
    /// Runs dangerous commands without asking the host's approver (`approvals.mode: off`); off. The commands that are
    /// never run stay refused.
    pub allow_dangerous: bool,
}

impl Default for TerminalOptions {
    fn default() -> Self {
        Self {
            timeout: Duration::from_mins(3),
            max_output_chars: 50_000,
            allow_dangerous: false,
        }
    }
}
