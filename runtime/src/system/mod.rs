//! What Unix and Windows do differently below the standard library: who may read a file, what a process ended by, what a name is made of.
//!
//! Every other module is the same on both, but for the ways to a child process. Both systems answer the same questions here; where one has no
//! answer, it says what that means.

#[cfg(unix)]
mod namespace;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub(crate) use unix::*;
#[cfg(windows)]
pub(crate) use windows::*;
