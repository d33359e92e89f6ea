//! The command line: its commands, and what each prints.
//!
//! stdout carries what was asked for and nothing else; whatever is said to a person goes to stderr.

mod arguments;
mod artifact;
mod config;
mod run;
mod schema;
mod source;
mod version;

pub(crate) use arguments::Cli;
pub(crate) use source::SourceError;
