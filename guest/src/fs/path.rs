//! From a path to a place in the tree: the only code that reads path text.
//!
//! It follows symbolic links, `.` and `..` step by step through the tree itself, never by editing text, and `..` at the
//! root is the root. Invariant: it fails on a path that it cannot take in full; it never shortens or repairs one.

use super::Errno;
use super::tree::{Ino, Tree};

/// The longest path, or symbolic link target, in bytes: Linux's 4,096 with the closing NUL.
const MAX_PATH_BYTES: usize = 4095;
/// The longest name of one entry in bytes.
const MAX_NAME_BYTES: usize = 255;
/// The most symbolic links that one path may pass through, as on Linux.
const MAX_LINKS: usize = 40;

/// What to do when the last name of a path is a symbolic link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LastLink {
    /// Go on to its target.
    Follow,
    /// Stop at the link, unless a slash after it asks for a directory.
    FollowBeforeSlash,
    /// Stop at the link always, as operations on the name itself do.
    Keep,
}

/// Where a path leads.
#[derive(Debug)]
pub(super) struct Place {
    /// The directory that has, or would have, the last name.
    pub(super) directory: Ino,
    pub(super) leaf: Leaf,
    /// The node there, if there is one.
    pub(super) node: Option<Ino>,
    /// Whether the path ends with a slash and so asks for a directory.
    pub(super) slash: bool,
}

/// The last part of a path.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Leaf {
    Name(String),
    Dot,
    DotDot,
    Root,
}

/// Follows `path` from the directory `start`. Everything but the last name must exist.
pub(super) fn walk(
    tree: &Tree,
    start: Ino,
    path: &[u8],
    last_link: LastLink,
) -> Result<Place, Errno> {
    let path = text(path)?;
    let mut pending = Vec::new();
    push_names(&mut pending, path)?;
    let mut directory = if path.starts_with('/') {
        Ino::ROOT
    } else {
        start
    };
    let mut slash = path.ends_with('/');
    let mut leaf = Leaf::Root;
    let mut links = 0;

    while let Some(name) = pending.pop() {
        let entries = tree.directory(directory)?;
        match name {
            "." => leaf = Leaf::Dot,
            ".." => {
                leaf = Leaf::DotDot;
                directory = entries.parent;
            }
            _ if name.len() > MAX_NAME_BYTES => return Err(Errno::Nametoolong),
            _ => {
                let is_last = pending.is_empty();
                let node = entries.get(name);
                let follow = match last_link {
                    _ if !is_last => true,
                    LastLink::Follow => true,
                    LastLink::FollowBeforeSlash => slash,
                    LastLink::Keep => false,
                };
                let target = node
                    .filter(|_| follow)
                    .and_then(|node| tree.link_target(node));
                if let Some(target) = target {
                    links += 1;
                    if links > MAX_LINKS {
                        return Err(Errno::Loop);
                    }
                    if is_last {
                        slash |= target.ends_with('/');
                    }
                    if target.starts_with('/') {
                        directory = Ino::ROOT;
                        leaf = Leaf::Root;
                    }
                    push_names(&mut pending, target)?;
                } else if is_last {
                    return Ok(Place {
                        directory,
                        leaf: Leaf::Name(owned(name)?),
                        node,
                        slash,
                    });
                } else {
                    directory = node.ok_or(Errno::Noent)?;
                }
            }
        }
    }
    Ok(Place {
        directory,
        leaf,
        node: Some(directory),
        slash,
    })
}

/// Follows `path` to a node that exists.
pub(super) fn lookup(
    tree: &Tree,
    start: Ino,
    path: &[u8],
    last_link: LastLink,
) -> Result<Ino, Errno> {
    let place = walk(tree, start, path, last_link)?;
    let node = place.node.ok_or(Errno::Noent)?;
    if place.slash {
        tree.directory(node)?;
    }
    Ok(node)
}

/// Returns the text of a path or of a symbolic link's target.
///
/// Answers `ENOENT` for an empty one, `ENAMETOOLONG`, `EINVAL` for a NUL, and `EILSEQ` for invalid UTF-8.
pub(super) fn text(path: &[u8]) -> Result<&str, Errno> {
    if path.is_empty() {
        return Err(Errno::Noent);
    }
    if path.len() > MAX_PATH_BYTES {
        return Err(Errno::Nametoolong);
    }
    if path.contains(&0) {
        return Err(Errno::Inval);
    }
    std::str::from_utf8(path).map_err(|_| Errno::Ilseq)
}

/// Puts the names of `path` on the stack, the first on top.
fn push_names<'a>(pending: &mut Vec<&'a str>, path: &'a str) -> Result<(), Errno> {
    let names = path.rsplit('/').filter(|name| !name.is_empty());
    pending
        .try_reserve(names.clone().count())
        .map_err(|_| Errno::Nomem)?;
    pending.extend(names);
    Ok(())
}

