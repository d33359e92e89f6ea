//! The text of `config.yaml`, as far as it can be read. A file that others can change is not read: it can switch approvals off.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::system;

/// Largest file that is read; people write a hundredth of it.
const MAX_BYTES: u64 = 1 << 20;

/// Reads the file; `None` where there is none.
pub(super) fn read(path: &Path) -> io::Result<Option<String>> {
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

fn open(path: &Path) -> io::Result<String> {
    let file = File::open(path)?;
    let real = path.canonicalize()?;
    let places = [path, &real].map(Path::parent).into_iter().flatten();
    let is_open = places.map(Path::metadata).any(|about| match about {
        Ok(about) => system::others_may_replace_in(&about),
        Err(_) => true,
    });
    if is_open
        || system::others_may_change(&path.symlink_metadata()?)
        || system::others_may_change(&file.metadata()?)
    {
        return Err(io::Error::other("others than this user can change it"));
    }
    let mut bytes = Vec::new();
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(io::Error::other(format!(
            "it has more than {MAX_BYTES} bytes"
        )));
    }
    String::from_utf8(bytes).map_err(|_| io::Error::other("it is not UTF-8"))
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
        assert_eq!(read(&path).unwrap().unwrap().len(), 1 << 20);
        fs::write(&path, vec![b'#'; (1 << 20) + 1]).unwrap();
        assert_eq!(told(&path), "it has more than 1048576 bytes");
        assert!(read(&path.join("below")).unwrap().is_none());
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_others_can_change_is_not_read() {
        use std::os::unix::fs::PermissionsExt;

        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("config.yaml");
        fs::write(&path, "a: 1").unwrap();
        for (mode, expected) in [
            (0o600, Ok("a: 1")),
            (0o664, Ok("a: 1")),
            (0o666, Err("others than this user can change it")),
        ] {
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            let found = read(&path).map(Option::unwrap);
            let found = found.as_deref().map_err(ToString::to_string);
            assert_eq!(found, expected.map_err(str::to_owned), "{mode:o}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_others_can_replace_is_not_read_through_a_link_either() {
        use std::os::unix::fs::{PermissionsExt, symlink};

        let place = tempfile::tempdir().unwrap();
        let (kept, home) = (place.path().join("kept"), place.path().join("home"));
        for directory in [&kept, &home] {
            fs::create_dir(directory).unwrap();
        }
        fs::write(kept.join("config.yaml"), "a: 1").unwrap();
        symlink(kept.join("config.yaml"), home.join("config.yaml")).unwrap();
        for (open, mode, is_read) in [
            (&kept, 0o755, true),
            (&kept, 0o777, false),
            (&kept, 0o1777, true),
            (&home, 0o777, false),
            (&home, 0o775, true),
        ] {
            fs::set_permissions(open, fs::Permissions::from_mode(mode)).unwrap();
            let found = read(&home.join("config.yaml"));
            assert_eq!(found.is_ok(), is_read, "{} {mode:o}", open.display());
            fs::set_permissions(open, fs::Permissions::from_mode(0o755)).unwrap();
        }
    }
}
