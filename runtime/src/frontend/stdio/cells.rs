//! The cells that are in flight: those that run, and those that wait for another one of their session.
//!
//! One task owns this; there is no lock. At any time at most one cell of a session runs, and those that wait start in
//! the order of their arrival. A cell is in flight from `start` until `next` returns it.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::pin::Pin;

use hermes_runtime::InterruptHandle;
use tokio::task::{Id as TaskId, JoinSet};

use super::message::{Id, Reply, RpcError};

/// Cells in flight at most; more would only wait in memory.
const MAX_IN_FLIGHT: usize = 1_024;

/// All cells that are in flight.
#[derive(Debug, Default)]
pub(super) struct Cells {
    running: JoinSet<Reply>,
    facts: HashMap<TaskId, Facts>,
    /// Has a key for each session of which a cell runs.
    waiting: HashMap<String, VecDeque<Cell>>,
    in_flight: usize,
}

/// A cell that is to run.
pub(super) struct Cell {
    pub(super) facts: Facts,
    /// Runs the cell; it starts at the first poll.
    pub(super) work: Pin<Box<dyn Future<Output = Reply> + Send>>,
}

/// What is known of a cell apart from its work.
#[derive(Debug)]
pub(super) struct Facts {
    /// `None` where nobody waits for an answer.
    pub(super) id: Option<Id>,
    pub(super) session: Option<String>,
    pub(super) interrupt: InterruptHandle,
}

impl fmt::Debug for Cell {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.facts.fmt(formatter)
    }
}

impl Cells {
    /// Takes a cell and runs it when it is its turn.
    ///
    /// # Errors
    ///
    /// Gives the facts of the cell back, with the error to answer, when 1,024 cells are in flight.
    pub(super) fn start(&mut self, cell: Cell) -> Result<(), (Facts, RpcError)> {
        if self.in_flight == MAX_IN_FLIGHT {
            let message = format!(
                "{MAX_IN_FLIGHT} calls are in flight; hint: wait for answers before you send more"
            );
            return Err((cell.facts, RpcError::server(&message)));
        }
        self.in_flight += 1;
        if let Some(session) = &cell.facts.session {
            if let Some(queue) = self.waiting.get_mut(session) {
                queue.push_back(cell);
                return Ok(());
            }
            self.waiting.insert(session.clone(), VecDeque::new());
        }
        self.spawn(cell);
        Ok(())
    }

    /// Returns the id and the reply of the next cell that ends; `None` when none is in flight.
    ///
    /// Dropping the future loses nothing.
    pub(super) async fn next(&mut self) -> Option<(Option<Id>, Reply)> {
        let (task, reply) = match self.running.join_next_with_id().await? {
            Ok(ended) => ended,
            Err(error) => (
                error.id(),
                Err(RpcError::server("a task of the server failed")),
            ),
        };
        let Facts { id, session, .. } = self.facts.remove(&task)?;
        self.in_flight -= 1;
        if let Some(session) = session {
            match self.waiting.get_mut(&session).and_then(VecDeque::pop_front) {
                Some(cell) => self.spawn(cell),
                None => drop(self.waiting.remove(&session)),
            }
        }
        Some((id, reply))
    }

    /// Returns whether no cell is in flight.
    pub(super) fn is_empty(&self) -> bool {
        self.in_flight == 0
    }

    /// Ends the running cell of a session, and none that waits; returns whether there was one.
    pub(super) fn interrupt(&self, session: &str, reason: Option<&str>) -> bool {
        interrupt(
            self.facts.values().filter(|facts| facts.is_of(session)),
            reason,
        )
    }

    /// Ends all cells of a session, running and waiting; returns whether there was one.
    pub(super) fn interrupt_session(&self, session: &str, reason: &str) -> bool {
        interrupt(
            self.all().filter(|facts| facts.is_of(session)),
            Some(reason),
        )
    }

    /// Ends all cells, running and waiting.
    pub(super) fn interrupt_all(&self, reason: &str) {
        interrupt(self.all(), Some(reason));
    }

    fn all(&self) -> impl Iterator<Item = &Facts> {
        let waiting = self.waiting.values().flatten().map(|cell| &cell.facts);
        self.facts.values().chain(waiting)
    }

