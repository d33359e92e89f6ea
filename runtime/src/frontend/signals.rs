//! SIGINT and SIGTERM: the first asks for an orderly end, the second takes it. SIGXFSZ: a file that may not grow is an
//! error of the write and not the end of the program.
//!
//! The signals are awaited on a thread of their own, with a small executor of its own. A thread that is busy with a
//! cell, or that waits for a reader which does not read, can therefore not keep the program from ending: the second
//! signal ends it at once, and so does the end of the grace period, for a supervisor that signals only once.

use std::io;
use std::process;
use std::thread;
use std::time::Duration;

use tokio::runtime;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::time;

use crate::exit::Exit;

/// How long the program may take to end in order.
const GRACE: Duration = Duration::from_secs(10);

/// Calls `on_first` at the first signal; ends the program with the code of an interrupted run at the second one, or
/// 10 s after the first. Until this is called a signal ends the program as it ends any other.
pub(crate) fn watch(on_first: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let executor = runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let entered = executor.enter();
    let mut signals = Signals::new()?;
    // To listen is enough: with a handler in place the write fails with `EFBIG`. Programs that are started get the
    // system's own handling back.
    let file_size = signal(SignalKind::from_raw(rustix::process::Signal::XFSZ.as_raw()))?;
    drop(entered);
    let wait = async move {
        let _file_size = file_size;
        signals.next().await;
        on_first();
        // Either way the time for an orderly end is over.
        let _ = time::timeout(GRACE, signals.next()).await;
        quit();
    };
    thread::Builder::new()
        .name("signals".to_owned())
        .spawn(move || executor.block_on(wait))?;
    Ok(())
}

struct Signals {
    interrupt: Signal,
    terminate: Signal,
}

impl Signals {
    fn new() -> io::Result<Self> {
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
        })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}

#[expect(
    clippy::exit,
    reason = "the other threads are the ones that do not come to an end"
)]
fn quit() -> ! {
    process::exit(Exit::Interrupted.code().into())
}
