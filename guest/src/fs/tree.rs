//! The inodes: what exists, how many names and descriptors keep it alive, and whether it may change.
//!
//! It does not know paths or descriptors. Invariant: a node lives exactly as long as it has a name or is held open;
//! an entry always points to a living node.

use std::collections::BTreeMap;
use std::hint::black_box;

use super::content::Content;
use super::directory::Directory;
use super::{Errno, FileType, Times};

/// The directories that a script may write below.
const WRITABLE: [&str; 2] = ["tmp", "scratch"];

/// The memory that must be free before a name is added. It is more than that takes at most: the name, and one new
/// block on each level of three B-trees.
const HEADROOM_BYTES: usize = 32 * 1024;

/// The number of an inode; numbers are never used twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Ino(u64);

impl Ino {
    pub(super) const ROOT: Self = Self(1);

    pub(super) const fn get(self) -> u64 {
        self.0
    }
}

/// What a node is made of.
#[derive(Debug)]
pub(super) enum Kind {
    Directory(Directory),
    File(Content),
    /// A file that is part of the module itself and never changes.
    Static(&'static [u8]),
    Symlink(String),
    /// `/dev/null`: reads nothing, swallows everything.
    Null,
}

impl Kind {
    pub(super) const fn file_type(&self) -> FileType {
        match self {
            Self::Directory(_) => FileType::Directory,
            Self::File(_) | Self::Static(_) => FileType::RegularFile,
            Self::Symlink(_) => FileType::SymbolicLink,
            Self::Null => FileType::CharacterDevice,
        }
    }
}

/// One inode.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) kind: Kind,
    pub(super) times: Times,
    /// Whether data, times and (in a directory) entries may change. A new node inherits it from its directory.
    pub(super) writable: bool,
    /// How many entries name this node; a removed directory has none.
    pub(super) links: u32,
    /// How many descriptors hold this node.
    holders: u32,
}

impl Node {
    /// Returns a node with one name.
    fn new(kind: Kind, writable: bool, now: u64) -> Self {
        Self {
            kind,
            times: Times::all(now),
            writable,
            links: 1,
            holders: 0,
        }
    }
}

/// All inodes.
#[derive(Debug)]
pub(super) struct Tree {
    nodes: BTreeMap<Ino, Node>,
    last_ino: u64,
}

impl Tree {
    /// Returns the tree that every sandbox begins with: `/dev/null`, an empty `/lib`, and the writable directories.
    pub(super) fn new(now: u64) -> Self {
        let mut nodes = BTreeMap::new();
        let mut last_ino = Ino::ROOT.0;
        let mut add = |kind, writable| {
            last_ino += 1;
            nodes.insert(Ino(last_ino), Node::new(kind, writable, now));
            Ino(last_ino)
        };
        let mut root = Directory::new(Ino::ROOT);
        for name in WRITABLE {
            let kind = Kind::Directory(Directory::new(Ino::ROOT));
            root.insert(name.into(), add(kind, true));
        }
        root.insert(
            "lib".into(),
            add(Kind::Directory(Directory::new(Ino::ROOT)), false),
        );
        let mut devices = Directory::new(Ino::ROOT);
        devices.insert("null".into(), add(Kind::Null, true));
        root.insert("dev".into(), add(Kind::Directory(devices), false));
        nodes.insert(Ino::ROOT, Node::new(Kind::Directory(root), false, now));
        Self { nodes, last_ino }
    }