    fn spawn(&mut self, cell: Cell) {
        let task = self.running.spawn(cell.work);
        self.facts.insert(task.id(), cell.facts);
    }
}

fn interrupt<'a>(cells: impl Iterator<Item = &'a Facts>, reason: Option<&str>) -> bool {
    cells
        .inspect(|facts| facts.interrupt.interrupt(reason))
        .count()
        > 0
}

impl Facts {
    fn is_of(&self, session: &str) -> bool {
        self.session.as_deref() == Some(session)
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use hermes_runtime::Request;
    use tokio::sync::oneshot;

    use super::*;

    fn cell(session: Option<&str>, work: impl Future<Output = Reply> + Send + 'static) -> Cell {
        let facts = Facts {
            id: None,
            session: session.map(str::to_owned),
            interrupt: Request::new("1").interrupt_handle(),
        };
        Cell {
            facts,
            work: Box::pin(work),
        }
    }

    fn done(session: Option<&str>, reply: &'static str) -> Cell {
        cell(session, async move { Ok(reply.to_owned()) })
    }

    /// Returns a cell that runs until the other half is used or dropped.
    fn held(session: Option<&str>, reply: &'static str) -> (Cell, oneshot::Sender<()>) {
        let (release, held) = oneshot::channel();
        let work = async move {
            held.await.unwrap();
            Ok(reply.to_owned())
        };
        (cell(session, work), release)
    }

    async fn reply(cells: &mut Cells) -> String {
        cells.next().await.unwrap().1.unwrap()
    }

    #[tokio::test]
    async fn cells_of_one_session_run_in_the_order_of_their_arrival() {
        let mut cells = Cells::default();
        let (first, release) = held(Some("a"), "first");
        cells.start(first).unwrap();
        cells.start(done(Some("a"), "second")).unwrap();
        cells.start(done(Some("a"), "third")).unwrap();
        cells.start(done(Some("b"), "other session")).unwrap();
        assert_eq!(reply(&mut cells).await, "other session");
        release.send(()).unwrap();
        for expected in ["first", "second", "third"] {
            assert_eq!(reply(&mut cells).await, expected);
        }
        assert!(cells.is_empty());
        assert!(cells.waiting.is_empty());
    }

    #[tokio::test]
    async fn cells_without_a_session_do_not_wait_for_each_other() {
        let mut cells = Cells::default();
        let (first, release) = held(None, "first");
        cells.start(first).unwrap();
        cells.start(done(None, "second")).unwrap();
        assert_eq!(reply(&mut cells).await, "second");
        release.send(()).unwrap();
        assert_eq!(reply(&mut cells).await, "first");
    }

    #[tokio::test]
    async fn a_cell_that_panics_is_answered_and_lets_the_next_one_run() {
        let mut cells = Cells::default();
        let (first, release) = held(Some("a"), "never");
        cells.start(first).unwrap();
        cells.start(done(Some("a"), "second")).unwrap();
        drop(release);
        let (_, failed) = cells.next().await.unwrap();
        assert_eq!(failed, Err(RpcError::server("a task of the server failed")));
        assert_eq!(reply(&mut cells).await, "second");
    }

    #[tokio::test]
    async fn the_number_of_cells_in_flight_is_bounded() {
        let mut cells = Cells::default();
        for _ in 0..MAX_IN_FLIGHT {
            cells.start(done(Some("a"), "1")).unwrap();
        }
        let (_, error) = cells.start(done(None, "1")).unwrap_err();
        let message = "1024 calls are in flight; hint: wait for answers before you send more";
        assert_eq!(error, RpcError::server(message));
        assert_eq!(reply(&mut cells).await, "1");
        assert!(cells.start(done(None, "1")).is_ok());
    }

    #[tokio::test]
    async fn only_a_session_with_a_cell_in_flight_can_be_interrupted() {
        let mut cells = Cells::default();
        let (first, release) = held(Some("a"), "first");
        cells.start(first).unwrap();
        assert!(cells.interrupt("a", None));
        assert!(cells.interrupt_session("a", "closed"));
        assert!(!cells.interrupt("b", None));
        release.send(()).unwrap();
        reply(&mut cells).await;
        assert!(!cells.interrupt("a", None));
        assert!(!cells.interrupt_session("a", "closed"));
    }
}
