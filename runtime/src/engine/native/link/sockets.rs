//! Wires that the child makes: it connects back over loopback TCP, once for each, and says with the token which one it is.
//!
//! What other processes write to the child's standard output and error comes through pipes, which a thread each copies into such a wire.

use std::io::{self, PipeReader, Read as _};
use std::net::{Ipv4Addr, TcpListener as StdTcpListener, TcpStream as StdTcpStream};
use std::process::{Command, Stdio};
use std::task::{Context, Poll, ready};
use std::thread;
use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use subtle::ConstantTimeEq as _;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::process::{Child, Command as Spawner};
use tokio::time::timeout;

use super::super::rpc::is_lost_connection;
use super::{Control, Source, Sources, Wires};

/// How long the child may take to connect.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long a connection may take to say what it is.
const HELLO_PATIENCE: Duration = Duration::from_secs(5);
/// Connections that may be about to say it at once; further ones wait in the system's queue.
const MAX_GREETINGS: usize = 64;
/// Bytes of the line with which a connection begins.
const MAX_HELLO: u64 = 256;

/// What connections say they are, in the order in which the child makes them.
const ROLES: [&str; 3] = ["control", "stdout", "stderr"];

/// Wires that the child is about to make.
#[derive(Debug)]
pub(in super::super) struct Pending {
    listener: TcpListener,
    token: String,
    raw_stdout: PipeReader,
    raw_stderr: PipeReader,
}

/// Starts a child that connects back.
pub(in super::super) fn spawn(mut command: Command, token: &str) -> io::Result<(Child, Pending)> {
    let listener = StdTcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    listener.set_nonblocking(true)?;
    let (raw_stdout, raw_stdout_end) = io::pipe()?;
    let (raw_stderr, raw_stderr_end) = io::pipe()?;
    command
        .env("HERMES_KERNEL_CONNECT", listener.local_addr()?.to_string())
        .stdin(Stdio::null())
        .stdout(raw_stdout_end)
        .stderr(raw_stderr_end);
    let mut command = Spawner::from(command);
    let child = command.spawn()?;
    // The command holds the writing ends.
    drop(command);
    let pending = Pending {
        listener: TcpListener::from_std(listener)?,
        token: token.to_owned(),
        raw_stdout,
        raw_stderr,
    };
    Ok((child, pending))
}

impl Pending {
    /// Waits until the child has connected; returns the host's ends.
    pub(in super::super) async fn connected(self) -> io::Result<Wires> {
        let [control, stdout, stderr] = timeout(PATIENCE, self.accept()).await??;
        Ok(Wires {
            control: Box::new(control),
            sources: Sources {
                captured_stdout: Socket::boxed(stdout.into_std()?)?,
                captured_stderr: Socket::boxed(stderr.into_std()?)?,
                raw_stdout: Socket::boxed(copied(self.raw_stdout)?)?,
                raw_stderr: Socket::boxed(copied(self.raw_stderr)?)?,
            },
            life: None,
        })
    }

    async fn accept(&self) -> io::Result<[TcpStream; 3]> {
        let mut made = [None, None, None];
        // Anybody on this machine can connect, and be silent; only the child knows the token.
        let mut greetings = FuturesUnordered::new();
        loop {
            let hello = tokio::select! {
                accepted = self.listener.accept(), if greetings.len() < MAX_GREETINGS => {
                    match accepted {
                        Ok((stream, _)) => greetings.push(timeout(HELLO_PATIENCE, self.hello(stream))),
                        Err(error) if is_lost_connection(&error) => {}
                        Err(error) => return Err(error),
                    }
                    continue;
                }
                Some(hello) = greetings.next() => hello,
            };
            if let Ok(Ok(Some((role, stream)))) = hello
                && let Some(slot) = made.get_mut(role)
            {
                stream.set_nodelay(true)?;
                *slot = Some(stream);
            }
            made = match made {
                [Some(control), Some(stdout), Some(stderr)] => {
                    return Ok([control, stdout, stderr]);
                }
                other => other,
            };
        }
    }

    /// Reads what a connection is; `None` for one that is not the child's.
    async fn hello(&self, stream: TcpStream) -> io::Result<Option<(usize, TcpStream)>> {
        let mut reader = BufReader::with_capacity(1, stream).take(MAX_HELLO);
        let mut line = String::new();
        reader.read_line(&mut line).await?;
        let Some((token, role)) = line.trim_end().split_once(' ') else {
            return Ok(None);
        };
        let is_child = bool::from(token.as_bytes().ct_eq(self.token.as_bytes()));
        let role = ROLES.iter().position(|each| *each == role);
        // A reader of single bytes holds nothing of what comes after the line.
        let stream = reader.into_inner().into_inner();
        Ok(role.filter(|_| is_child).map(|role| (role, stream)))
    }
}

/// Has a pipe copied into a socket, until every writing end of the pipe is closed.
fn copied(mut pipe: PipeReader) -> io::Result<StdTcpStream> {
    let (reader, mut writer) = pair()?;
    thread::Builder::new()
        .name("kernel-output".to_owned())
        // Nobody is left to be told where the kernel is over.
        .spawn(move || io::copy(&mut pipe, &mut writer).ok())?;
    Ok(reader)
}

/// Makes two sockets that are connected with each other.
fn pair() -> io::Result<(StdTcpStream, StdTcpStream)> {
    let listener = StdTcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let writer = StdTcpStream::connect(listener.local_addr()?)?;
    let (reader, peer) = listener.accept()?;
    // Somebody else may have come first.
    if peer != writer.local_addr()? {
        return Err(io::ErrorKind::ConnectionRefused.into());
    }
    Ok((reader, writer))
}

impl Control for TcpStream {
    fn write_now(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.try_write(bytes)
    }
}

/// A socket that output comes through.
#[derive(Debug)]
struct Socket {
    stream: TcpStream,
    /// The same socket, for reading without asking the executor.
    direct: StdTcpStream,
}

impl Socket {
    fn boxed(stream: StdTcpStream) -> io::Result<Box<dyn Source>> {
        stream.set_nonblocking(true)?;
        let direct = stream.try_clone()?;
        let stream = TcpStream::from_std(stream)?;
        Ok(Box::new(Self { stream, direct }))
    }
}

impl Source for Socket {
    fn poll_read(&mut self, task: &mut Context<'_>, buffer: &mut [u8]) -> Poll<io::Result<usize>> {
        loop {
            ready!(self.stream.poll_read_ready(task))?;
            match self.stream.try_read(buffer) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                read => return Poll::Ready(read),
            }
        }
    }

    fn read_now(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.direct.read(buffer)
    }
}

#[cfg(test)]
mod tests;
