//! The host functions that a script may call, and the one way to call them.
//!
//! Every call, from whatever engine, goes through a [`CellAuthority`]: allow list, budget, dispatch, log. A tool is a
//! file or folder of its own; what a tool does to the host it does through the rooms `fs` and `process`.

mod arguments;
mod authority;
pub(crate) mod bounds;
mod context;
mod description;
mod dispatch;
#[cfg(test)]
mod events;
mod file_options;
#[cfg(test)]
mod granted;
mod json_fault;
mod lint;
mod log;
mod options;
mod patch;
mod read_file;
mod search_files;
mod set;
mod surrogate;
mod terminal;
mod tool;
mod web_extract;
mod web_options;
mod web_search;
mod write_file;
mod write_guard;

pub(crate) use authority::{CellAuthority, malformed_request, no_authority, unauthorized_request};
pub use context::ToolContext;
pub(crate) use description::describe;
pub use options::{
    FileOptions, SearchEndpoints, TerminalOptions, ToolOptions, WebOptions, WebsiteBlocklist,
};
pub use set::ToolSetError;
pub(crate) use set::{TERMINAL, ToolSet};
pub use tool::{Tool, ToolError, ToolReply};
pub use web_search::{SearchHit, SearchProvider};
