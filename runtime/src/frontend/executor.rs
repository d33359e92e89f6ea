//! How the program leaves its executor: in bounded time, and only when the answer is out.
//!
//! Work that blocks is waited for, since it may be what ends the processes of a command. But a thread that does not come
//! to an end keeps the end of the program back for a while only.

use std::time::Duration;

use tokio::runtime::Runtime;

/// How long the end of the program waits for work that has begun: more than the 5 s that a kernel gets to end by itself,
/// and less than the 10 s that the program has after a signal.
const PATIENCE: Duration = Duration::from_secs(8);

/// Drops what runs on an executor, and waits at most 8 s for work that blocks.
pub(crate) fn leave(executor: Runtime) {
    executor.shutdown_timeout(PATIENCE);
}
