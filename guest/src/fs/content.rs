//! The bytes of one writable file.
//!
//! Invariant: no length that a script asks for aborts the sandbox. A refused allocation is `ENOSPC`, a length past
//! the largest file is `EFBIG`, and in both cases the file is as it was.

use super::Errno;

/// The largest size of one file in bytes. The signed 32-bit range keeps every length valid on a 32-bit machine.
pub(super) const MAX_FILE_BYTES: u64 = (1 << 31) - 1;

/// A shortened file gives memory back only when at least this many bytes are unused.
const SLACK_BYTES: usize = 4096;

/// The data of a file that can grow and shrink.
#[derive(Debug, Default)]
pub(super) struct Content {
    bytes: Vec<u8>,
}

impl Content {
    /// Returns all bytes of the file.
    pub(super) fn as_slice(&self) -> &[u8] {
        &self.bytes
    }

    /// Writes `data` at `offset`; a gap before it reads as zeros.
    pub(super) fn write_at(&mut self, offset: u64, data: &[u8]) -> Result<(), Errno> {
        if data.is_empty() {
            return Ok(());
        }
        let start = checked_len(offset)?;
        let end = offset.checked_add(len64(data.len())).ok_or(Errno::Fbig)?;
        let end = checked_len(end)?;
        self.reserve(end)?;
        if start > self.bytes.len() {
            self.bytes.resize(start, 0);
        }
        let overwritten = data.len().min(self.bytes.len() - start);
        let (head, tail) = data.split_at(overwritten);
        if let Some(old) = self.bytes.get_mut(start..start + overwritten) {
            old.copy_from_slice(head);
        }
        self.bytes.extend_from_slice(tail);
        Ok(())
    }

    /// Cuts the file to `len` bytes, or extends it with zeros.
    pub(super) fn set_len(&mut self, len: u64) -> Result<(), Errno> {
        let len = checked_len(len)?;
        self.reserve(len)?;
        self.bytes.resize(len, 0);
        self.give_back_slack();
        Ok(())
    }

    /// Makes room for `len` bytes in all, doubling where memory allows it and asking for the exact size where not.
    fn reserve(&mut self, len: usize) -> Result<(), Errno> {
        let added = len.saturating_sub(self.bytes.len());
        self.bytes
            .try_reserve(added)
            .or_else(|_| self.bytes.try_reserve_exact(added))
            .map_err(|_| Errno::Nospc)
    }

    fn give_back_slack(&mut self) {
        let len = self.bytes.len();
        if self.bytes.capacity() / 4 <= len.max(SLACK_BYTES / 4) {
            return;
        }
        // `shrink_to_fit` may abort when memory is short; a copy that is refused only leaves the slack in place.
        let mut smaller = Vec::new();
        if smaller.try_reserve_exact(len).is_ok() {
            smaller.extend_from_slice(&self.bytes);
            self.bytes = smaller;
        }
    }
}

/// Copies the bytes at `offset` of `data` to the front of `out` and returns how many there were.
pub(super) fn read_at(data: &[u8], offset: u64, out: &mut [u8]) -> usize {
    let rest = usize::try_from(offset)
        .ok()
        .and_then(|start| data.get(start..))
        .unwrap_or_default();
    let (Some(from), Some(to)) = (
        rest.get(..out.len().min(rest.len())),
        out.get_mut(..rest.len().min(out.len())),
    ) else {
        return 0;
    };
    to.copy_from_slice(from);
    from.len()
}

/// Returns a length of memory as a size of a file.
pub(super) const fn len64(len: usize) -> u64 {
    // No machine that Rust compiles for has a `usize` wider than 64 bits.
    len as u64
}

fn checked_len(len: u64) -> Result<usize, Errno> {
    if len > MAX_FILE_BYTES {
        return Err(Errno::Fbig);
    }
    usize::try_from(len).map_err(|_| Errno::Fbig)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writing_overlaps_the_old_end() {
        let mut content = Content::default();
        assert_eq!(content.write_at(0, b"abcdef"), Ok(()));
        assert_eq!(content.write_at(4, b"XYZ"), Ok(()));
        assert_eq!(content.as_slice(), b"abcdXYZ");
    }

    #[test]
    fn a_gap_reads_as_zeros() {
        let mut content = Content::default();
        assert_eq!(content.write_at(2, b"x"), Ok(()));
        assert_eq!(content.as_slice(), b"\0\0x");
    }

    #[test]
    fn bytes_cut_off_do_not_come_back_when_the_file_grows() {
        let mut content = Content::default();
        assert_eq!(content.write_at(0, b"secret"), Ok(()));
        assert_eq!(content.set_len(1), Ok(()));
        assert_eq!(content.set_len(3), Ok(()));
        assert_eq!(content.as_slice(), b"s\0\0");
    }

    #[test]
    fn an_empty_write_past_the_end_does_not_extend() {
        let mut content = Content::default();
        assert_eq!(content.write_at(1 << 40, b""), Ok(()));
        assert_eq!(content.as_slice(), b"");
    }

    #[test]
    fn a_far_offset_is_too_big_and_changes_nothing() {
        let mut content = Content::default();
        assert_eq!(content.write_at(0, b"ab"), Ok(()));
        assert_eq!(content.write_at(1 << 40, b"x"), Err(Errno::Fbig));
        assert_eq!(content.write_at(u64::MAX, b"x"), Err(Errno::Fbig));
        assert_eq!(content.write_at(MAX_FILE_BYTES, b"x"), Err(Errno::Fbig));
        assert_eq!(content.set_len(MAX_FILE_BYTES + 1), Err(Errno::Fbig));
        assert_eq!(content.as_slice(), b"ab");
    }

    #[test]
    fn a_refused_allocation_is_no_space() {
        let mut content = Content::default();
        assert_eq!(content.reserve(usize::MAX), Err(Errno::Nospc));
        assert_eq!(content.as_slice(), b"");
    }

    #[test]
    fn cutting_a_large_file_gives_memory_back() {
        let mut content = Content::default();
        assert_eq!(content.set_len(1 << 20), Ok(()));
        assert_eq!(content.set_len(10), Ok(()));
        assert_eq!(content.bytes.capacity(), 10);
        assert_eq!(content.as_slice(), [0; 10]);
    }

    #[test]
    fn reading_stops_at_the_end() {
        let mut out = [b'-'; 4];
        assert_eq!(read_at(b"abc", 1, &mut out), 2);
        assert_eq!(&out, b"bc--");
        assert_eq!(read_at(b"abc", 3, &mut out), 0);
        assert_eq!(read_at(b"abc", u64::MAX, &mut out), 0);
    }
}
