//! One connection of a script: requests are read one after another, those with an id are answered side by side.

use std::future::poll_fn;
use std::io;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use tokio::io::{
    AsyncBufReadExt as _, AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, BufReader,
    copy, sink,
};
use tokio::sync::{Mutex, Semaphore};
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::endpoint::Halves;
use super::request::{Line, answer};
use super::seats::Seat;
use super::server::Desk;
use crate::tools::bounds;
use crate::tools::{malformed_request, unauthorized_request};

/// Bytes of a request's line: the largest arguments, and room for the rest.
const MAX_LINE: u64 = bounds::MAX_ARGUMENTS as u64 + (64 << 10);
/// Bytes of arguments that are read only to be refused; of more than that nothing is read.
const MAX_SKIPPED: u64 = 4 << 30;
/// How long a connection may be silent, and how long a request's arguments may be on their way.
const IDLE: Duration = Duration::from_mins(5);
/// Requests of one connection that may run at once; further ones wait.
const SIDE_BY_SIDE: usize = 64;

type Reader = BufReader<Box<dyn AsyncRead + Send + Unpin>>;
type Call = Pin<Box<dyn Future<Output = String> + Send>>;
type Writer = Arc<Mutex<Box<dyn AsyncWrite + Send + Unpin>>>;

/// Serves a connection until its other side closes it, is silent for too long, is to make way or breaks the rules.
pub(super) async fn serve((read, write): Halves, desk: Arc<Desk>, seat: Seat) {
    let mut connection = Connection {
        reader: BufReader::new(read),
        writer: Arc::new(Mutex::new(write)),
        desk,
        seat,
        running: JoinSet::new(),
        room: Arc::new(Semaphore::new(SIDE_BY_SIDE)),
    };
    let mut line = Vec::new();
    // The other side may be gone at any time; then nobody is left to be told.
    while let Ok(true) = connection.next(&mut line).await {}
    while connection.running.join_next().await.is_some() {}
}

struct Connection {
    reader: Reader,
    writer: Writer,
    desk: Arc<Desk>,
    seat: Seat,
    running: JoinSet<()>,
    room: Arc<Semaphore>,
}

impl Connection {
    /// Reads and answers a request; returns whether another may follow.
    async fn next(&mut self, line: &mut Vec<u8>) -> io::Result<bool> {
        line.clear();
        let reader = &mut self.reader;
        let read = timeout(IDLE, async {
            let mut limited = reader.take(MAX_LINE);
            limited.read_until(b'\n', line).await
        });
        let mut read = pin!(read);
        let read = loop {
            self.seat.waits(self.running.is_empty());
            tokio::select! {
                // What has come is read before anybody is sent away.
                biased;
                read = &mut read => break read,
                _ = self.running.join_next(), if !self.running.is_empty() => {}
                () = self.seat.is_wanted(), if self.running.is_empty() => return Ok(false),
            }
        };
        let read = match read {
            Ok(read) => read?,
            // Silence while calls run is no silence.
            Err(_) => return Ok(line.is_empty() && !self.running.is_empty()),
        };
        self.seat.waits(false);
        if read == 0 {
            return Ok(false);
        }
        if line.last() != Some(&b'\n') {
            // Cut off, or too long: what follows could not be told from another request.
            return Ok(false);
        }
        let request = match Line::parse(line) {
            Ok(request) => request,
            Err(error) => {
                send(&self.writer, None, malformed_request(line, &error)).await?;
                return Ok(true);
            }
        };
        if !self.desk.admits(&request.token()) {
            send(&self.writer, request.id(), unauthorized_request()).await?;
            // What follows the line is not worth reading.
            return Ok(request.bytes().is_none());
        }
        let mut body = Vec::new();
        if let Some(length) = request.bytes() {
            if length > MAX_SKIPPED {
                return Ok(false);
            }
            let mut sent = (&mut self.reader).take(length);
            if length > MAX_LINE {
                // Whoever sends it listens only when all of it is sent.
                let Ok(read) = timeout(IDLE, copy(&mut sent, &mut sink())).await else {
                    return Ok(false);
                };
                read?;
                send(&self.writer, request.id(), bounds::too_large(length)).await?;
                return Ok(true);
            }
            // Grows with what really comes.
            let Ok(read) = timeout(IDLE, sent.read_to_end(&mut body)).await else {
                return Ok(false);
            };
            read?;
        } else {
            body.extend_from_slice(request.arguments().as_bytes());
        }
        let (desk, tool) = (Arc::clone(&self.desk), request.tool().into_owned());
        let mut call: Call = Box::pin(async move { desk.call(&tool, &body).await });
        // Most calls are over at once or have nothing beside them; only one with an id that takes time makes way for others.
        if let Poll::Ready(reply) = poll_fn(|task| Poll::Ready(call.as_mut().poll(task))).await {
            send(&self.writer, request.id(), reply).await?;
        } else if let Some(id) = request.id() {
            self.spawn(id.to_owned(), call).await;
        } else {
            let reply = call.await;
            send(&self.writer, None, reply).await?;
        }
        Ok(true)
    }

    /// Has a call that has begun go on beside others.
    async fn spawn(&mut self, id: String, call: Call) {
        let Ok(permit) = Arc::clone(&self.room).acquire_owned().await else {
            return;
        };
        let writer = Arc::clone(&self.writer);
        self.running.spawn(async move {
            let reply = call.await;
            // Nobody is left to be told where the other side is gone.
            let _ = send(&writer, Some(&id), reply).await;
            drop(permit);
        });
    }
}

async fn send(writer: &Writer, id: Option<&str>, reply: String) -> io::Result<()> {
    let bytes = answer(id, reply);
    writer.lock().await.write_all(&bytes).await
}
