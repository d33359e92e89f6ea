//! Moving bytes through open descriptors, and the offsets where that happens.
//!
//! Whether a file may change was decided when it was opened: here only the descriptor is asked.

use super::content::{Content, len64, read_at};
use super::descriptor::{Descriptor, Target};
use super::tree::{Ino, Kind};
use super::{Errno, FileSystem, Stdio, Times};

/// What a new offset is counted from, with the numbers of preview 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whence {
    /// The beginning of the file.
    Start = 0,
    /// The offset of the descriptor.
    Current = 1,
    /// The end of the file.
    End = 2,
}

impl Whence {
    /// Returns the origin with this number of preview 1, or `EINVAL`.
    pub const fn from_wasi(number: u32) -> Result<Self, Errno> {
        match number {
            0 => Ok(Self::Start),
            1 => Ok(Self::Current),
            2 => Ok(Self::End),
            _ => Err(Errno::Inval),
        }
    }
}

impl FileSystem {
    /// Reads at the offset of the descriptor, moves it, and returns how many bytes were read; 0 is the end.
    pub fn read(&mut self, fd: u32, out: &mut [u8]) -> Result<usize, Errno> {
        let descriptor = *self.descriptors.get(fd)?;
        let count = self.read_through(&descriptor, descriptor.offset, out)?;
        self.move_to(fd, descriptor.offset, count)?;
        Ok(count)
    }

    /// Reads at `offset` and leaves the offset of the descriptor alone.
    pub fn pread(&self, fd: u32, out: &mut [u8], offset: u64) -> Result<usize, Errno> {
        let descriptor = self.descriptors.get(fd)?;
        match descriptor.target {
            Target::Node(_) => self.read_through(descriptor, offset, out),
            Target::Input | Target::Output(_) => Err(Errno::Spipe),
        }
    }

    /// Writes all of `data` at the offset of the descriptor, or at the end if it appends, and moves the offset.
    ///
    /// Answers `ENOSPC` when the sandbox has no memory for the data, and `EFBIG` past 2^31-1 bytes; then nothing is
    /// written.
    pub fn write(
        &mut self,
        fd: u32,
        data: &[u8],
        now: u64,
        stdio: &mut dyn Stdio,
    ) -> Result<usize, Errno> {
        let descriptor = *self.descriptors.get(fd)?;
        if !descriptor.access.write {
            return Err(Errno::Badf);
        }
        match descriptor.target {
            Target::Input => Err(Errno::Badf),
            Target::Output(stream) => {
                stdio.write(stream, data);
                Ok(data.len())
            }
            Target::Node(ino) => {
                let offset = if descriptor.flags.append() {
                    self.size(ino)?
                } else {
                    descriptor.offset
                };
                self.write_node(ino, offset, data, now)?;
                self.move_to(fd, offset, data.len())?;
                Ok(data.len())
            }
        }
    }

    /// Writes all of `data` at `offset`, whether or not the descriptor appends, and leaves its offset alone.
    pub fn pwrite(&mut self, fd: u32, data: &[u8], offset: u64, now: u64) -> Result<usize, Errno> {
        let descriptor = self.descriptors.get(fd)?;
        let ino = match descriptor.target {
            Target::Node(ino) if descriptor.access.write => ino,
            Target::Node(_) => return Err(Errno::Badf),
            Target::Input | Target::Output(_) => return Err(Errno::Spipe),
        };
        self.write_node(ino, offset, data, now)?;
        Ok(data.len())
    }

    /// Moves the offset of the descriptor and returns the new one, which may lie past the end.
    pub fn seek(&mut self, fd: u32, by: i64, whence: Whence) -> Result<u64, Errno> {
        let descriptor = *self.descriptors.get(fd)?;
        let Target::Node(ino) = descriptor.target else {
            return Err(Errno::Spipe);
        };
        let origin = match self.tree.node(ino)?.kind {
            Kind::Directory(_) => return Err(Errno::Badf),
            Kind::Null => return Ok(0),
            _ => match whence {
                Whence::Start => 0,
                Whence::Current => descriptor.offset,
                Whence::End => self.size(ino)?,
            },
        };
        let origin = i64::try_from(origin).map_err(|_| Errno::Overflow)?;
        let offset = origin.checked_add(by).ok_or(Errno::Overflow)?;
        let offset = u64::try_from(offset).map_err(|_| Errno::Inval)?;
        self.descriptors.get_mut(fd)?.offset = offset;
        Ok(offset)
    }

