//! The server on stdio: JSON-RPC 2.0, one object a line, for a program that runs many cells.
//!
//! A thread reads and parses, a thread writes, and between them one task owns everything that is in flight. Cells of
//! different sessions run concurrently, cells of one session in the order of their arrival; answers come as cells end.
//!
//! The end of stdin lets the cells that are in flight end and be answered (exit code 0). SIGINT and SIGTERM interrupt
//! them, answer them (exit code 130). A closed stdout drops them, since nobody would hear.

mod call;
mod cells;
mod lines;
mod message;
mod reader;
mod serve;
mod server;
mod writer;

pub(crate) use serve::{ServeArguments, serve};
