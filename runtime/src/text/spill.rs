//! The file that holds the whole text of an output of which a result shows only the ends.
//!
//! It is given text that is already clean. A file is named for its text, so the same text is the same file; it appears
//! whole or not at all, is readable for its owner only, and a symbolic link in its place is replaced and not followed.

use std::fmt::Write as _;
use std::fs::{self, DirBuilder};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};
use tempfile::{Builder, NamedTempFile};

use crate::system;

/// Bytes of text that a file holds at most, without the marker.
pub(super) const CAP_BYTES: usize = 5_000_000;
/// Follows a text that is not there as a whole.
const CAP_MARKER: &str = "\n\n[... spill capped at 5,000,000 bytes ...]";

const DIRECTORY: &str = "cache/exec";
const LEGACY_DIRECTORY: &str = "exec_spill";
/// Bytes of the digest in a file's name; each is two digits.
const NAME_DIGEST_BYTES: usize = 6;

/// Returns the directory for spilled output; the one of older versions if something is in it.
pub(crate) fn spill_dir(hermes_home: &Path) -> PathBuf {
    let legacy = hermes_home.join(LEGACY_DIRECTORY);
    let is_used = fs::read_dir(&legacy).is_ok_and(|mut entries| entries.next().is_some());
    if is_used {
        legacy
    } else {
        hermes_home.join(DIRECTORY)
    }
}

/// How much of an output a text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// All of it.
    Whole,
    /// Its first part; the rest is gone.
    Start,
}

/// Saves a text and returns the path of its file. A directory that is missing is created.
///
/// # Errors
/// Fails if the directory is a symbolic link or no directory, or if the file cannot be written.
pub(super) fn save(dir: &Path, text: &str, extent: Extent) -> io::Result<PathBuf> {
    write(dir, &file_name(text), text, extent)
}

fn write(dir: &Path, name: &str, text: &str, extent: Extent) -> io::Result<PathBuf> {
    system::allow_user_only(DirBuilder::new().recursive(true)).create(dir)?;
    // The boundary is in the text and at a character.
    let (body, rest) = text.split_at(text.floor_char_boundary(CAP_BYTES));
    let is_capped = extent == Extent::Start || !rest.is_empty();
    let path = dir.join(name);
    place(dir, &path, &[body, if is_capped { CAP_MARKER } else { "" }])?;
    Ok(path)
}

/// Puts a text, in pieces, in the place of a file.
///
/// # Errors
/// Fails as [`save`] does, and if the directory is missing.
pub(super) fn replace(path: &Path, pieces: &[&str]) -> io::Result<()> {
    let dir = path.parent().ok_or(io::ErrorKind::NotADirectory)?;
    place(dir, path, pieces)
}

fn place(dir: &Path, path: &Path, pieces: &[&str]) -> io::Result<()> {
    if !fs::symlink_metadata(dir)?.is_dir() {
        return Err(io::ErrorKind::NotADirectory.into());
    }
    // Cells run side by side and may print the same: each fills a file of its own, and the last one in place stays.
    let mut file = create_private(dir)?;
    for piece in pieces {
        file.write_all(piece.as_bytes())?;
    }
    file.persist(path)?;
    Ok(())
}

/// Saves a text, up to the limit of bytes, in a file of that name and returns its path. A directory that is missing is created.
///
/// # Errors
/// Fails as [`save`] does.
pub(crate) fn save_as(dir: &Path, name: &str, text: &str) -> io::Result<PathBuf> {
    write(dir, name, text, Extent::Whole)
}

/// Creates a file with a free name, by exclusive creation and with mode 0600; it is removed again unless it is kept.
fn create_private(dir: &Path) -> io::Result<NamedTempFile> {
    Builder::new()
        .prefix(".stdout-")
        .suffix(".tmp")
        .tempfile_in(dir)
}

