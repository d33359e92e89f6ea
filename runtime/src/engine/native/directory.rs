//! The private directory of a kernel, and the end of those that nobody has removed.
//!
//! It holds the runner and `hermes_tools`. While its host lives it is locked; a directory without a lock that is a week old belonged to a
//! host that was killed. Only real directories of this user are removed, and no symbolic link is followed.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use tempfile::TempDir;

use super::program::{Programs, RUNNER};
use crate::system;

const PREFIX: &str = "hermes_kernel_";
const LOCK: &str = "host.lock";
/// Age of a directory that is taken for forgotten.
const STALE: Duration = Duration::from_hours(7 * 24);

const TOOLS: &str = "tools.json";

/// A directory that is removed when it is dropped.
#[derive(Debug)]
pub(super) struct Directory {
    place: TempDir,
    /// Locked as long as it is open.
    _lock: File,
}

impl Directory {
    /// Makes the directory of a kernel (mode 0700) with everything that the child reads.
    pub(super) fn new(tools: &str, programs: &Programs) -> io::Result<Self> {
        let place = system::private_temporary(tempfile::Builder::new().prefix(PREFIX))?;
        let lock = File::create_new(place.path().join(LOCK))?;
        lock.lock()?;
        programs.write_to(place.path())?;
        fs::write(place.path().join(TOOLS), tools)?;
        Ok(Self { place, _lock: lock })
    }

    /// Returns its path.
    pub(super) fn path(&self) -> &Path {
        self.place.path()
    }

    /// Returns the path of the child's program.
    pub(super) fn runner(&self) -> PathBuf {
        self.path().join(RUNNER)
    }
}

/// Removes the directories that kernels of hosts that were killed have left.
pub(crate) fn sweep() {
    sweep_in(&std::env::temp_dir(), SystemTime::now());
}

fn sweep_in(place: &Path, now: SystemTime) {
    // A directory that cannot be read now is looked at another time.
    let Ok(entries) = fs::read_dir(place) else {
        return;
    };
    for entry in entries.flatten() {
        let is_ours = entry.file_name().to_string_lossy().starts_with(PREFIX);
        let path = entry.path();
        if is_ours
            && is_forgotten(&path, now)
            && let Err(error) = fs::remove_dir_all(&path)
        {
            tracing::debug!(path = %path.display(), %error, "a forgotten kernel directory cannot be removed");
        }
    }
}

fn is_forgotten(path: &Path, now: SystemTime) -> bool {
    let Ok(about) = fs::symlink_metadata(path) else {
        return false;
    };
    let is_old = about
        .modified()
        .is_ok_and(|modified| now.duration_since(modified).is_ok_and(|age| age >= STALE));
    about.is_dir() && system::belongs_to_user(&about) && is_old && !is_locked(&path.join(LOCK))
}

fn is_locked(path: &Path) -> bool {
    // Opening a link or a pipe in its place could do anything; a directory without a proper lock has no host.
    let is_file = fs::symlink_metadata(path).is_ok_and(|about| about.is_file());
    is_file
        && File::open(path)
            .is_ok_and(|file| matches!(file.try_lock(), Err(fs::TryLockError::WouldBlock)))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::super::interpreter::Interpreters;
    use super::*;

    const DAY: Duration = Duration::from_hours(24);

    #[test]
    fn a_directory_is_private_holds_the_programs_and_goes_with_its_owner() {
        let directory = Directory::new(
            "[]",
            &Interpreters::default()
                .find(None)
                .unwrap()
                .unwrap()
                .programs,
        )
        .unwrap();
        let path = directory.path().to_owned();
        let name = path.file_name().unwrap().to_str().unwrap();
        assert!(name.starts_with("hermes_kernel_"), "{name}");
        let mode = fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
        assert!(directory.runner().is_file());
        assert_eq!(fs::read_to_string(path.join(TOOLS)).unwrap(), "[]");
        drop(directory);
        assert!(!path.exists());
    }

    #[test]
    fn only_old_directories_of_dead_hosts_are_swept_and_no_link_is_followed() {
        let place = tempfile::tempdir().unwrap();
        let at = |name: &str| place.path().join(name);
        for name in [
            "hermes_kernel_dead",
            "hermes_kernel_live",
            "hermes_other",
            "target",
        ] {
            fs::create_dir(at(name)).unwrap();
            fs::write(at(name).join("file"), "x").unwrap();
        }
        symlink(at("target"), at("hermes_kernel_link")).unwrap();
        symlink(at("target"), at("hermes_kernel_dead").join("inner")).unwrap();
        fs::write(at("hermes_kernel_file"), "x").unwrap();
        let lock = File::create(at("hermes_kernel_live").join(LOCK)).unwrap();
        lock.lock().unwrap();
        let names = || {
            let mut names: Vec<_> = fs::read_dir(place.path())
                .unwrap()
                .map(|entry| entry.unwrap().file_name().into_string().unwrap())
                .collect();
            names.sort();
            names
        };
        let before = names();
        sweep_in(place.path(), SystemTime::now() + 6 * DAY);
        assert_eq!(names(), before);
        sweep_in(place.path(), SystemTime::now() + 8 * DAY);
        assert_eq!(
            names(),
            [
                "hermes_kernel_file",
                "hermes_kernel_link",
                "hermes_kernel_live",
                "hermes_other",
                "target"
            ]
        );
        assert!(at("target").join("file").is_file());
    }
}
