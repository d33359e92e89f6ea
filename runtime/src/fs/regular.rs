//! A regular file of a scope, open for reading.
//!
//! Devices, pipes and sockets are never read: the kind is looked up before the open, which does not block, and again
//! on the handle, so that an entry that was swapped in between is noticed.

#[cfg(any(target_os = "linux", target_vendor = "apple"))]
use std::ffi::OsStr;
#[cfg(target_os = "linux")]
use std::fs;
use std::fs::File;
use std::io;
#[cfg(target_os = "linux")]
use std::os::fd::AsRawFd as _;
#[cfg(any(target_os = "linux", target_vendor = "apple"))]
use std::os::unix::ffi::OsStrExt as _;
use std::path::PathBuf;

use cap_std::fs::{Dir, Metadata, OpenOptions};
use thiserror::Error;

use super::{FileIdentity, Kind, RelPath};
use crate::system;

/// A handle on a regular file and the length that it had when it was opened.
#[derive(Debug)]
pub(crate) struct RegularFile {
    pub(crate) file: File,
    /// Length in bytes.
    pub(crate) len: u64,
    /// Which file it is, in which version.
    pub(crate) identity: FileIdentity,
}

impl RegularFile {
    /// Opens a file for reading.
    pub(crate) fn open(dir: &Dir, path: &RelPath) -> Result<Self, OpenFault> {
        Self::open_with(dir, path, OpenOptions::new().read(true))
    }

    /// Opens a file for reading and writing in place, which shows that the user may write it.
    pub(crate) fn open_writable(dir: &Dir, path: &RelPath) -> Result<Self, OpenFault> {
        Self::open_with(dir, path, OpenOptions::new().read(true).write(true))
    }

    fn open_with(dir: &Dir, path: &RelPath, options: &mut OpenOptions) -> Result<Self, OpenFault> {
        expect_regular(Kind::of(dir.metadata(path.as_path())?.file_type()))?;
        system::open_regular(options);
        let file = dir.open_with(path.as_path(), options)?;
        Self::of(file.into_std())
    }

    /// Takes a handle that is on a regular file.
    pub(super) fn of(file: File) -> Result<Self, OpenFault> {
        let metadata = Metadata::from_file(&file)?;
        expect_regular(Kind::of(metadata.file_type()))?;
        Ok(Self {
            file,
            len: metadata.len(),
            identity: FileIdentity::of(&metadata),
        })
    }

    /// Tells whether the file is as it was when it was opened, and whether a change would show.
    pub(crate) fn is_unchanged(&self) -> bool {
        let now = Metadata::from_file(&self.file).map(|metadata| FileIdentity::of(&metadata));
        now.is_ok_and(|now| now == self.identity && now.is_settled())
    }

    /// Returns the absolute path of the file that the handle is on; `None` where the system does not tell.
    ///
    /// The path of a file that was deleted meanwhile is the one that it had.
    pub(crate) fn real_path(&self) -> Option<PathBuf> {
        real_path(&self.file)
    }
}

#[cfg(target_os = "linux")]
fn real_path(file: &File) -> Option<PathBuf> {
    /// What the kernel appends to the path of a deleted file.
    const DELETED: &[u8] = b" (deleted)";
    let path = fs::read_link(format!("/proc/self/fd/{}", file.as_raw_fd())).ok()?;
    let bytes = path.as_os_str().as_bytes();
    let name = bytes.strip_suffix(DELETED).unwrap_or(bytes);
    Some(PathBuf::from(OsStr::from_bytes(name)))
}

#[cfg(target_vendor = "apple")]
fn real_path(file: &File) -> Option<PathBuf> {
    let path = rustix::fs::getpath(file).ok()?;
    Some(PathBuf::from(OsStr::from_bytes(path.as_bytes())))
}

#[cfg(not(any(target_os = "linux", target_vendor = "apple")))]
fn real_path(_: &File) -> Option<PathBuf> {
    None
}

fn expect_regular(kind: Kind) -> Result<(), OpenFault> {
    if kind == Kind::Regular {
        Ok(())
    } else {
        Err(OpenFault::NotRegular(kind))
    }
}

/// Says why a file cannot be read.
#[derive(Debug, Error)]
pub(crate) enum OpenFault {
    #[error("not a regular file: {0:?}")]
    NotRegular(Kind),
    #[error("cannot open the file")]
    Io(#[from] io::Error),
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use std::os::unix::net::UnixListener;

    use rustix::fs::{CWD, FileType, Mode, mknodat};

    use super::super::Scope;
    use super::*;

    #[test]
    fn pipes_sockets_and_directories_are_named_and_never_opened() {
        let place = tempfile::tempdir().unwrap();
        let pipe = place.path().join("pipe");
        mknodat(CWD, &pipe, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
        let _listener = UnixListener::bind(place.path().join("socket")).unwrap();
        let scope = Scope::open(place.path()).unwrap();
        for (name, expected) in [
            ("pipe", Kind::Fifo),
            ("socket", Kind::Socket),
            (".", Kind::Directory),
        ] {
            let fault =
                RegularFile::open(scope.dir(), &scope.inner(&scope.root().join(name)).unwrap())
                    .unwrap_err();
            assert!(
                matches!(fault, OpenFault::NotRegular(kind) if kind == expected),
                "{fault:?}"
            );
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_real_path_is_that_of_the_opened_file_whatever_happens_to_its_name() {
        let place = tempfile::tempdir().unwrap();
        let scope = Scope::open(place.path()).unwrap();
        let target = scope.root().join("target");
        std::fs::write(&target, "x").unwrap();
        std::os::unix::fs::symlink("target", scope.root().join("link")).unwrap();
        let link = scope.inner(&scope.root().join("link")).unwrap();
        let opened = RegularFile::open(scope.dir(), &link).unwrap();
        std::fs::remove_file(scope.root().join("link")).unwrap();
        assert_eq!(opened.real_path(), Some(target.clone()));
        std::fs::remove_file(&target).unwrap();
        assert_eq!(opened.real_path(), Some(target));
    }

    #[test]
    fn a_regular_file_has_its_length() {
        let place = tempfile::tempdir().unwrap();
        std::fs::write(place.path().join("x"), "12345").unwrap();
        let scope = Scope::open(place.path()).unwrap();
        let opened =
            RegularFile::open(scope.dir(), &scope.inner(&scope.root().join("x")).unwrap()).unwrap();
        assert_eq!(opened.len, 5);
    }
}
