//! Commands that may take longer than the foreground allows: each runs in a copy of the session's shell, beside later commands.
//!
//! A script has no other tool for such a command than this one, so what comes of it is a file, which appears when the command has ended. It
//! is ended with its session, and at its own time limit.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tokio::task::spawn_blocking;
use tokio_util::sync::CancellationToken;

use super::call::Call;
use super::options::TerminalOptions;
use super::reply::{NotRun, Promoted};
use super::tool::not_started;
use crate::process::{Ending, Finished, Run, Shell, ShellFault};
use crate::text::redact::{Profile, Redactor};
use crate::text::spill;
use crate::tools::ToolContext;

/// Bytes of output in the file, which holds five million and what is said at its end; of more the middle is left out.
const MAX_BYTES: usize = 4_999_000;
/// Characters of output that are tried one after the other until they are few enough bytes. The first number gives two fifths, and thus nearly
/// all of the bytes, to the beginning: of a flood only a short end is known. The last one fits whatever the characters are.
const TRIED_CHARS: [usize; 3] = [
    11_800_000,
    MAX_BYTES - NOTICE_BYTES,
    (MAX_BYTES - NOTICE_BYTES) / 4,
];
/// Bytes for the sentence that says what is left out.
const NOTICE_BYTES: usize = 1_000;
/// Random bytes of a command's name.
const ID_BYTES: usize = 6;

const NO_PLACE: &str = "Background command not started: there is no directory for its output. Use a timeout within the foreground limit.";
const NO_ROOM: &str = "Background command not started: 16 of this session are running already. Wait until one has ended.";
const INTERRUPTED: &str = "Background command not started: the cell has ended.";
/// What a copy says of a shell that ended too early: nothing of the session's own is dropped.
const NOT_REACHED: &str = "its copy of the session's shell ended before it came to the command";

/// A command on its way.
struct Job {
    command: String,
    start: PathBuf,
    workdir: Option<PathBuf>,
    timeout: Duration,
    init_files: Vec<PathBuf>,
    redactor: Arc<Redactor>,
    place: PathBuf,
    file: String,
}

/// Starts a command that goes on when its call is answered.
pub(super) async fn start(
    call: &Call<'_>,
    start: &Path,
    context: &ToolContext,
    options: &TerminalOptions,
) -> Result<Promoted, NotRun> {
    let place = context.spill_dir().ok_or_else(|| NotRun::error(NO_PLACE))?;
    let id = fresh_id()?;
    let file = format!("terminal-{id}.txt");
    let path = place.join(&file);
    let job = Job {
        command: call.command.to_owned(),
        start: start.to_owned(),
        workdir: call.workdir.clone(),
        timeout: call.timeout,
        init_files: options.init_files.clone(),
        redactor: Arc::clone(context.redactor()),
        place: place.to_owned(),
        file,
    };
    let run = job.describe(context.cancellation());
    let copied = context.shell().copied(&run);
    let shell = copied
        .await
        .map_err(not_started)?
        .ok_or_else(|| NotRun::error(INTERRUPTED))?;
    if !context.shell().adopt(job.run(shell)) {
        return Err(NotRun::error(NO_ROOM));
    }
    let asked = call.timeout.as_secs_f64();
    let limit = options.max_timeout.as_secs_f64();
    let shown = path.display();
    let note = format!(
        "timeout={asked} exceeds the foreground limit of {limit}s, so the command was started in the background; it is ended after {asked}s, or with this session. When it has ended, its output and exit code are in {shown}, both ends if it is more than 5,000,000 bytes: look with terminal(\"cat {shown}\")."
    );
    Ok(Promoted {
        output: "Background process started",
        exit_code: 0,
        error: None,
        session_id: id,
        full_output_path: path,
        approval: None,
        promoted_from_foreground: note,
    })
}

impl Job {
    /// Runs the command to its end and leaves the file.
    async fn run(self, shell: Shell) {
        let never = CancellationToken::new();
        let ran = shell.run(self.describe(&never)).await;
        let save = move || {
            let text = match ran {
                Ok(finished) => self.transcript(&finished),
                Err(ShellFault::NotReached) => format!("[Command not started: {NOT_REACHED}]\n"),
                Err(fault) => format!("[Command not started: {fault}]\n"),
            };
            spill::save_as(&self.place, &self.file, &text)
        };
        if let Ok(Err(error)) = spawn_blocking(save).await {
            tracing::warn!(%error, "the output of a background command cannot be saved");
        }
    }

    fn describe<'a>(&'a self, cancellation: &'a CancellationToken) -> Run<'a> {
        Run {
            command: &self.command,
            start: &self.start,
            workdir: self.workdir.as_deref(),
            timeout: self.timeout,
            cancellation,
            init_files: &self.init_files,
            // It has a copy of the session's state, and goes with it.
            is_persistent: true,
        }
    }

    fn transcript(&self, finished: &Finished) -> String {
        let profile = Profile::for_command(&self.command);
        let shown = TRIED_CHARS.into_iter().map(|limit| {
            let shown = finished.output.show(&self.redactor, profile, limit, None);
            shown.text
        });
        let mut fitting = shown.filter(|text| text.len() <= MAX_BYTES);
        let mut text = fitting.next().unwrap_or_default();
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        // Writing to a string cannot fail.
        let _ = match finished.ending {
            Ending::Exited(code) => writeln!(text, "[Command exited with code {code}]"),
            Ending::TimedOut | Ending::Interrupted => {
                let seconds = self.timeout.as_secs_f64();
                writeln!(text, "[Command timed out after {seconds}s]")
            }
        };
        text
    }
}

fn fresh_id() -> Result<String, NotRun> {
    let mut random = [0; ID_BYTES];
    getrandom::fill(&mut random)
        .map_err(|error| NotRun::error(format!("Command execution failed: {error}")))?;
    let mut id = String::from("proc_");
    for byte in random {
        // Writing to a string cannot fail.
        let _ = write!(id, "{byte:02x}");
    }
    Ok(id)
}

#[cfg(test)]
mod tests;