    /// Returns how many nodes there are.
    #[cfg(test)]
    pub(super) fn count(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn node(&self, ino: Ino) -> Result<&Node, Errno> {
        self.nodes.get(&ino).ok_or(Errno::Noent)
    }

    pub(super) fn node_mut(&mut self, ino: Ino) -> Result<&mut Node, Errno> {
        self.nodes.get_mut(&ino).ok_or(Errno::Noent)
    }

    /// Returns the directory `ino`, or `ENOTDIR` for any other kind.
    pub(super) fn directory(&self, ino: Ino) -> Result<&Directory, Errno> {
        match &self.node(ino)?.kind {
            Kind::Directory(directory) => Ok(directory),
            _ => Err(Errno::Notdir),
        }
    }

    pub(super) fn is_directory(&self, ino: Ino) -> bool {
        self.directory(ino).is_ok()
    }

    /// Returns where the symbolic link `ino` points, or nothing for any other kind.
    pub(super) fn link_target(&self, ino: Ino) -> Option<&str> {
        match &self.nodes.get(&ino)?.kind {
            Kind::Symlink(target) => Some(target),
            _ => None,
        }
    }

    /// Answers `EROFS` unless the node may change.
    pub(super) fn check_writable(&self, ino: Ino) -> Result<(), Errno> {
        if self.node(ino)?.writable {
            Ok(())
        } else {
            Err(Errno::Rofs)
        }
    }

    /// Answers whether `ino` is `ancestor` or lies below it.
    pub(super) fn is_within(&self, mut ino: Ino, ancestor: Ino) -> bool {
        while ino != ancestor {
            match self.directory(ino) {
                Ok(directory) if directory.parent != ino => ino = directory.parent,
                _ => return false,
            }
        }
        true
    }

    /// Makes a node named `name` in `parent`, as writable as `parent` is.
    pub(super) fn create(
        &mut self,
        parent: Ino,
        name: &str,
        kind: Kind,
        now: u64,
    ) -> Result<Ino, Errno> {
        check_headroom()?;
        let writable = self.node(parent)?.writable;
        let ino = Ino(self.last_ino + 1);
        self.entries_mut(parent, now)?.insert(name.into(), ino);
        self.last_ino = ino.0;
        self.nodes.insert(ino, Node::new(kind, writable, now));
        Ok(ino)
    }

    /// Gives `ino` one more name.
    pub(super) fn attach(
        &mut self,
        parent: Ino,
        name: &str,
        ino: Ino,
        now: u64,
    ) -> Result<(), Errno> {
        check_headroom()?;
        let links = self.node(ino)?.links.checked_add(1).ok_or(Errno::Mlink)?;
        self.entries_mut(parent, now)?.insert(name.into(), ino);
        let node = self.node_mut(ino)?;
        node.links = links;
        node.times.changed = now;
        if let Kind::Directory(directory) = &mut node.kind {
            directory.parent = parent;
        }
        Ok(())
    }

    /// Takes a name away, and the node with it if nothing else keeps it.
    pub(super) fn detach(&mut self, parent: Ino, name: &str, now: u64) -> Result<(), Errno> {
        let ino = self
            .entries_mut(parent, now)?
            .remove(name)
            .ok_or(Errno::Noent)?;
        let node = self.node_mut(ino)?;
        node.links = node.links.saturating_sub(1);
        node.times.changed = now;
        self.drop_if_unused(ino);
        Ok(())
    }

    /// Keeps `ino` alive for one more descriptor.
    pub(super) fn hold(&mut self, ino: Ino) -> Result<(), Errno> {
        let node = self.node_mut(ino)?;
        node.holders = node.holders.checked_add(1).ok_or(Errno::Mfile)?;
        Ok(())
    }

    /// Undoes one [`Self::hold`].
    pub(super) fn release(&mut self, ino: Ino) {
        if let Some(node) = self.nodes.get_mut(&ino) {
            node.holders = node.holders.saturating_sub(1);
        }
        self.drop_if_unused(ino);
    }

    /// Returns the entries of `parent` for a change. A removed directory that is still open gets no new entries.
    fn entries_mut(&mut self, parent: Ino, now: u64) -> Result<&mut Directory, Errno> {
        let node = self.node_mut(parent)?;
        let Kind::Directory(directory) = &mut node.kind else {
            return Err(Errno::Notdir);
        };
        if node.links == 0 {
            return Err(Errno::Noent);
        }
        node.times.touch(now);
        Ok(directory)
    }

    fn drop_if_unused(&mut self, ino: Ino) {
        if self
            .nodes
            .get(&ino)
            .is_some_and(|node| node.links == 0 && node.holders == 0)
        {
            self.nodes.remove(&ino);
        }
    }
}

/// Answers `ENOMEM` when memory is so short that the small, infallible allocations of a new name could abort.
///
/// Only operations that add a name ask for this, so that a script can always remove files to get memory back.
pub(super) fn check_headroom() -> Result<(), Errno> {
    let mut probe = Vec::<u8>::new();
    let answer = probe.try_reserve_exact(HEADROOM_BYTES);
    // Without this the optimiser removes the allocation that nobody reads, and the check with it.
    black_box(&mut probe);
    answer.map_err(|_| Errno::Nomem)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use super::*;

    fn file() -> Kind {
        Kind::File(Content::default())
    }

    #[test]
    fn a_node_without_names_lives_until_it_is_released() {
        let mut tree = Tree::new(0);
        let nodes = tree.count();
        let ino = tree.create(Ino::ROOT, "f", file(), 0).unwrap();
        tree.hold(ino).unwrap();
        tree.detach(Ino::ROOT, "f", 5).unwrap();
        let node = tree.node(ino).unwrap();
        assert_eq!((node.links, node.times.changed), (0, 5));
        tree.release(ino);
        assert_eq!(tree.node(ino).err(), Some(Errno::Noent));
        assert_eq!(tree.count(), nodes);
    }

    #[test]
    fn a_node_lives_as_long_as_its_last_name() {
        let mut tree = Tree::new(0);
        let ino = tree.create(Ino::ROOT, "f", file(), 0).unwrap();
        tree.attach(Ino::ROOT, "g", ino, 0).unwrap();
        assert_eq!(tree.node(ino).unwrap().links, 2);
        tree.detach(Ino::ROOT, "f", 0).unwrap();
        assert_eq!(tree.node(ino).unwrap().links, 1);
        tree.detach(Ino::ROOT, "g", 0).unwrap();
        assert_eq!(tree.node(ino).err(), Some(Errno::Noent));
    }

    #[test]
    fn a_removed_directory_that_is_open_takes_no_entries() {
        let mut tree = Tree::new(0);
        let kind = Kind::Directory(Directory::new(Ino::ROOT));
        let ino = tree.create(Ino::ROOT, "d", kind, 0).unwrap();
        tree.hold(ino).unwrap();
        tree.detach(Ino::ROOT, "d", 0).unwrap();
        let nodes = tree.count();
        assert_eq!(tree.create(ino, "f", file(), 0), Err(Errno::Noent));
        assert_eq!(tree.count(), nodes);
    }

    #[test]
    fn a_directory_changes_its_times_with_its_entries() {
        let mut tree = Tree::new(1);
        tree.create(Ino::ROOT, "f", file(), 7).unwrap();
        let times = tree.node(Ino::ROOT).unwrap().times;
        assert_eq!((times.accessed, times.modified, times.changed), (1, 7, 7));
    }

    #[test]
    fn ancestry_follows_parents_to_the_root() {
        let mut tree = Tree::new(0);
        let outer = Kind::Directory(Directory::new(Ino::ROOT));
        let outer = tree.create(Ino::ROOT, "d", outer, 0).unwrap();
        let inner = Kind::Directory(Directory::new(outer));
        let inner = tree.create(outer, "e", inner, 0).unwrap();
        assert!(tree.is_within(inner, outer));
        assert!(tree.is_within(inner, inner));
        assert!(tree.is_within(inner, Ino::ROOT));
        assert!(!tree.is_within(outer, inner));
    }
}
