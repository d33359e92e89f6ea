//! The tool `patch`: replaces text in a file, or applies a patch of many files. What cannot be applied whole changes nothing.

mod apply;
mod changes;
mod diff;
mod document;
mod effort;
mod job;
mod lint;
mod matching;
mod replace;
mod reply;
mod rewriting;
mod suggestion;
mod target;
mod tool;
mod v4a;

pub(super) use tool::Patch;
