//! Operations on names: making, linking, moving and removing entries of directories.
//!
//! Checks come in Linux's order, so that a script sees the error that it would see there. Invariant: nothing appears,
//! disappears or moves in a read-only directory, and a read-only file gets no name in a writable one.

use super::content::read_at;
use super::directory::Directory;
use super::path::{LastLink, Leaf, Place, owned, text, walk};
use super::tree::{Ino, Kind, check_headroom};
use super::{Errno, FileSystem};

impl FileSystem {
    /// Makes an empty directory at `path`, relative to the directory `at`.
    pub fn make_directory(&mut self, at: u32, path: &[u8], now: u64) -> Result<(), Errno> {
        let place = self.place(at, path)?;
        let parent = place.directory;
        let name = free_name(place, true)?;
        self.tree.check_writable(parent)?;
        let kind = Kind::Directory(Directory::new(parent));
        self.tree.create(parent, &name, kind, now)?;
        Ok(())
    }

    /// Makes a symbolic link to `target`, which need not exist.
    pub fn symlink(&mut self, target: &[u8], at: u32, path: &[u8], now: u64) -> Result<(), Errno> {
        let target = text(target)?;
        let place = self.place(at, path)?;
        let parent = place.directory;
        let name = free_name(place, false)?;
        self.tree.check_writable(parent)?;
        self.tree
            .create(parent, &name, Kind::Symlink(owned(target)?), now)?;
        Ok(())
    }

    /// Gives the file at `old` one more name. Answers `EPERM` for a directory, and `EROFS` when either side is
    /// read-only.
    pub fn link(
        &mut self,
        old_at: u32,
        old: &[u8],
        follow: bool,
        new_at: u32,
        new: &[u8],
        now: u64,
    ) -> Result<(), Errno> {
        let ino = self.lookup(old_at, old, follow)?;
        let place = self.place(new_at, new)?;
        let parent = place.directory;
        let name = free_name(place, false)?;
        self.tree.check_writable(parent)?;
        self.tree.check_writable(ino)?;
        if self.tree.is_directory(ino) {
            return Err(Errno::Perm);
        }
        self.tree.attach(parent, &name, ino, now)
    }

    /// Writes where the symbolic link at `path` points to the front of `out`, cut to its size, and returns how many
    /// bytes that are. Answers `EINVAL` for what is not a symbolic link.
    pub fn read_link(&self, at: u32, path: &[u8], out: &mut [u8]) -> Result<usize, Errno> {
        let ino = self.lookup(at, path, false)?;
        let target = self.tree.link_target(ino).ok_or(Errno::Inval)?.as_bytes();
        Ok(read_at(target, 0, out))
    }

    /// Removes the name of a file. Its data lives on while it has other names or is open.
    pub fn unlink(&mut self, at: u32, path: &[u8], now: u64) -> Result<(), Errno> {
        let place = self.place(at, path)?;
        let Leaf::Name(name) = place.leaf else {
            return Err(Errno::Isdir);
        };
        let ino = place.node.ok_or(Errno::Noent)?;
        if self.tree.is_directory(ino) {
            return Err(Errno::Isdir);
        }
        if place.slash {
            return Err(Errno::Notdir);
        }
        self.tree.check_writable(place.directory)?;
        self.tree.detach(place.directory, &name, now)
    }

    /// Removes an empty directory.
    pub fn remove_directory(&mut self, at: u32, path: &[u8], now: u64) -> Result<(), Errno> {
        let place = self.place(at, path)?;
        let name = match place.leaf {
            Leaf::Name(name) => name,
            Leaf::Dot => return Err(Errno::Inval),
            Leaf::DotDot => return Err(Errno::Notempty),
            Leaf::Root => return Err(Errno::Busy),
        };
        let ino = place.node.ok_or(Errno::Noent)?;
        let directory = self.tree.directory(ino)?;
        let is_empty = directory.is_empty();
        self.tree.check_writable(place.directory)?;
        if !is_empty {
            return Err(Errno::Notempty);
        }
        self.tree.detach(place.directory, &name, now)
    }

