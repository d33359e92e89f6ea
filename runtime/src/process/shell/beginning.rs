//! How a session's shell begins: it reads the operator's files, each in a shell of its own that leaves what it keeps, as a command does.
//!
//! No command runs in a shell that has read such a file itself: one that ends or replaces its shell, or sets options of it, would do that to
//! the command, too. A file of which nothing could be kept, or not all, is told in the log.

use std::path::Path;
use std::time::Duration;

use super::{Ending, Held, Run, Shell, ShellFault};
use crate::config::Config;

/// Longest time that one file may take.
const MAX_TIME: Duration = Duration::from_secs(30);

impl Shell {
    /// Has a state begin that has not yet; `None` if the cell, or this program, ends meanwhile.
    ///
    /// The directory stays as it is: where a session begins is not the files' affair.
    pub(super) async fn begun(
        &self,
        mut state: Held,
        run: &Run<'_>,
    ) -> Result<Option<Held>, ShellFault> {
        if state.has_begun() {
            return Ok(Some(state));
        }
        // Something may be left of a beginning that was given up.
        state.clear().map_err(ShellFault::State)?;
        for file in run.init_files.iter().filter(|file| file.exists()) {
            state.prepare(&reading(file)).map_err(ShellFault::State)?;
            let cwd = state.cwd().to_owned();
            let limits = (MAX_TIME, run.cancellation);
            let (execution, held) = self.execute(state, &cwd, limits).await?;
            let Some(held) = held.filter(|_| execution.ending != Ending::Interrupted) else {
                return Ok(None);
            };
            state = held;
            let is_over = matches!(execution.ending, Ending::Exited(_));
            let is_kept = is_over && state.take_over().is_some();
            if let Some(fault) = fault(execution.ending, is_kept) {
                tracing::warn!(target: Config::LOG_TARGET, "the file {file:?} that shells read first {fault}");
            }
        }
        state.begin();
        Ok(Some(state))
    }
}

/// Returns the command that reads a file. Its last line gives a file that is read to its end the code 0, whatever its own last line gave.
fn reading(file: &Path) -> String {
    let file = file.to_string_lossy().replace('\'', r"'\''");
    format!(". '{file}'\n\\command true")
}

/// Says what is wrong with a file after its shell has ended so.
fn fault(ending: Ending, is_kept: bool) -> Option<String> {
    match (ending, is_kept) {
        (Ending::Exited(0), true) => None,
        (Ending::Exited(code), true) => Some(format!(
            "ended its shell before its own end, with exit code {code}; what it set before counts"
        )),
        (Ending::Exited(_), false) => {
            Some("is of no effect: it replaced its shell, or broke it".to_owned())
        }
        (Ending::TimedOut | Ending::Interrupted, _) => Some(format!(
            "is of no effect: it took longer than {} s",
            MAX_TIME.as_secs()
        )),
    }
}
