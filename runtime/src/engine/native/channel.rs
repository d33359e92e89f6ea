//! The socket over which a kernel gets its cells and answers them.
//!
//! A request is a line of JSON. A reply is `\n<SENTINEL> <length>\n` and so many bytes of JSON; whatever else comes is skipped. A reply
//! has a bounded length, and its length is never a reason to reserve memory ahead.

use std::io;

use serde::Serialize;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};

use super::link::Control;
use super::reply::Reply;

/// The line that asks the runner to end.
const GOODBYE: &[u8] = b"goodbye\n";
/// Bytes of a reply: a traceback, six bytes for each of its characters, is by far the largest part.
const MAX_REPLY: u64 = 8 << 20;
/// Bytes of a line that may be the head of a reply.
const MAX_HEAD: u64 = 4096;

/// The host's end of the socket.
#[derive(Debug)]
pub(super) struct Channel {
    socket: BufReader<Box<dyn Control>>,
    sentinel: String,
}

/// A request as the runner reads it; its form is known to both sides.
#[derive(Serialize)]
struct Request<'a> {
    id: &'a str,
    code: &'a str,
}

impl Channel {
    /// Takes over the host's end.
    pub(super) fn new(socket: Box<dyn Control>, sentinel: String) -> Self {
        Self {
            socket: BufReader::new(socket),
            sentinel,
        }
    }

    /// Sends a cell and waits for the reply to it.
    ///
    /// # Errors
    /// Fails if the other side is gone, or answers with what is no reply.
    pub(super) async fn ask(&mut self, id: &str, code: &str) -> io::Result<Reply> {
        let mut line = serde_json::to_vec(&Request { id, code })?;
        line.push(b'\n');
        self.socket.write_all(&line).await?;
        loop {
            let Some(length) = self.next_head().await? else {
                continue;
            };
            let mut body = Vec::new();
            (&mut self.socket)
                .take(length)
                .read_to_end(&mut body)
                .await?;
            let reply: Reply = serde_json::from_slice(&body)?;
            if reply.id == id {
                return Ok(reply);
            }
        }
    }

    /// Asks the other side to end in order, as far as that can be sent without waiting.
    pub(super) fn say_goodbye(&mut self) {
        // Whoever does not hear it is ended all the same.
        let _ = self.socket.get_mut().write_now(GOODBYE);
    }

    /// Reads a line and returns the length of the reply that it announces, if it does.
    async fn next_head(&mut self) -> io::Result<Option<u64>> {
        let mut line = Vec::new();
        let read = (&mut self.socket)
            .take(MAX_HEAD)
            .read_until(b'\n', &mut line)
            .await?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let length = str::from_utf8(&line)
            .ok()
            .and_then(|line| line.strip_prefix(self.sentinel.as_str()))
            .and_then(|rest| rest.strip_prefix(' ')?.strip_suffix('\n')?.parse().ok())
            .filter(|length| *length <= MAX_REPLY);
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use super::super::reply::Status;
    use super::*;

    impl Control for tokio::io::DuplexStream {
        fn write_now(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::Unsupported.into())
        }
    }

    const REPLY: &str =
        r#"{"id":"7","status":"ok","traceback":"","execution_count":1,"exit_status":null}"#;

    /// Asks a peer that answers the first line with these bytes, and returns the reply with the line.
    async fn ask(answer: Vec<u8>) -> (io::Result<Reply>, String) {
        let (here, there) = tokio::io::duplex(4096);
        let peer = tokio::spawn(async move {
            let mut line = String::new();
            let mut reader = BufReader::new(there);
            reader.read_line(&mut line).await.unwrap();
            // A channel that has its reply may close before the rest is written.
            let _ = reader.get_mut().write_all(&answer).await;
            line
        });
        let mut channel = Channel::new(Box::new(here), "@@S@@".to_owned());
        let reply = channel.ask("7", "print('é')\n").await;
        drop(channel);
        (reply, peer.await.unwrap())
    }

    fn frame(body: &str) -> String {
        format!("\n@@S@@ {}\n{body}", body.len())
    }

    #[tokio::test]
    async fn a_cell_is_one_line_and_its_reply_is_found_among_anything_else() {
        let other = REPLY.replace("\"7\"", "\"6\"");
        let noise = format!(
            "noise\n@@S@@ x\n@@S@@ -1\n@@S@@ 99999999999\n@@S@@ 3 4\n{}",
            frame(&other)
        );
        let (reply, line) = ask((noise + &frame(REPLY)).into_bytes()).await;
        assert_eq!(reply.unwrap().status, Status::Ok);
        assert_eq!(line, "{\"id\":\"7\",\"code\":\"print('é')\\n\"}\n");
    }

    #[tokio::test]
    async fn what_is_no_reply_is_an_error() {
        for body in ["{}", "[]", "nonsense", r#"{"id":"7","status":"odd"}"#] {
            let (reply, _) = ask(frame(body).into_bytes()).await;
            assert_eq!(
                reply.unwrap_err().kind(),
                io::ErrorKind::InvalidData,
                "{body}"
            );
        }
        let (reply, _) = ask(b"cut".to_vec()).await;
        assert_eq!(reply.unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
    }

    #[tokio::test]
    async fn a_flood_without_a_line_end_does_not_grow() {
        let mut flood = vec![b'x'; 1 << 20];
        flood.extend_from_slice(frame(REPLY).as_bytes());
        assert_eq!(ask(flood).await.0.unwrap().status, Status::Ok);
    }
}
