//! Opening files: what may be asked for, and what each wish means for an existing or a missing name.
//!
//! Invariant: a descriptor that may write leads to a file that may change; everything else trusts this.

use std::ops::BitOr;

use super::content::Content;
use super::descriptor::{Descriptor, Target};
use super::path::{LastLink, Leaf, walk};
use super::tree::{Ino, Kind};
use super::{Access, DescriptorFlags, Errno, FileSystem};

/// The right bits of preview 1 by which wasi-libc says that it wants to read or to write.
const RIGHT_FD_READ: u64 = 1 << 1;
const RIGHT_FD_WRITE: u64 = 1 << 6;

/// What opening does besides opening, with the bits of preview 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OpenFlags(u16);

impl OpenFlags {
    /// Makes the file if it is missing.
    pub const CREATE: Self = Self(1);
    /// Fails unless it is a directory.
    pub const DIRECTORY: Self = Self(1 << 1);
    /// Together with [`Self::CREATE`], fails if it exists.
    pub const EXCLUSIVE: Self = Self(1 << 2);
    /// Cuts the file to no bytes.
    pub const TRUNCATE: Self = Self(1 << 3);
    const ALL: u16 = 0b1111;

    /// Returns the flags with these bits, or `EINVAL` for bits that preview 1 does not know.
    pub fn from_bits(bits: u32) -> Result<Self, Errno> {
        match u16::try_from(bits) {
            Ok(bits) if bits & !Self::ALL == 0 => Ok(Self(bits)),
            _ => Err(Errno::Inval),
        }
    }

    const fn has(self, flag: Self) -> bool {
        self.0 & flag.0 != 0
    }
}

impl BitOr for OpenFlags {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// How to open a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpenOptions {
    /// What the descriptor is for.
    pub access: Access,
    /// What opening does besides opening.
    pub flags: OpenFlags,
    /// The status flags of the descriptor.
    pub status: DescriptorFlags,
    /// Whether a symbolic link at the end is followed; if not, it is `ELOOP`.
    pub follow: bool,
}

impl OpenOptions {
    /// Returns options for reading what exists.
    pub fn read() -> Self {
        Self {
            access: Access::READ,
            flags: OpenFlags::default(),
            status: DescriptorFlags::default(),
            follow: true,
        }
    }

    /// Returns options for reading and writing an empty file, made if it is missing.
    pub fn create() -> Self {
        Self {
            access: Access::BOTH,
            flags: OpenFlags::CREATE | OpenFlags::TRUNCATE,
            ..Self::read()
        }
    }

    /// Returns the options that the arguments of `path_open` stand for.
    pub fn from_wasi(lookup: u32, flags: u32, rights: u64, status: u32) -> Result<Self, Errno> {
        Ok(Self {
            access: Access {
                read: rights & RIGHT_FD_READ != 0,
                write: rights & RIGHT_FD_WRITE != 0,
            },
            flags: OpenFlags::from_bits(flags)?,
            status: DescriptorFlags::from_bits(status)?,
            follow: lookup & 1 != 0,
        })
    }
}

