//! The project engine: cells run in a child process of the machine's own Python.
//!
//! It is an envelope and no jail: the child has the user's rights. It owns the child, its private directory, its environment and the
//! socket through which it calls tools. Invariant: whatever ends a kernel (a verdict, a drop, the death of this process) ends every
//! process that it started.

mod channel;
mod child;
mod directory;
mod engine;
mod environment;
mod interpreter;
mod kernel;
mod link;
mod options;
mod output;
mod program;
mod reply;
mod rpc;
mod streams;
mod workdir;

pub use engine::KernelError;
pub(crate) use engine::{Location, NativeEngine};
pub(crate) use kernel::NativeKernel;
pub use options::{HomeMode, ProjectOptions};
pub(crate) use workdir::expand;
