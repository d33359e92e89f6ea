//! What a host can set about the built-in tools; every default is the contract's.

pub use super::file_options::FileOptions;
pub use super::terminal::TerminalOptions;
pub use super::web_options::{SearchEndpoints, WebOptions, WebsiteBlocklist};

/// Settings of the built-in tools.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct ToolOptions {
    /// Settings of `read_file`, `write_file`, `search_files` and `patch`.
    pub files: FileOptions,
    /// Settings of `terminal`.
    pub terminal: TerminalOptions,
    /// Settings of `web_extract` and `web_search`.
    pub web: WebOptions,
}
