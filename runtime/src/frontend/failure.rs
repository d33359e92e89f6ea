//! What can end a command before it has a result to show.
//!
//! It owns the words of the front ends' own failures; those of the library keep theirs. A text may end in
//! `; hint: …`, which the report puts on a line of its own.

use std::io;

use hermes_runtime::RuntimeError;

use crate::cli::SourceError;

/// A command that could not be done. A script that fails is a result and no failure.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// There is no script to run.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// The command line enables tools that do not exist.
    #[error("unknown tool {}; hint: known tools are {}", list(.unknown), list(.known))]
    UnknownTools {
        unknown: Vec<String>,
        known: Vec<String>,
    },
    /// The command line asks for fuel where none is metered.
    #[error("project mode meters no fuel; hint: use `--timeout` there, or `--mode strict`")]
    FuelInProject,
    /// The library refused or failed.
    #[error(transparent)]
    Runtime(#[from] RuntimeError),
    /// The operating system failed.
    #[error("cannot {action}")]
    System {
        action: &'static str,
        source: io::Error,
    },
}

impl Failure {
    /// Returns a function that makes the failure of `action` from its cause.
    pub(crate) fn to(action: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::System { action, source }
    }
}

fn list(names: &[String]) -> String {
    let quoted: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
    quoted.join(", ")
}