    /// Moves `old` to `new`. A file there is replaced, and so is an empty directory by a directory.
    pub fn rename(
        &mut self,
        old_at: u32,
        old: &[u8],
        new_at: u32,
        new: &[u8],
        now: u64,
    ) -> Result<(), Errno> {
        let from = self.place(old_at, old)?;
        let to = self.place(new_at, new)?;
        let (Leaf::Name(old_name), Leaf::Name(new_name)) = (&from.leaf, &to.leaf) else {
            return Err(Errno::Busy);
        };
        let ino = from.node.ok_or(Errno::Noent)?;
        self.tree.check_writable(from.directory)?;
        self.tree.check_writable(to.directory)?;
        self.check_move(&from, ino, &to)?;
        if to.node == Some(ino) {
            return Ok(());
        }
        // Asked before the old file at `new` is taken away: a rename that fails must not lose it.
        check_headroom()?;
        if to.node.is_some() {
            self.tree.detach(to.directory, new_name, now)?;
        }
        self.tree.attach(to.directory, new_name, ino, now)?;
        self.tree.detach(from.directory, old_name, now)
    }

    /// Answers why the node `ino` at `from` cannot take the place `to`.
    fn check_move(&self, from: &Place, ino: Ino, to: &Place) -> Result<(), Errno> {
        let is_directory = self.tree.is_directory(ino);
        if !is_directory && (from.slash || to.slash) {
            return Err(Errno::Notdir);
        }
        if self.tree.is_within(to.directory, ino) {
            return Err(Errno::Inval);
        }
        let Some(replaced) = to.node else {
            return Ok(());
        };
        if self.tree.is_within(from.directory, replaced) {
            return Err(Errno::Notempty);
        }
        if replaced == ino {
            return Ok(());
        }
        match (is_directory, self.tree.directory(replaced)) {
            (true, Ok(target)) if !target.is_empty() => Err(Errno::Notempty),
            (true, Ok(_)) | (false, Err(_)) => Ok(()),
            (true, Err(_)) => Err(Errno::Notdir),
            (false, Ok(_)) => Err(Errno::Isdir),
        }
    }

    fn place(&self, at: u32, path: &[u8]) -> Result<Place, Errno> {
        walk(&self.tree, self.base(at)?, path, LastLink::Keep)
    }
}

