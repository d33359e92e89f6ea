//! Sessions: which kernel belongs to whom, how long it lives, and who may use it now.
//!
//! A session is a key and its kernel. Cells of one session run one after another, those of different sessions side by side.

mod key;
mod lease;
mod registry;
mod searches;
mod shells;

pub(crate) use key::{SessionKey, child_owner, is_of};
pub(crate) use lease::{NoTurn, Slot};
pub(crate) use registry::Registry;
pub(crate) use searches::Searches;
pub(crate) use shells::{ShellInUse, Shells};
