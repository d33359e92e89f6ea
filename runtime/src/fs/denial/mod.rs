//! Files that no tool touches though they lie in a granted directory: one table for each kind of access.
//!
//! The tables keep honest scripts from secrets that lie about. They are no boundary: that is what the grants are.

mod read;

pub(crate) use read::{ReadDenial, ReadDenials};