    /// Cuts the file to `size` bytes or extends it with zeros. Answers `EINVAL` unless the descriptor writes to a file.
    pub fn set_size(&mut self, fd: u32, size: u64, now: u64) -> Result<(), Errno> {
        let (content, times) = self.written_content(fd, Errno::Inval)?;
        content.set_len(size)?;
        times.touch(now);
        Ok(())
    }

    /// Extends the file with zeros so that the range lies within it. Answers `EINVAL` for an empty range, and `ENODEV`
    /// for what is not a file.
    pub fn allocate(&mut self, fd: u32, offset: u64, len: u64, now: u64) -> Result<(), Errno> {
        if !self.descriptors.get(fd)?.access.write {
            return Err(Errno::Badf);
        }
        if len == 0 {
            return Err(Errno::Inval);
        }
        let end = offset.checked_add(len).ok_or(Errno::Fbig)?;
        let (content, times) = self.written_content(fd, Errno::Nodev)?;
        if end > len64(content.as_slice().len()) {
            content.set_len(end)?;
            times.touch(now);
        }
        Ok(())
    }

    fn read_through(
        &self,
        descriptor: &Descriptor,
        offset: u64,
        out: &mut [u8],
    ) -> Result<usize, Errno> {
        if !descriptor.access.read {
            return Err(Errno::Badf);
        }
        let Target::Node(ino) = descriptor.target else {
            return Ok(0);
        };
        match &self.tree.node(ino)?.kind {
            Kind::File(content) => Ok(read_at(content.as_slice(), offset, out)),
            Kind::Static(bytes) => Ok(read_at(bytes, offset, out)),
            Kind::Null => Ok(0),
            Kind::Directory(_) => Err(Errno::Isdir),
            Kind::Symlink(_) => Err(Errno::Badf),
        }
    }

    fn write_node(&mut self, ino: Ino, offset: u64, data: &[u8], now: u64) -> Result<(), Errno> {
        let node = self.tree.node_mut(ino)?;
        match &mut node.kind {
            Kind::File(content) => content.write_at(offset, data)?,
            Kind::Null => return Ok(()),
            Kind::Directory(_) | Kind::Static(_) | Kind::Symlink(_) => return Err(Errno::Badf),
        }
        if !data.is_empty() {
            node.times.touch(now);
        }
        Ok(())
    }

    /// Returns the content that a descriptor may change, with its times, or `otherwise` if there is none.
    fn written_content(
        &mut self,
        fd: u32,
        otherwise: Errno,
    ) -> Result<(&mut Content, &mut Times), Errno> {
        let descriptor = self.descriptors.get(fd)?;
        let Target::Node(ino) = descriptor.target else {
            return Err(otherwise);
        };
        if !descriptor.access.write {
            return Err(otherwise);
        }
        let node = self.tree.node_mut(ino)?;
        match &mut node.kind {
            Kind::File(content) => Ok((content, &mut node.times)),
            _ => Err(otherwise),
        }
    }

    fn size(&self, ino: Ino) -> Result<u64, Errno> {
        Ok(match &self.tree.node(ino)?.kind {
            Kind::File(content) => len64(content.as_slice().len()),
            Kind::Static(bytes) => len64(bytes.len()),
            _ => 0,
        })
    }

