//! Which session wrote a file last: shared by all sessions of a runtime.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::super::FileIdentity;

/// Most files that are remembered.
const MAX_FILES: usize = 4_096;

/// Remembers who wrote which state of a file.
#[derive(Debug, Default)]
pub(crate) struct FileWriters {
    files: Mutex<HashMap<PathBuf, (u64, FileIdentity)>>,
}

impl FileWriters {
    /// Remembers that a session, known by its number, has written this state of a file.
    pub(super) fn wrote(&self, session: u64, path: &Path, identity: FileIdentity) {
        let mut files = self.files();
        if files.len() >= MAX_FILES && !files.contains_key(path) {
            // Without knowledge a reason is less exact, and nothing else; there is no need to forget with care.
            files.clear();
        }
        files.insert(path.to_owned(), (session, identity));
    }

    /// Tells whether another session wrote this state of a file.
    pub(super) fn is_of_another(&self, session: u64, path: &Path, identity: FileIdentity) -> bool {
        self.files()
            .get(path)
            .is_some_and(|&(writer, written)| writer != session && written == identity)
    }

    fn files(&self) -> MutexGuard<'_, HashMap<PathBuf, (u64, FileIdentity)>> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
