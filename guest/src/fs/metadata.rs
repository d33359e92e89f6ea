//! What is known about a file beside its data: kind, size, times, and how a descriptor was opened.
//!
//! It also owns the byte layout in which preview 1 wants to have this. Reading never changes the time of access.

use super::content::len64;
use super::descriptor::Target;
use super::path::{LastLink, lookup};
use super::tree::{Ino, Kind, Node};
use super::{Access, DescriptorFlags, Errno, FileSystem};

/// The device number of every file here.
const DEVICE: u64 = 1;
/// Every right of preview 1, and those that reading and writing need.
const RIGHTS: u64 = (1 << 30) - 1;
const READ_RIGHTS: u64 = 1 << 1 | 1 << 14;
const WRITE_RIGHTS: u64 = 1 << 6 | 1 << 8 | 1 << 22;

/// The kind of a file, with the numbers of preview 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum FileType {
    /// A standard stream or `/dev/null`.
    CharacterDevice = 2,
    /// A directory.
    Directory = 3,
    /// A file with data.
    RegularFile = 4,
    /// A symbolic link.
    SymbolicLink = 7,
}

impl FileType {
    /// Returns the number that crosses the C boundary.
    pub const fn code(self) -> u8 {
        self as u8
    }
}

/// The times of a file in nanoseconds since 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Times {
    /// When it was made, or what a script has set.
    pub accessed: u64,
    /// When its data, or its entries, last changed.
    pub modified: u64,
    /// When anything about it last changed.
    pub changed: u64,
}

impl Times {
    pub(super) const fn all(now: u64) -> Self {
        Self {
            accessed: now,
            modified: now,
            changed: now,
        }
    }

    /// Records that the data changed.
    pub(super) const fn touch(&mut self, now: u64) {
        self.modified = now;
        self.changed = now;
    }
}

/// New times for a file in nanoseconds since 1970; what is `None` stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TimeUpdate {
    /// The new time of access.
    pub accessed: Option<u64>,
    /// The new time of modification.
    pub modified: Option<u64>,
}

impl TimeUpdate {
    /// Returns the update that the arguments of `fd_filestat_set_times` stand for, or `EINVAL` for flags that
    /// contradict each other.
    pub fn from_wasi(accessed: u64, modified: u64, flags: u32, now: u64) -> Result<Self, Errno> {
        let choose = |given: u64, flags: u32| match flags & 0b11 {
            0 => Ok(None),
            0b01 => Ok(Some(given)),
            0b10 => Ok(Some(now)),
            _ => Err(Errno::Inval),
        };
        if flags > 0b1111 {
            return Err(Errno::Inval);
        }
        Ok(Self {
            accessed: choose(accessed, flags)?,
            modified: choose(modified, flags >> 2)?,
        })
    }
}

/// What is known about a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stat {
    /// The number of the inode; 0 for a standard stream.
    pub ino: u64,
    /// The kind of the file.
    pub file_type: FileType,
    /// How many names it has; always 1 for a directory that has one.
    pub links: u64,
    /// Its size in bytes.
    pub size: u64,
    /// Its times.
    pub times: Times,
}

impl Stat {
    /// Returns the layout of `filestat`.
    pub fn to_wasi(&self) -> [u8; 64] {
        let words = [
            DEVICE,
            self.ino,
            u64::from(self.file_type.code()),
            self.links,
            self.size,
            self.times.accessed,
            self.times.modified,
            self.times.changed,
        ];
        let mut out = [0; 64];
        for (to, word) in out.chunks_exact_mut(8).zip(words) {
            to.copy_from_slice(&word.to_le_bytes());
        }
        out
    }

    const fn of_stream() -> Self {
        Self {
            ino: 0,
            file_type: FileType::CharacterDevice,
            links: 1,
            size: 0,
            times: Times::all(0),
        }
    }

    fn of_node(ino: Ino, node: &Node) -> Self {
        let size = match &node.kind {
            Kind::File(content) => len64(content.as_slice().len()),
            Kind::Static(bytes) => len64(bytes.len()),
            Kind::Symlink(target) => len64(target.len()),
            Kind::Directory(_) | Kind::Null => 0,
        };
        Self {
            ino: ino.get(),
            file_type: node.kind.file_type(),
            links: u64::from(node.links),
            size,
            times: node.times,
        }
    }
}

