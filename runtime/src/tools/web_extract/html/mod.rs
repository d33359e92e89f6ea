//! HTML to Markdown in one pass over the text, without a tree.
//!
//! A page is as hostile as its author. There is no recursion here, nothing is looked at twice, nesting is counted instead of stacked, and the
//! Markdown has a limit: time and memory are linear in the page, whatever it nests or leaves open.

mod attributes;
mod blocks;
mod inline;
mod markdown;
mod table;
mod token;

pub(super) use markdown::convert;
