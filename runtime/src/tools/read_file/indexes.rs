//! The line indexes of the files that were read last, each for one version of one file.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::index::LineIndex;
use crate::fs::FileIdentity;

/// Files whose index is kept. One index takes up to 64 KiB.
const MAX_FILES: usize = 32;

/// Keeps line indexes between calls.
#[derive(Debug, Default)]
pub(super) struct LineIndexes {
    /// The file that was read last comes last.
    known: Mutex<Vec<(FileIdentity, LineIndex)>>,
}

impl LineIndexes {
    /// Returns what is known about this version of a file.
    pub(super) fn get(&self, identity: &FileIdentity) -> Option<LineIndex> {
        let known = self.lock();
        let found = known.iter().find(|(of, _)| of == identity);
        found.map(|(_, index)| index.clone())
    }

    /// Keeps what is known about this version of a file, unless more is known already.
    pub(super) fn put(&self, identity: FileIdentity, index: LineIndex) {
        let mut known = self.lock();
        let place = known.iter().position(|(of, _)| *of == identity);
        let index = match place.map(|at| known.remove(at)) {
            Some((_, old)) => index.or_better(old),
            None => index,
        };
        if known.len() >= MAX_FILES {
            known.remove(0);
        }
        known.push((identity, index));
    }

    /// An index is put in its place as a whole, so that a panic elsewhere leaves none half done.
    fn lock(&self) -> MutexGuard<'_, Vec<(FileIdentity, LineIndex)>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use cap_std::fs::Metadata;

    use super::*;

    fn identity() -> FileIdentity {
        // Every open file has an inode of its own.
        let file = Box::leak(Box::new(tempfile::tempfile().unwrap()));
        FileIdentity::of(&Metadata::from_file(file).unwrap())
    }

    #[test]
    fn the_file_that_was_not_read_for_longest_is_forgotten() {
        let (indexes, first) = (LineIndexes::default(), identity());
        let others: Vec<_> = (0..MAX_FILES).map(|_| identity()).collect();
        let (last, others) = others.split_last().unwrap();
        for identity in [&first].into_iter().chain(others).chain([&first, last]) {
            indexes.put(*identity, LineIndex::new(0));
        }
        assert!(indexes.get(&first).is_some() && indexes.get(last).is_some());
        assert!(indexes.get(&others[0]).is_none() && indexes.get(&others[1]).is_some());
    }

    #[test]
    fn what_is_known_about_a_file_never_becomes_less() {
        let (indexes, file) = (LineIndexes::default(), identity());
        let mut whole = LineIndex::new(0);
        whole.complete(7);
        indexes.put(file, whole);
        indexes.put(file, LineIndex::new(0));
        assert_eq!(indexes.get(&file).unwrap().total(), Some(7));
    }
}