/// How a descriptor was opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DescriptorStatus {
    /// The kind of the file behind it.
    pub file_type: FileType,
    /// Its status flags.
    pub flags: DescriptorFlags,
    /// What it is for.
    pub access: Access,
}

impl DescriptorStatus {
    /// Returns the layout of `fdstat`. The rights to seek are always among the rights, also for a standard stream:
    /// wasi-libc takes a character device without them for a terminal.
    pub fn to_wasi(&self) -> [u8; 24] {
        let mut rights = RIGHTS;
        if !self.access.read {
            rights &= !READ_RIGHTS;
        }
        if !self.access.write {
            rights &= !WRITE_RIGHTS;
        }
        let first = u64::from(self.file_type.code()) | u64::from(self.flags.bits()) << 16;
        let mut out = [0; 24];
        for (to, word) in out.chunks_exact_mut(8).zip([first, rights, RIGHTS]) {
            to.copy_from_slice(&word.to_le_bytes());
        }
        out
    }
}

impl FileSystem {
    /// Returns what is known about the file behind a descriptor.
    pub fn stat(&self, fd: u32) -> Result<Stat, Errno> {
        match self.descriptors.get(fd)?.target {
            Target::Node(ino) => Ok(Stat::of_node(ino, self.tree.node(ino)?)),
            Target::Input | Target::Output(_) => Ok(Stat::of_stream()),
        }
    }

    /// Returns what is known about the file at `path`, relative to the directory `at`.
    pub fn stat_path(&self, at: u32, path: &[u8], follow: bool) -> Result<Stat, Errno> {
        let ino = self.lookup(at, path, follow)?;
        Ok(Stat::of_node(ino, self.tree.node(ino)?))
    }

    /// Returns how a descriptor was opened.
    pub fn status(&self, fd: u32) -> Result<DescriptorStatus, Errno> {
        let descriptor = self.descriptors.get(fd)?;
        let file_type = match self.node_behind(fd)? {
            Some(node) => node.kind.file_type(),
            None => FileType::CharacterDevice,
        };
        Ok(DescriptorStatus {
            file_type,
            flags: descriptor.flags,
            access: descriptor.access,
        })
    }

    /// Sets the times of the file behind a descriptor. A standard stream has none, and this succeeds.
    pub fn set_times(&mut self, fd: u32, update: TimeUpdate, now: u64) -> Result<(), Errno> {
        match self.descriptors.get(fd)?.target {
            Target::Node(ino) => self.update_times(ino, update, now),
            Target::Input | Target::Output(_) => Ok(()),
        }
    }

    /// Sets the times of the file at `path`, relative to the directory `at`.
    pub fn set_path_times(
        &mut self,
        at: u32,
        path: &[u8],
        follow: bool,
        update: TimeUpdate,
        now: u64,
    ) -> Result<(), Errno> {
        let ino = self.lookup(at, path, follow)?;
        self.update_times(ino, update, now)
    }

    pub(super) fn lookup(&self, at: u32, path: &[u8], follow: bool) -> Result<Ino, Errno> {
        let last_link = if follow {
            LastLink::Follow
        } else {
            LastLink::FollowBeforeSlash
        };
        lookup(&self.tree, self.base(at)?, path, last_link)
    }

