//! One file that a patch names: what is on disk there, and what would be.

use crate::fs::{OldFile, Place};
use crate::tools::patch::document::Document;

/// A file, or the place of one.
pub(super) struct Entry {
    /// The path as it was first given.
    pub(super) given: String,
    pub(super) place: Place,
    pub(super) is_on_disk: bool,
    /// Whether what is on disk is a symbolic link.
    pub(super) is_link: bool,
    /// What is on disk, once it was read.
    pub(super) disk: Option<OldFile>,
    pub(super) now: Now,
    pub(super) was_added: bool,
}

/// What a file would be.
pub(super) enum Now {
    Absent,
    /// What is on disk at the place of an entry, its own or that of a file that was moved here.
    DiskOf(usize),
    /// A new text, of the file on disk of an entry if it was not added.
    Text {
        document: Document,
        base: Option<usize>,
    },
}

impl Entry {
    /// Tells whether it gets what another one, or itself, has on disk, if only with another text.
    pub(super) fn takes_over(&self, source: usize) -> bool {
        match self.now {
            Now::DiskOf(from) => from == source,
            Now::Text { base, .. } => base == Some(source),
            Now::Absent => false,
        }
    }

    /// Tells whether another entry's file can simply be renamed to this one.
    pub(super) fn is_renamed(&self, source: usize) -> bool {
        !self.is_on_disk && matches!(self.now, Now::DiskOf(from) if from == source)
    }

    /// Tells whether there is no file any more, or another one than before; `index` is its own.
    pub(super) fn is_replaced(&self, index: usize) -> bool {
        self.is_on_disk && !self.takes_over(index)
    }

    /// Tells whether there would be a file.
    pub(super) fn is_present(&self) -> bool {
        !matches!(self.now, Now::Absent)
    }

    /// Returns whose file on disk it is as it is, its own or another one's.
    pub(super) fn disk_of(&self) -> Option<usize> {
        match self.now {
            Now::DiskOf(source) => Some(source),
            Now::Absent | Now::Text { .. } => None,
        }
    }
}
