//! The thread that owns stdout: each message is one line, written and flushed before the next.

use std::io::{self, Write};
use std::thread::{self, JoinHandle};

use tokio::sync::mpsc::{self, Receiver, Sender};

use crate::streams;

/// Messages that may wait for a slow reader; beyond that the server waits with it.
const CAPACITY: usize = 64;

/// The writing end of the server.
#[derive(Debug)]
pub(super) struct Writer {
    thread: JoinHandle<io::Result<()>>,
}

impl Writer {
    /// Starts the thread. It ends when every sender is dropped, or when stdout fails or is closed.
    pub(super) fn start() -> io::Result<(Self, Sender<String>)> {
        let (sender, lines) = mpsc::channel(CAPACITY);
        let write = move || write_all(lines, io::stdout().lock());
        let thread = thread::Builder::new()
            .name("writer".to_owned())
            .spawn(write)?;
        Ok((Self { thread }, sender))
    }

    /// Waits until everything is written. A reader that has gone away is no error.
    pub(super) fn finish(self) -> io::Result<()> {
        let written = self.thread.join();
        written.unwrap_or_else(|_| Err(io::Error::other("the thread that writes ended in a panic")))
    }
}

fn write_all(mut lines: Receiver<String>, mut output: impl Write) -> io::Result<()> {
    while let Some(mut line) = lines.blocking_recv() {
        line.push('\n');
        let written = output
            .write_all(line.as_bytes())
            .and_then(|()| output.flush());
        if written.is_err() {
            return streams::unless_closed(written);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use super::*;

    /// A reader that goes away after its first line.
    #[derive(Default)]
    struct Impatient(Vec<u8>);

    impl Write for &mut Impatient {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if self.0.contains(&b'\n') {
                return Err(io::ErrorKind::BrokenPipe.into());
            }
            self.0.extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn queue(lines: &[&str]) -> Receiver<String> {
        let (sender, receiver) = mpsc::channel(CAPACITY);
        for line in lines {
            sender.try_send((*line).to_owned()).unwrap();
        }
        receiver
    }

    #[test]
    fn each_message_is_a_line() {
        let mut output = Vec::new();
        write_all(queue(&["{}", "[]"]), &mut output).unwrap();
        assert_eq!(output, b"{}\n[]\n");
    }

    #[test]
    fn a_reader_that_has_gone_ends_the_writing_without_an_error() {
        let mut output = Impatient::default();
        write_all(queue(&["1", "2", "3"]), &mut output).unwrap();
        assert_eq!(output.0, b"1\n");
    }
}
