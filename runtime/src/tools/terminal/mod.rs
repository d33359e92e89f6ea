//! The tool `terminal`: runs a shell command on the host, outside the sandbox, after refusing what must never run.

mod background;
mod call;
mod consent;
mod foreground;
mod meaning;
mod options;
mod reply;
mod sudo;
mod tool;

pub use options::TerminalOptions;
pub(super) use tool::Terminal;
