//! The script that `run` runs: from a file, from stdin or from the command line itself.
//!
//! It owns where the text comes from and that it is UTF-8 of a bounded size, not whether it is Python.

use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};

use clap::Args;

/// Bytes of a script at most: a guard against files that do not end, and more than any script has.
const MAX_BYTES: usize = 64 << 20;
/// Stands for stdin on the command line.
const STDIN: &str = "-";
/// Editors put this mark at the start of some files; Python's own loader skips it as well.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// Where the script comes from.
#[derive(Debug, Args)]
pub(super) struct Source {
    /// Script to run, at most 64 MiB of UTF-8; `-`, or nothing where stdin is no terminal, is stdin
    #[arg(value_name = "FILE", conflicts_with = "code")]
    file: Option<PathBuf>,

    /// Python source to run, instead of a file
    #[arg(
        short = 'c',
        long = "code",
        value_name = "CODE",
        allow_hyphen_values = true
    )]
    code: Option<String>,
}

/// A script that cannot be had.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SourceError {
    /// No place was named, and stdin is a person.
    #[error("no code given; hint: name a FILE, pass `-c CODE`, or pipe the code to stdin")]
    NotGiven,
    /// There is no such file.
    #[error("no file `{}`; hint: pass code itself with `-c CODE`", .path.display())]
    Missing { path: PathBuf },
    /// The path is not a file.
    #[error("`{}` is a directory; hint: name the script in it", .path.display())]
    Directory { path: PathBuf },
    /// It cannot be read.
    #[error("cannot read {name}")]
    Unreadable { name: String, source: io::Error },
    /// It is not text.
    #[error("{name} is not UTF-8 from byte {offset} on; hint: save it as UTF-8")]
    NotUtf8 { name: String, offset: usize },
    /// It does not end in time.
    #[error("{name} is longer than {limit} bytes")]
    TooLong { name: String, limit: usize },
}

impl Source {
    /// Returns the text of the script.
    pub(super) fn read(self) -> Result<String, SourceError> {
        match (self.code, self.file) {
            (Some(code), _) => Ok(code),
            (None, Some(path)) if path.as_os_str() != STDIN => read_file(&path),
            (None, None) if io::stdin().is_terminal() => Err(SourceError::NotGiven),
            (None, _) => read(io::stdin().lock(), "stdin", MAX_BYTES),
        }
    }
}

fn read_file(path: &Path) -> Result<String, SourceError> {
    let name = format!("`{}`", path.display());
    let path = path.to_path_buf();
    match File::open(&path) {
        Ok(file) if file.metadata().is_ok_and(|metadata| metadata.is_dir()) => {
            Err(SourceError::Directory { path })
        }
        Ok(file) => read(file, &name, MAX_BYTES),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(SourceError::Missing { path }),
        Err(source) => Err(SourceError::Unreadable { name, source }),
    }
}

fn read(input: impl Read, name: &str, limit: usize) -> Result<String, SourceError> {
    let name = || name.to_owned();
    let mut bytes = Vec::new();
    // One byte more than allowed tells a text of the longest length from one that is too long. The cast only widens.
    let read = input.take(limit as u64 + 1).read_to_end(&mut bytes);
    read.map_err(|source| SourceError::Unreadable {
        name: name(),
        source,
    })?;
    if bytes.len() > limit {
        return Err(SourceError::TooLong {
            name: name(),
            limit,
        });
    }
    let text = String::from_utf8(bytes).map_err(|error| SourceError::NotUtf8 {
        name: name(),
        offset: error.utf8_error().valid_up_to(),
    })?;
    Ok(text
        .strip_prefix(BYTE_ORDER_MARK)
        .map(str::to_owned)
        .unwrap_or(text))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use super::*;

    fn refusal(bytes: &[u8]) -> String {
        read(bytes, "stdin", 8).unwrap_err().to_string()
    }

    #[test]
    fn text_is_kept_as_it_is_but_for_a_byte_order_mark() {
        assert_eq!(
            read(&b"x = 1\r\n\0"[..], "stdin", 8).unwrap(),
            "x = 1\r\n\0"
        );
        assert_eq!(read("\u{feff}é".as_bytes(), "stdin", 8).unwrap(), "é");
        assert_eq!(read(&b""[..], "stdin", 8).unwrap(), "");
    }

    #[test]
    fn bytes_that_are_no_text_are_refused_with_their_place() {
        let expected = "stdin is not UTF-8 from byte 2 on; hint: save it as UTF-8";
        assert_eq!(refusal(b"ab\xff"), expected);
    }

    #[test]
    fn input_is_read_only_up_to_the_limit() {
        assert_eq!(read(&b"12345678"[..], "stdin", 8).unwrap(), "12345678");
        let endless = io::repeat(b' ');
        let error = read(endless, "stdin", 8).unwrap_err().to_string();
        assert_eq!(error, "stdin is longer than 8 bytes");
    }

    #[test]
    fn a_directory_and_a_missing_file_are_told_apart() {
        let directory = tempfile::tempdir().unwrap();
        let error = read_file(directory.path()).unwrap_err();
        assert!(matches!(error, SourceError::Directory { .. }), "{error}");
        let error = read_file(&directory.path().join("none.py")).unwrap_err();
        assert!(matches!(error, SourceError::Missing { .. }), "{error}");
    }
}
