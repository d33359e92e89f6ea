//! Replaces a file as a whole: a temporary file beside it is filled and then renamed over it.
//!
//! A reader sees the old file or the new one, never a part, also after a crash of the machine: what replaces a file is on
//! the disk before the rename is. A new file has nothing to lose and is not waited for. The temporary file is gone
//! whatever fails. The rename never follows a symbolic link; who wants a link's target replaced names the target. Other
//! hard links of a replaced file keep the old content.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Write as _};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

use cap_std::fs::{Dir, Metadata, OpenOptions};

use crate::system;

/// Bytes that are written between two looks at whether the file is still wanted.
const CHUNK_BYTES: usize = 1 << 20;

/// A name is free at the first try unless a process with the same number died here; a hostile directory may hold more.
const MAX_NAME_TRIES: u32 = 100;

/// A temporary file that is going to take the place of `name` in a directory.
#[derive(Debug)]
pub(crate) struct Replacement<'a> {
    dir: &'a Dir,
    name: &'a OsStr,
    temporary: String,
    file: File,
    replaces: bool,
    is_placed: bool,
}

impl<'a> Replacement<'a> {
    /// Creates the temporary file; mode and owner come from `old`, the metadata of the file to be replaced.
    pub(crate) fn begin(dir: &'a Dir, name: &'a OsStr, old: Option<&Metadata>) -> io::Result<Self> {
        let (temporary, file) = create_temporary(dir, old.is_some())?;
        let replacement = Self {
            dir,
            name,
            temporary,
            file,
            replaces: old.is_some(),
            is_placed: false,
        };
        if let Some(old) = old {
            system::make_like(&replacement.file, old)?;
        }
        Ok(replacement)
    }

    /// Writes the whole content and puts the file in its place, unless `is_over` says meanwhile that nobody wants it any more.
    pub(crate) fn commit(mut self, content: &[u8], is_over: &dyn Fn() -> bool) -> io::Result<()> {
        let over = || io::Error::new(io::ErrorKind::Interrupted, "the cell has ended");
        for chunk in content.chunks(CHUNK_BYTES) {
            if is_over() {
                return Err(over());
            }
            self.file.write_all(chunk)?;
        }
        if self.replaces {
            self.file.sync_data()?;
        }
        if is_over() {
            return Err(over());
        }
        self.dir.rename(&self.temporary, self.dir, self.name)?;
        self.is_placed = true;
        Ok(())
    }
}

impl Drop for Replacement<'_> {
    fn drop(&mut self) {
        if !self.is_placed {
            // There is nobody left to tell; the error that led here is on its way to the caller.
            let _ = self.dir.remove_file(&self.temporary);
        }
    }
}

fn create_temporary(dir: &Dir, is_private: bool) -> io::Result<(String, File)> {
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    if is_private {
        system::hide_new_file_in(&mut options);
    }
    for _ in 0..MAX_NAME_TRIES {
        let number = COUNTER.fetch_add(1, Ordering::Relaxed);
        let name = format!(".hermes-{}-{number}.tmp", process::id());
        match dir.open_with(&name, &options) {
            Ok(file) => return Ok((name, file.into_std())),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    use super::super::Scope;
    use super::*;

    fn names(scope: &Scope) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(scope.root())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_replacement_that_nobody_wants_any_more_leaves_the_old_file() {
        let place = tempfile::tempdir().unwrap();
        std::fs::write(place.path().join("f"), "old").unwrap();
        let dir = Dir::open_ambient_dir(place.path(), cap_std::ambient_authority()).unwrap();
        let error = Replacement::begin(&dir, OsStr::new("f"), None)
            .unwrap()
            .commit(b"new", &|| true)
            .unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::Interrupted);
        assert_eq!(
            std::fs::read_to_string(place.path().join("f")).unwrap(),
            "old"
        );
        assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_committed_replacement_leaves_one_file_with_the_old_mode() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("tool.sh");
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o750)).unwrap();
        let scope = Scope::open(place.path()).unwrap();
        let old = scope.dir().metadata("tool.sh").unwrap();
        Replacement::begin(scope.dir(), OsStr::new("tool.sh"), Some(&old))
            .unwrap()
            .commit(b"new", &|| false)
            .unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(
            fs::metadata(&path).unwrap().permissions().mode() & 0o7777,
            0o750
        );
        assert_eq!(names(&scope), ["tool.sh"]);
    }

    #[test]
    fn a_replacement_that_is_given_up_leaves_no_trace() {
        let place = tempfile::tempdir().unwrap();
        fs::write(place.path().join("x"), "old").unwrap();
        let scope = Scope::open(place.path()).unwrap();
        drop(Replacement::begin(scope.dir(), OsStr::new("x"), None).unwrap());
        assert_eq!(names(&scope), ["x"]);
        fs::create_dir(place.path().join("directory")).unwrap();
        let error = Replacement::begin(scope.dir(), OsStr::new("directory"), None)
            .unwrap()
            .commit(b"new", &|| false);
        assert_eq!(error.unwrap_err().kind(), io::ErrorKind::IsADirectory);
        assert_eq!(names(&scope), ["directory", "x"]);
    }

    #[test]
    fn a_taken_temporary_name_is_passed_over() {
        let place = tempfile::tempdir().unwrap();
        let scope = Scope::open(place.path()).unwrap();
        let first = Replacement::begin(scope.dir(), OsStr::new("x"), None).unwrap();
        let second = Replacement::begin(scope.dir(), OsStr::new("x"), None).unwrap();
        assert_ne!(first.temporary, second.temporary);
        second.commit(b"second", &|| false).unwrap();
        first.commit(b"first", &|| false).unwrap();
        assert_eq!(fs::read_to_string(place.path().join("x")).unwrap(), "first");
    }
}
