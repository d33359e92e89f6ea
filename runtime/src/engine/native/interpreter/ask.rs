//! Asking an interpreter what it is, and having it compile what kernels bring. No process that was started for it outlives the asking.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use tokio::process::Command;
use tokio::time::timeout;

use super::super::program::{COMPILER, Programs};
use super::Interpreter;
use crate::process::{Tree, plain_start, temporary_file};
use crate::system::{self, is_executable};

/// How long an interpreter may take to say its version.
const PATIENCE: Duration = Duration::from_secs(5);
/// The oldest version that runs kernels.
const OLDEST: (u32, u32) = (3, 8);
/// Bytes of an answer that are looked at.
const MAX_ANSWER: u64 = 4 << 20;
/// Bytes that an answer may need.
const ROOM: usize = 256 << 10;

/// Prints the version and the path of the program itself, which is another one where a script chooses between interpreters.
const ABOUT: &str = "import sys\nprint(*sys.version_info[:2])\nprint(sys.executable)\n";

/// Asks an interpreter what it is and has it compile what kernels bring; `None` for one that cannot run them.
pub(super) async fn ask(candidate: &Path) -> io::Result<Option<Interpreter>> {
    // Files, for a pipe would have to be filled and emptied while the program runs.
    let input = file_with(&Programs::input())?;
    let mut output = temporary_file()?;
    let mut command = system::group_of_its_own(Command::new(candidate));
    command
        .args(["-I", "-S", "-c"])
        .arg([ABOUT, COMPILER].concat())
        .stdin(input)
        .stdout(output.try_clone()?)
        .stderr(Stdio::null())
        .kill_on_drop(true);
    let started = {
        let _start = plain_start();
        command.spawn()
    };
    let mut child = match started {
        Err(error) if is_own_fault(&error) => return Err(error),
        // It is no program of this machine, for example.
        Err(_) => return Ok(None),
        Ok(child) => child,
    };
    // Whatever ends this, a time limit, an answer or a drop, ends the children of a script that chooses between interpreters too. One that
    // has ended already may have no tree any more.
    let _tree = Tree::of(&child, ()).ok();
    let Ok(status) = timeout(PATIENCE, child.wait()).await else {
        // One that does not answer is no use.
        return Ok(None);
    };
    if !status?.success() {
        // Where it had no room for its answer, there is none for this either.
        output.write_all(&vec![b'\n'; ROOM])?;
        return Ok(None);
    }
    output.rewind()?;
    let mut answer = Vec::new();
    output.take(MAX_ANSWER).read_to_end(&mut answer)?;
    Ok(str::from_utf8(&answer).ok().and_then(interpreter))
}

/// Returns whether a program could not be started for a reason that has nothing to do with it.
pub(super) fn is_own_fault(error: &io::Error) -> bool {
    use io::ErrorKind::{
        Interrupted, OutOfMemory, QuotaExceeded, ResourceBusy, StorageFull, WouldBlock,
    };

    // Too many open files, of this process or of the system, are an uncategorised kind of error.
    matches!(
        error.kind(),
        Interrupted | OutOfMemory | QuotaExceeded | ResourceBusy | StorageFull | WouldBlock
    ) || system::is_out_of_files(error)
}

/// Makes an interpreter of its answer.
fn interpreter(answer: &str) -> Option<Interpreter> {
    let (path, rest) = parse(answer)?;
    let programs = Arc::new(Programs::parse(rest)?);
    is_executable(&path).then_some(Interpreter { path, programs })
}

fn file_with(text: &str) -> io::Result<File> {
    let mut file = temporary_file()?;
    file.write_all(text.as_bytes())?;
    file.rewind()?;
    Ok(file)
}

/// Reads the answer: version, then path; what follows is returned with it.
pub(super) fn parse(answer: &str) -> Option<(PathBuf, &str)> {
    let (version, rest) = answer.split_once('\n')?;
    let (path, rest) = rest.split_once('\n')?;
    let (major, minor) = version.trim().split_once(' ')?;
    let version: (u32, u32) = (major.parse().ok()?, minor.parse().ok()?);
    let path = Path::new(path.trim_end_matches(['\r', '\n']));
    (version >= OLDEST && path.is_absolute()).then(|| (path.to_owned(), rest))
}
