//! The one deadline of the suite: long enough for a loaded machine, so that only a hang reaches it.

use std::future::Future;
use std::time::Duration;

/// How long anything may take that a test waits for.
pub(crate) const DEADLINE: Duration = Duration::from_mins(3);

/// Waits for `work`; panics with `what` when it does not come to an end.
pub async fn within_deadline<T>(what: &str, work: impl Future<Output = T>) -> T {
    let bounded = tokio::time::timeout(DEADLINE, work).await;
    bounded.unwrap_or_else(|_| panic!("{what} did not end within {} s", DEADLINE.as_secs()))
}
