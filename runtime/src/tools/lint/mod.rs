//! The syntax check of a text by the extension of its file's name: JSON, Python, TOML and YAML, each by a parser in this process.
//!
//! A text comes from a script and may be made to hurt: every check is bounded in time, memory and depth. What is beyond
//! a bound is not checked, and the answer says so.

mod check;
mod fault;
mod python;
mod reply;
mod toml;
mod yaml;

pub(super) use check::Verdict;
pub(super) use reply::Lint;
