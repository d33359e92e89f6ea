//! Listing a directory in the byte layout of preview 1.
//!
//! Invariant: a buffer that is filled to its last byte means that there may be more, so the last entry is cut rather
//! than left out; the caller resumes after the last whole entry with the number that came with it.

use super::descriptor::Target;
use super::directory::{AFTER_PARENT, AFTER_SELF};
use super::tree::Ino;
use super::{Errno, FileSystem, FileType};

/// The size in bytes of what stands before each name.
const HEADER_BYTES: usize = 24;

impl FileSystem {
    /// Fills `out` with the entries after `cookie` (0 for all) and returns how many bytes were used.
    ///
    /// Answers `ENOTDIR` for anything but a directory.
    pub fn read_directory(&self, fd: u32, out: &mut [u8], cookie: u64) -> Result<usize, Errno> {
        let Target::Node(ino) = self.descriptors.get(fd)?.target else {
            return Err(Errno::Notdir);
        };
        let directory = self.tree.directory(ino)?;
        let dots = [
            (AFTER_SELF, ".", ino),
            (AFTER_PARENT, "..", directory.parent),
        ]
        .into_iter()
        .filter(|(number, ..)| *number > cookie);
        let named = directory
            .entries_after(cookie)
            .map(|(number, entry)| (number, &*entry.name, entry.ino));
        let mut used = 0;
        for (number, name, ino) in dots.chain(named) {
            let file_type = self.type_of(ino);
            for part in [&header(number, ino, name, file_type)[..], name.as_bytes()] {
                used += copy_to_front(out.get_mut(used..).unwrap_or_default(), part);
            }
            if used == out.len() {
                break;
            }
        }
        Ok(used)
    }

    /// Returns the type of an entry. The parent of a removed directory may be gone; it was a directory.
    fn type_of(&self, ino: Ino) -> FileType {
        match self.tree.node(ino) {
            Ok(node) => node.kind.file_type(),
            Err(_) => FileType::Directory,
        }
    }
}

fn header(number: u64, ino: Ino, name: &str, file_type: FileType) -> [u8; HEADER_BYTES] {
    // The saturation is never reached: a name has at most 255 bytes.
    let name_bytes = u32::try_from(name.len()).unwrap_or(u32::MAX);
    let mut out = [0; HEADER_BYTES];
    let last = u64::from(name_bytes) | u64::from(file_type.code()) << 32;
    for (to, word) in out.chunks_exact_mut(8).zip([number, ino.get(), last]) {
        to.copy_from_slice(&word.to_le_bytes());
    }
    out
}

