//! The check of Python: its grammar up to 3.14, its limits on depth, and no more depth than a parser's stack can hold.

mod check;
mod nesting;

pub(super) use check::check;
