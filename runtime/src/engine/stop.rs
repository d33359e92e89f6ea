//! The switch that ends a cell from outside: tripped at most once, seen by whatever the cell is doing.

use std::future::Future;
use std::pin::pin;
use std::sync::OnceLock;
use std::task::Poll;
use std::time::Duration;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// Stands for a deadline that no clock can represent.
const FAR: Duration = Duration::from_hours(24 * 365);

/// Why a cell is to end before its code does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum StopCause {
    /// Its wall clock ran out.
    Timeout,
    /// The host wants it to end, for a reason that it may give.
    Interrupt(Option<String>),
}

/// A switch with a cause. The first cause stays.
#[derive(Debug, Default)]
pub(crate) struct Stop {
    cause: OnceLock<StopCause>,
    token: CancellationToken,
}

impl Stop {
    /// Trips the switch; does nothing when it was tripped before.
    pub(crate) fn trip(&self, cause: StopCause) {
        // A second cause loses: the cell is ending already.
        let _ = self.cause.set(cause);
        self.token.cancel();
    }

    /// Returns the cause, once there is one.
    pub(crate) fn cause(&self) -> Option<&StopCause> {
        self.cause.get()
    }

    /// Returns the token that tells tools that their cell is over.
    pub(crate) fn token(&self) -> &CancellationToken {
        &self.token
    }

    /// Runs `work` until it is done, the switch is tripped or `timeout` is over; dropping `work` is how it is stopped.
    ///
    /// The clock is read each time `work` yields: on a runtime whose only thread is kept busy by yielding work, timers fire late.
    pub(crate) async fn bound<T>(
        &self,
        timeout: Duration,
        work: impl Future<Output = T>,
    ) -> Result<T, StopCause> {
        let now = Instant::now();
        // A limit too far away to be represented is no limit.
        let deadline = now.checked_add(timeout);
        let far = now + FAR;
        let mut timer = pin!(tokio::time::sleep_until(deadline.unwrap_or(far)));
        let mut tripped = pin!(self.token.cancelled());
        let mut work = pin!(work);
        let mut first = true;
        std::future::poll_fn(|cx| {
            // The first poll starts the work at once: a cell that ends without waiting never touches the timer.
            if !first || self.token.is_cancelled() {
                if tripped.as_mut().poll(cx).is_ready() {
                    return Poll::Ready(Err(self
                        .cause
                        .get()
                        .cloned()
                        .unwrap_or(StopCause::Interrupt(None))));
                }
                if deadline.is_some_and(|deadline| Instant::now() >= deadline)
                    || timer.as_mut().poll(cx).is_ready()
                {
                    self.trip(StopCause::Timeout);
                    return Poll::Ready(Err(self
                        .cause
                        .get()
                        .cloned()
                        .unwrap_or(StopCause::Timeout)));
                }
            }
            match work.as_mut().poll(cx) {
                Poll::Ready(value) => Poll::Ready(Ok(value)),
                Poll::Pending => {
                    if first {
                        first = false;
                        // Registers the two wake-ups that the first poll left out.
                        cx.waker().wake_by_ref();
                    }
                    Poll::Pending
                }
            }
        })
        .await
    }
}
