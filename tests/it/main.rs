//! The integration tests, over the public library and the real binary; one module per topic.
#![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

mod cells;
mod cli;
mod contract;
mod docs;
mod entropy;
mod hostile;
mod isolation;
mod limits;
mod serve;
mod sessions;
mod stdlib;
mod tools;
