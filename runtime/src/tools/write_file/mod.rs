//! The tool `write_file`: writes a whole text file, so that others see the old content or the new one.

mod content;
mod reply;
mod rewrite;
mod tool;

pub(super) use tool::WriteFile;
