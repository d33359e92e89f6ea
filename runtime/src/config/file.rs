//! The text of `config.yaml`, as far as it can be read, and whether only its owner can change it.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::Path;

/// Largest file that is read; people write a hundredth of it.
const MAX_BYTES: u64 = 1 << 20;

/// What was read.
#[derive(Debug)]
pub(super) struct Text {
    pub(super) text: String,
    /// Whether nobody but this user and the administrator can change the file.
    pub(super) is_private: bool,
}

/// Reads the file; `None` where there is none.
pub(super) fn read(path: &Path) -> io::Result<Option<Text>> {
    // A pipe would be waited for at the opening.
    let found = match path.metadata() {
        Ok(metadata) if !metadata.is_file() => Err(io::Error::other("it is no regular file")),
        found => found,
    };
    match found.and_then(|_| open(path)) {
        Ok(text) => Ok(Some(text)),
        Err(error) if is_missing(&error) => Ok(None),
        Err(error) => Err(error),
    }
}

fn is_missing(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

fn open(path: &Path) -> io::Result<Text> {
    let file = File::open(path)?;
    let is_private = is_private(&file.metadata()?);
    let mut bytes = Vec::new();
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(io::Error::other(format!(
            "it has more than {MAX_BYTES} bytes"
        )));
    }
    let text = String::from_utf8(bytes).map_err(|_| io::Error::other("it is not UTF-8"))?;
    Ok(Text { text, is_private })
}

#[cfg(unix)]
fn is_private(metadata: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;

    const WRITABLE_BY_ALL: u32 = 0o002;
    let owner = metadata.uid();
    let is_ours = owner == 0 || owner == rustix::process::geteuid().as_raw();
    is_ours && metadata.mode() & WRITABLE_BY_ALL == 0
}

#[cfg(not(unix))]
fn is_private(_: &Metadata) -> bool {
    // The user's directory is closed to others there unless somebody opened it.
    true
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use std::fs;

    use super::*;

    #[test]
    fn a_missing_file_is_none_and_an_unreadable_one_an_error() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("config.yaml");
        assert!(read(&path).unwrap().is_none());
        let told = |path: &Path| read(path).unwrap_err().to_string();
        assert_eq!(told(place.path()), "it is no regular file");
        fs::write(&path, b"a: \xff").unwrap();
        assert_eq!(told(&path), "it is not UTF-8");
        fs::write(&path, vec![b'#'; 1 << 20]).unwrap();
        assert_eq!(read(&path).unwrap().unwrap().text.len(), 1 << 20);
        fs::write(&path, vec![b'#'; (1 << 20) + 1]).unwrap();
        assert_eq!(told(&path), "it has more than 1048576 bytes");
        assert!(read(&path.join("below")).unwrap().is_none());
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_everybody_can_change_is_not_private() {
        use std::os::unix::fs::PermissionsExt;

        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("config.yaml");
        fs::write(&path, "a: 1").unwrap();
        for (mode, expected) in [(0o600, true), (0o664, true), (0o666, false)] {
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            assert_eq!(
                read(&path).unwrap().unwrap().is_private,
                expected,
                "{mode:o}"
            );
        }
    }
}
