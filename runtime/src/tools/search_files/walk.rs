//! A walk over a tree in the order of paths: an entry before what is below it, names by their bytes.
//!
//! Nothing is opened by a path. Each directory is entered through the handle of the one above, symbolic links are never
//! followed, so that the walk cannot leave the granted directory whatever happens to it meanwhile.

use std::ffi::OsStr;
use std::path::PathBuf;
use std::sync::Arc;
use std::vec;

use ignore::overrides::Override;

use super::ignores::Ignores;
use super::pseudo::is_pseudo_file_system;
use super::watch::{Gap, Watch};
use crate::fs::{Directory, Entry, Kind, Place};
use crate::system;

/// Deepest directory below the root of a walk; each level keeps a handle open.
pub(super) const MAX_DEPTH: usize = 200;

/// Where a walk begins, and how to name what it finds.
#[derive(Debug, Clone)]
pub(super) struct Root {
    /// The directory or file, without symbolic links.
    pub(super) place: Place,
    /// The path as the script wrote it, without a slash at its end.
    pub(super) given: String,
}

/// One directory of the walk.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) directory: Directory,
    /// Path below the granted directory; empty for that one.
    path: Vec<u8>,
    root: Arc<Root>,
    /// Length in bytes of the root's own path below the granted directory, with its slash.
    root_prefix: usize,
    /// Absolute path of the host.
    absolute: PathBuf,
}

impl Node {
    /// Returns the path of an entry as it is shown to the script.
    pub(super) fn shown(&self, entry: &Entry) -> String {
        let inner = self.inner(entry);
        let separator = if self.root.given.ends_with('/') {
            ""
        } else {
            "/"
        };
        format!("{}{separator}{}", self.root.given, inner.to_string_lossy())
    }

    /// Returns the path of an entry below the root of the walk.
    pub(super) fn inner(&self, entry: &Entry) -> PathBuf {
        let path = joined(&self.path, entry.name());
        system::name_of(path.get(self.root_prefix..).unwrap_or(&path))
            .into_owned()
            .into()
    }

    /// Returns the absolute path of an entry.
    pub(super) fn absolute(&self, entry: &Entry) -> PathBuf {
        self.absolute.join(entry.name())
    }
}

/// Something that a walk met.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) node: Arc<Node>,
    pub(super) entry: Entry,
    pub(super) is_directory: bool,
}

/// Which entries a walk meets.
#[derive(Debug, Clone)]
pub(super) enum Visibility {
    /// Those that are neither hidden nor ignored, given the rules above the root.
    Shown(Arc<Ignores>),
    /// Only the others, and all that is below them, but for the innards of git.
    Unseen(Arc<Ignores>),
    /// All but the innards of git.
    Everything,
}

/// Yields files and directories below a root.
pub(super) struct Walk<'w> {
    frames: Vec<Frame>,
    watch: &'w Watch,
    /// Names directories that are left out with everything below them, by their paths below the root.
    glob: &'w Override,
}

struct Frame {
    node: Arc<Node>,
    entries: vec::IntoIter<Entry>,
    visibility: Visibility,
}

impl<'w> Walk<'w> {
    /// Begins a walk; a root that cannot be read is one that has nothing in it.
    pub(super) fn new(
        root: &Arc<Root>,
        visibility: Visibility,
        watch: &'w Watch,
        glob: &'w Override,
    ) -> Self {
        let mut walk = Self {
            frames: Vec::new(),
            watch,
            glob,
        };
        let path = match root.place.path().as_os_str().as_encoded_bytes() {
            b"." => Vec::new(),
            path => path.to_vec(),
        };
        match Directory::open(&root.place) {
            Ok(directory) => walk.enter(
                Node {
                    directory,
                    root_prefix: if path.is_empty() { 0 } else { path.len() + 1 },
                    path,
                    root: Arc::clone(root),
                    absolute: root.place.absolute(),
                },
                visibility,
            ),
            Err(_) => watch.skip(Gap::Unreadable),
        }
        walk
    }

