//! A small HTTP/1.1 server for tests: each connection carries one request, and what is answered to it is up to the test.
//!
//! It ends with the value that holds it.

#![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// What a client sent.
#[derive(Debug, Clone)]
pub(crate) struct Seen {
    /// Method and path, as `GET /path`.
    pub(crate) line: String,
    /// The header fields as they came, one a line, names in lower case.
    pub(crate) headers: Vec<String>,
    pub(crate) body: String,
}

/// What the server does with a request.
#[derive(Debug, Clone)]
pub(crate) enum Reaction {
    /// Sends these bytes and closes.
    Send(Vec<u8>),
    /// Sends the first bytes, and the others again and again until the client has enough.
    Flood(Vec<u8>, Vec<u8>),
    /// Sends these bytes and never more.
    Stall(Vec<u8>),
}

impl Reaction {
    /// Answers 200 with a body of a type.
    pub(crate) fn page(content_type: &str, body: impl AsRef<[u8]>) -> Self {
        Self::with(&format!("content-type: {content_type}\r\n"), body)
    }

    /// Answers 200 with further header fields, each with its line end.
    pub(crate) fn with(headers: &str, body: impl AsRef<[u8]>) -> Self {
        let body = body.as_ref();
        let head = format!(
            "HTTP/1.1 200 OK\r\n{headers}content-length: {}\r\n\r\n",
            body.len()
        );
        Self::Send([head.as_bytes(), body].concat())
    }

    /// Answers with a status and nothing else.
    pub(crate) fn status(status: &str) -> Self {
        Self::Send(format!("HTTP/1.1 {status}\r\ncontent-length: 0\r\n\r\n").into_bytes())
    }

    /// Redirects.
    pub(crate) fn redirect(status: u16, location: &str) -> Self {
        Self::Send(
            format!("HTTP/1.1 {status} Moved\r\nlocation: {location}\r\ncontent-length: 0\r\n\r\n")
                .into_bytes(),
        )
    }
}

/// A server on loopback.
#[derive(Debug)]
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    seen: Arc<Mutex<Vec<Seen>>>,
    serving: JoinHandle<()>,
}

impl Server {
    /// Serves on 127.0.0.1.
    pub(crate) async fn start(react: impl Fn(&Seen) -> Reaction + Send + Sync + 'static) -> Self {
        Self::start_at(IpAddr::V4(Ipv4Addr::LOCALHOST), 0, react).await
    }

    /// Serves at an address and port of this machine.
    pub(crate) async fn start_at(
        ip: IpAddr,
        port: u16,
        react: impl Fn(&Seen) -> Reaction + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind((ip, port)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let (log, react) = (Arc::clone(&seen), Arc::new(react));
        let serving = tokio::spawn(async move {
            let mut connections = tokio::task::JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                let (log, react) = (Arc::clone(&log), Arc::clone(&react));
                connections.spawn(async move {
                    // A client that hangs up is part of the test.
                    let _ = serve(stream, &log, react.as_ref()).await;
                });
            }
        });
        Self {
            address,
            seen,
            serving,
        }
    }

    /// Returns a URL of this server.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Returns the requests so far.
    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }

    /// Returns method and path of each request so far.
    pub(crate) fn lines(&self) -> Vec<String> {
        self.seen().into_iter().map(|seen| seen.line).collect()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

async fn serve(
    mut stream: TcpStream,
    log: &Mutex<Vec<Seen>>,
    react: &(dyn Fn(&Seen) -> Reaction + Send + Sync),
) -> std::io::Result<()> {
    let seen = read_request(&mut stream).await?;
    let reaction = react(&seen);
    log.lock().unwrap().push(seen);
    match reaction {
        Reaction::Send(bytes) => {
            stream.write_all(&bytes).await?;
            stream.shutdown().await
        }
        Reaction::Flood(first, rest) => {
            stream.write_all(&first).await?;
            loop {
                stream.write_all(&rest).await?;
            }
        }
        Reaction::Stall(bytes) => {
            stream.write_all(&bytes).await?;
            std::future::pending().await
        }
    }
}

async fn read_request(stream: &mut TcpStream) -> std::io::Result<Seen> {
    let mut bytes = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let mut lines = head.lines();
            let first = lines.next().unwrap_or_default();
            let line = first
                .rsplit_once(' ')
                .map_or(first, |(line, _)| line)
                .to_owned();
            let headers: Vec<String> = lines.map(str::to_owned).collect();
            let length = headers
                .iter()
                .find_map(|line| line.strip_prefix("content-length: "));
            if body.len() >= length.map_or(0, |length| length.parse().unwrap()) {
                return Ok(Seen {
                    line,
                    headers,
                    body: body.to_owned(),
                });
            }
        }
        if stream.read_buf(&mut bytes).await? == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
    }
}
