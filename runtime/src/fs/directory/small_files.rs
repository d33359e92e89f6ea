//! How a small file of a directory is found in its listing and read, on every system.

use std::io::Read as _;

use super::{Directory, Entry};

impl Directory {
    /// Reads a small regular file; `None` if it is none or has more than `max_bytes`.
    pub(crate) fn read_small(&self, entry: &Entry, max_bytes: u64) -> Option<Vec<u8>> {
        let file = self.open_file(entry).ok()?.file;
        let mut bytes = Vec::new();
        let read = file
            .take(max_bytes.saturating_add(1))
            .read_to_end(&mut bytes);
        let is_small = u64::try_from(read.ok()?).is_ok_and(|read| read <= max_bytes);
        is_small.then_some(bytes)
    }
}

/// Finds an entry by its name in a listing, which is sorted by the bytes of the names.
pub(crate) fn find_entry<'e>(entries: &'e [Entry], name: &str) -> Option<&'e Entry> {
    let by_name = |entry: &Entry| entry.name().as_encoded_bytes().cmp(name.as_bytes());
    entries.get(entries.binary_search_by(by_name).ok()?)
}
