//! What a host can set about the file tools.

/// Settings of `read_file`, `write_file`, `search_files` and `patch`.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct FileOptions {
    /// Most lines that one `read_file` returns (`tool_output.max_lines`); 2,000.
    pub max_lines: u64,
    /// Longest line that `read_file` shows whole, in characters (`tool_output.max_line_length`); 2,000.
    pub max_line_length: usize,
    /// Longest content of one `read_file`, in characters (`file_read_max_chars`); 100,000.
    pub max_read_chars: usize,
    /// Refuses to overwrite a file that the session has not read or written in its present form; off.
    pub stale_overwrite_guard: bool,
    /// Asks the host's approver before files that tell agents what to do are changed; on.
    pub protect_instruction_files: bool,
    /// Globs of further such files (`security.protected_instruction_extra_patterns`), as `GEMINI.md`, `.github/*.md` or `.cursor/**`, without
    /// regard to case. Any directories may stand before one that does not begin with `/`; none.
    pub protected_instruction_patterns: Vec<String>,
}

impl Default for FileOptions {
    fn default() -> Self {
        Self {
            max_lines: 2_000,
            max_line_length: 2_000,
            max_read_chars: 100_000,
            stale_overwrite_guard: false,
            protect_instruction_files: true,
            protected_instruction_patterns: Vec::new(),
        }
    }
}
