//! Reads what a command writes, as long as it runs and what is left in the pipe at its end.

use std::convert::Infallible;
use std::future::pending;
use std::io;
use std::process::ExitStatus;

use tokio::io::AsyncReadExt as _;
use tokio::process::{Child, ChildStdout};

use crate::system;
use crate::text::transcript::Transcript;

const CHUNK_BYTES: usize = 64 * 1024;
/// Chunks that are read of what was written before a command's end; a pipe holds less, unless somebody goes on writing.
const LAST_CHUNKS: usize = 16;

/// Reads output until the command itself has ended.
pub(super) async fn watch(
    child: &mut Child,
    output: &mut Option<ChildStdout>,
    transcript: &mut Transcript,
) -> io::Result<ExitStatus> {
    tokio::select! {
        status = child.wait() => status,
        never = drain_and_wait(output, transcript) => match never {},
    }
}

/// Reads output until its end, and then does nothing: a command may close its output and go on.
async fn drain_and_wait(
    output: &mut Option<ChildStdout>,
    transcript: &mut Transcript,
) -> Infallible {
    drain(output, transcript).await;
    pending().await
}

/// Reads output until its end.
async fn drain(output: &mut Option<ChildStdout>, transcript: &mut Transcript) {
    let Some(pipe) = output else { return };
    let mut chunk = vec![0; CHUNK_BYTES];
    // A pipe that cannot be read any more is as good as one that ended.
    while let Ok(count @ 1..) = pipe.read(&mut chunk).await {
        transcript.push(chunk.split_at(count).0);
    }
    *output = None;
}

/// Reads what is in the pipe already, and waits for nothing.
pub(super) fn drain_now(output: Option<&mut ChildStdout>, transcript: &mut Transcript) {
    let Some(pipe) = output else { return };
    let mut chunk = vec![0; CHUNK_BYTES];
    for _ in 0..LAST_CHUNKS {
        match system::read_now(pipe, &mut chunk) {
            Ok(count @ 1..) => transcript.push(chunk.split_at(count).0),
            _ => return,
        }
    }
}
