//! Which file a handle is on, and in which version: what has to be the same for knowledge about its content to hold.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use cap_std::fs::Metadata;

use crate::system;

/// Clocks of file systems tick this coarsely at worst; within one tick a file can change and look the same.
const COARSEST_TICK: Duration = Duration::from_secs(2);

/// Identifies one version of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FileIdentity {
    /// Numbers that tell it from every other file there is.
    entry: (u64, u64),
    len: u64,
    /// Seconds and nanoseconds of the last change to the content.
    modified: (i64, i64),
    /// The same for the last change to the metadata, which nobody can set.
    changed: (i64, i64),
}

impl FileIdentity {
    /// Returns the identity of the file with this metadata.
    pub(crate) fn of(metadata: &Metadata) -> Self {
        Self {
            entry: system::entry_of(metadata),
            len: metadata.len(),
            modified: system::modified_at(metadata),
            changed: system::changed_at(metadata),
        }
    }

    /// Tells whether the last change is long enough ago that a later one would show in the identity.
    pub(crate) fn is_settled(&self) -> bool {
        let (seconds, nanoseconds) = self.modified;
        let Ok(seconds) = u64::try_from(seconds) else {
            return true;
        };
        let since_epoch = Duration::from_secs(seconds).saturating_add(Duration::from_nanos(
            u64::try_from(nanoseconds).unwrap_or(0),
        ));
        SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .is_ok_and(|now| now >= since_epoch.saturating_add(COARSEST_TICK))
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use std::fs::File;
    use std::io::Write as _;

    use super::*;

    fn identity(file: &File) -> FileIdentity {
        FileIdentity::of(&Metadata::from_file(file).unwrap())
    }

    #[test]
    fn every_change_of_a_settled_file_changes_its_identity() {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(b"one").unwrap();
        assert!(!identity(&file).is_settled());
        let past = SystemTime::now() - Duration::from_mins(1);
        file.set_modified(past).unwrap();
        let before = identity(&file);
        assert!(before.is_settled());
        assert_eq!(identity(&file), before);
        file.write_all(b"two").unwrap();
        assert_ne!(identity(&file), before);
        assert_ne!(identity(&tempfile::tempfile().unwrap()), before);
    }

    #[test]
    fn a_file_from_the_future_or_from_before_the_epoch_is_judged() {
        let file = tempfile::tempfile().unwrap();
        file.set_modified(SystemTime::now() + Duration::from_hours(1))
            .unwrap();
        assert!(!identity(&file).is_settled());
        file.set_modified(UNIX_EPOCH - Duration::from_secs(5))
            .unwrap();
        assert!(identity(&file).is_settled());
    }
}
