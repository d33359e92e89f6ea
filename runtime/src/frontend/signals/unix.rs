//! SIGINT, SIGTERM, and SIGHUP unless `nohup` has it ignored. SIGXFSZ is listened for too: a file that may not grow is an error of the write and not the end of the program.

use std::fs;
use std::future::pending;
use std::io;

use rustix::process::Signal as Number;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// The signals that ask for an end.
#[derive(Debug)]
pub(super) struct Signals {
    interrupt: Signal,
    terminate: Signal,
    hangup: Option<Signal>,
    /// To listen is enough: with a handler in place the write fails with `EFBIG`. Programs that are started get the system's own handling
    /// back.
    _file_size: Signal,
}

impl Signals {
    /// Listens from now on.
    pub(super) fn new() -> io::Result<Self> {
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hangup: hangs_up()
                .then(|| signal(SignalKind::hangup()))
                .transpose()?,
            _file_size: signal(SignalKind::from_raw(Number::XFSZ.as_raw()))?,
        })
    }

    /// Waits for the next one.
    pub(super) async fn next(&mut self) {
        let hangup = async {
            match &mut self.hangup {
                Some(signal) => signal.recv().await,
                None => pending().await,
            }
        };
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
            _ = hangup => {}
        }
    }
}

/// Tells whether the end of the terminal is to end the program in order. Where that cannot be known it ends it at once, unless ignored.
fn hangs_up() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:"))
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    let bit = 1 << (Number::HUP.as_raw() - 1);
    ignored.is_some_and(|mask| mask & bit == 0)
}
