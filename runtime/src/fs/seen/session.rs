//! The files that one session has read or written.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use thiserror::Error;

use super::super::FileIdentity;
use super::FileWriters;
use super::lines::Lines;

/// Most files that a session remembers; the one that was used longest ago is forgotten first.
const MAX_FILES: usize = 4_096;

/// Remembers in which state a session has read or written files, by their absolute paths without symbolic links.
#[derive(Debug)]
pub(crate) struct SeenFiles {
    /// Tells sessions apart.
    number: u64,
    writers: Arc<FileWriters>,
    files: Mutex<Files>,
}

#[derive(Debug, Default)]
struct Files {
    known: HashMap<PathBuf, Known>,
    /// Counts uses, as a clock.
    now: u64,
}

#[derive(Debug)]
struct Known {
    identity: FileIdentity,
    view: View,
    used: u64,
}

/// How much of a state is known.
#[derive(Debug, Clone, PartialEq, Eq)]
enum View {
    Whole,
    Lines(Lines),
    /// Written by a change of parts that were known.
    Patched,
}

/// Says why a session does not know the present content of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub(crate) enum Unseen {
    #[error("it exists, and this session has never fully read it.")]
    NeverRead,
    #[error("it has changed on disk since this session last read it.")]
    Changed,
    #[error("this session has changed it with patch without having seen the whole file.")]
    Patched,
    #[error("another session has written it since this session last read it.")]
    WrittenByAnother,
}

impl SeenFiles {
    /// Starts without any knowledge; `writers` is shared with the other sessions.
    pub(crate) fn new(writers: Arc<FileWriters>) -> Self {
        static NUMBERS: AtomicU64 = AtomicU64::new(0);
        Self {
            number: NUMBERS.fetch_add(1, Ordering::Relaxed),
            writers,
            files: Mutex::default(),
        }
    }

    /// Remembers that `count` lines from line `first` on were shown, of a file that has `total`.
    ///
    /// Only lines that were shown as they are count: not cut, and without anything redacted.
    pub(crate) fn page_read(
        &self,
        path: &Path,
        identity: FileIdentity,
        first: u64,
        count: u64,
        total: u64,
    ) {
        self.update(path, identity, |before| {
            let mut lines = match before {
                Some(View::Whole) => return View::Whole,
                Some(View::Lines(lines)) => lines.clone(),
                Some(View::Patched) | None => Lines::default(),
            };
            lines.add(first, first.saturating_add(count));
            if lines.are_all(total) {
                View::Whole
            } else {
                View::Lines(lines)
            }
        });
    }

    /// Remembers that the session has written the whole file.
    pub(crate) fn written(&self, path: &Path, identity: FileIdentity) {
        self.update(path, identity, |_| View::Whole);
        self.writers.wrote(self.number, path, identity);
    }

    /// Remembers that the session has changed parts of the file that had the state `before`.
    pub(crate) fn patched(&self, path: &Path, before: FileIdentity, identity: FileIdentity) {
        let view = match self.check(path, before) {
            Ok(()) => View::Whole,
            Err(_) => View::Patched,
        };
        self.update(path, identity, |_| view);
        self.writers.wrote(self.number, path, identity);
    }

    /// Tells whether the session knows the whole content of the file in this state.
    pub(crate) fn check(&self, path: &Path, identity: FileIdentity) -> Result<(), Unseen> {
        let files = self.files();
        let Some(known) = files.known.get(path) else {
            return Err(Unseen::NeverRead);
        };
        if known.identity != identity {
            return Err(if self.writers.is_of_another(self.number, path, identity) {
                Unseen::WrittenByAnother
            } else {
                Unseen::Changed
            });
        }
        match known.view {
            View::Whole => Ok(()),
            View::Lines(_) => Err(Unseen::NeverRead),
            View::Patched => Err(Unseen::Patched),
        }
    }

    /// Changes what is known; knowledge of another state is no knowledge.
    fn update(
        &self,
        path: &Path,
        identity: FileIdentity,
        view: impl FnOnce(Option<&View>) -> View,
    ) {
        let mut files = self.files();
        files.now += 1;
        let used = files.now;
        let before = files
            .known
            .get(path)
            .filter(|known| known.identity == identity);
        let view = view(before.map(|known| &known.view));
        if files.known.len() >= MAX_FILES && !files.known.contains_key(path) {
            files.forget_half();
        }
        files.known.insert(
            path.to_owned(),
            Known {
                identity,
                view,
                used,
            },
        );
    }

