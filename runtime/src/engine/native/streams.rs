//! What comes out of a kernel: two streams that Python captured, and its standard output and error as the system sees them.
//!
//! All four are read while a cell runs and while none does, so that no process blocks on a full pipe. What the captured streams hold when
//! a cell ends comes first in its output, what other processes wrote comes after it. Memory is bounded by the collectors.

use std::convert::Infallible;
use std::future::poll_fn;
use std::io;
use std::task::{Context, Poll};

use crate::text::capture::Capture;

use super::link::{Source, Sources};
use super::output::Output;

/// Bytes that are read at a time.
const CHUNK: usize = 64 << 10;
/// Bytes of a pipe that are read when a cell has ended: no pipe of an unprivileged process holds more, so whatever the cell wrote is among
/// them, and a process that goes on writing does not hold the result up.
const LEFT_IN_PIPE: usize = 1 << 20;
/// Bytes kept of standard error, of which less is shown.
const STDERR_KEPT: usize = 64 << 10;

/// Chunks that are read of one stream before others get their turn.
const CHUNKS_PER_POLL: u32 = 16;

fn kept_of_stderr() -> Capture {
    Capture::head_only(STDERR_KEPT)
}

/// The four streams.
#[derive(Debug)]
pub(super) struct Streams {
    /// Captured standard output and error, then raw standard output and error.
    all: [Stream; 4],
    buffer: Vec<u8>,
}

impl Streams {
    /// Takes over where the streams are read.
    pub(super) fn new(sources: Sources) -> Self {
        Self {
            all: [
                Stream::new(sources.captured_stdout, Capture::stdout_of_kernel),
                Stream::new(sources.captured_stderr, kept_of_stderr),
                Stream::new(sources.raw_stdout, Capture::stdout),
                Stream::new(sources.raw_stderr, kept_of_stderr),
            ],
            buffer: vec![0; CHUNK],
        }
    }

    /// Reads whatever comes, and never ends.
    pub(super) async fn pump(&mut self) -> Infallible {
        poll_fn(|task| {
            let Self { all, buffer } = self;
            for stream in all {
                stream.poll(task, buffer);
            }
            Poll::Pending
        })
        .await
    }

    /// Reads whatever comes, keeps nothing of it, and never ends.
    pub(super) async fn discard(&mut self) -> Infallible {
        poll_fn(|task| {
            let Self { all, buffer } = self;
            for stream in all {
                stream.poll(task, buffer);
                stream.capture = (stream.fresh)();
            }
            Poll::Pending
        })
        .await
    }

    /// Takes what was written until now.
    pub(super) fn take(&mut self) -> Output {
        let Self { all, buffer } = self;
        let [captured_stdout, captured_stderr, raw_stdout, raw_stderr] =
            all.each_mut().map(|stream| stream.take(buffer));
        Output {
            captured_stdout,
            raw_stdout,
            captured_stderr,
            raw_stderr,
        }
    }
}

/// One stream: where it is read, and what came out of it.
#[derive(Debug)]
struct Stream {
    /// Gone when every writing end is closed.
    source: Option<Box<dyn Source>>,
    capture: Capture,
    fresh: fn() -> Capture,
}

impl Stream {
    fn new(source: Box<dyn Source>, fresh: fn() -> Capture) -> Self {
        Self {
            source: Some(source),
            capture: fresh(),
            fresh,
        }
    }

    /// Reads what there is, up to a limit, and has the task woken for the rest.
    fn poll(&mut self, task: &mut Context<'_>, buffer: &mut [u8]) {
        for _ in 0..CHUNKS_PER_POLL {
            let Some(source) = &mut self.source else {
                return;
            };
            match source.poll_read(task, buffer) {
                Poll::Pending => return,
                Poll::Ready(Ok(count @ 1..)) => self.capture.push(buffer.split_at(count).0),
                Poll::Ready(Ok(0) | Err(_)) => return self.source = None,
            }
        }
        // A process that writes without end must not keep the cell's clock from being looked at.
        task.waker().wake_by_ref();
    }

    /// Reads what is there, whether or not its readiness was noticed, and returns all that came since the last time.
    fn take(&mut self, buffer: &mut [u8]) -> Capture {
        let mut left = LEFT_IN_PIPE;
        while let Some(source) = &mut self.source
            && left > 0
        {
            match source.read_now(buffer) {
                Ok(count @ 1..) => {
                    self.capture.push(buffer.split_at(count).0);
                    left = left.saturating_sub(count);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                Ok(0) | Err(_) => self.source = None,
            }
        }
        std::mem::replace(&mut self.capture, (self.fresh)())
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use std::io::{PipeReader, PipeWriter, Write as _};

    use super::super::link::Pipe;
    use super::*;
    use crate::text::clean::Cleaner;

    fn streams() -> (Streams, [PipeWriter; 4]) {
        let [a, b, c, d] = [(); 4].map(|()| io::pipe().unwrap());
        let source = |end: PipeReader| Pipe::boxed(end).unwrap();
        let sources = Sources {
            captured_stdout: source(a.0),
            captured_stderr: source(b.0),
            raw_stdout: source(c.0),
            raw_stderr: source(d.0),
        };
        (Streams::new(sources), [a.1, b.1, c.1, d.1])
    }

    fn text(capture: &Capture) -> String {
        Cleaner::new(std::sync::Arc::default(), None).fragment(capture, None)
    }

    #[tokio::test]
    async fn raw_output_is_kept_apart_from_what_was_captured() {
        let (mut streams, [mut out, mut err, mut raw_out, mut raw_err]) = streams();
        raw_out.write_all(b"raw").unwrap();
        raw_err.write_all(b"raw error").unwrap();
        out.write_all(b"captured ").unwrap();
        err.write_all(b"error").unwrap();
        let output = streams.take();
        assert_eq!(text(&output.captured_stdout), "captured ");
        assert_eq!(text(&output.raw_stdout), "raw");
        assert_eq!(text(&output.captured_stderr), "error");
        assert_eq!(text(&output.raw_stderr), "raw error");
        assert!(streams.take().captured_stdout.is_empty());
    }

    #[tokio::test]
    async fn a_pipe_that_its_writers_have_closed_is_no_stream_any_more() {
        let (mut streams, [mut out, ..]) = streams();
        out.write_all(b"last words").unwrap();
        drop(out);
        assert_eq!(text(&streams.take().captured_stdout), "last words");
        assert!(streams.take().captured_stdout.is_empty());
    }
}
