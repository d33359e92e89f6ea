//! The tool `terminal`: runs a shell command on the host, outside the sandbox, after refusing what must never run.

mod command_line;
mod floor;
mod foreground;
mod frame;
mod lexer;
mod meaning;
mod options;
mod reply;
mod target;
mod tool;

pub use options::TerminalOptions;
pub(super) use tool::Terminal;
