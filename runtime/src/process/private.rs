//! Private files of this process: they go with their owner, and where this process is killed the helper of its trees removes them.
//!
//! A private directory is locked as long as its owner lives: what the helper has left is known by that. Only what has one of the prefixes
//! is ever removed by somebody else than its owner.

use std::env;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

#[cfg(unix)]
use super::tree::Watched;
use crate::system;

/// What the names of private directories begin with.
pub(super) const DIRECTORIES: [&str; 2] = [KERNEL_PREFIX, SHELL_PREFIX];
/// The directory of a kernel.
pub(crate) const KERNEL_PREFIX: &str = "hermes_kernel_";
/// The directory of a session's shell.
pub(super) const SHELL_PREFIX: &str = "hermes-shell-";
/// What the names of private sockets begin and end with.
#[cfg(unix)]
pub(crate) const SOCKET: (&str, &str) = ("hermes_rpc_", ".sock");

/// The file that is locked.
pub(super) const LOCK: &str = "host.lock";

/// A directory for one owner (mode 0700), which is removed with all that is in it when it is dropped.
#[derive(Debug)]
pub(crate) struct PrivateDirectory {
    place: TempDir,
    /// Locked as long as it is open.
    _lock: File,
    #[cfg(unix)]
    _watched: Option<Watched>,
}

impl PrivateDirectory {
    /// Makes one below the directory for temporary files.
    pub(crate) fn new(prefix: &str) -> io::Result<Self> {
        let place = system::private_temporary(tempfile::Builder::new().prefix(prefix));
        let place = place.map_err(in_place_for_temporary)?;
        let lock = File::create_new(place.path().join(LOCK))?;
        lock.lock()?;
        Ok(Self {
            #[cfg(unix)]
            _watched: Watched::path(place.path()),
            place,
            _lock: lock,
        })
    }

    /// Returns its path.
    pub(crate) fn path(&self) -> &Path {
        self.place.path()
    }
}

/// Makes a file without a name.
pub(crate) fn temporary_file() -> io::Result<File> {
    tempfile::tempfile().map_err(in_place_for_temporary)
}

/// The variable that says where temporary files are made.
const VARIABLE: &str = if cfg!(windows) { "TMP" } else { "TMPDIR" };

/// No file can be made in the directory for temporary ones.
#[derive(Debug, thiserror::Error)]
#[error(
    "cannot make temporary files in '{}'; hint: set {VARIABLE} to a directory that exists, has room and can be written to", directory.display()
)]
struct Unusable {
    directory: PathBuf,
    source: io::Error,
}

/// Has an error that is about the directory for temporary files name that directory, and say what to do.
fn in_place_for_temporary(source: io::Error) -> io::Error {
    use io::ErrorKind::{
        NotADirectory, NotFound, PermissionDenied, QuotaExceeded, ReadOnlyFilesystem, StorageFull,
    };

    let kind = source.kind();
    match kind {
        NotADirectory | NotFound | PermissionDenied | QuotaExceeded | ReadOnlyFilesystem
        | StorageFull => {
            let directory = env::temp_dir();
            io::Error::new(kind, Unusable { directory, source })
        }
        _ => source,
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use std::error::Error as _;
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    use rustix::io::Errno;

    use super::*;

    #[test]
    fn a_directory_is_private_and_locked_and_goes_with_its_owner() {
        for prefix in DIRECTORIES {
            let directory = PrivateDirectory::new(prefix).unwrap();
            let path = directory.path().to_owned();
            let name = path.file_name().unwrap().to_str().unwrap();
            assert!(name.starts_with(prefix), "{name}");
            let mode = fs::metadata(&path).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o700);
            let lock = File::open(path.join(LOCK)).unwrap();
            assert!(matches!(lock.try_lock(), Err(fs::TryLockError::WouldBlock)));
            fs::create_dir(path.join("inner")).unwrap();
            drop(directory);
            assert!(!path.exists());
        }
    }

    #[test]
    fn an_error_of_the_place_names_it_and_one_of_this_process_does_not() {
        let place = env::temp_dir();
        for (source, is_of_place) in [
            (Errno::NOENT, true),
            (Errno::NOTDIR, true),
            (Errno::ACCESS, true),
            (Errno::ROFS, true),
            (Errno::NOSPC, true),
            (Errno::DQUOT, true),
            (Errno::MFILE, false),
            (Errno::NFILE, false),
        ] {
            let source = io::Error::from(source);
            let (kind, text) = (source.kind(), source.to_string());
            let error = in_place_for_temporary(source);
            assert_eq!(error.kind(), kind);
            if is_of_place {
                let expected = format!(
                    "cannot make temporary files in '{}'; hint: set TMPDIR to a directory that exists, has room and can be written to",
                    place.display()
                );
                assert_eq!(error.to_string(), expected);
                assert_eq!(error.source().unwrap().to_string(), text);
            } else {
                assert_eq!(error.to_string(), text);
            }
        }
    }
}