fn file_name(text: &str) -> String {
    let mut name = String::from("stdout-");
    for byte in Sha256::digest(text).iter().take(NAME_DIGEST_BYTES) {
        // Writing to a string cannot fail.
        let _ = write!(name, "{byte:02x}");
    }
    name.push_str(".txt");
    name
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    /// First 12 digits of the SHA-256 of `abc`, an example of the standard.
    const ABC_NAME: &str = "stdout-ba7816bf8f01.txt";

    fn mode(path: &Path) -> u32 {
        fs::symlink_metadata(path).unwrap().permissions().mode() & 0o777
    }

    fn names(dir: &Path) -> Vec<String> {
        let entries = fs::read_dir(dir).unwrap();
        let mut names: Vec<_> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_private_and_named_for_its_text() {
        let home = tempfile::tempdir().unwrap();
        let dir = spill_dir(home.path());
        let path = save(&dir, "abc", Extent::Whole).unwrap();
        assert_eq!(path, home.path().join("cache/exec").join(ABC_NAME));
        assert_eq!(fs::read_to_string(&path).unwrap(), "abc");
        assert_eq!(
            (mode(&path), mode(&dir), mode(&home.path().join("cache"))),
            (0o600, 0o700, 0o700)
        );
    }

    #[test]
    fn the_same_text_is_the_same_file() {
        let dir = tempfile::tempdir().unwrap();
        let first = save(dir.path(), "abc", Extent::Whole).unwrap();
        fs::write(&first, "changed since").unwrap();
        assert_eq!(save(dir.path(), "abc", Extent::Whole).unwrap(), first);
        assert_eq!(fs::read_to_string(&first).unwrap(), "abc");
        assert_eq!(names(dir.path()), [ABC_NAME]);
    }

    #[test]
    fn a_planted_symlink_is_replaced_and_its_target_is_not_written() {
        let place = tempfile::tempdir().unwrap();
        let dir = place.path().join("spill");
        fs::create_dir(&dir).unwrap();
        let target = place.path().join("target");
        fs::write(&target, "precious").unwrap();
        symlink(&target, dir.join(ABC_NAME)).unwrap();
        let path = save(&dir, "abc", Extent::Whole).unwrap();
        assert!(fs::symlink_metadata(&path).unwrap().is_file());
        assert_eq!(fs::read_to_string(&path).unwrap(), "abc");
        assert_eq!(fs::read_to_string(&target).unwrap(), "precious");
    }

    #[test]
    fn a_directory_that_is_a_symlink_is_refused() {
        let place = tempfile::tempdir().unwrap();
        let target = place.path().join("target");
        fs::create_dir(&target).unwrap();
        let dir = place.path().join("spill");
        symlink(&target, &dir).unwrap();
        let error = save(&dir, "abc", Extent::Whole).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotADirectory);
        assert_eq!(names(&target), [""; 0]);
    }

    #[test]
    fn a_failure_leaves_no_file_behind() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join(ABC_NAME)).unwrap();
        let error = save(dir.path(), "abc", Extent::Whole).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::IsADirectory);
        assert_eq!(names(dir.path()), [ABC_NAME]);
    }

    #[test]
    fn a_text_beyond_the_cap_ends_with_the_marker() {
        let dir = tempfile::tempdir().unwrap();
        let saved = |text: &str, extent| {
            fs::read_to_string(save(dir.path(), text, extent).unwrap()).unwrap()
        };
        let full = "x".repeat(5_000_000);
        assert_eq!(saved(&full, Extent::Whole), full);
        let capped = format!("{full}\n\n[... spill capped at 5,000,000 bytes ...]");
        assert_eq!(saved(&format!("{full}y"), Extent::Whole), capped);
        assert_eq!(saved(&full, Extent::Start), capped);
        // The euro sign would end one byte behind the cap.
        let euro = format!("{}€", "x".repeat(4_999_998));
        assert!(
            saved(&euro, Extent::Whole).ends_with("x\n\n[... spill capped at 5,000,000 bytes ...]")
        );
        assert_eq!(
            saved("abc", Extent::Start),
            "abc\n\n[... spill capped at 5,000,000 bytes ...]"
        );
    }

    #[test]
    fn the_older_directory_is_used_only_when_something_is_in_it() {
        let home = tempfile::tempdir().unwrap();
        let legacy = home.path().join("exec_spill");
        assert_eq!(spill_dir(home.path()), home.path().join("cache/exec"));
        fs::create_dir(&legacy).unwrap();
        assert_eq!(spill_dir(home.path()), home.path().join("cache/exec"));
        fs::write(legacy.join("stdout-0.txt"), "").unwrap();
        assert_eq!(spill_dir(home.path()), legacy);
    }
}
