//! What stands between a script and a file that it may reach but should not simply change: one ordered list of guards,
//! which every tool that writes files asks.
//!
//! Each guard sees the path that the script named and the one that symbolic links lead to.

mod approval;
mod display_text;
mod documents;
mod guards;
mod instructions;
mod system;
mod target;

pub(super) use guards::{WriteGuards, WriteRefusal};
pub(super) use target::Target;
