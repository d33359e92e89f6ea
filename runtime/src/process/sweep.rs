//! The end of private files that nobody has removed: their host was killed together with the helper that removes them otherwise.
//!
//! Only what belongs to this user, is a week old and has no living owner is removed: a directory that nobody has locked, a socket at which
//! nobody listens. No symbolic link is followed.

use std::fs::{self, File};
use std::path::Path;
use std::time::{Duration, SystemTime};

use super::private::{DIRECTORIES, LOCK};
use crate::system;

/// Age of what is taken for forgotten.
const STALE: Duration = Duration::from_hours(7 * 24);

/// Removes what hosts that were killed have left.
pub(crate) fn sweep() {
    let now = SystemTime::now();
    let place = std::env::temp_dir();
    sweep_in(&place, now);
    // Where the path of a socket would be too long there, it is here.
    let shortest = Path::new("/tmp");
    if cfg!(unix) && place != shortest {
        sweep_in(shortest, now);
    }
}

fn sweep_in(place: &Path, now: SystemTime) {
    // A directory that cannot be read now is looked at another time.
    let Ok(entries) = fs::read_dir(place) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let Some(kind) = Kind::of(&name.to_string_lossy()) else {
            continue;
        };
        let path = entry.path();
        if is_old(&path, now)
            && kind.is_forgotten(&path)
            && let Err(error) = kind.remove(&path)
        {
            tracing::debug!(path = %path.display(), %error, "what a killed host has left cannot be removed");
        }
    }
}

/// Tells whether something is this user's and has not changed for long.
fn is_old(path: &Path, now: SystemTime) -> bool {
    fs::symlink_metadata(path).is_ok_and(|about| {
        let changed = about.modified();
        system::belongs_to_user(&about)
            && changed.is_ok_and(|at| now.duration_since(at).is_ok_and(|age| age >= STALE))
    })
}

#[derive(Clone, Copy)]
enum Kind {
    Directory,
    #[cfg(unix)]
    Socket,
}

impl Kind {
    /// Returns what a name promises; `None` for names of other programs.
    fn of(name: &str) -> Option<Self> {
        if DIRECTORIES.iter().any(|prefix| name.starts_with(prefix)) {
            return Some(Self::Directory);
        }
        #[cfg(unix)]
        {
            let (prefix, suffix) = super::private::SOCKET;
            if name.starts_with(prefix) && name.ends_with(suffix) {
                return Some(Self::Socket);
            }
        }
        None
    }

    fn is_forgotten(self, path: &Path) -> bool {
        let Ok(about) = fs::symlink_metadata(path) else {
            return false;
        };
        match self {
            Self::Directory => about.is_dir() && !is_locked(&path.join(LOCK)),
            #[cfg(unix)]
            Self::Socket => {
                use std::os::unix::fs::FileTypeExt as _;
                use std::os::unix::net::UnixStream;

                let refuses =
                    |error: std::io::Error| error.kind() == std::io::ErrorKind::ConnectionRefused;
                about.file_type().is_socket() && UnixStream::connect(path).is_err_and(refuses)
            }
        }
    }

    fn remove(self, path: &Path) -> std::io::Result<()> {
        match self {
            Self::Directory => fs::remove_dir_all(path),
            #[cfg(unix)]
            Self::Socket => fs::remove_file(path),
        }
    }
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

    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;

    use super::*;

    const DAY: Duration = Duration::from_hours(24);

    fn names(place: &Path) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(place)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn only_old_directories_of_dead_hosts_are_swept_and_no_link_is_followed() {
        let place = tempfile::tempdir().unwrap();
        let at = |name: &str| place.path().join(name);
        for name in [
            "hermes-shell-dead",
            "hermes-shell-live",
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
        let locks = ["hermes_kernel_live", "hermes-shell-live"].map(|name| {
            let lock = File::create(at(name).join(LOCK)).unwrap();
            lock.lock().unwrap();
            lock
        });
        let before = names(place.path());
        sweep_in(place.path(), SystemTime::now() + 6 * DAY);
        assert_eq!(names(place.path()), before);
        sweep_in(place.path(), SystemTime::now() + 8 * DAY);
        assert_eq!(
            names(place.path()),
            [
                "hermes-shell-live",
                "hermes_kernel_file",
                "hermes_kernel_link",
                "hermes_kernel_live",
                "hermes_other",
                "target"
            ]
        );
        assert!(at("target").join("file").is_file());
        drop(locks);
    }

    #[test]
    fn only_old_sockets_at_which_nobody_listens_are_swept() {
        let place = tempfile::tempdir().unwrap();
        let at = |name: &str| place.path().join(name);
        drop(UnixListener::bind(at("hermes_rpc_dead.sock")).unwrap());
        drop(UnixListener::bind(at("other.sock")).unwrap());
        let listener = UnixListener::bind(at("hermes_rpc_live.sock")).unwrap();
        fs::write(at("hermes_rpc_file.sock"), "x").unwrap();
        symlink(at("other.sock"), at("hermes_rpc_link.sock")).unwrap();
        let before = names(place.path());
        sweep_in(place.path(), SystemTime::now() + 6 * DAY);
        assert_eq!(names(place.path()), before);
        sweep_in(place.path(), SystemTime::now() + 8 * DAY);
        let left = [
            "hermes_rpc_file.sock",
            "hermes_rpc_link.sock",
            "hermes_rpc_live.sock",
            "other.sock",
        ];
        assert_eq!(names(place.path()), left);
        drop(listener);
    }
}
