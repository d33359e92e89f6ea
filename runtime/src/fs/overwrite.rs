//! Writes a whole file at a place: directories are made, the old file is replaced at once, the new one is read back.
//!
//! What fails before the new file takes its place leaves the old one as it was, and no directory that was made for it. When
//! only the check afterwards fails, the new file is in place and something else has changed it; that is an error all the same.

use std::io::{self, Read as _};
use std::path::Path;

use cap_std::fs::{Dir, Metadata};
use sha2::{Digest as _, Sha256};
use thiserror::Error;

use super::{FileIdentity, MissingDirectories, OpenFault, Place, RegularFile, Replacement};

/// The file that is going to be replaced: what a replacement takes over from it, and its start.
#[derive(Debug)]
pub(crate) struct OldFile {
    pub(super) metadata: Metadata,
    /// The first bytes, as many as were asked for.
    pub(crate) start: Vec<u8>,
}

impl OldFile {
    /// Looks at the file at a place; `None` if there is none.
    ///
    /// The file is opened for writing, though nothing is written to it: a file that the user may not write is not to be
    /// replaced either, which the directory's permissions alone would allow.
    pub(crate) fn look(place: &Place, start_bytes: u64) -> Result<Option<Self>, WriteFault> {
        let opened = Self::open(place)?;
        opened
            .map(|opened| Self::read(opened, start_bytes))
            .transpose()
    }

    /// Opens the file as [`Self::look`] does, so that the handle can be judged before anything is read from it.
    pub(crate) fn open(place: &Place) -> Result<Option<RegularFile>, WriteFault> {
        match place.open_writable() {
            Ok(opened) => Ok(Some(opened)),
            Err(OpenFault::Io(error)) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(OpenFault::NotRegular(_)) => Err(WriteFault::NotRegular(place.display())),
            Err(OpenFault::Io(error)) => Err(error.into()),
        }
    }

    /// Reads the start of a file that was opened.
    pub(crate) fn read(opened: RegularFile, start_bytes: u64) -> Result<Self, WriteFault> {
        let metadata = Metadata::from_file(&opened.file)?;
        let mut start = Vec::new();
        opened.file.take(start_bytes).read_to_end(&mut start)?;
        Ok(Self { metadata, start })
    }

    /// Returns which state of the file this is.
    pub(crate) fn identity(&self) -> FileIdentity {
        FileIdentity::of(&self.metadata)
    }
}

/// Puts a file with this content at a place, which is not a symbolic link; `old` is the file that is there now. Returns
/// which state of the file was read back.
///
/// `is_over` tells that nobody wants the write any more; it is asked until the new file takes its place.
pub(crate) fn overwrite(
    place: &Place,
    old: Option<&OldFile>,
    content: &[u8],
    is_over: &dyn Fn() -> bool,
) -> Result<FileIdentity, WriteFault> {
    let not_a_file = || WriteFault::NotRegular(place.display());
    let (parent, name) = place.parent().zip(place.name()).ok_or_else(not_a_file)?;
    let made = MissingDirectories::of(place);
    let placed = open_or_create(place.dir(), parent.path()).and_then(|dir| {
        let replacement = Replacement::begin(&dir, name, old.map(|old| &old.metadata))?;
        replacement.commit(content, is_over)
    });
    placed.inspect_err(|_| made.remove())?;
    let unverified = |detail: String| WriteFault::Unverified {
        path: place.display(),
        detail,
    };
    let (digest, identity) = read_back(place).map_err(|error| {
        unverified(format!(
            "the file was written, but it cannot be read back ({error})."
        ))
    })?;
    if digest == Sha256::digest(content).as_slice() {
        Ok(identity)
    } else {
        Err(unverified(
            "the file does not hold what was written; something else changed it.".to_owned(),
        ))
    }
}

/// Says why nothing was written, or why what was written does not count.
#[derive(Debug, Error)]
pub(crate) enum WriteFault {
    #[error("Cannot write '{0}': it is not a regular file.")]
    NotRegular(String),
    #[error("Post-write verification failed for {path}: {detail}")]
    Unverified { path: String, detail: String },
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl WriteFault {
    /// Returns what to tell a script about it.
    pub(crate) fn explain(&self, place: &Place) -> String {
        match self {
            Self::Io(error) => place.explain(error, "write"),
            Self::NotRegular(_) | Self::Unverified { .. } => self.to_string(),
        }
    }
}

fn open_or_create(root: &Dir, path: &Path) -> io::Result<Dir> {
    // Opened first, for making directories tells nothing about a link that leads out.
    match root.open_dir(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            root.create_dir_all(path)?;
            root.open_dir(path)
        }
        opened => opened,
    }
}

fn read_back(place: &Place) -> io::Result<(Vec<u8>, FileIdentity)> {
    let mut opened = match place.open() {
        Ok(opened) => opened,
        Err(OpenFault::Io(error)) => return Err(error),
        Err(OpenFault::NotRegular(_)) => return Err(io::ErrorKind::InvalidInput.into()),
    };
    let identity = FileIdentity::of(&Metadata::from_file(&opened.file)?);
    let mut hasher = Sha256::new();
    let mut chunk = [0; 16 * 1024];
    loop {
        let count = opened.file.read(&mut chunk)?;
        if count == 0 {
            return Ok((hasher.finalize().to_vec(), identity));
        }
        hasher.update(chunk.split_at(count).0);
    }
}
