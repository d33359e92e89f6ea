//! A directory that is being walked: its entries, and the ways into them.
//!
//! An entry is opened by its one name, relative to the handle of its directory and without following a symbolic link.
//! Whatever is swapped while a walk is under way, it therefore stays below the place at which it began.

mod small_files;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

pub(crate) use small_files::find_entry;
#[cfg(unix)]
pub(crate) use unix::{Directory, Entry};
#[cfg(windows)]
pub(crate) use windows::{Directory, Entry};