impl FileSystem {
    /// Opens `path`, relative to the directory `at`, and returns the new descriptor.
    ///
    /// Answers `EROFS` for creating, truncating or writing outside the writable directories, and `EMFILE` when all
    /// 1,024 descriptors are in use.
    pub fn open(
        &mut self,
        at: u32,
        path: &[u8],
        options: OpenOptions,
        now: u64,
    ) -> Result<u32, Errno> {
        let flags = options.flags;
        if flags.has(OpenFlags::CREATE) && flags.has(OpenFlags::DIRECTORY) {
            return Err(Errno::Inval);
        }
        let fd = self.descriptors.vacancy()?;
        let creates = flags.has(OpenFlags::CREATE);
        let exclusive = creates && flags.has(OpenFlags::EXCLUSIVE);
        // A path that ends with a slash never makes a file, whatever a link there leads to.
        let last_link = if exclusive || (creates && path.ends_with(b"/")) {
            LastLink::Keep
        } else if options.follow {
            LastLink::Follow
        } else {
            LastLink::FollowBeforeSlash
        };
        let place = walk(&self.tree, self.base(at)?, path, last_link)?;
        if creates && place.slash && matches!(place.leaf, Leaf::Name(_)) {
            return Err(Errno::Isdir);
        }
        let (ino, is_new) = match (place.node, place.leaf) {
            (Some(_), _) if exclusive => return Err(Errno::Exist),
            (Some(ino), _) => {
                self.check_existing(ino, options, place.slash)?;
                (ino, false)
            }
            (None, Leaf::Name(name)) if creates => {
                self.tree.check_writable(place.directory)?;
                let kind = Kind::File(Content::default());
                (self.tree.create(place.directory, &name, kind, now)?, true)
            }
            (None, _) => return Err(Errno::Noent),
        };
        let descriptor = Descriptor::new(Target::Node(ino), options.access, options.status);
        self.tree.hold(ino)?;
        self.descriptors.put(fd, descriptor)?;
        if flags.has(OpenFlags::TRUNCATE) && !is_new {
            self.truncate(ino, now)?;
        }
        Ok(fd)
    }

    /// Answers why an existing node cannot be opened in this way, in Linux's order.
    fn check_existing(&self, ino: Ino, options: OpenOptions, slash: bool) -> Result<(), Errno> {
        let flags = options.flags;
        let node = self.tree.node(ino)?;
        let changes = options.access.write || flags.has(OpenFlags::TRUNCATE);
        match node.kind {
            Kind::Directory(_) if changes || flags.has(OpenFlags::CREATE) => Err(Errno::Isdir),
            Kind::Directory(_) => Ok(()),
            _ if slash || flags.has(OpenFlags::DIRECTORY) => Err(Errno::Notdir),
            Kind::Symlink(_) => Err(Errno::Loop),
            _ if changes => self.tree.check_writable(ino),
            _ => Ok(()),
        }
    }

