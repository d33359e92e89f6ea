//! The file system as one value: the tree and the descriptors into it.
//!
//! This file owns how it begins, what the module mounts, and the life of a descriptor after it was opened. The other
//! operations are in `open`, `transfer`, `listing`, `metadata` and `names`. Every time is in nanoseconds since 1970.

use super::Errno;
use super::descriptor::{DescriptorFlags, DescriptorTable, ROOT_FD, Target};
use super::directory::Directory;
use super::tree::{Ino, Kind, Node, Tree};

/// An in-memory file system with the semantics of POSIX and the error numbers of WASI preview 1.
#[derive(Debug)]
pub struct FileSystem {
    pub(super) tree: Tree,
    pub(super) descriptors: DescriptorTable,
}

impl FileSystem {
    /// Returns a file system with `/dev/null`, an empty `/lib`, and `/tmp` and `/scratch`, which alone are writable.
    pub fn new(now: u64) -> Self {
        Self {
            tree: Tree::new(now),
            descriptors: DescriptorTable::new(),
        }
    }

    /// Adds a read-only file at an absolute path, with the directories above it.
    ///
    /// Answers `EEXIST` when the name is taken, and `EINVAL` for a path that is not absolute or has `.`, `..` or empty
    /// names. Symbolic links are not followed.
    pub fn mount_static(
        &mut self,
        path: &str,
        bytes: &'static [u8],
        now: u64,
    ) -> Result<(), Errno> {
        let mut directory = Ino::ROOT;
        let mut names = path
            .strip_prefix('/')
            .ok_or(Errno::Inval)?
            .split('/')
            .peekable();
        while let Some(name) = names.next() {
            if matches!(name, "" | "." | "..") {
                return Err(Errno::Inval);
            }
            let existing = self.tree.directory(directory)?.get(name);
            directory = match (existing, names.peek()) {
                (Some(_), None) => return Err(Errno::Exist),
                (None, None) => self.create_read_only(directory, name, Kind::Static(bytes), now)?,
                (Some(ino), Some(_)) => ino,
                (None, Some(_)) => {
                    let kind = Kind::Directory(Directory::new(directory));
                    self.create_read_only(directory, name, kind, now)?
                }
            };
        }
        Ok(())
    }

    /// Closes a descriptor. Closing one of the first four succeeds and leaves it open.
    pub fn close(&mut self, fd: u32) -> Result<(), Errno> {
        let target = self.descriptors.close(fd)?;
        self.release(target);
        Ok(())
    }

    /// Moves a descriptor to the number of another open one, which is closed. With one of the first four on either
    /// side it succeeds and changes nothing.
    pub fn renumber(&mut self, from: u32, to: u32) -> Result<(), Errno> {
        let target = self.descriptors.renumber(from, to)?;
        self.release(target);
        Ok(())
    }

    /// Replaces the status flags of a descriptor.
    pub fn set_flags(&mut self, fd: u32, flags: DescriptorFlags) -> Result<(), Errno> {
        self.descriptors.get_mut(fd)?.flags = flags;
        Ok(())
    }

    /// Answers `EBADF` unless the descriptor is open. Everything written is in place at once, so that this is also
    /// all there is to `fsync` and `fdatasync`.
    pub fn check_open(&self, fd: u32) -> Result<(), Errno> {
        self.descriptors.get(fd).map(|_| ())
    }

    /// Returns the path of a preopened directory, which is `/` and only there for descriptor 3.
    pub fn preopened(&self, fd: u32) -> Result<&'static str, Errno> {
        if fd == ROOT_FD {
            Ok("/")
        } else {
            Err(Errno::Badf)
        }
    }

    /// Returns the directory that paths relative to `fd` start from.
    pub(super) fn base(&self, fd: u32) -> Result<Ino, Errno> {
        match self.descriptors.get(fd)?.target {
            Target::Node(ino) if self.tree.is_directory(ino) => Ok(ino),
            _ => Err(Errno::Notdir),
        }
    }

    /// Returns the node behind a descriptor, or `None` for a standard stream.
    pub(super) fn node_behind(&self, fd: u32) -> Result<Option<&Node>, Errno> {
        match self.descriptors.get(fd)?.target {
            Target::Node(ino) => self.tree.node(ino).map(Some),
            Target::Input | Target::Output(_) => Ok(None),
        }
    }

    fn create_read_only(
        &mut self,
        parent: Ino,
        name: &str,
        kind: Kind,
        now: u64,
    ) -> Result<Ino, Errno> {
        let ino = self.tree.create(parent, name, kind, now)?;
        self.tree.node_mut(ino)?.writable = false;
        Ok(ino)
    }

    fn release(&mut self, target: Option<Target>) {
        if let Some(Target::Node(ino)) = target {
            self.tree.release(ino);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::OpenOptions;
    use super::*;

    #[test]
    fn a_static_file_is_found_with_read_only_directories_above_it() {
        let mut files = FileSystem::new(0);
        assert_eq!(files.mount_static("/lib/a/b.zip", b"zip", 0), Ok(()));
        assert_eq!(files.mount_static("/lib/a/c.zip", b"zip", 0), Ok(()));
        assert_eq!(
            files
                .stat_path(3, b"lib/a/b.zip", true)
                .map(|stat| stat.size),
            Ok(3)
        );
        assert_eq!(files.make_directory(3, b"lib/a/new", 0), Err(Errno::Rofs));
    }

    #[test]
    fn a_mount_needs_a_plain_absolute_path_that_is_free() {
        let mut files = FileSystem::new(0);
        for path in ["lib/x", "/", "", "/lib//x", "/lib/../x", "/lib/x/"] {
            assert_eq!(
                files.mount_static(path, b"", 0),
                Err(Errno::Inval),
                "{path}"
            );
        }
        assert_eq!(files.mount_static("/tmp", b"", 0), Err(Errno::Exist));
        assert_eq!(
            files.mount_static("/dev/null/x", b"", 0),
            Err(Errno::Notdir)
        );
    }

    #[test]
    fn the_root_is_the_only_preopened_directory() {
        let files = FileSystem::new(0);
        assert_eq!(files.preopened(3), Ok("/"));
        assert_eq!(files.preopened(4), Err(Errno::Badf));
        assert_eq!(files.preopened(0), Err(Errno::Badf));
    }

    #[test]
    fn renumbering_frees_an_unlinked_file_that_the_target_held() {
        let mut files = FileSystem::new(0);
        let before = files.tree.count();
        for (path, fd) in [(b"tmp/a", 4), (b"tmp/b", 5)] {
            assert_eq!(files.open(3, path, OpenOptions::create(), 0), Ok(fd));
            assert_eq!(files.unlink(3, path, 0), Ok(()));
        }
        assert_eq!(files.tree.count(), before + 2);
        assert_eq!(files.renumber(5, 4), Ok(()));
        assert_eq!(files.tree.count(), before + 1);
        assert_eq!(files.close(4), Ok(()));
        assert_eq!(files.tree.count(), before);
        assert_eq!(files.check_open(4), Err(Errno::Badf));
    }
}
