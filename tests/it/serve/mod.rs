//! `hermes-exec serve --stdio`: the protocol, concurrency, and what a client may do to it.

mod cells;
mod end;
mod malformed;