    fn move_to(&mut self, fd: u32, offset: u64, count: usize) -> Result<(), Errno> {
        self.descriptors.get_mut(fd)?.offset = offset.saturating_add(len64(count));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use super::super::{Access, DescriptorFlags, OpenOptions};
    use super::*;

    #[derive(Default)]
    struct Recorder(Vec<(u32, Vec<u8>)>);

    impl Stdio for Recorder {
        fn write(&mut self, fd: u32, bytes: &[u8]) {
            self.0.push((fd, bytes.to_vec()));
        }
    }

    fn with_file(access: Access) -> (FileSystem, u32) {
        let mut files = FileSystem::new(0);
        let options = OpenOptions {
            access,
            ..OpenOptions::create()
        };
        let fd = files.open(3, b"scratch/f", options, 0).unwrap();
        (files, fd)
    }

    fn write(files: &mut FileSystem, fd: u32, data: &[u8]) -> Result<usize, Errno> {
        files.write(fd, data, 1, &mut Recorder::default())
    }

    fn content(files: &FileSystem, fd: u32) -> Vec<u8> {
        let mut out = vec![0; 64];
        let count = files.pread(fd, &mut out, 0).unwrap();
        out.truncate(count);
        out
    }

    #[test]
    fn reads_and_writes_share_one_offset() {
        let (mut files, fd) = with_file(Access::BOTH);
        assert_eq!(write(&mut files, fd, b"hello"), Ok(5));
        let mut out = [0; 3];
        assert_eq!(files.read(fd, &mut out), Ok(0));
        assert_eq!(files.seek(fd, 1, Whence::Start), Ok(1));
        assert_eq!(files.read(fd, &mut out), Ok(3));
        assert_eq!(&out, b"ell");
        assert_eq!(write(&mut files, fd, b"!!"), Ok(2));
        assert_eq!(content(&files, fd), b"hell!!");
    }

    #[test]
    fn positioned_calls_leave_the_offset_alone() {
        let (mut files, fd) = with_file(Access::BOTH);
        assert_eq!(files.pwrite(fd, b"page", 4, 1), Ok(4));
        assert_eq!(files.seek(fd, 0, Whence::Current), Ok(0));
        assert_eq!(content(&files, fd), b"\0\0\0\0page");
        let mut out = [0; 8];
        assert_eq!(files.pread(fd, &mut out, 6), Ok(2));
        assert_eq!(&out, b"ge\0\0\0\0\0\0");
    }

    #[test]
    fn an_appending_descriptor_always_writes_to_the_end() {
        let (mut files, fd) = with_file(Access::BOTH);
        assert_eq!(write(&mut files, fd, b"abc"), Ok(3));
        assert_eq!(files.seek(fd, 0, Whence::Start), Ok(0));
        assert_eq!(files.set_flags(fd, DescriptorFlags::APPEND), Ok(()));
        assert_eq!(write(&mut files, fd, b"d"), Ok(1));
        assert_eq!(files.seek(fd, 0, Whence::Current), Ok(4));
        assert_eq!(content(&files, fd), b"abcd");
    }

    #[test]
    fn output_goes_to_the_two_streams_and_input_is_at_its_end() {
        let mut files = FileSystem::new(0);
        let mut recorder = Recorder::default();
        assert_eq!(files.write(1, b"out", 0, &mut recorder), Ok(3));
        assert_eq!(files.write(2, b"err", 0, &mut recorder), Ok(3));
        assert_eq!(files.write(0, b"in", 0, &mut recorder), Err(Errno::Badf));
        assert_eq!(recorder.0, [(1, b"out".to_vec()), (2, b"err".to_vec())]);
        assert_eq!(files.read(0, &mut [0; 4]), Ok(0));
        assert_eq!(files.read(1, &mut [0; 4]), Err(Errno::Badf));
        assert_eq!(files.seek(1, 0, Whence::Current), Err(Errno::Spipe));
        assert_eq!(files.pwrite(1, b"x", 0, 0), Err(Errno::Spipe));
        assert_eq!(files.pread(0, &mut [0; 4], 0), Err(Errno::Spipe));
    }

    #[test]
    fn a_descriptor_does_only_what_it_was_opened_for() {
        let (mut files, fd) = with_file(Access::WRITE);
        assert_eq!(files.read(fd, &mut [0; 4]), Err(Errno::Badf));
        let reader = files.open(3, b"scratch/f", OpenOptions::read(), 0).unwrap();
        assert_eq!(write(&mut files, reader, b"x"), Err(Errno::Badf));
        assert_eq!(files.pwrite(reader, b"x", 0, 1), Err(Errno::Badf));
        assert_eq!(files.set_size(reader, 0, 1), Err(Errno::Inval));
        assert_eq!(files.allocate(reader, 0, 9, 1), Err(Errno::Badf));
        assert_eq!(files.read(3, &mut [0; 4]), Err(Errno::Isdir));
        assert_eq!(write(&mut files, 3, b"x"), Err(Errno::Badf));
        assert_eq!(files.set_size(3, 0, 1), Err(Errno::Inval));
        assert_eq!(files.read(77, &mut [0; 4]), Err(Errno::Badf));
    }

    #[test]
    fn a_sparse_terabyte_is_refused_and_leaves_the_file_alone() {
        let (mut files, fd) = with_file(Access::BOTH);
        assert_eq!(files.seek(fd, 1 << 40, Whence::Start), Ok(1 << 40));
        assert_eq!(write(&mut files, fd, b"x"), Err(Errno::Fbig));
        assert_eq!(files.pwrite(fd, b"x", u64::MAX, 1), Err(Errno::Fbig));
        assert_eq!(files.set_size(fd, 1 << 40, 1), Err(Errno::Fbig));
        assert_eq!(files.allocate(fd, 0, 1 << 40, 1), Err(Errno::Fbig));
        assert_eq!(files.allocate(fd, u64::MAX, u64::MAX, 1), Err(Errno::Fbig));
        assert_eq!(files.stat(fd).unwrap().size, 0);
    }

    #[test]
    fn an_offset_never_becomes_negative_or_overflows() {
        let (mut files, fd) = with_file(Access::BOTH);
        assert_eq!(write(&mut files, fd, b"abc"), Ok(3));
        assert_eq!(files.seek(fd, -1, Whence::Start), Err(Errno::Inval));
        assert_eq!(files.seek(fd, -4, Whence::End), Err(Errno::Inval));
        assert_eq!(files.seek(fd, -1, Whence::End), Ok(2));
        assert_eq!(
            files.seek(fd, i64::MAX, Whence::Current),
            Err(Errno::Overflow)
        );
        assert_eq!(
            files.seek(fd, i64::MAX, Whence::Start),
            Ok(i64::MAX.unsigned_abs())
        );
        assert_eq!(files.read(fd, &mut [0; 4]), Ok(0));
        assert_eq!(Whence::from_wasi(2), Ok(Whence::End));
        assert_eq!(Whence::from_wasi(3), Err(Errno::Inval));
    }

    #[test]
    fn an_unlinked_file_is_read_and_written_until_it_is_closed() {
        let (mut files, fd) = with_file(Access::BOTH);
        assert_eq!(files.unlink(3, b"scratch/f", 0), Ok(()));
        assert_eq!(write(&mut files, fd, b"still here"), Ok(10));
        assert_eq!(content(&files, fd), b"still here");
        assert_eq!(files.stat(fd).unwrap().links, 0);
        assert_eq!(files.close(fd), Ok(()));
        assert_eq!(files.read(fd, &mut [0; 4]), Err(Errno::Badf));
    }

    #[test]
    fn the_null_device_swallows_everything_and_reads_nothing() {
        let mut files = FileSystem::new(0);
        let fd = files
            .open(3, b"dev/null", OpenOptions::create(), 0)
            .unwrap();
        assert_eq!(write(&mut files, fd, b"gone"), Ok(4));
        assert_eq!(files.seek(fd, 2, Whence::End), Ok(0));
        assert_eq!(files.read(fd, &mut [0; 4]), Ok(0));
        assert_eq!(files.pwrite(fd, b"gone", 1 << 50, 0), Ok(4));
        assert_eq!(files.set_size(fd, 4, 0), Err(Errno::Inval));
        assert_eq!(files.allocate(fd, 0, 4, 0), Err(Errno::Nodev));
    }

    #[test]
    fn allocating_extends_and_never_cuts() {
        let (mut files, fd) = with_file(Access::BOTH);
        assert_eq!(write(&mut files, fd, b"abcdef"), Ok(6));
        assert_eq!(files.allocate(fd, 0, 2, 1), Ok(()));
        assert_eq!(content(&files, fd), b"abcdef");
        assert_eq!(files.allocate(fd, 6, 2, 1), Ok(()));
        assert_eq!(content(&files, fd), b"abcdef\0\0");
        assert_eq!(files.allocate(fd, 6, 0, 1), Err(Errno::Inval));
    }

    #[test]
    fn writing_data_sets_the_time_of_modification() {
        let (mut files, fd) = with_file(Access::BOTH);
        assert_eq!(files.write(fd, b"", 5, &mut Recorder::default()), Ok(0));
        assert_eq!(files.stat(fd).unwrap().times.modified, 0);
        assert_eq!(files.write(fd, b"x", 6, &mut Recorder::default()), Ok(1));
        assert_eq!(files.stat(fd).unwrap().times.modified, 6);
        assert_eq!(files.set_size(fd, 0, 7), Ok(()));
        assert_eq!(files.stat(fd).unwrap().times.modified, 7);
    }

    #[test]
    fn a_static_file_reads_from_any_offset() {
        let mut files = FileSystem::new(0);
        files.mount_static("/lib/a.zip", b"zip data", 0).unwrap();
        let fd = files.open(3, b"lib/a.zip", OpenOptions::read(), 0).unwrap();
        assert_eq!(files.seek(fd, -4, Whence::End), Ok(4));
        let mut out = [0; 8];
        assert_eq!(files.read(fd, &mut out), Ok(4));
        assert_eq!(&out[..4], b"data");
    }
}
