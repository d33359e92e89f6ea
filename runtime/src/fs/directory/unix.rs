//! Unix: a directory by its descriptor.

use std::ffi::{CString, OsStr};
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt as _;
use std::time::{Duration, SystemTime};

use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, openat, statat};

use crate::fs::{Kind, OpenFault, Place, RegularFile};

/// Flags of every open: nothing blocks, becomes a controlling terminal, or follows a link.
const FLAGS: OFlags = OFlags::RDONLY
    .union(OFlags::CLOEXEC)
    .union(OFlags::NOFOLLOW)
    .union(OFlags::NONBLOCK)
    .union(OFlags::NOCTTY);

/// A handle on a directory.
#[derive(Debug)]
pub(crate) struct Directory {
    handle: OwnedFd,
}

impl Directory {
    /// Opens the directory that a place leads to; a symbolic link at the place itself is followed inside the grant.
    pub(crate) fn open(place: &Place) -> io::Result<Self> {
        // That handle only names the directory; its listing takes one for reading.
        let directory = place.dir().open_dir(place.path())?;
        let flags = FLAGS.union(OFlags::DIRECTORY);
        let handle = openat(&directory, c".", flags, Mode::empty())?;
        Ok(Self { handle })
    }

    /// Returns the entries, without `.` and `..`, sorted by the bytes of their names.
    ///
    /// `is_over` is asked now and then; a listing that nobody wants any more ends early.
    pub(crate) fn entries(&self, is_over: &dyn Fn() -> bool) -> io::Result<Vec<Entry>> {
        const ASK_EVERY: usize = 4_096;
        let mut entries = Vec::new();
        for entry in Dir::read_from(&self.handle)? {
            let entry = entry?;
            let name = entry.file_name();
            if name == c"." || name == c".." {
                continue;
            }
            entries.push(Entry {
                name: name.to_owned(),
                file_type: entry.file_type(),
            });
            if entries.len() % ASK_EVERY == 0 && is_over() {
                break;
            }
        }
        entries.sort_unstable_by(|left, right| left.name.cmp(&right.name));
        Ok(entries)
    }

    /// Opens a directory in this one.
    pub(crate) fn enter(&self, entry: &Entry) -> io::Result<Self> {
        let flags = FLAGS.union(OFlags::DIRECTORY);
        let handle = openat(&self.handle, entry.name.as_c_str(), flags, Mode::empty())?;
        Ok(Self { handle })
    }

    /// Opens a regular file in this directory for reading.
    pub(crate) fn open_file(&self, entry: &Entry) -> Result<RegularFile, OpenFault> {
        let handle = openat(&self.handle, entry.name.as_c_str(), FLAGS, Mode::empty())
            .map_err(io::Error::from)?;
        RegularFile::of(File::from(handle))
    }

    /// Returns what an entry is; the file system is asked where it did not tell in the listing.
    pub(crate) fn kind(&self, entry: &Entry) -> Kind {
        if entry.file_type != FileType::Unknown {
            return kind_of(entry.file_type);
        }
        statat(
            &self.handle,
            entry.name.as_c_str(),
            AtFlags::SYMLINK_NOFOLLOW,
        )
        .map_or(Kind::Other, |stat| {
            kind_of(FileType::from_raw_mode(stat.st_mode))
        })
    }

    /// Returns when an entry was last modified.
    pub(crate) fn modified(&self, entry: &Entry) -> io::Result<SystemTime> {
        let stat = statat(
            &self.handle,
            entry.name.as_c_str(),
            AtFlags::SYMLINK_NOFOLLOW,
        )?;
        let nanoseconds = u64::try_from(i128::from(stat.st_mtime_nsec)).unwrap_or(0);
        let seconds = Duration::from_secs(stat.st_mtime.unsigned_abs());
        let whole = if stat.st_mtime < 0 {
            SystemTime::UNIX_EPOCH.checked_sub(seconds)
        } else {
            SystemTime::UNIX_EPOCH.checked_add(seconds)
        };
        Ok(whole
            .and_then(|time| time.checked_add(Duration::from_nanos(nanoseconds)))
            .unwrap_or(SystemTime::UNIX_EPOCH))
    }
}

/// One name in a directory; only a listing makes it, so that it never leads anywhere else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    name: CString,
    file_type: FileType,
}

