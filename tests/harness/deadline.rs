//! The one deadline of the suite: long enough for a loaded machine, so that only a hang reaches it.

use std::future::Future;
use std::time::Duration;

/// How long anything may take that a test waits for.
pub(crate) const DEADLINE: Duration = Duration::from_secs(180);

/// Waits for `work`; panics with `what` when it does not come to an end.
pub async fn within_deadline<T>(what: &str, work: impl Future<Output = T>) -> T {
    match tokio::time::timeout(DEADLINE, work).await {
        Ok(value) => value,
        Err(_) => panic!("{what} did not end within {} s", DEADLINE.as_secs()),
    }
}
