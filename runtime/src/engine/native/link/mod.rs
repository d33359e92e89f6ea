//! The wires between the host and a kernel's child: one for cells and replies, four for output, and the one by which the child notices
//! that its host is gone.
//!
//! On Unix the child inherits their ends. Windows has no such inheritance for sockets: there the child connects back.

#[cfg(unix)]
mod inherited;
#[cfg(any(windows, test))]
mod sockets;

use std::fmt;
use std::io;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite};

#[cfg(all(unix, test))]
pub(super) use inherited::Pipe;
#[cfg(unix)]
pub(super) use inherited::spawn;
#[cfg(windows)]
pub(super) use sockets::spawn;

/// The host's end of the wire for cells and replies.
pub(super) trait Control: AsyncRead + AsyncWrite + fmt::Debug + Send + Unpin {
    /// Writes what can be written without waiting; returns how many bytes that were. It needs no executor, which may be gone.
    fn write_now(&mut self, bytes: &[u8]) -> io::Result<usize>;
}

/// Where output is read.
pub(super) trait Source: fmt::Debug + Send {
    /// Reads what comes; nothing at the end.
    fn poll_read(&mut self, task: &mut Context<'_>, buffer: &mut [u8]) -> Poll<io::Result<usize>>;

    /// Reads what is there, whether or not the executor has noticed it; fails with `WouldBlock` where nothing is.
    fn read_now(&mut self, buffer: &mut [u8]) -> io::Result<usize>;
}

/// Where the four streams of output are read.
#[derive(Debug)]
pub(super) struct Sources {
    pub(super) captured_stdout: Box<dyn Source>,
    pub(super) captured_stderr: Box<dyn Source>,
    pub(super) raw_stdout: Box<dyn Source>,
    pub(super) raw_stderr: Box<dyn Source>,
}

/// Held as long as the child has a host; `None` where the system itself ends the child with its host.
pub(super) type Life = Option<io::PipeWriter>;

/// The host's ends.
#[derive(Debug)]
pub(super) struct Wires {
    pub(super) control: Box<dyn Control>,
    pub(super) sources: Sources,
    pub(super) life: Life,
}