    fn truncate(&mut self, ino: Ino, now: u64) -> Result<(), Errno> {
        let node = self.tree.node_mut(ino)?;
        if let Kind::File(content) = &mut node.kind {
            content.set_len(0)?;
            node.times.touch(now);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_flags(access: Access, flags: OpenFlags) -> OpenOptions {
        OpenOptions {
            access,
            flags,
            ..OpenOptions::read()
        }
    }

    fn sample() -> FileSystem {
        let mut files = FileSystem::new(0);
        assert_eq!(files.mount_static("/lib/code.zip", b"code", 0), Ok(()));
        assert_eq!(files.symlink(b"/lib/code.zip", 3, b"tmp/link", 0), Ok(()));
        assert_eq!(files.symlink(b"target", 3, b"tmp/dangling", 0), Ok(()));
        files
    }

    #[test]
    fn every_way_to_change_a_read_only_file_is_refused() {
        let mut files = sample();
        let truncate = with_flags(Access::READ, OpenFlags::TRUNCATE);
        for path in [&b"lib/code.zip"[..], b"tmp/link", b"tmp/../lib/./code.zip"] {
            for options in [
                truncate,
                OpenOptions::create(),
                with_flags(Access::WRITE, OpenFlags::default()),
                with_flags(Access::BOTH, OpenFlags::CREATE),
            ] {
                assert_eq!(files.open(3, path, options, 0), Err(Errno::Rofs));
            }
        }
        for path in [&b"new"[..], b"lib/new", b"dev/new", b"tmp/../new"] {
            assert_eq!(
                files.open(3, path, OpenOptions::create(), 0),
                Err(Errno::Rofs)
            );
        }
        assert_eq!(
            files
                .stat_path(3, b"lib/code.zip", true)
                .map(|stat| stat.size),
            Ok(4)
        );
    }

    #[test]
    fn creating_what_exists_read_only_opens_it_for_reading() {
        let mut files = sample();
        let create = with_flags(Access::READ, OpenFlags::CREATE);
        assert_eq!(files.open(3, b"lib/code.zip", create, 0), Ok(4));
    }

    #[test]
    fn an_exclusive_creation_does_not_follow_a_dangling_link() {
        let mut files = sample();
        let exclusive = with_flags(Access::BOTH, OpenFlags::CREATE | OpenFlags::EXCLUSIVE);
        assert_eq!(
            files.open(3, b"tmp/dangling", exclusive, 0),
            Err(Errno::Exist)
        );
        assert_eq!(files.open(3, b"tmp/target", exclusive, 0), Ok(4));
        assert_eq!(
            files.open(3, b"tmp/target", exclusive, 0),
            Err(Errno::Exist)
        );
    }

    #[test]
    fn a_creation_follows_a_dangling_link() {
        let mut files = sample();
        assert_eq!(
            files.open(3, b"tmp/dangling", OpenOptions::create(), 0),
            Ok(4)
        );
        assert_eq!(
            files
                .stat_path(3, b"tmp/target", false)
                .map(|stat| stat.links),
            Ok(1)
        );
    }

    #[test]
    fn a_link_that_must_not_be_followed_is_a_loop() {
        let mut files = sample();
        let stay = OpenOptions {
            follow: false,
            ..OpenOptions::read()
        };
        assert_eq!(files.open(3, b"tmp/link", stay, 0), Err(Errno::Loop));
        assert_eq!(files.open(3, b"lib/code.zip", stay, 0), Ok(4));
        let directory = OpenOptions {
            flags: OpenFlags::DIRECTORY,
            ..stay
        };
        assert_eq!(files.open(3, b"tmp/link", directory, 0), Err(Errno::Notdir));
    }

    #[test]
    fn directories_open_for_reading_only() {
        let mut files = sample();
        let directory = with_flags(Access::READ, OpenFlags::DIRECTORY);
        assert_eq!(files.open(3, b"tmp", directory, 0), Ok(4));
        assert_eq!(files.open(4, b"../lib", directory, 0), Ok(5));
        assert_eq!(files.open(5, b"code.zip", directory, 0), Err(Errno::Notdir));
        assert_eq!(
            files.open(3, b"tmp", OpenOptions::create(), 0),
            Err(Errno::Isdir)
        );
        let write = with_flags(Access::WRITE, OpenFlags::default());
        assert_eq!(files.open(3, b"lib", write, 0), Err(Errno::Isdir));
        assert_eq!(
            files.open(3, b"tmp/new/", OpenOptions::create(), 0),
            Err(Errno::Isdir)
        );
    }

    #[test]
    fn only_a_directory_is_a_base_for_paths() {
        let mut files = sample();
        assert_eq!(
            files.open(3, b"lib/code.zip", OpenOptions::read(), 0),
            Ok(4)
        );
        assert_eq!(
            files.open(4, b"x", OpenOptions::read(), 0),
            Err(Errno::Notdir)
        );
        assert_eq!(
            files.open(9, b"x", OpenOptions::read(), 0),
            Err(Errno::Badf)
        );
    }

    #[test]
    fn a_full_table_leaves_no_file_behind() {
        let mut files = sample();
        while files
            .open(3, b"lib/code.zip", OpenOptions::read(), 0)
            .is_ok()
        {}
        let before = files.tree.count();
        assert_eq!(
            files.open(3, b"tmp/new", OpenOptions::create(), 0),
            Err(Errno::Mfile)
        );
        assert_eq!(files.tree.count(), before);
        assert_eq!(files.stat_path(3, b"tmp/new", true), Err(Errno::Noent));
    }

    #[test]
    fn rights_say_whether_a_descriptor_reads_or_writes() {
        let options = OpenOptions::from_wasi(1, 0b1001, RIGHT_FD_WRITE, 1);
        let expected = OpenOptions {
            access: Access::WRITE,
            flags: OpenFlags::CREATE | OpenFlags::TRUNCATE,
            status: DescriptorFlags::APPEND,
            follow: true,
        };
        assert_eq!(options, Ok(expected));
        assert_eq!(OpenOptions::from_wasi(0, 16, 0, 0), Err(Errno::Inval));
    }
}
