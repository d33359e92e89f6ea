//! YAML as a small tree of values, read with the rules of Python's YAML, which the rest of the program's users have.
//!
//! Invariant: a tree is bounded in depth and in the number of its values, whatever the text and its aliases say.

mod builder;
mod error;
mod scalar;
mod value;

pub(super) use builder::parse;
pub(super) use error::YamlError;
pub(super) use value::Value;
