//! Signs of life on stderr while something takes long.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use crate::streams;

/// Says again and again what is being done and for how long; dropping it is the end of that.
#[derive(Debug)]
pub(crate) struct Progress {
    /// The thread ends when this end of its channel is dropped.
    _alive: Sender<()>,
}

impl Progress {
    /// Shows `what` and the seconds since now, for the first time after `every` and then as often.
    pub(crate) fn start(what: &'static str, every: Duration) -> Self {
        let (alive, dropped) = mpsc::channel();
        let started = Instant::now();
        let show = move || {
            while dropped.recv_timeout(every) == Err(RecvTimeoutError::Timeout) {
                streams::complain(&format!("{what} ({} s)\n", started.elapsed().as_secs()));
            }
        };
        // Without a thread the work is done all the same, in silence.
        let _ = thread::Builder::new()
            .name("progress".to_owned())
            .spawn(show);
        Self { _alive: alive }
    }
}
