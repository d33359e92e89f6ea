//! The entries of one directory.
//!
//! Every entry gets a number when it is added, larger than any before it in this directory. Listings are in the order
//! of these numbers and resume after one of them, so that a listing goes on correctly while entries are removed.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::rc::Rc;

use super::tree::Ino;

/// The number that resumes a listing after `.`.
pub(super) const AFTER_SELF: u64 = 1;
/// The number that resumes a listing after `..`; named entries have larger ones.
pub(super) const AFTER_PARENT: u64 = 2;

/// A directory: where it hangs, and what hangs below it.
#[derive(Debug)]
pub(super) struct Directory {
    /// What `..` means here; the root is its own parent.
    pub(super) parent: Ino,
    by_name: BTreeMap<Rc<str>, u64>,
    by_number: BTreeMap<u64, Entry>,
    last_number: u64,
}

/// One named entry.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) name: Rc<str>,
    pub(super) ino: Ino,
}

impl Directory {
    pub(super) fn new(parent: Ino) -> Self {
        Self {
            parent,
            by_name: BTreeMap::new(),
            by_number: BTreeMap::new(),
            last_number: AFTER_PARENT,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.by_name.is_empty()
    }

    pub(super) fn get(&self, name: &str) -> Option<Ino> {
        let number = self.by_name.get(name)?;
        self.by_number.get(number).map(|entry| entry.ino)
    }

    /// Adds an entry; an entry of the same name is replaced.
    pub(super) fn insert(&mut self, name: Rc<str>, ino: Ino) {
        self.last_number += 1;
        if let Some(old) = self.by_name.insert(Rc::clone(&name), self.last_number) {
            self.by_number.remove(&old);
        }
        self.by_number.insert(self.last_number, Entry { name, ino });
    }

    pub(super) fn remove(&mut self, name: &str) -> Option<Ino> {
        let number = self.by_name.remove(name)?;
        self.by_number.remove(&number).map(|entry| entry.ino)
    }

    /// Returns the named entries whose number is larger than `number`, each with its own.
    pub(super) fn entries_after(&self, number: u64) -> impl Iterator<Item = (u64, &Entry)> {
        self.by_number
            .range((Bound::Excluded(number), Bound::Unbounded))
            .map(|(number, entry)| (*number, entry))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names_after(directory: &Directory, number: u64) -> Vec<(u64, &str)> {
        directory
            .entries_after(number)
            .map(|(number, entry)| (number, &*entry.name))
            .collect()
    }

    #[test]
    fn a_listing_resumes_after_entries_that_are_gone() {
        let mut directory = Directory::new(Ino::ROOT);
        for name in ["b", "a", "c"] {
            directory.insert(name.into(), Ino::ROOT);
        }
        assert_eq!(names_after(&directory, 0), [(3, "b"), (4, "a"), (5, "c")]);
        assert_eq!(directory.remove("b"), Some(Ino::ROOT));
        assert_eq!(directory.remove("a"), Some(Ino::ROOT));
        assert_eq!(names_after(&directory, 4), [(5, "c")]);
        assert_eq!(names_after(&directory, u64::MAX), []);
    }

    #[test]
    fn a_number_is_never_used_again() {
        let mut directory = Directory::new(Ino::ROOT);
        directory.insert("a".into(), Ino::ROOT);
        directory.remove("a");
        directory.insert("a".into(), Ino::ROOT);
        directory.insert("a".into(), Ino::ROOT);
        assert_eq!(names_after(&directory, 0), [(5, "a")]);
        assert_eq!(directory.remove("missing"), None);
    }
}
