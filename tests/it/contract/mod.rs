//! The result as its callers see it: keys, order, counters, warnings, hints, refusals.

mod arguments;
mod golden;
mod hints;
mod lifetime;
mod output;
mod redaction;
