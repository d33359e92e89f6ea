//! Hashes of what steps read and write, and the key that a step's inputs add up to.
//!
//! A file is hashed by its content. A directory of outputs is hashed by the names and sizes below it, which is quick
//! and notices what is missing or cut short; a directory of inputs is hashed by content.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use sha2::{Digest, Sha256};

/// The inputs of a step, gathered one after another. Every part is stored with its length, so parts never run together.
#[derive(Debug)]
pub(crate) struct Key(Sha256);

impl Key {
    /// Returns the key of a step that has no inputs yet.
    pub(crate) fn new(step: &str) -> Self {
        let mut key = Self(Sha256::new());
        key.text("step", step);
        key
    }

    /// Adds a value: a flag, a version, the hash of something.
    pub(crate) fn text(&mut self, label: &str, value: &str) {
        for part in [label, value] {
            self.0.update(part.len().to_le_bytes());
            self.0.update(part.as_bytes());
        }
    }

    /// Adds the content of a file.
    pub(crate) fn file(&mut self, label: &str, path: &Path) -> Result<()> {
        let hash = of_file(path)?;
        self.text(label, &hash);
        Ok(())
    }

    /// Adds the names and contents of all files below a directory.
    pub(crate) fn directory(&mut self, label: &str, path: &Path) -> Result<()> {
        for file in files_below(path)? {
            let name = file
                .strip_prefix(path)
                .unwrap_or(&file)
                .to_string_lossy()
                .into_owned();
            self.text(label, &name);
            self.file(label, &file)?;
        }
        Ok(())
    }

    /// Returns the key as 64 hexadecimal digits.
    pub(crate) fn finish(self) -> String {
        hex(&self.0.finalize())
    }
}

/// Returns the SHA-256 of bytes as 64 hexadecimal digits.
pub(crate) fn of_bytes(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Returns the hash of an output: of a file its SHA-256, of a directory that of the names and sizes below it.
pub(crate) fn of_output(path: &Path) -> Result<String> {
    if !path.is_dir() {
        return of_file(path);
    }
    let mut key = Key::new("directory");
    for file in files_below(path)? {
        let size = fs::symlink_metadata(&file)
            .with_context(|| format!("cannot read `{}`", file.display()))?
            .len();
        let name = file
            .strip_prefix(path)
            .unwrap_or(&file)
            .to_string_lossy()
            .into_owned();
        key.text(&name, &size.to_string());
    }
    Ok(key.finish())
}

/// Returns the SHA-256 of a file's content as 64 hexadecimal digits.
pub(crate) fn of_file(path: &Path) -> Result<String> {
    let context = || format!("cannot read `{}`", path.display());
    let mut file = File::open(path).with_context(context)?;
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        let read = file.read(&mut buffer).with_context(context)?;
        match buffer.get(..read) {
            Some([]) | None => return Ok(hex(&hash.finalize())),
            Some(bytes) => hash.update(bytes),
        }
    }
}

/// Returns the files below a directory in a fixed order, without Python's caches, which come and go by themselves.
fn files_below(directory: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut pending = vec![directory.to_path_buf()];
    while let Some(current) = pending.pop() {
        let context = || format!("cannot list `{}`", current.display());
        for entry in fs::read_dir(&current).with_context(context)? {
            let entry = entry.with_context(context)?;
            if !entry.file_type().with_context(context)?.is_dir() {
                files.push(entry.path());
            } else if entry.file_name() != "__pycache__" {
                pending.push(entry.path());
            }
        }
    }
    files.sort();
    Ok(files)
}

fn hex(bytes: &[u8]) -> String {
    bytes
        .iter()
        .fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
            // Writing to a string cannot fail.
            let _ = write!(text, "{byte:02x}");
            text
        })
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use super::*;

    fn key(parts: &[(&str, &str)]) -> String {
        let mut key = Key::new("test");
        for (label, value) in parts {
            key.text(label, value);
        }
        key.finish()
    }

    #[test]
    fn bytes_hash_to_the_published_digest() {
        assert_eq!(
            of_bytes(b"abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }

    #[test]
    fn keys_differ_when_any_part_differs() {
        let base = key(&[("flags", "-O3"), ("patch", "a")]);
        assert_eq!(base, key(&[("flags", "-O3"), ("patch", "a")]));
        assert_ne!(base, key(&[("flags", "-O2"), ("patch", "a")]));
        assert_ne!(base, key(&[("flags", "-O3")]));
        assert_ne!(base, key(&[("flags", "-O3patch"), ("", "a")]));
        assert_ne!(base, Key::new("test").finish());
    }

    #[test]
    fn a_directory_of_inputs_is_keyed_by_content_and_name() {
        let directory = tempfile::tempdir().unwrap();
        let keyed = || {
            let mut key = Key::new("test");
            key.directory("sources", directory.path()).unwrap();
            key.finish()
        };
        fs::write(directory.path().join("a"), "one").unwrap();
        let first = keyed();
        fs::write(directory.path().join("a"), "two").unwrap();
        let second = keyed();
        fs::rename(directory.path().join("a"), directory.path().join("b")).unwrap();
        assert_ne!(first, second);
        assert_ne!(second, keyed());
    }

    #[test]
    fn a_directory_of_outputs_notices_a_lost_file_and_ignores_caches() {
        let directory = tempfile::tempdir().unwrap();
        fs::write(directory.path().join("a"), "one").unwrap();
        let one = of_output(directory.path()).unwrap();
        fs::create_dir(directory.path().join("__pycache__")).unwrap();
        fs::write(directory.path().join("__pycache__/a.pyc"), "cache").unwrap();
        assert_eq!(one, of_output(directory.path()).unwrap());
        fs::remove_file(directory.path().join("a")).unwrap();
        assert_ne!(one, of_output(directory.path()).unwrap());
    }
}
