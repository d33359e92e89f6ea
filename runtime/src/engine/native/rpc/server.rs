//! The listening side: who may call, under which authority, and for how long.

use std::ffi::OsStr;
use std::fmt;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use subtle::ConstantTimeEq as _;
use tokio::task::{AbortHandle, JoinSet};
use tokio::time::sleep;

use super::connection;
use super::endpoint::{Address, Endpoint, is_lost_connection};
use super::seats::Seats;
use crate::tools::{CellAuthority, bounds, no_authority};

/// Connections that are served at once; further ones wait in the system's queue until one is over or only waits.
const MAX_CONNECTIONS: usize = 64;
/// How long the next connection is let wait after one that the system could not accept.
const PAUSE: Duration = Duration::from_millis(50);

/// What a kernel's own processes know and nobody else does. An empty token admits nobody.
#[derive(Clone)]
pub(crate) struct Token(pub(crate) String);

impl fmt::Debug for Token {
    /// Shows nothing of it.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Token")
    }
}

/// A server that ends, with its connections and its socket, when it is dropped.
#[derive(Debug)]
pub(crate) struct RpcServer {
    desk: Arc<Desk>,
    address: Address,
    serving: AbortHandle,
}

impl RpcServer {
    /// Starts to serve, on the executor of the caller.
    pub(crate) fn start(token: Token) -> io::Result<Self> {
        Ok(Self::start_at(Endpoint::listen()?, token))
    }

    fn start_at((endpoint, address): (Endpoint, Address), token: Token) -> Self {
        let desk = Arc::new(Desk {
            token,
            authority: Mutex::default(),
        });
        let serving = tokio::spawn(serve(endpoint, Arc::clone(&desk))).abort_handle();
        Self {
            desk,
            address,
            serving,
        }
    }

    /// Returns the address as a script's side reads it.
    pub(crate) fn address(&self) -> &OsStr {
        &self.address.text
    }

    /// Has calls answered by this authority from now on.
    pub(crate) fn install(&self, authority: &Arc<CellAuthority>) {
        *self.desk.lock() = Some(Arc::clone(authority));
    }

    /// Returns whether calls are answered: the executor that it was started on may be gone.
    pub(crate) fn is_alive(&self) -> bool {
        !self.serving.is_finished()
    }
}

impl Drop for RpcServer {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

async fn serve(endpoint: Endpoint, desk: Arc<Desk>) {
    let mut connections = JoinSet::new();
    let seats = Seats::new(MAX_CONNECTIONS);
    loop {
        let halves = accepted(|| endpoint.accept()).await;
        let seat = seats.take().await;
        connections.spawn(connection::serve(halves, Arc::clone(&desk), seat));
        while connections.try_join_next().is_some() {}
    }
}

/// Waits for a connection that can be accepted.
async fn accepted<T, A: Future<Output = io::Result<T>>>(mut accept: impl FnMut() -> A) -> T {
    loop {
        match accept().await {
            Ok(connection) => return connection,
            // It is out of the queue.
            Err(error) if is_lost_connection(&error) => {}
            // Too many open files, for example: it stays in the queue, so that the next try would fail at once, until others close some.
            Err(error) => {
                tracing::debug!(%error, "a connection of a kernel cannot be accepted");
                sleep(PAUSE).await;
            }
        }
    }
}

/// What all connections share: the token, and the authority of the cell that runs now or ran last.
#[derive(Debug)]
pub(super) struct Desk {
    token: Token,
    authority: Mutex<Option<Arc<CellAuthority>>>,
}

impl Desk {
    /// Compares a token, in a time that does not depend on where the two differ.
    pub(super) fn admits(&self, token: &str) -> bool {
        let own = self.token.0.as_bytes();
        !own.is_empty() && bool::from(own.ct_eq(token.as_bytes()))
    }

    /// Answers a call with a JSON text.
    pub(super) async fn call(&self, tool: &str, arguments: &[u8]) -> String {
        if let Some(refusal) = bounds::refuse(arguments) {
            return refusal;
        }
        let authority = self.lock().clone();
        match authority {
            Some(authority) => authority.call(tool, arguments).await,
            None => no_authority(),
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<Arc<CellAuthority>>> {
        // What it holds is replaced as a whole.
        self.authority
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;
