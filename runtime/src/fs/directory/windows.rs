//! Windows: a directory by its handle in the capability file system.

use std::ffi::{OsStr, OsString};
use std::io;
use std::time::SystemTime;

use cap_std::fs::Dir;

use crate::fs::{Kind, OpenFault, Place, RegularFile, RelPath};

/// A handle on a directory.
#[derive(Debug)]
pub(crate) struct Directory {
    handle: Dir,
}

impl Directory {
    /// Opens the directory that a place leads to; a symbolic link at the place itself is followed inside the grant.
    pub(crate) fn open(place: &Place) -> io::Result<Self> {
        let handle = place.dir().open_dir(place.path())?;
        Ok(Self { handle })
    }

    /// Returns the entries, sorted by the bytes of their names.
    ///
    /// `is_over` is asked now and then; a listing that nobody wants any more ends early.
    pub(crate) fn entries(&self, is_over: &dyn Fn() -> bool) -> io::Result<Vec<Entry>> {
        const ASK_EVERY: usize = 4_096;
        let mut entries = Vec::new();
        for entry in self.handle.entries()? {
            let entry = entry?;
            entries.push(Entry {
                name: entry.file_name(),
                kind: entry.file_type().map_or(Kind::Other, Kind::of),
            });
            if entries.len() % ASK_EVERY == 0 && is_over() {
                break;
            }
        }
        entries.sort_unstable_by(|left, right| left.bytes().cmp(right.bytes()));
        Ok(entries)
    }

    /// Opens a directory in this one.
    pub(crate) fn enter(&self, entry: &Entry) -> io::Result<Self> {
        self.refuse_link(entry)?;
        let handle = self.handle.open_dir(&entry.name)?;
        Ok(Self { handle })
    }

    /// Opens a regular file in this directory for reading.
    pub(crate) fn open_file(&self, entry: &Entry) -> Result<RegularFile, OpenFault> {
        self.refuse_link(entry)?;
        RegularFile::open(&self.handle, &RelPath::of_name(&entry.name))
    }

    /// Returns what an entry is.
    #[expect(
        clippy::unused_self,
        reason = "elsewhere the file system has to be asked"
    )]
    pub(crate) fn kind(&self, entry: &Entry) -> Kind {
        entry.kind
    }

    /// Returns when an entry was last modified.
    pub(crate) fn modified(&self, entry: &Entry) -> io::Result<SystemTime> {
        let metadata = self.handle.symlink_metadata(&entry.name)?;
        Ok(metadata.modified()?.into_std())
    }

    /// Fails where the entry is a link now; one that becomes a link after this leads no further than this directory.
    fn refuse_link(&self, entry: &Entry) -> io::Result<()> {
        if self.handle.symlink_metadata(&entry.name)?.is_symlink() {
            return Err(io::Error::other("the entry is a symbolic link"));
        }
        Ok(())
    }
}

/// One name in a directory; only a listing makes it, so that it never leads anywhere else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    name: OsString,
    kind: Kind,
}

impl Entry {
    /// Returns the name.
    pub(crate) fn name(&self) -> &OsStr {
        &self.name
    }

    fn bytes(&self) -> &[u8] {
        self.name.as_encoded_bytes()
    }
}
