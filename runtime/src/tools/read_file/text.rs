//! A text that a page is read from: a source of bytes, and where in it the text begins and ends.

use std::io::{self, Cursor, Read, Seek, SeekFrom};

/// Reads a part of a source. What is appended to a growing file meanwhile is not read.
#[derive(Debug)]
pub(super) struct Text<S> {
    source: S,
    begin: u64,
    end: u64,
    position: u64,
}

impl Text<Cursor<Vec<u8>>> {
    /// Makes a text of bytes in memory, from an offset on.
    pub(super) fn in_memory(bytes: Vec<u8>, begin: u64) -> Self {
        // A length in memory fits into 64 bits.
        let end = bytes.len() as u64;
        Self::new(Cursor::new(bytes), begin, end)
    }
}

impl<S: Read + Seek> Text<S> {
    /// Makes a text of the bytes from `begin` up to `end`. The first thing to be done with it is to seek.
    pub(super) fn new(source: S, begin: u64, end: u64) -> Self {
        let position = begin;
        Self {
            source,
            begin,
            end,
            position,
        }
    }

    /// Returns the offset of the first byte.
    pub(super) fn begin(&self) -> u64 {
        self.begin
    }

    /// Returns the offset of the next byte.
    pub(super) fn position(&self) -> u64 {
        self.position
    }

    /// Returns the number of bytes.
    pub(super) fn len(&self) -> u64 {
        self.end.saturating_sub(self.begin)
    }

    /// Returns the number of bytes from the current place to the end.
    pub(super) fn rest(&self) -> u64 {
        self.end.saturating_sub(self.position)
    }

    /// Goes to an offset of the source.
    pub(super) fn seek(&mut self, position: u64) -> io::Result<()> {
        self.position = self.source.seek(SeekFrom::Start(position))?;
        Ok(())
    }

    /// Reads some bytes; none means that the text is at its end.
    pub(super) fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let room = usize::try_from(self.rest()).unwrap_or(usize::MAX);
        let (buffer, _) = buffer.split_at_mut(buffer.len().min(room));
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            match self.source.read(buffer) {
                Ok(count) => {
                    self.position += count as u64;
                    return Ok(count);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}
