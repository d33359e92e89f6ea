//! The documents say what is so: their examples run, and the commands that they name exist.

mod examples;
mod markdown;
mod readme;
mod targets;
