//! The environment that a kernel starts with: which of the host's variables it keeps, and which it is given.
//!
//! Both are pure functions of lists. What no rule keeps is dropped; a credential is dropped even where the host asks for it.

mod credentials;
mod injected;
mod rules;

pub(super) use injected::{Injected, inject};
pub(super) use rules::scrub;

/// A variable by name and value.
pub(super) type Variable = (std::ffi::OsString, std::ffi::OsString);
