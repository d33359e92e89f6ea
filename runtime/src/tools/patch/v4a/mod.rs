//! Patches of many files: their grammar, and what they make of the files in memory before any of them is touched.

mod entry;
mod grammar;
mod hunk;
mod links;
mod overlay;
mod plan;

pub(super) use grammar::{Hunk, Line, Operation, PatchText};
pub(super) use overlay::Overlay;
pub(super) use plan::Plan;
