//! The door to the host's files: one granted directory, opened once, and the few ways to read and replace files in it.
//!
//! Nothing in the runtime opens a host file for a script except through a [`Scope`]. What a file means (lines, binary
//! formats, syntax) is not known here.

mod kind;
mod regular;
mod replacement;
mod scope;

pub(crate) use kind::Kind;
pub(crate) use regular::{OpenFault, RegularFile};
pub(crate) use replacement::Replacement;
pub use scope::ScopeError;
pub(crate) use scope::{NO_SCOPE, RelPath, Scope};
