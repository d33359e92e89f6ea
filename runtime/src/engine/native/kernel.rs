//! One child process that runs cells one after another.

use std::convert::Infallible;
use std::future::poll_fn;
use std::io;
use std::path::PathBuf;
use std::pin::pin;
use std::process::ExitStatus;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use tokio::sync::Mutex;
use tokio::task::AbortHandle;
use tokio::time::Instant;

use crate::engine::{Cell, CellEnd, Retire, Stop, StopCause, Verdict};

use super::channel::Channel;
use super::child::{self, Running};
use super::interpreter::Used;
use super::link::Wires;
use super::output::Output;
use super::reply::{Reply, Status};
use super::rpc::RpcServer;
use super::streams::Streams;

/// A child process with what leads to it.
#[derive(Debug)]
pub(crate) struct NativeKernel {
    /// Gone when the kernel is over.
    running: Option<Running>,
    channel: Channel,
    /// Locked by the cell that runs; between cells, and at the end, by whoever throws the output away, for as long as that takes.
    streams: Arc<Mutex<Streams>>,
    discarding: Option<Discarding>,
    rpc: RpcServer,
    /// Where output goes that is too long to be shown.
    directory: PathBuf,
    interpreter: Used,
    /// A child that is busy does not listen.
    is_busy: bool,
    cells: u64,
}

/// Reads what is written while no cell runs; ends when it is dropped.
#[derive(Debug)]
struct Discarding(AbortHandle);

impl Drop for Discarding {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// How the wait for a reply ended.
enum Answer {
    Reply(Reply),
    /// The child has ended, or said what is no reply.
    Lost(Option<io::Error>),
}

impl NativeKernel {
    /// Makes a kernel of a child that was just started.
    pub(super) fn new(
        mut running: Running,
        wires: Wires,
        sentinel: String,
        rpc: RpcServer,
        directory: PathBuf,
        interpreter: Used,
    ) -> Self {
        let streams = Arc::new(Mutex::new(Streams::new(wires.sources)));
        running.discard(Arc::clone(&streams));
        Self {
            running: Some(running),
            channel: Channel::new(wires.control, sentinel),
            streams,
            discarding: None,
            rpc,
            directory,
            interpreter,
            is_busy: false,
            cells: 0,
        }
    }

    /// Returns whether the process can run another cell.
    pub(crate) fn is_alive(&self) -> bool {
        self.running.as_ref().is_some_and(Running::is_alive) && self.rpc.is_alive()
    }

    /// Runs one cell. After a verdict that the kernel does not survive it must be dropped.
    pub(crate) async fn run(&mut self, cell: Cell) -> CellEnd {
        self.is_busy = true;
        drop(self.discarding.take());
        let streams = Arc::clone(&self.streams);
        let mut streams = streams.lock().await;
        // What was written between cells belongs to none.
        drop(streams.take());
        self.cells += 1;
        self.rpc.install(&cell.authority);
        let retire = Retire(Arc::clone(&cell.authority));
        let work = answer(
            &mut self.channel,
            self.running.as_ref(),
            &mut streams,
            self.cells,
            &cell.code,
        );
        let began = Instant::now();
        let outcome = cell.stop.bound(cell.limits.timeout, work).await;
        drop(retire);
        let verdict = match outcome {
            Ok(Answer::Reply(reply)) => {
                let left = cell.limits.timeout.saturating_sub(began.elapsed());
                return self.conclude(reply, &mut streams, &cell.stop, left).await;
            }
            Ok(Answer::Lost(error)) => {
                let output = streams.take();
                drop(streams);
                return self.lost(error, output).await;
            }
            Err(StopCause::Timeout) => Verdict::TimedOut,
            Err(StopCause::Interrupt(reason)) => Verdict::Interrupted(reason),
        };
        let output = streams.take();
        // What is written from here on is nobody's, but it can be written.
        drop(streams);
        self.end().await;
        output.end(verdict, "", None)
    }

