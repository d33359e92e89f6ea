//! The error numbers of WASI preview 1 that the file system answers with.
//!
//! It owns the numbers only; wasi-libc turns them into `errno`, and Python into `OSError` and its subclasses.

use std::fmt;

/// An error number of WASI preview 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u16)]
pub enum Errno {
    /// The descriptor is not open, or not open for this.
    Badf = 8,
    /// The file system is in use, or the name cannot be moved.
    Busy = 10,
    /// The name is taken.
    Exist = 20,
    /// The file would grow past its largest size.
    Fbig = 22,
    /// The path is not valid UTF-8.
    Ilseq = 25,
    /// An argument makes no sense.
    Inval = 28,
    /// The target is a directory.
    Isdir = 31,
    /// Too many symbolic links on the way.
    Loop = 32,
    /// All descriptors are in use.
    Mfile = 33,
    /// Too many hard links to one file.
    Mlink = 34,
    /// A name or a path is too long.
    Nametoolong = 37,
    /// The device cannot do this.
    Nodev = 43,
    /// There is no such entry.
    Noent = 44,
    /// The sandbox has no memory left for book-keeping.
    Nomem = 48,
    /// The sandbox has no memory left for file data.
    Nospc = 51,
    /// A directory was needed.
    Notdir = 54,
    /// The directory has entries.
    Notempty = 55,
    /// There are no sockets here.
    Notsock = 57,
    /// The number does not fit.
    Overflow = 61,
    /// The operation is never allowed on this kind of file.
    Perm = 63,
    /// The place is read-only.
    Rofs = 69,
    /// The descriptor has no position.
    Spipe = 70,
}

impl Errno {
    /// Returns the number that crosses the C boundary.
    pub const fn code(self) -> u16 {
        self as u16
    }
}

impl fmt::Display for Errno {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "file system error {} ({self:?})", self.code())
    }
}

impl std::error::Error for Errno {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_the_numbers_of_preview_1() {
        assert_eq!(Errno::Badf.code(), 8);
        assert_eq!(Errno::Noent.code(), 44);
        assert_eq!(Errno::Rofs.code(), 69);
        assert_eq!(Errno::Noent.to_string(), "file system error 44 (Noent)");
    }
}