    fn enter(&mut self, node: Node, visibility: Visibility) {
        let Ok(entries) = node.directory.entries(&|| self.watch.is_over()) else {
            return self.watch.skip(Gap::Unreadable);
        };
        let entered = |above: &Arc<Ignores>| above.entered(&node.directory, &entries, &node.path);
        let visibility = match visibility {
            Visibility::Shown(above) => Visibility::Shown(entered(&above)),
            Visibility::Unseen(above) => Visibility::Unseen(entered(&above)),
            Visibility::Everything => Visibility::Everything,
        };
        self.frames.push(Frame {
            node: Arc::new(node),
            entries: entries.into_iter(),
            visibility,
        });
    }

    /// Goes into a directory that was met, if the walk does.
    fn descend(&mut self, node: &Arc<Node>, entry: &Entry, visibility: Visibility) {
        if self.frames.len() > MAX_DEPTH {
            return self.watch.skip(Gap::TooDeep);
        }
        match node.directory.enter(entry) {
            Ok(directory) => self.enter(
                Node {
                    directory,
                    path: joined(&node.path, entry.name()),
                    root: Arc::clone(&node.root),
                    root_prefix: node.root_prefix,
                    absolute: node.absolute(entry),
                },
                visibility,
            ),
            Err(_) => self.watch.skip(Gap::Unreadable),
        }
    }
}

impl Iterator for Walk<'_> {
    type Item = Found;

    fn next(&mut self) -> Option<Found> {
        while !self.watch.is_over() {
            let frame = self.frames.last_mut()?;
            let Some(entry) = frame.entries.next() else {
                self.frames.pop();
                continue;
            };
            let is_directory = match frame.node.directory.kind(&entry) {
                Kind::Regular => false,
                Kind::Directory => true,
                _ => continue,
            };
            if is_directory && entry.name() == ".git" {
                continue;
            }
            let is_hidden = |ignores: &Ignores| {
                let path = || joined(&frame.node.path, entry.name());
                ignores.hide(path, entry.name(), is_directory)
            };
            let (is_met, below) = match &frame.visibility {
                Visibility::Shown(ignores) if is_hidden(ignores) => continue,
                Visibility::Unseen(ignores) if is_hidden(ignores) => (true, Visibility::Everything),
                Visibility::Unseen(_) => (false, frame.visibility.clone()),
                Visibility::Shown(_) | Visibility::Everything => (true, frame.visibility.clone()),
            };
            let node = Arc::clone(&frame.node);
            if is_directory {
                if self.glob.matched(node.inner(&entry), true).is_ignore()
                    || is_pseudo_file_system(&node.absolute(&entry))
                {
                    continue;
                }
                self.descend(&node, &entry, below);
            }
            if is_met {
                return Some(Found {
                    node,
                    entry,
                    is_directory,
                });
            }
        }
        None
    }
}

/// Returns the rules of the directories above a root, up to the granted one.
pub(super) fn rules_above(place: &Place, outermost: Arc<Ignores>) -> Arc<Ignores> {
    let mut above = Vec::new();
    let mut next = place.parent();
    while let Some(place) = next {
        next = place.parent();
        above.push(place);
    }
    above.iter().rev().fold(outermost, |rules, place| {
        let read = || {
            let directory = Directory::open(place).ok()?;
            let entries = directory.entries(&|| false).ok()?;
            let path = match place.path().as_os_str().as_encoded_bytes() {
                b"." => &[][..],
                path => path,
            };
            Some(rules.entered(&directory, &entries, path))
        };
        read().unwrap_or_else(|| Arc::clone(&rules))
    })
}

fn joined(path: &[u8], name: &OsStr) -> Vec<u8> {
    let mut joined = Vec::with_capacity(path.len() + 1 + name.len());
    joined.extend_from_slice(path);
    if !path.is_empty() {
        joined.push(b'/');
    }
    joined.extend_from_slice(name.as_encoded_bytes());
    joined
}
