//! What the integration tests are written with: cells, the command line and the server as builders that read as a specification.
//!
//! It asserts and reports; it knows nothing of a particular test. A failed assertion shows the whole result, and every wait has a
//! deadline that only a hang can reach.
#![expect(
    clippy::expect_used,
    clippy::missing_panics_doc,
    clippy::unwrap_used,
    reason = "everything here panics: that fails the test that called it"
)]

/// The library's example in the README is compiled.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
#[derive(Debug)]
pub struct Readme;

mod approver;
mod binary;
mod case;
mod cli;
mod deadline;
mod endless_line;
mod engine;
mod finished;
mod module;
mod program;
mod rows;
mod server;
mod shared;
mod signpost;
mod tools;

pub use approver::Human;
pub use binary::{artifact_dir, hermes_exec, workspace};
pub use case::{Case, Session};
pub use cli::{Cli, Ended, Started};
pub use deadline::within_deadline;
pub use endless_line::EndlessLine;
pub use engine::{by_engine, is_for_newer_python, is_for_strict_only, mode, project_options};
pub use finished::{Finished, NOT_RUN};
pub use module::imports;
pub use program::Program;
pub use rows::every_row;
pub use server::Server;
pub use shared::{builder, shared};
pub use signpost::Signpost;
pub use tools::{Answer, Meeting, Ready, Scripted, Stuck};
