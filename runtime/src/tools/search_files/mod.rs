//! The tool `search_files`: finds lines by a regular expression, or names by a glob, in a tree of files.
//!
//! Files are met in the order of their paths and searched by several threads; the answer is that of one thread.

mod arguments;
mod crew;
mod ignores;
mod long_lines;
mod names;
mod page;
mod pattern;
mod probe;
mod pseudo;
mod reply;
mod roots;
mod scanner;
mod skipped;
mod stepper;
mod stoppable;
mod tool;
mod tree;
mod walk;
mod watch;

pub(super) use tool::SearchFiles;

#[cfg(test)]
mod tests;
