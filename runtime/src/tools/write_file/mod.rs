//! The tool `write_file`: writes a whole text file, so that others see the old content or the new one.

mod content;
mod lint;
mod reply;
mod tool;

pub(super) use lint::Lint;
pub(super) use tool::WriteFile;
