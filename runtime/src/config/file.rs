//! The text of `config.yaml`, as far as it can be read. A file that others can change is not read: it can switch approvals off.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use crate::system;

/// Largest file that is read; people write a hundredth of it.
const MAX_BYTES: u64 = 1 << 20;

/// Symbolic links that are followed on the way to the file, as many as Linux follows.
const MAX_LINKS: usize = 40;

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
    let file = File::open(trusted(path)?)?;
    if system::others_may_change(&file.metadata()?) {
        return Err(others_may_change());
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

/// Follows a path from the root, and returns where it leads if nobody but the user, the administrator and a group can make it lead elsewhere.
///
/// Every directory in which a name is looked up is judged, those on the way of each link included.
fn trusted(path: &Path) -> io::Result<PathBuf> {
    let mut rest = std::path::absolute(path)?;
    if cfg!(windows) {
        // Who may change an entry is not known there.
        return Ok(rest);
    }
    // It has neither links nor `..`, so that its parent is the one that the system would take.
    let mut real = PathBuf::new();
    let mut links = 0;
    loop {
        let mut parts = rest.components();
        let Some(part) = parts.next() else {
            return Ok(real);
        };
        let mut after = parts.as_path().to_owned();
        match part {
            Component::Normal(name) => {
                if system::others_may_replace_in(&real.metadata()?) {
                    return Err(others_may_change());
                }
                real.push(name);
                let about = real.symlink_metadata()?;
                if about.is_symlink() {
                    links += 1;
                    if links > MAX_LINKS {
                        return Err(io::Error::other("it is behind too many links"));
                    }
                    if system::others_may_change(&about) {
                        return Err(others_may_change());
                    }
                    after = real.read_link()?.join(after);
                    real.pop();
                }
            }
            Component::ParentDir => {
                real.pop();
            }
            Component::RootDir | Component::Prefix(_) => real.push(part),
            Component::CurDir => {}
        }
        rest = after;
    }
}

fn others_may_change() -> io::Error {
    io::Error::other("others than this user can change it")
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

    #[cfg(unix)]
    #[test]
    fn every_directory_on_the_way_is_judged() {
        use std::os::unix::fs::{PermissionsExt, symlink};

        let place = tempfile::tempdir().unwrap();
        let root = place.path().canonicalize().unwrap();
        for directory in ["safe/h", "open/mid/in", "open/gp/h", "safe/far"] {
            fs::create_dir_all(root.join(directory)).unwrap();
        }
        for file in ["safe/config.yaml", "open/gp/h/config.yaml"] {
            fs::write(root.join(file), "a: 1").unwrap();
        }
        for (link, target) in [
            ("safe/h/config.yaml", "../../open/mid/in/link"),
            ("open/mid/in/link", "ROOT/safe/config.yaml"),
            ("open/link", "../safe"),
            ("safe/twice", "../open/link"),
            ("safe/up", "far/../../open/link/./../safe"),
        ] {
            let target = target.replace("ROOT", root.to_str().unwrap());
            symlink(target, root.join(link)).unwrap();
        }
        let ways = [
            // Through a link in a directory below the open one.
            ("safe/h/config.yaml", "open/mid"),
            // Below an open directory, and not in it.
            ("open/gp/h/config.yaml", "open/gp"),
            ("open/gp/h/config.yaml", "open"),
            // Through a link to a directory, and through one to that.
            ("open/link/config.yaml", "open"),
            ("safe/twice/config.yaml", "open"),
            ("safe/up/config.yaml", "open"),
        ];
        for (path, open) in ways {
            let path = root.join(path);
            for (mode, expected) in [
                (0o755, Ok("a: 1")),
                (0o775, Ok("a: 1")),
                (0o777, Err("others than this user can change it")),
                (0o1777, Ok("a: 1")),
            ] {
                fs::set_permissions(root.join(open), fs::Permissions::from_mode(mode)).unwrap();
                let found = read(&path).map(Option::unwrap);
                let found = found.as_deref().map_err(ToString::to_string);
                let expected = expected.map_err(str::to_owned);
                assert_eq!(found, expected, "{} {open} {mode:o}", path.display());
            }
            fs::set_permissions(root.join(open), fs::Permissions::from_mode(0o755)).unwrap();
        }
    }

    #[cfg(unix)]
    #[test]
    fn what_another_user_owns_on_the_way_is_not_trusted() {
        use std::os::unix::fs::{PermissionsExt, chown, lchown, symlink};

        let place = tempfile::tempdir().unwrap();
        let root = place.path().canonicalize().unwrap();
        let (shared, kept) = (root.join("shared"), root.join("kept"));
        for directory in [&shared, &kept] {
            fs::create_dir(directory).unwrap();
        }
        fs::set_permissions(&shared, fs::Permissions::from_mode(0o1777)).unwrap();
        fs::create_dir(shared.join("h")).unwrap();
        for directory in [&shared.join("h"), &kept] {
            fs::write(directory.join("config.yaml"), "a: 1").unwrap();
        }
        symlink(&kept, shared.join("link")).unwrap();
        let read = |name: &str| read(&shared.join(name).join("config.yaml"));
        assert!(read("h").is_ok() && read("link").is_ok());
        // Only the administrator can give a file away.
        if chown(shared.join("h"), Some(12_345), None).is_err() {
            return;
        }
        lchown(shared.join("link"), Some(12_345), None).unwrap();
        for name in ["h", "link"] {
            let told = read(name).unwrap_err().to_string();
            assert_eq!(told, "others than this user can change it", "{name}");
        }
    }
}
