//! The signals that ask a program to end: the first asks for an orderly end, the second takes it.
//!
//! The signals are awaited on a thread of their own, with a small executor of its own. A thread that is busy with a
//! cell, or that waits for a reader which does not read, can therefore not keep the program from ending: the second
//! signal ends it at once, and so does the end of the grace period, for a supervisor that signals only once.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

use std::io;
use std::process;
use std::thread;
use std::time::Duration;

use tokio::runtime;
use tokio::time;

use crate::exit::Exit;

#[cfg(unix)]
use unix::Signals;
#[cfg(windows)]
use windows::Signals;

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
    drop(entered);
    let wait = async move {
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

#[expect(
    clippy::exit,
    reason = "the other threads are the ones that do not come to an end"
)]
fn quit() -> ! {
    process::exit(Exit::Interrupted.code().into())
}
