//! The task in the middle of the server: it takes calls, starts cells and sends answers.
//!
//! It alone knows what is in flight, so nothing here needs a lock. It never waits for a cell; it waits for the reader
//! of stdout, which is how a client that does not read is slowed down.

use hermes_runtime::{Request, Runtime};
use serde_json::json;
use tokio::sync::mpsc::{Receiver, Sender};
use tokio_util::sync::CancellationToken;

use crate::exit::Exit;

use super::call::Call;
use super::cells::{Cell, Cells, Facts};
use super::message::{Id, Rejection, Reply, RpcError};
use super::reader::Incoming;

/// Reason of an interrupt by SIGINT or SIGTERM, as the interrupted cell's output names it.
const SHUTDOWN: &str = "the server is shutting down";
/// Reason of an interrupt by `close_session`.
const CLOSED: &str = "session closed";

/// Serves one client.
#[derive(Debug)]
pub(super) struct Server {
    runtime: Runtime,
    cells: Cells,
    answers: Sender<String>,
}

/// The client reads no more answers.
#[derive(Debug)]
struct Gone;

impl Server {
    /// Makes a server that runs cells with `runtime` and sends its answers, one line each, to `answers`.
    pub(super) fn new(runtime: Runtime, answers: Sender<String>) -> Self {
        Self {
            runtime,
            cells: Cells::default(),
            answers,
        }
    }

    /// Serves until the calls end and every cell is answered, until `stop` ends the cells, or until the client is gone.
    pub(super) async fn run(
        mut self,
        mut calls: Receiver<Incoming>,
        stop: &CancellationToken,
    ) -> Exit {
        let mut exit = Exit::Success;
        let mut reading = true;
        while reading || !self.cells.is_empty() {
            let sent = tokio::select! {
                () = stop.cancelled(), if exit == Exit::Success => {
                    exit = Exit::Interrupted;
                    reading = false;
                    self.cells.interrupt_all(SHUTDOWN);
                    Ok(())
                }
                () = self.answers.closed() => Err(Gone),
                incoming = calls.recv(), if reading => {
                    reading = incoming.is_some();
                    match incoming {
                        Some(incoming) => self.receive(incoming).await,
                        None => Ok(()),
                    }
                }
                Some((id, reply)) = self.cells.next(), if !self.cells.is_empty() => {
                    self.answer(id, reply).await
                }
            };
            if let Err(Gone) = sent {
                break;
            }
        }
        exit
    }

    async fn receive(&mut self, incoming: Incoming) -> Result<(), Gone> {
        match incoming {
            Incoming::Call { id, call: Ok(call) } => self.call(id, call).await,
            Incoming::Call {
                id,
                call: Err(error),
            } => self.answer(id, Err(error)).await,
            Incoming::Rejected(Rejection { id, error }) => self.answer(Some(id), Err(error)).await,
        }
    }

    async fn call(&mut self, id: Option<Id>, call: Call) -> Result<(), Gone> {
        let result = match call {
            Call::Execute { request, session } => return self.execute(id, *request, session).await,
            Call::Refused { envelope } => envelope,
            Call::Interrupt { session, reason } => {
                let interrupted = self.cells.interrupt(&session, reason.as_deref());
                json!({ "interrupted": interrupted }).to_string()
            }
            Call::CloseSession { session } => {
                // Both: a cell that is about to start has no session yet, and an idle session has no cell.
                let interrupted = self.cells.interrupt_session(&session, CLOSED);
                let closed = self.runtime.close_session(&session);
                json!({ "closed": interrupted || closed }).to_string()
            }
        };
        self.answer(id, Ok(result)).await
    }

    async fn execute(
        &mut self,
        id: Option<Id>,
        request: Request,
        session: Option<String>,
    ) -> Result<(), Gone> {
        let facts = Facts {
            id,
            session,
            interrupt: request.interrupt_handle(),
        };
        let work = Box::pin(run(self.runtime.clone(), request));
        match self.cells.start(Cell { facts, work }) {
            Ok(()) => Ok(()),
            Err((Facts { id, .. }, error)) => self.answer(id, Err(error)).await,
        }
    }

    async fn answer(&self, id: Option<Id>, reply: Reply) -> Result<(), Gone> {
        match (id, reply) {
            (Some(id), reply) => self.answers.send(id.answer(&reply)).await.map_err(|_| Gone),
            (None, Ok(_)) => Ok(()),
            (None, Err(error)) => {
                tracing::warn!(?error, "a notification failed");
                Ok(())
            }
        }
    }
}

/// Runs a cell; what the runtime refuses is a result, since the model that wrote the call should read it.
async fn run(runtime: Runtime, request: Request) -> Reply {
    match runtime.execute(request).await {
        Ok(outcome) => Ok(outcome.to_json()),
        Err(error) if error.is_refusal() => Ok(error.to_json()),
        Err(error) => Err(RpcError::server(&error.message())),
    }
}
