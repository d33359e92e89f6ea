//! How a session's shell begins: it reads the operator's files, each in a shell of its own that leaves what it keeps, as a command does.
//!
//! No command runs in a shell that has read such a file itself: one that ends or replaces its shell, or sets options of it, would do that to
//! the command, too. What a file leaves is tried before it counts: no file makes a session's commands unreachable. One of which nothing could
//! be kept, or not all, is told in the log.

use std::fs::File;
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
            let fault = match unreadable(file) {
                Some(fault) => Some(fault),
                None => match self.read_first(state, file, run).await? {
                    Some((held, fault)) => {
                        state = held;
                        fault
                    }
                    None => return Ok(None),
                },
            };
            if let Some(fault) = fault {
                tracing::warn!(target: Config::LOG_TARGET, "the file {file:?} that shells read first {fault}");
            }
        }
        state.begin();
        Ok(Some(state))
    }

    /// Reads one file, and returns the state with what is wrong with the file; `None` if the cell, or this program, ends meanwhile.
    pub(super) async fn read_first(
        &self,
        state: Held,
        file: &Path,
        run: &Run<'_>,
    ) -> Result<Option<(Held, Option<String>)>, ShellFault> {
        state.put_by().map_err(ShellFault::State)?;
        let Some((state, ending)) = self.beginning(state, &reading(file), run).await? else {
            return Ok(None);
        };
        let is_over = matches!(ending, Ending::Exited(_));
        let is_kept = is_over && state.take_over().is_some();
        let fault = fault(ending, is_kept);
        if !is_kept {
            return Ok(Some((state, fault)));
        }
        // What it left is tried, for a session whose shell does not get through it would never come to a command.
        let Some((state, ending)) = self.beginning(state, b"\\command true", run).await? else {
            return Ok(None);
        };
        if matches!(ending, Ending::Exited(_)) && !state.holds_command() {
            return Ok(Some((state, fault)));
        }
        state.go_back().map_err(ShellFault::State)?;
        Ok(Some((state, Some(UNUSABLE.to_owned()))))
    }

    /// Runs a command of the beginning, and returns the state with how it ended; `None` if the cell, or this program, ends meanwhile.
    async fn beginning(
        &self,
        state: Held,
        command: &[u8],
        run: &Run<'_>,
    ) -> Result<Option<(Held, Ending)>, ShellFault> {
        state.prepare(command).map_err(ShellFault::State)?;
        let cwd = state.cwd().to_owned();
        let limits = (MAX_TIME, run.cancellation);
        let (execution, state) = self.execute(state, &cwd, limits).await?;
        let state = state.filter(|_| execution.ending != Ending::Interrupted);
        Ok(state.map(|state| (state, execution.ending)))
    }
}

/// Says why a file cannot be read at all. One that is neither file nor directory is not opened, which might take for ever.
pub(super) fn unreadable(file: &Path) -> Option<String> {
    if file.is_dir() {
        return Some("is of no effect: it is a directory".to_owned());
    }
    let opened = file.is_file().then(|| File::open(file))?;
    Some(format!(
        "is of no effect: it cannot be read ({})",
        opened.err()?
    ))
}

/// Returns the command that reads a file. Its last line gives a file that is read to its end the code 0, whatever its own last line gave.
///
/// Bash goes on where the rest of a file cannot be read, and a plain shell ends with the code 2, which is given here, too. The option is on,
/// for the file may have set it, and what is read without running it is read otherwise.
fn reading(file: &Path) -> Vec<u8> {
    let mut quoted = vec![b'\''];
    for byte in file.as_os_str().as_encoded_bytes() {
        match byte {
            b'\'' => quoted.extend(br"'\''"),
            byte => quoted.push(*byte),
        }
    }
    quoted.push(b'\'');
    let parts: [&[u8]; 5] = [
        b". ",
        &quoted,
        br#"
\command test "$?" = 2 && \command test -n "${BASH-}" && ! "$BASH" -O extglob -n "#,
        &quoted,
        b" && \\command exit 2\n\\command true",
    ];
    parts.concat()
}

/// What is said of a file whose variables and functions end every shell that they are restored in.
const UNUSABLE: &str =
    "is of no effect: what it leaves ends every shell that begins with it, and is dropped";

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
