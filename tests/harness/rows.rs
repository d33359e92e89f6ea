//! Checks every row of a table and reports all that fail, not only the first.

use std::any::Any;
use std::fmt::Debug;
use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::Poll;

use crate::finished::shortened;

/// Runs `check` on each row, one after another; panics at the end with the rows that failed and why.
pub async fn every_row<R: Debug>(rows: impl IntoIterator<Item = R>, check: impl AsyncFn(R)) {
    let (mut count, mut failed) = (0, Vec::new());
    for row in rows {
        count += 1;
        let name = shortened(&format!("{row:?}"));
        let mut checking = pin!(check(row));
        // A check that panicked is not polled again.
        let result =
            poll_fn(
                |task| match catch_unwind(AssertUnwindSafe(|| checking.as_mut().poll(task))) {
                    Ok(poll) => poll.map(Ok),
                    Err(panic) => Poll::Ready(Err(panic)),
                },
            );
        if let Err(panic) = result.await {
            failed.push(format!("row {count}: {name}\n{}", words(panic.as_ref())));
        }
    }
    assert!(count > 0, "the table has no rows");
    assert!(
        failed.is_empty(),
        "{} of {count} rows failed\n\n{}",
        failed.len(),
        failed.join("\n\n")
    );
}

fn words(panic: &(dyn Any + Send)) -> &str {
    match (panic.downcast_ref::<String>(), panic.downcast_ref::<&str>()) {
        (Some(text), _) => text,
        (None, Some(text)) => text,
        (None, None) => "a panic without words",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    #[should_panic(expected = "2 of 3 rows failed\n\nrow 1: 1\nodd\n\nrow 3: 3\nodd")]
    async fn every_failing_row_is_named() {
        every_row([1, 2, 3], async |number: i32| {
            assert!(number % 2 == 0, "odd");
        })
        .await;
    }

    #[tokio::test]
    #[should_panic(expected = "the table has no rows")]
    async fn a_table_without_rows_checks_nothing_and_fails() {
        every_row([], async |(): ()| ()).await;
    }
}
