//! The files that hold pages whole, of which results show the ends only.
//!
//! A file is named for its URL, so the same page takes the place of its older self. It appears whole or not at all and is for its owner only.
//! It is given text that is clean already.

use std::fmt::Write as _;
use std::fs::{self, DirBuilder};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

use crate::system;
use crate::text::truncate::{first_chars, grouped};

/// Characters of a page that are stored.
const MAX_CHARS: usize = 2_000_000;
/// Bytes of the digest in a file's name; each is two digits.
const NAME_DIGEST_BYTES: usize = 5;
/// Longest part of a file's name that is the host, in characters.
const MAX_SLUG_CHARS: usize = 60;

/// Stores the text of a page and returns the path of its file. A directory that is missing is made.
///
/// # Errors
/// Fails if the directory is a symbolic link or no directory, or if the file cannot be written.
pub(super) fn save(dir: &Path, url: &str, host: &str, text: &str) -> io::Result<PathBuf> {
    system::allow_user_only(DirBuilder::new().recursive(true)).create(dir)?;
    if !fs::symlink_metadata(dir)?.is_dir() {
        return Err(io::ErrorKind::NotADirectory.into());
    }
    let mut file = tempfile::Builder::new()
        .prefix(".page-")
        .suffix(".tmp")
        .tempfile_in(dir)?;
    let kept = first_chars(text, MAX_CHARS);
    file.write_all(kept.as_bytes())?;
    if kept.len() < text.len() {
        let total = u64::try_from(text.chars().count()).unwrap_or(u64::MAX);
        write!(
            file,
            "\n\n[... stored copy truncated at 2,000,000 chars of {} ...]",
            grouped(total)
        )?;
    }
    let path = dir.join(file_name(url, host));
    file.persist(&path)?;
    Ok(path)
}

/// Names a file by the host, as far as a file's name can hold it, and by the digest of the URL.
fn file_name(url: &str, host: &str) -> String {
    let slug: String = host
        .chars()
        .map(|letter| {
            if letter.is_ascii_alphanumeric() || letter == '.' || letter == '-' {
                letter
            } else {
                '_'
            }
        })
        .take(MAX_SLUG_CHARS)
        .collect();
    let slug = slug.trim_start_matches('.');
    let mut name = if slug.is_empty() {
        "page".to_owned()
    } else {
        slug.to_owned()
    };
    name.push('-');
    for byte in Sha256::digest(url).iter().take(NAME_DIGEST_BYTES) {
        // Writing to a string cannot fail.
        let _ = write!(name, "{byte:02x}");
    }
    name.push_str(".md");
    name
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    /// First 10 digits of the SHA-256 of `abc`, an example of the standard.
    const ABC: &str = "e.example-ba7816bf8f.md";

    fn mode(path: &Path) -> u32 {
        fs::symlink_metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn a_page_is_private_and_takes_the_place_of_its_older_self() {
        let home = tempfile::tempdir().unwrap();
        let dir = home.path().join("cache/web");
        let path = save(&dir, "abc", "e.example", "old").unwrap();
        assert_eq!(path, dir.join(ABC));
        assert_eq!((mode(&path), mode(&dir)), (0o600, 0o700));
        assert_eq!(save(&dir, "abc", "e.example", "new").unwrap(), path);
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(fs::read_dir(&dir).unwrap().count(), 1);
    }

    #[test]
    fn a_symlink_is_neither_followed_nor_written_into() {
        let place = tempfile::tempdir().unwrap();
        let (dir, target) = (place.path().join("web"), place.path().join("target"));
        fs::write(&target, "precious").unwrap();
        fs::create_dir(&dir).unwrap();
        symlink(&target, dir.join(ABC)).unwrap();
        save(&dir, "abc", "e.example", "new").unwrap();
        assert_eq!(fs::read_to_string(&target).unwrap(), "precious");
        let link = place.path().join("link");
        symlink(&dir, &link).unwrap();
        let refused = save(&link, "abc", "e.example", "new").unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::NotADirectory);
    }

    #[test]
    fn a_host_is_only_a_part_of_a_name() {
        let rows = [
            ("[::1]", "_::1_".replace(':', "_")),
            ("..", "page".to_owned()),
            ("", "page".to_owned()),
            ("a/../b", "a_.._b".to_owned()),
            (&"a".repeat(300), "a".repeat(60)),
        ];
        for (host, slug) in rows {
            assert_eq!(
                file_name("abc", host),
                format!("{slug}-ba7816bf8f.md"),
                "{host}"
            );
        }
    }

    #[test]
    fn a_page_beyond_the_limit_ends_with_a_note() {
        let dir = tempfile::tempdir().unwrap();
        let text = "ü".repeat(2_000_001);
        let path = save(dir.path(), "abc", "h", &text).unwrap();
        let stored = fs::read_to_string(path).unwrap();
        let note = "\n\n[... stored copy truncated at 2,000,000 chars of 2,000,001 ...]";
        assert_eq!(
            stored.strip_suffix(note),
            Some("ü".repeat(2_000_000).as_str())
        );
    }
}
