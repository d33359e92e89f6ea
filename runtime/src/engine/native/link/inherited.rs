//! Wires whose other ends the child inherits: a pair of sockets as its standard input, and pipes.

use std::io::{self, PipeReader, Write as _};
use std::os::fd::{AsFd as _, AsRawFd as _, OwnedFd};
use std::os::unix::net::UnixStream as StdUnixStream;
use std::process::Command;
use std::task::{Context, Poll, ready};

use rustix::io::{FdFlags, fcntl_setfd};
use tokio::net::UnixStream;
use tokio::net::unix::pipe::Receiver;
use tokio::process::{Child, Command as Spawner};

use super::{Control, Source, Sources, Wires};
use crate::process::start_with_descriptors;

/// Wires that are there from the start.
#[derive(Debug)]
pub(in super::super) struct Pending(Wires);

impl Pending {
    /// Returns the host's ends.
    #[expect(
        clippy::unused_async,
        reason = "elsewhere the child has to connect first"
    )]
    pub(in super::super) async fn connected(self) -> io::Result<Wires> {
        Ok(self.0)
    }
}

/// Starts a child that inherits its ends. No token is needed: nobody else can have them.
pub(in super::super) fn spawn(mut command: Command, _token: &str) -> io::Result<(Child, Pending)> {
    let (socket, child_socket) = StdUnixStream::pair()?;
    socket.set_nonblocking(true)?;
    let (captured_stdout, captured_stdout_end) = io::pipe()?;
    let (captured_stderr, captured_stderr_end) = io::pipe()?;
    let (raw_stdout, raw_stdout_end) = io::pipe()?;
    let (raw_stderr, raw_stderr_end) = io::pipe()?;
    let (death, life) = io::pipe()?;
    let inherited: [OwnedFd; 3] = [
        captured_stdout_end.into(),
        captured_stderr_end.into(),
        death.into(),
    ];
    let start = start_with_descriptors();
    for descriptor in &inherited {
        fcntl_setfd(descriptor, FdFlags::empty())?;
    }
    let [stdout_fd, stderr_fd, death_fd] = inherited.each_ref().map(OwnedFd::as_raw_fd);
    command
        .env(
            "HERMES_KERNEL_CAPTURE_FDS",
            format!("{stdout_fd},{stderr_fd}"),
        )
        .env("HERMES_KERNEL_PARENT_DEATH_FD", death_fd.to_string())
        .stdin(OwnedFd::from(child_socket))
        .stdout(OwnedFd::from(raw_stdout_end))
        .stderr(OwnedFd::from(raw_stderr_end));
    let mut command = Spawner::from(command);
    let child = command.spawn();
    // The child has its own by now; the command holds those that became its standard streams.
    drop(inherited);
    drop(start);
    drop(command);
    let child = child?;
    let wires = Wires {
        control: Box::new(UnixStream::from_std(socket)?),
        sources: Sources {
            captured_stdout: Pipe::boxed(captured_stdout)?,
            captured_stderr: Pipe::boxed(captured_stderr)?,
            raw_stdout: Pipe::boxed(raw_stdout)?,
            raw_stderr: Pipe::boxed(raw_stderr)?,
        },
        life: Some(life),
    };
    Ok((child, Pending(wires)))
}

impl Control for UnixStream {
    fn write_now(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // The copy is not blocking either.
        let copy = self.as_fd().try_clone_to_owned()?;
        StdUnixStream::from(copy).write(bytes)
    }
}

/// The reading end of a pipe.
#[derive(Debug)]
pub(in super::super) struct Pipe(Receiver);

impl Pipe {
    /// Takes over a reading end.
    pub(in super::super) fn boxed(end: PipeReader) -> io::Result<Box<dyn Source>> {
        Ok(Box::new(Self(Receiver::from_owned_fd(end.into())?)))
    }
}

impl Source for Pipe {
    fn poll_read(&mut self, task: &mut Context<'_>, buffer: &mut [u8]) -> Poll<io::Result<usize>> {
        loop {
            ready!(self.0.poll_read_ready(task))?;
            match self.0.try_read(buffer) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                read => return Poll::Ready(read),
            }
        }
    }

    fn read_now(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        Ok(rustix::io::read(&self.0, buffer)?)
    }
}