    fn update_times(&mut self, ino: Ino, update: TimeUpdate, now: u64) -> Result<(), Errno> {
        self.tree.check_writable(ino)?;
        let times = &mut self.tree.node_mut(ino)?.times;
        times.accessed = update.accessed.unwrap_or(times.accessed);
        times.modified = update.modified.unwrap_or(times.modified);
        times.changed = now;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use super::super::OpenOptions;
    use super::*;

    #[test]
    fn a_stat_has_the_layout_of_preview_1() {
        let stat = Stat {
            ino: 0x0102,
            file_type: FileType::RegularFile,
            links: 3,
            size: 0x0405,
            times: Times {
                accessed: 6,
                modified: 7,
                changed: 8,
            },
        };
        let mut expected = [0; 64];
        for (index, byte) in [
            (0, 1),
            (8, 2),
            (9, 1),
            (16, 4),
            (24, 3),
            (32, 5),
            (33, 4),
            (40, 6),
            (48, 7),
            (56, 8),
        ] {
            expected[index] = byte;
        }
        assert_eq!(stat.to_wasi(), expected);
    }

    #[test]
    fn a_descriptor_status_tells_how_it_was_opened() {
        let mut files = FileSystem::new(0);
        let options = OpenOptions {
            access: Access::WRITE,
            status: DescriptorFlags::APPEND,
            ..OpenOptions::create()
        };
        let fd = files.open(3, b"tmp/f", options, 0).unwrap();
        let status = files.status(fd).unwrap();
        let mut expected = [0; 24];
        expected[0] = 4;
        expected[2] = 1;
        expected[8..16].copy_from_slice(&(RIGHTS & !READ_RIGHTS).to_le_bytes());
        expected[16..].copy_from_slice(&RIGHTS.to_le_bytes());
        assert_eq!(status.to_wasi(), expected);
    }

    #[test]
    fn the_standard_streams_are_devices_but_not_terminals() {
        let files = FileSystem::new(0);
        for (fd, access) in [(0, Access::READ), (1, Access::WRITE), (2, Access::WRITE)] {
            let status = files.status(fd).unwrap();
            assert_eq!(
                (status.file_type, status.access),
                (FileType::CharacterDevice, access)
            );
            // Bits 2 and 5 are the rights to seek and to tell.
            assert_eq!(status.to_wasi()[8] & 0b10_0100, 0b10_0100);
            assert_eq!(files.stat(fd), Ok(Stat::of_stream()));
        }
        assert_eq!(files.stat(4), Err(Errno::Badf));
    }

    #[test]
    fn times_change_in_writable_places_only() {
        let mut files = FileSystem::new(5);
        files.mount_static("/lib/code.zip", b"code", 5).unwrap();
        files.open(3, b"tmp/f", OpenOptions::create(), 5).unwrap();
        let lib = files
            .open(3, b"lib/code.zip", OpenOptions::read(), 5)
            .unwrap();
        let update = TimeUpdate {
            accessed: None,
            modified: Some(77),
        };
        assert_eq!(files.set_path_times(3, b"tmp/f", true, update, 9), Ok(()));
        let times = files.stat_path(3, b"tmp/f", true).unwrap().times;
        assert_eq!((times.accessed, times.modified, times.changed), (5, 77, 9));
        assert_eq!(
            files.set_path_times(3, b"lib/code.zip", true, update, 9),
            Err(Errno::Rofs)
        );
        assert_eq!(
            files.set_path_times(3, b"", true, update, 9),
            Err(Errno::Noent)
        );
        assert_eq!(files.set_times(lib, update, 9), Err(Errno::Rofs));
        assert_eq!(files.set_times(3, update, 9), Err(Errno::Rofs));
        assert_eq!(files.stat(lib).unwrap().times, Times::all(5));
    }

    #[test]
    fn time_flags_choose_between_given_now_and_unchanged() {
        let update = |accessed, modified| Ok(TimeUpdate { accessed, modified });
        assert_eq!(
            TimeUpdate::from_wasi(1, 2, 0b0101, 9),
            update(Some(1), Some(2))
        );
        assert_eq!(
            TimeUpdate::from_wasi(1, 2, 0b1010, 9),
            update(Some(9), Some(9))
        );
        assert_eq!(
            TimeUpdate::from_wasi(1, 2, 0b1000, 9),
            update(None, Some(9))
        );
        assert_eq!(TimeUpdate::from_wasi(1, 2, 0b0011, 9), Err(Errno::Inval));
        assert_eq!(TimeUpdate::from_wasi(1, 2, 0b1100, 9), Err(Errno::Inval));
        assert_eq!(TimeUpdate::from_wasi(1, 2, 16, 9), Err(Errno::Inval));
    }

    #[test]
    fn a_link_is_described_itself_when_it_is_not_followed() {
        let mut files = FileSystem::new(0);
        files.symlink(b"/lib", 3, b"tmp/link", 0).unwrap();
        let link = files.stat_path(3, b"tmp/link", false).unwrap();
        assert_eq!((link.file_type, link.size), (FileType::SymbolicLink, 4));
        let target = files.stat_path(3, b"tmp/link", true).unwrap();
        assert_eq!(target, files.stat_path(3, b"lib", true).unwrap());
    }
}
