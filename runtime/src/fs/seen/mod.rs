//! What a session knows about files: which it has read or written, and in which state.
//!
//! The knowledge never grants anything; it only lets a tool refuse to overwrite what the session does not know. It is
//! bounded: what is forgotten counts as never read.

mod lines;
mod session;
mod writers;

pub(crate) use session::{SeenFiles, Unseen};
pub(crate) use writers::FileWriters;
