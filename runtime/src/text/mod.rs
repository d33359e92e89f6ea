//! What a script printed, made fit to show: stripped of escapes, free of secrets, short, and saved whole beside it.
//!
//! Pure and synchronous, apart from the one file that a spill writes. The order is the same for every engine: strip,
//! redact, truncate, spill. Nothing here knows what a cell is or how a result is laid out.

pub(crate) mod ansi;
pub(crate) mod capture;
pub(crate) mod clean;
pub(crate) mod clip;
pub(crate) mod pattern;
pub(crate) mod redact;
pub(crate) mod spill;
pub(crate) mod transcript;
pub(crate) mod truncate;
