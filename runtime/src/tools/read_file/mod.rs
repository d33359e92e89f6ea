//! The tool `read_file`: one page of a text file, with numbered lines.

mod arguments;
mod binary;
mod conflict;
mod content;
mod equivalent;
mod excerpt;
mod extension;
mod index;
mod indexes;
mod page;
mod reply;
mod similar;
mod text;
mod tool;
mod utf16;

pub(super) use binary::{SAMPLE_BYTES, format_name};
pub(super) use similar::{MAX_ENTRIES, similar_names};
pub(super) use tool::ReadFile;
