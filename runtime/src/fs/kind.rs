//! What a directory entry is, as far as reading and writing it differ.

use cap_std::fs::FileType;
#[cfg(unix)]
use cap_std::fs::FileTypeExt as _;

/// Names what an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(
    windows,
    expect(dead_code, reason = "directories of Windows hold files only")
)]
pub(crate) enum Kind {
    Regular,
    Directory,
    Fifo,
    Socket,
    CharacterDevice,
    BlockDevice,
    /// Anything else; an entry reached without following links is a symbolic link here.
    Other,
}

impl Kind {
    /// Returns the kind of an entry.
    pub(crate) fn of(file_type: FileType) -> Self {
        let rows = [
            (file_type.is_file(), Self::Regular),
            (file_type.is_dir(), Self::Directory),
            #[cfg(unix)]
            (file_type.is_fifo(), Self::Fifo),
            #[cfg(unix)]
            (file_type.is_socket(), Self::Socket),
            #[cfg(unix)]
            (file_type.is_char_device(), Self::CharacterDevice),
            #[cfg(unix)]
            (file_type.is_block_device(), Self::BlockDevice),
        ];
        rows.into_iter()
            .find_map(|(holds, kind)| holds.then_some(kind))
            .unwrap_or(Self::Other)
    }

    /// Returns the words for an entry that would block a reader; `None` for the other kinds.
    pub(crate) fn blocking_phrase(self) -> Option<&'static str> {
        match self {
            Self::Fifo => Some("a FIFO (named pipe)"),
            Self::Socket => Some("a socket"),
            Self::CharacterDevice => Some("a character device"),
            Self::BlockDevice => Some("a block device"),
            Self::Regular | Self::Directory | Self::Other => None,
        }
    }
}
