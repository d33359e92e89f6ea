//! The commands that need the user's word, one table for each kind of harm.

mod code;
mod container;
mod deletion;
mod git;
mod hermes;
mod network;
mod overwrite;
mod package;
mod permission;
mod sql;
mod system;
mod table;
mod upload;
mod windows;

pub(super) use git::subcommand;
pub(super) use table::rules;