/// Returns a copy of a name or a target, or `ENOMEM`.
pub(super) fn owned(text: &str) -> Result<String, Errno> {
    let mut copy = String::new();
    copy.try_reserve_exact(text.len())
        .map_err(|_| Errno::Nomem)?;
    copy.push_str(text);
    Ok(copy)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use super::super::directory::Directory;
    use super::super::tree::Kind;
    use super::*;

    /// `/d`, `/d/e`, `/d/f` (a file), `/d/up` → `..`, `/d/abs` → `/d/e/`, `/d/loop` → `loop`, `/d/dangling` → `e/new`
    fn sample() -> (Tree, Ino, Ino) {
        let mut tree = Tree::new(0);
        let kind = Kind::Directory(Directory::new(Ino::ROOT));
        let outer = tree.create(Ino::ROOT, "d", kind, 0).unwrap();
        let kind = Kind::Directory(Directory::new(outer));
        let inner = tree.create(outer, "e", kind, 0).unwrap();
        tree.create(outer, "f", Kind::Null, 0).unwrap();
        for (name, target) in [
            ("up", ".."),
            ("abs", "/d/e/"),
            ("loop", "loop"),
            ("dangling", "e/new"),
        ] {
            tree.create(outer, name, Kind::Symlink(target.into()), 0)
                .unwrap();
        }
        (tree, outer, inner)
    }

    fn find(tree: &Tree, start: Ino, path: &str) -> Result<Ino, Errno> {
        lookup(tree, start, path.as_bytes(), LastLink::Follow)
    }

    #[test]
    fn dots_and_repeated_slashes_lead_to_the_same_place() {
        let (tree, outer, inner) = sample();
        for path in [
            "e", "./e", "e/", "e//.", "../d/e", "e/../e", "//d///e/", "up/d/e", "abs", "abs/",
        ] {
            assert_eq!(find(&tree, outer, path), Ok(inner), "{path}");
        }
    }

    #[test]
    fn the_root_is_its_own_parent() {
        let (tree, outer, _) = sample();
        assert_eq!(find(&tree, outer, "../../../.."), Ok(Ino::ROOT));
        assert_eq!(find(&tree, outer, "/.."), Ok(Ino::ROOT));
        assert_eq!(find(&tree, outer, "/"), Ok(Ino::ROOT));
    }

    #[test]
    fn a_file_on_the_way_is_not_a_directory() {
        let (tree, outer, _) = sample();
        assert_eq!(find(&tree, outer, "f/x"), Err(Errno::Notdir));
        assert_eq!(find(&tree, outer, "f/"), Err(Errno::Notdir));
        assert_eq!(find(&tree, outer, "f/."), Err(Errno::Notdir));
        assert_eq!(find(&tree, outer, "f/.."), Err(Errno::Notdir));
        assert_eq!(find(&tree, outer, "missing/.."), Err(Errno::Noent));
    }

    #[test]
    fn links_that_never_end_are_a_loop() {
        let (tree, outer, _) = sample();
        assert_eq!(find(&tree, outer, "loop"), Err(Errno::Loop));
        assert_eq!(find(&tree, outer, "loop/x"), Err(Errno::Loop));
    }

    #[test]
    fn forty_links_are_followed_and_one_more_is_not() {
        let mut tree = Tree::new(0);
        tree.create(Ino::ROOT, "0", Kind::Null, 0).unwrap();
        for i in 1..=41 {
            let target = (i - 1).to_string();
            tree.create(Ino::ROOT, &i.to_string(), Kind::Symlink(target), 0)
                .unwrap();
        }
        assert_eq!(find(&tree, Ino::ROOT, "40"), find(&tree, Ino::ROOT, "0"));
        assert_eq!(find(&tree, Ino::ROOT, "41"), Err(Errno::Loop));
    }

    #[test]
    fn a_slash_after_a_link_follows_it_except_for_operations_on_names() {
        let (tree, outer, inner) = sample();
        let link = lookup(&tree, outer, b"abs", LastLink::FollowBeforeSlash).unwrap();
        assert_eq!(tree.link_target(link), Some("/d/e/"));
        assert_eq!(
            lookup(&tree, outer, b"abs/", LastLink::FollowBeforeSlash),
            Ok(inner)
        );
        let place = walk(&tree, outer, b"abs/", LastLink::Keep).unwrap();
        assert_eq!((place.node, place.slash), (Some(link), true));
    }

    #[test]
    fn a_dangling_link_leads_to_where_a_file_would_be_made() {
        let (tree, outer, inner) = sample();
        let place = walk(&tree, outer, b"dangling", LastLink::Follow).unwrap();
        assert_eq!((place.directory, place.node), (inner, None));
        assert_eq!(place.leaf, Leaf::Name("new".into()));
    }

    #[test]
    fn special_last_names_are_told_apart() {
        let (tree, outer, _) = sample();
        for (path, leaf) in [(".", Leaf::Dot), ("e/..", Leaf::DotDot), ("/", Leaf::Root)] {
            let place = walk(&tree, outer, path.as_bytes(), LastLink::Keep).unwrap();
            assert_eq!(place.leaf, leaf);
        }
    }

    #[test]
    fn text_that_cannot_be_a_path_is_refused() {
        assert_eq!(text(b""), Err(Errno::Noent));
        assert_eq!(text(b"a\0b"), Err(Errno::Inval));
        assert_eq!(text(b"a\xff"), Err(Errno::Ilseq));
        assert_eq!(text(&[b'a'; MAX_PATH_BYTES + 1]), Err(Errno::Nametoolong));
        assert_eq!(
            text(&[b'a'; MAX_PATH_BYTES]).map(str::len),
            Ok(MAX_PATH_BYTES)
        );
    }

    #[test]
    fn a_name_may_have_255_bytes() {
        let (tree, outer, _) = sample();
        let name = "n".repeat(MAX_NAME_BYTES);
        assert_eq!(find(&tree, outer, &name), Err(Errno::Noent));
        assert_eq!(
            find(&tree, outer, &format!("{name}n")),
            Err(Errno::Nametoolong)
        );
    }
}