    /// Returns the end of a cell that the runner has answered.
    async fn conclude(
        &mut self,
        reply: Reply,
        streams: &mut Streams,
        stop: &Stop,
        left: Duration,
    ) -> CellEnd {
        self.is_busy = false;
        let verdict = match reply.status {
            Status::Ok => Verdict::Ended,
            Status::Error => Verdict::Raised,
            Status::Exit => Verdict::Exited(reply.exit_status()),
        };
        if verdict.kernel_lives() {
            let output = streams.take();
            self.discard();
            return output.end(verdict, &reply.traceback, Some(self.spill_file()));
        }
        // What is printed at the exit belongs to the cell, too, and so does the time that it takes.
        let exit = async {
            if let Some(running) = &self.running {
                running.ended().await;
            }
        };
        let exit = stop.bound(left.min(child::PATIENCE), exit);
        tokio::select! {
            biased;
            // Whatever has come of it: what is left is ended now.
            _ = exit => {}
            never = streams.pump() => match never {},
        }
        tokio::select! {
            biased;
            _ = self.end() => {}
            never = streams.pump() => match never {},
        }
        streams.take().end(verdict, &reply.traceback, None)
    }

    /// Returns the end of a cell whose kernel was lost.
    async fn lost(&mut self, error: Option<io::Error>, output: Output) -> CellEnd {
        if self.cells == 1 {
            // It may not have come to the cell at all, for it reads other compiled files by now.
            self.interpreter.doubt();
        }
        let has_ended = match &self.running {
            Some(running) => running.has_ended().await,
            None => true,
        };
        let status = self.end().await;
        let last_words = output.raw_stderr.head();
        let detail = match error {
            _ if !last_words.trim_ascii().is_empty() => {
                String::from_utf8_lossy(last_words).into_owned()
            }
            Some(error) if error.kind() == io::ErrorKind::InvalidData => {
                "protocol error".to_owned()
            }
            _ if !has_ended => "the interpreter closed its connection to the host".to_owned(),
            _ => child::describe(status),
        };
        output.end(Verdict::Died(detail), "", None)
    }

    /// Has output read and thrown away until the next cell, so that no process waits for a reader.
    fn discard(&mut self) {
        let streams = Arc::clone(&self.streams);
        let work = poll_fn(move |task| {
            // Whoever holds them reads them from now on. They are free meanwhile: an executor may never poll this again.
            if let Ok(mut streams) = streams.try_lock() {
                let _ = pin!(streams.discard()).poll(task);
            }
            Poll::<Infallible>::Pending
        });
        self.discarding = Some(Discarding(tokio::spawn(work).abort_handle()));
    }

    /// Returns the file that has all output of the cell, as long as the kernel lives, if that is too long to be shown.
    fn spill_file(&self) -> PathBuf {
        self.directory
            .join(format!("cell_{:06}_stdout.txt", self.cells))
    }

    /// Ends everything that the kernel has started.
    async fn end(&mut self) -> Option<ExitStatus> {
        self.running.take()?.end().await
    }
}

impl Drop for NativeKernel {
    /// Lets an interpreter that has nothing to do end in order: it closes files, and calls what was registered for its exit.
    fn drop(&mut self) {
        if let Some(running) = &mut self.running
            && !self.is_busy
        {
            self.channel.say_goodbye();
            running.end_in_order();
        }
    }
}

/// Sends the cell and waits for its end, reading its output meanwhile.
async fn answer(
    channel: &mut Channel,
    running: Option<&Running>,
    streams: &mut Streams,
    number: u64,
    code: &str,
) -> Answer {
    let id = format!("{number:x}");
    let Some(running) = running else {
        return Answer::Lost(None);
    };
    tokio::select! {
        biased;
        reply = channel.ask(&id, code) => match reply {
            Ok(reply) => Answer::Reply(reply),
            Err(error) => Answer::Lost(Some(error)),
        },
        () = running.ended() => Answer::Lost(None),
        never = streams.pump() => match never {},
    }
}
