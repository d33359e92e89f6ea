//! Files that no tool touches though they lie in a granted directory: one table for each kind of access.
//!
//! What they hold are keys and settings, of the user and of the host. The tables keep honest scripts from secrets that
//! lie about. They are no boundary: that is what the grants are.

mod homes;
mod links;
mod prefix;
mod profiles;
mod read;
mod way;
mod write;

pub(crate) use homes::Homes;
pub(crate) use read::{ReadDenial, ReadDenials};
pub(crate) use way::{leads_to, link_names};
pub(crate) use write::WriteDenials;
