//! The tool `read_file`: one page of a text file, with numbered lines.

mod binary;
mod excerpt;
mod page;
mod reply;
mod similar;
mod tool;

pub(super) use tool::ReadFile;
