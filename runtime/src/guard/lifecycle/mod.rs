//! The lifecycle guard: a script that a supervised gateway runs must not end that gateway, which would end the script, too.
//!
//! It reads the text of a script for commands that do so, wherever in it they stand. A command that is put together when the script runs
//! is not seen: the guard prevents accidents, and stops nobody who wants around it. Its time is linear in the text, and bounded.

mod command;
mod document;
mod guard;
mod image;
mod literal;
mod scan;
mod supervision;
mod words;

pub(super) use guard::check;