/// Returns the name of a place where nothing is yet. Only a directory may be made with a slash at the end.
fn free_name(place: Place, is_directory: bool) -> Result<String, Errno> {
    let Leaf::Name(name) = place.leaf else {
        return Err(Errno::Exist);
    };
    match place.node {
        Some(_) => Err(Errno::Exist),
        None if place.slash && !is_directory => Err(Errno::Noent),
        None => Ok(name),
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use super::super::{OpenOptions, Stdio};
    use super::*;

    struct Silent;

    impl Stdio for Silent {
        fn write(&mut self, _: u32, _: &[u8]) {}
    }

    /// `/tmp/f` (with data), `/tmp/d/e/`, `/tmp/link` → `d`, `/lib/code.zip`
    fn sample() -> FileSystem {
        let mut files = FileSystem::new(0);
        files.mount_static("/lib/code.zip", b"code", 0).unwrap();
        let fd = files.open(3, b"tmp/f", OpenOptions::create(), 0).unwrap();
        files.write(fd, b"data", 0, &mut Silent).unwrap();
        files.close(fd).unwrap();
        files.make_directory(3, b"tmp/d", 0).unwrap();
        files.make_directory(3, b"tmp/d/e/", 0).unwrap();
        files.symlink(b"d", 3, b"tmp/link", 0).unwrap();
        files
    }

    fn size(files: &FileSystem, path: &[u8]) -> Result<u64, Errno> {
        files.stat_path(3, path, true).map(|stat| stat.size)
    }

    #[test]
    fn nothing_changes_outside_the_writable_directories() {
        let mut files = sample();
        let nodes = files.tree.count();
        assert_eq!(files.make_directory(3, b"new", 0), Err(Errno::Rofs));
        assert_eq!(
            files.make_directory(3, b"tmp/../lib/new", 0),
            Err(Errno::Rofs)
        );
        assert_eq!(files.symlink(b"x", 3, b"lib/new", 0), Err(Errno::Rofs));
        assert_eq!(files.unlink(3, b"lib/code.zip", 0), Err(Errno::Rofs));
        assert_eq!(files.unlink(3, b"dev/null", 0), Err(Errno::Rofs));
        for path in [&b"tmp"[..], b"scratch", b"lib", b"dev"] {
            assert_eq!(files.remove_directory(3, path, 0), Err(Errno::Rofs));
            assert_eq!(files.rename(3, path, 3, b"tmp/moved", 0), Err(Errno::Rofs));
        }
        assert_eq!(
            files.rename(3, b"lib/code.zip", 3, b"tmp/code.zip", 0),
            Err(Errno::Rofs)
        );
        assert_eq!(
            files.rename(3, b"tmp/f", 3, b"lib/code.zip", 0),
            Err(Errno::Rofs)
        );
        assert_eq!(
            files.rename(3, b"tmp/f", 3, b"lib/new", 0),
            Err(Errno::Rofs)
        );
        assert_eq!(files.tree.count(), nodes);
    }

    #[test]
    fn a_hard_link_does_not_cross_from_read_only_to_writable_or_back() {
        let mut files = sample();
        files.symlink(b"/lib/code.zip", 3, b"tmp/code", 0).unwrap();
        assert_eq!(
            files.link(3, b"lib/code.zip", false, 3, b"tmp/copy", 0),
            Err(Errno::Rofs)
        );
        assert_eq!(
            files.link(3, b"tmp/code", true, 3, b"tmp/copy", 0),
            Err(Errno::Rofs)
        );
        assert_eq!(
            files.link(3, b"tmp/f", false, 3, b"lib/copy", 0),
            Err(Errno::Rofs)
        );
        assert_eq!(files.stat_path(3, b"tmp/copy", false), Err(Errno::Noent));
    }

    #[test]
    fn a_hard_link_shares_data_and_counts() {
        let mut files = sample();
        assert_eq!(files.link(3, b"tmp/f", false, 3, b"scratch/g", 0), Ok(()));
        assert_eq!(
            files.stat_path(3, b"tmp/f", true),
            files.stat_path(3, b"scratch/g", true)
        );
        assert_eq!(files.stat_path(3, b"tmp/f", true).unwrap().links, 2);
        assert_eq!(files.unlink(3, b"tmp/f", 0), Ok(()));
        assert_eq!(size(&files, b"scratch/g"), Ok(4));
        assert_eq!(
            files.link(3, b"tmp/d", false, 3, b"tmp/x", 0),
            Err(Errno::Perm)
        );
        assert_eq!(
            files.link(3, b"scratch/g", false, 3, b"tmp/d", 0),
            Err(Errno::Exist)
        );
    }

    #[test]
    fn unlinking_is_for_files_and_removing_for_empty_directories() {
        let mut files = sample();
        assert_eq!(files.unlink(3, b"tmp/d", 0), Err(Errno::Isdir));
        assert_eq!(files.unlink(3, b"tmp/f/", 0), Err(Errno::Notdir));
        assert_eq!(files.unlink(3, b"tmp/missing", 0), Err(Errno::Noent));
        assert_eq!(files.remove_directory(3, b"tmp/f", 0), Err(Errno::Notdir));
        assert_eq!(files.remove_directory(3, b"tmp/d", 0), Err(Errno::Notempty));
        assert_eq!(
            files.remove_directory(3, b"tmp/d/e/.", 0),
            Err(Errno::Inval)
        );
        assert_eq!(
            files.remove_directory(3, b"tmp/d/e/..", 0),
            Err(Errno::Notempty)
        );
        assert_eq!(files.remove_directory(3, b"/", 0), Err(Errno::Busy));
        assert_eq!(files.remove_directory(3, b"tmp/d/e/", 0), Ok(()));
        assert_eq!(
            files.remove_directory(3, b"tmp/link", 0),
            Err(Errno::Notdir)
        );
        assert_eq!(files.remove_directory(3, b"tmp/d", 0), Ok(()));
        assert_eq!(files.unlink(3, b"tmp/link", 0), Ok(()));
    }

    #[test]
    fn a_name_that_is_taken_exists_whatever_it_is() {
        let mut files = sample();
        for path in [&b"tmp/f"[..], b"tmp/d", b"tmp/link", b"lib", b"/", b"tmp/."] {
            assert_eq!(files.make_directory(3, path, 0), Err(Errno::Exist));
            assert_eq!(files.symlink(b"x", 3, path, 0), Err(Errno::Exist));
        }
        assert_eq!(files.symlink(b"", 3, b"tmp/x", 0), Err(Errno::Noent));
        assert_eq!(files.symlink(b"x", 3, b"tmp/x/", 0), Err(Errno::Noent));
    }

    #[test]
    fn renaming_replaces_only_its_like() {
        let mut files = sample();
        let nodes = files.tree.count();
        files.make_directory(3, b"tmp/empty", 0).unwrap();
        assert_eq!(files.rename(3, b"tmp/f", 3, b"tmp/d", 0), Err(Errno::Isdir));
        assert_eq!(
            files.rename(3, b"tmp/empty", 3, b"tmp/f", 0),
            Err(Errno::Notdir)
        );
        assert_eq!(
            files.rename(3, b"tmp/empty", 3, b"tmp/d", 0),
            Err(Errno::Notempty)
        );
        assert_eq!(files.rename(3, b"tmp/d", 3, b"tmp/empty", 0), Ok(()));
        assert_eq!(
            files
                .stat_path(3, b"tmp/empty/e", true)
                .map(|stat| stat.links),
            Ok(1)
        );
        assert_eq!(files.rename(3, b"tmp/f", 3, b"tmp/link", 0), Ok(()));
        assert_eq!(size(&files, b"tmp/link"), Ok(4));
        assert_eq!(files.tree.count(), nodes - 1);
    }

    #[test]
    fn a_directory_moves_with_its_parent_and_never_into_itself() {
        let mut files = sample();
        assert_eq!(
            files.rename(3, b"tmp/d", 3, b"tmp/d/e/x", 0),
            Err(Errno::Inval)
        );
        assert_eq!(
            files.rename(3, b"tmp/d/e", 3, b"tmp/d", 0),
            Err(Errno::Notempty)
        );
        assert_eq!(files.rename(3, b"tmp/d", 3, b"scratch/moved/", 0), Ok(()));
        let parent = files.stat_path(3, b"scratch/moved/..", true);
        assert_eq!(parent, files.stat_path(3, b"scratch", true));
        assert_eq!(
            files.rename(3, b"tmp/f", 3, b"scratch/g/", 0),
            Err(Errno::Notdir)
        );
        assert_eq!(
            files.rename(3, b"tmp/.", 3, b"scratch/g", 0),
            Err(Errno::Busy)
        );
        assert_eq!(
            files.rename(3, b"tmp/missing", 3, b"scratch/g", 0),
            Err(Errno::Noent)
        );
    }

    #[test]
    fn renaming_a_file_to_itself_keeps_both_names() {
        let mut files = sample();
        assert_eq!(files.rename(3, b"tmp/f", 3, b"tmp/f", 0), Ok(()));
        files.link(3, b"tmp/f", false, 3, b"tmp/g", 0).unwrap();
        assert_eq!(files.rename(3, b"tmp/f", 3, b"tmp/g", 0), Ok(()));
        assert_eq!(
            files.stat_path(3, b"tmp/f", true).map(|stat| stat.links),
            Ok(2)
        );
    }

    #[test]
    fn a_link_reads_as_it_was_written_and_is_cut_to_the_buffer() {
        let mut files = sample();
        files.symlink(b"../etc/../x", 3, b"tmp/odd", 0).unwrap();
        let mut out = [b'-'; 16];
        assert_eq!(files.read_link(3, b"tmp/odd", &mut out), Ok(11));
        assert_eq!(&out, b"../etc/../x-----");
        assert_eq!(files.read_link(3, b"tmp/odd", &mut out[..2]), Ok(2));
        assert_eq!(files.read_link(3, b"tmp/f", &mut out), Err(Errno::Inval));
    }
}