impl Entry {
    /// Returns the name.
    pub(crate) fn name(&self) -> &OsStr {
        OsStr::from_bytes(self.name.as_bytes())
    }
}

fn kind_of(file_type: FileType) -> Kind {
    match file_type {
        FileType::RegularFile => Kind::Regular,
        FileType::Directory => Kind::Directory,
        FileType::Fifo => Kind::Fifo,
        FileType::Socket => Kind::Socket,
        FileType::CharacterDevice => Kind::CharacterDevice,
        FileType::BlockDevice => Kind::BlockDevice,
        FileType::Symlink | FileType::Unknown => Kind::Other,
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use std::fs;
    use std::os::unix::fs::symlink;
    use std::sync::Arc;

    use rustix::fs::{CWD, mknodat};
    use rustix::io::Errno;

    use super::*;
    use crate::fs::{Access, Grants, Scope, find_entry};

    fn open(root: &std::path::Path) -> Directory {
        let grants = Grants::of(Arc::new(Scope::open(root).unwrap()));
        Directory::open(&grants.place(".", Access::Read).unwrap()).unwrap()
    }

    fn errno(result: Result<impl Sized, OpenFault>) -> Option<i32> {
        match result.err()? {
            OpenFault::Io(error) => error.raw_os_error(),
            OpenFault::NotRegular(_) => None,
        }
    }

    #[test]
    fn entries_are_sorted_and_told_apart() {
        let place = tempfile::tempdir().unwrap();
        for name in ["b", "B", ".h"] {
            fs::write(place.path().join(name), "").unwrap();
        }
        fs::create_dir(place.path().join("a")).unwrap();
        symlink("b", place.path().join("l")).unwrap();
        let pipe = place.path().join("p");
        mknodat(CWD, pipe, FileType::Fifo, Mode::RUSR, 0).unwrap();
        let directory = open(place.path());
        let entries = directory.entries(&|| false).unwrap();
        let told: Vec<_> = entries
            .iter()
            .map(|entry| (entry.name().to_str().unwrap(), directory.kind(entry)))
            .collect();
        assert_eq!(
            told,
            [
                (".h", Kind::Regular),
                ("B", Kind::Regular),
                ("a", Kind::Directory),
                ("b", Kind::Regular),
                ("l", Kind::Other),
                ("p", Kind::Fifo),
            ]
        );
        assert_eq!(find_entry(&entries, "b"), entries.get(3));
        assert_eq!(find_entry(&entries, "c"), None);
        let fifo = find_entry(&entries, "p").unwrap();
        assert!(matches!(
            directory.open_file(fifo),
            Err(OpenFault::NotRegular(Kind::Fifo))
        ));
    }

    #[test]
    fn an_entry_that_became_a_link_is_not_followed() {
        let place = tempfile::tempdir().unwrap();
        let (file, below) = (place.path().join("f"), place.path().join("d"));
        fs::write(&file, "").unwrap();
        fs::create_dir(&below).unwrap();
        let directory = open(place.path());
        let entries = directory.entries(&|| false).unwrap();
        fs::remove_file(&file).unwrap();
        fs::remove_dir(&below).unwrap();
        symlink("/etc/passwd", &file).unwrap();
        symlink("/etc", &below).unwrap();
        let file = find_entry(&entries, "f").unwrap();
        let loop_errno = Some(Errno::LOOP.raw_os_error());
        assert_eq!(errno(directory.open_file(file)), loop_errno);
        assert_eq!(directory.read_small(file, 10), None);
        let below = directory.enter(find_entry(&entries, "d").unwrap());
        assert_eq!(
            below.unwrap_err().raw_os_error(),
            Some(Errno::NOTDIR.raw_os_error())
        );
    }

    #[test]
    fn a_small_file_is_read_up_to_its_limit() {
        let place = tempfile::tempdir().unwrap();
        fs::write(place.path().join("f"), "12345").unwrap();
        let directory = open(place.path());
        let entries = directory.entries(&|| false).unwrap();
        let file = find_entry(&entries, "f").unwrap();
        assert_eq!(directory.read_small(file, 5), Some(b"12345".to_vec()));
        assert_eq!(directory.read_small(file, 4), None);
    }
}
