//! The C symbols by which wasi-libc reaches the file system.
//!
//! wasi-libc calls `__imported_wasi_snapshot_preview1_<name>`; defining a function of that name takes the place of the
//! host's import. The functions are thin: pointers become slices, results become numbers. What is left to the host are
//! the clocks, `random_get`, `poll_oneoff` and `proc_exit`.
//!
//! Invariant that every `SAFETY` comment here leans on: the only caller is wasi-libc, in the same linear memory and
//! under the contract of preview 1. A pointer leads to as many bytes as its length says, or to one value of the type
//! that the parameter names; it stays valid during the call, and what is written does not overlap what is read.

mod descriptors;
mod global;
mod memory;
mod paths;
mod process;

pub use global::{set_stdio, with_file_system};
