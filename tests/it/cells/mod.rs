//! What a cell is: one namespace, printed output only, tracebacks of its own lines, an end that can be undone by nothing.

mod exceptions;
mod exit;
mod frames;
mod source;
mod state;
mod streams;
mod syntax;
mod tracebacks;
mod vandalism;
