//! What a script cannot see or reach: the host, and other sessions.

mod host;
mod module;
mod neighbours;