/// Copies as much of `part` as fits and returns how much that was.
fn copy_to_front(out: &mut [u8], part: &[u8]) -> usize {
    let count = part.len().min(out.len());
    for (to, from) in out.iter_mut().zip(part) {
        *to = *from;
    }
    count
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use super::super::{OpenFlags, OpenOptions};
    use super::*;

    fn open_directory(files: &mut FileSystem, path: &[u8]) -> u32 {
        let options = OpenOptions {
            flags: OpenFlags::DIRECTORY,
            ..OpenOptions::read()
        };
        files.open(3, path, options, 0).unwrap()
    }

    fn with_names(names: &[&str]) -> (FileSystem, u32) {
        let mut files = FileSystem::new(0);
        for name in names {
            let path = format!("tmp/{name}");
            let fd = files
                .open(3, path.as_bytes(), OpenOptions::create(), 0)
                .unwrap();
            files.close(fd).unwrap();
        }
        let fd = open_directory(&mut files, b"tmp");
        (files, fd)
    }

    fn word(bytes: &[u8], at: usize) -> u64 {
        u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap())
    }

    /// Reads one buffer as wasi-libc does: whole entries only. Returns the names, the last cookie, and whether it was
    /// the end.
    fn page(files: &FileSystem, fd: u32, size: usize, cookie: u64) -> (Vec<String>, u64, bool) {
        let mut out = vec![0xaa; size];
        let used = files.read_directory(fd, &mut out, cookie).unwrap();
        let mut bytes = &out[..used];
        let mut names = Vec::new();
        let mut last = cookie;
        while bytes.len() >= HEADER_BYTES {
            let len = usize::try_from(word(bytes, 16) & 0xffff_ffff).unwrap();
            let Some(name) = bytes.get(HEADER_BYTES..HEADER_BYTES + len) else {
                break;
            };
            names.push(String::from_utf8(name.to_vec()).unwrap());
            last = word(bytes, 0);
            bytes = &bytes[HEADER_BYTES + len..];
        }
        (names, last, used < size)
    }

    #[test]
    fn an_entry_has_the_layout_of_preview_1() {
        let (files, fd) = with_names(&["ab"]);
        let mut out = [0xaa; 128];
        let used = files.read_directory(fd, &mut out, AFTER_PARENT).unwrap();
        let ino = files.stat_path(3, b"tmp/ab", true).unwrap().ino;
        let mut expected = Vec::new();
        expected.extend_from_slice(&3_u64.to_le_bytes());
        expected.extend_from_slice(&ino.to_le_bytes());
        expected.extend_from_slice(&[2, 0, 0, 0, 4, 0, 0, 0, b'a', b'b']);
        assert_eq!(out[..used], expected);
        assert_eq!(out[used], 0xaa);
    }

    #[test]
    fn the_directory_and_its_parent_come_first() {
        let (files, fd) = with_names(&["b", "a"]);
        assert_eq!(page(&files, fd, 4096, 0).0, [".", "..", "b", "a"]);
        assert_eq!(page(&files, fd, 4096, AFTER_SELF).0, ["..", "b", "a"]);
    }

    #[test]
    fn a_full_buffer_means_more_and_cuts_the_last_entry() {
        let (files, fd) = with_names(&["abc"]);
        // `.` takes 25 bytes and `..` 26, so that the last name is cut to one byte.
        let (names, last, end) = page(&files, fd, 25 + 26 + HEADER_BYTES + 1, 0);
        assert_eq!(
            (names, last, end),
            (vec![".".into(), "..".into()], 2, false)
        );
        let (names, _, end) = page(&files, fd, 25 + 26 + HEADER_BYTES + 3, 0);
        assert_eq!((names.len(), end), (3, false));
        assert_eq!(page(&files, fd, 64, 3), (vec![], 3, true));
    }

    #[test]
    fn removing_while_listing_skips_nothing() {
        let names = (0..50).map(|i| format!("file{i}")).collect::<Vec<_>>();
        let borrowed = names.iter().map(String::as_str).collect::<Vec<_>>();
        let (mut files, fd) = with_names(&borrowed);
        let mut seen = Vec::new();
        let mut cookie = AFTER_PARENT;
        loop {
            let (found, last, end) = page(&files, fd, 100, cookie);
            for name in &found {
                files
                    .unlink(3, format!("tmp/{name}").as_bytes(), 0)
                    .unwrap();
            }
            seen.extend(found);
            cookie = last;
            if end {
                break;
            }
        }
        assert_eq!(seen, names);
        assert_eq!(files.remove_directory(3, b"tmp", 0), Err(Errno::Rofs));
        assert_eq!(page(&files, fd, 4096, 0).0, [".", ".."]);
    }

    #[test]
    fn only_a_directory_can_be_listed() {
        let (mut files, _) = with_names(&["f"]);
        let fd = files.open(3, b"tmp/f", OpenOptions::read(), 0).unwrap();
        assert_eq!(
            files.read_directory(fd, &mut [0; 64], 0),
            Err(Errno::Notdir)
        );
        assert_eq!(files.read_directory(1, &mut [0; 64], 0), Err(Errno::Notdir));
        assert_eq!(files.read_directory(99, &mut [0; 64], 0), Err(Errno::Badf));
    }

    #[test]
    fn a_removed_directory_that_is_open_lists_as_empty() {
        let mut files = FileSystem::new(0);
        files.make_directory(3, b"tmp/d", 0).unwrap();
        files.make_directory(3, b"tmp/d/e", 0).unwrap();
        let fd = open_directory(&mut files, b"tmp/d/e");
        files.remove_directory(3, b"tmp/d/e", 0).unwrap();
        files.remove_directory(3, b"tmp/d", 0).unwrap();
        assert_eq!(page(&files, fd, 4096, 0).0, [".", ".."]);
    }
}
