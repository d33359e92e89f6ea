//! What a host can set about `terminal`.

use std::path::PathBuf;
use std::time::Duration;

/// Settings of `terminal`.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct TerminalOptions {
    /// Time limit of a command that names none (`terminal.timeout`); 180 s.
    pub timeout: Duration,
    /// Longest time limit of a command in the foreground (`TERMINAL_MAX_FOREGROUND_TIMEOUT`); 600 s. A call that names more is started in
    /// the background.
    pub max_timeout: Duration,
    /// Longest shown output in characters (`tool_output.max_bytes`); 50,000.
    pub max_output_chars: usize,
    /// Runs dangerous commands without asking the host's approver (`approvals.mode: off`); off. The commands that are
    /// never run stay refused.
    pub allow_dangerous: bool,
    /// Commands that are refused whatever anybody approves (`approvals.deny`); none. In a pattern `*` stands for any
    /// text and `?` for one character; it is held against the whole command and against each program in it with its
    /// arguments, whatever their case.
    pub deny: Vec<String>,
    /// Keeps directory, exported variables, functions and aliases from one command of a session to the next (`terminal.persistent_shell`);
    /// on. A plain shell, where there is no bash, keeps no functions and aliases.
    pub persistent_shell: bool,
    /// Files that are read before a session's first command, as far as they are there (`terminal.shell_init_files`, or `~/.bashrc` where
    /// `terminal.auto_source_bashrc` says so); none. Each is read in a shell of its own, for up to 30 s, and every command begins with what
    /// that would keep for a next command, secrets included. One that ends or replaces its shell is told in the log. Relative paths begin
    /// where this process runs. The file tools do not change these files.
    pub init_files: Vec<PathBuf>,
}

impl Default for TerminalOptions {
    fn default() -> Self {
        Self {
            timeout: Duration::from_mins(3),
            max_timeout: Duration::from_mins(10),
            max_output_chars: 50_000,
            allow_dangerous: false,
            deny: Vec::new(),
            persistent_shell: true,
            init_files: Vec::new(),
        }
    }
}
