//! The rows of the table, in groups that can be measured alone.

pub(crate) mod memory;

mod cpu;
mod deadline;
mod files;
mod imports;
mod project;
mod start;
mod tools;

use anyhow::Result;

use crate::bench::Bench;
use crate::table::Row;

/// Measures a group of rows.
pub(crate) type Group = fn(&Bench) -> Result<Vec<Row>>;

/// The groups in the order of the table, each with its name on the command line.
pub(crate) const GROUPS: [(&str, Group); 8] = [
    ("start", start::rows),
    ("tools", tools::rows),
    ("files", files::rows),
    ("cpu", cpu::rows),
    ("memory", memory::rows),
    ("deadline", deadline::rows),
    ("imports", imports::rows),
    ("project", project::rows),
];