    fn files(&self) -> MutexGuard<'_, Files> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for SeenFiles {
    fn default() -> Self {
        Self::new(Arc::default())
    }
}

impl Files {
    /// Forgets the older half, so that a full table is looked through once in a while and not at every file.
    fn forget_half(&mut self) {
        let mut uses: Vec<u64> = self.known.values().map(|known| known.used).collect();
        uses.sort_unstable();
        let middle = uses.get(uses.len() / 2).copied().unwrap_or_default();
        self.known.retain(|_, known| known.used >= middle);
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use std::fs;

    use cap_std::fs::Metadata;
    use tempfile::TempDir;

    use super::*;

    struct Disk {
        place: TempDir,
        path: PathBuf,
    }

    impl Disk {
        fn new() -> Self {
            let place = tempfile::tempdir().unwrap();
            let path = place.path().join("x");
            fs::write(&path, "old").unwrap();
            Self { place, path }
        }

        fn identity(&self) -> FileIdentity {
            FileIdentity::of(&Metadata::from_just_metadata(
                fs::metadata(&self.path).unwrap(),
            ))
        }

        /// Replaces the file, which gives it another state.
        fn replace(&self) -> FileIdentity {
            let other = self.place.path().join("other");
            fs::write(&other, "new").unwrap();
            fs::rename(other, &self.path).unwrap();
            self.identity()
        }
    }

    #[test]
    fn a_file_is_known_when_every_page_was_read() {
        let (disk, seen) = (Disk::new(), SeenFiles::default());
        let identity = disk.identity();
        assert_eq!(seen.check(&disk.path, identity), Err(Unseen::NeverRead));
        seen.page_read(&disk.path, identity, 1, 10, 15);
        assert_eq!(seen.check(&disk.path, identity), Err(Unseen::NeverRead));
        seen.page_read(&disk.path, identity, 11, 5, 15);
        assert_eq!(seen.check(&disk.path, identity), Ok(()));
        seen.page_read(&disk.path, identity, 3, 1, 15);
        assert_eq!(seen.check(&disk.path, identity), Ok(()));
    }

    #[test]
    fn a_change_ends_the_knowledge_of_the_parts_before() {
        let (disk, seen) = (Disk::new(), SeenFiles::default());
        seen.page_read(&disk.path, disk.identity(), 1, 10, 15);
        let changed = disk.replace();
        assert_eq!(seen.check(&disk.path, changed), Err(Unseen::Changed));
        seen.page_read(&disk.path, changed, 11, 5, 15);
        assert_eq!(seen.check(&disk.path, changed), Err(Unseen::NeverRead));
    }

    #[test]
    fn a_patch_keeps_full_knowledge_and_makes_none() {
        let (disk, seen) = (Disk::new(), SeenFiles::default());
        let before = disk.identity();
        let after = disk.replace();
        seen.patched(&disk.path, before, after);
        assert_eq!(seen.check(&disk.path, after), Err(Unseen::Patched));
        seen.written(&disk.path, after);
        let last = disk.replace();
        seen.patched(&disk.path, after, last);
        assert_eq!(seen.check(&disk.path, last), Ok(()));
    }

    #[test]
    fn another_session_is_named_as_the_writer() {
        let disk = Disk::new();
        let writers = Arc::new(FileWriters::default());
        let mine = SeenFiles::new(Arc::clone(&writers));
        let other = SeenFiles::new(writers);
        mine.written(&disk.path, disk.identity());
        let changed = disk.replace();
        other.written(&disk.path, changed);
        assert_eq!(
            mine.check(&disk.path, changed),
            Err(Unseen::WrittenByAnother)
        );
        assert_eq!(other.check(&disk.path, changed), Ok(()));
    }

    #[test]
    fn memory_is_bounded_and_the_oldest_are_forgotten() {
        let (disk, seen) = (Disk::new(), SeenFiles::default());
        let identity = disk.identity();
        let path = |number: usize| PathBuf::from(format!("/{number}"));
        for number in 0..=MAX_FILES {
            seen.written(&path(number), identity);
        }
        assert!(seen.files().known.len() <= MAX_FILES);
        assert!(
            seen.writers
                .is_of_another(u64::MAX, &path(MAX_FILES), identity)
        );
        assert_eq!(seen.check(&path(0), identity), Err(Unseen::NeverRead));
        assert_eq!(seen.check(&path(MAX_FILES), identity), Ok(()));
    }
}
