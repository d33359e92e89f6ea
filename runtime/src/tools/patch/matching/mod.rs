//! Finds a text in a file: exactly, or by the eight ways in which a model's copy of a text usually differs from it.

mod approximate;
mod lines;
mod mapped;
mod pattern;
pub(super) mod similarity;
mod strategy;

pub(super) use lines::Lines;
pub(super) use mapped::Mapped;
pub(super) use pattern::Pattern;
pub(super) use strategy::{Found, Strategy};
