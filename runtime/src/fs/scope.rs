//! One directory that a host granted to scripts, and the rule which paths lie inside it.
//!
//! The directory is opened once; every later access goes through that handle, so a path that is swapped for a symbolic
//! link between check and use is refused by the operating system and not by this file. The rule here is lexical: an
//! accepted path has no `..` that leaves, is never absolute and never empty.

use std::ffi::OsStr;
use std::io;
use std::path::{Component, Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use thiserror::Error;

use super::device;
use crate::system;

/// What a file tool answers when the host granted no directory.
pub(crate) const NO_SCOPE: &str = "No working directory was granted to this script. Start the runtime with --workdir DIR (or RuntimeBuilder::workdir) to enable file tools.";

/// Longest part of a path that an answer repeats, in characters.
const MAX_SHOWN_CHARS: usize = 500;

/// Holds the one directory whose files a script may read and write.
#[derive(Debug)]
pub(crate) struct Scope {
    dir: Dir,
    root: PathBuf,
    /// The absolute path as the host gave it; it differs from `root` where a symbolic link leads to the directory.
    given: PathBuf,
}

impl Scope {
    /// Opens a directory of the host for scripts.
    ///
    /// # Errors
    /// Fails if the path is not a directory that this process may open.
    pub(crate) fn open(path: impl AsRef<Path>) -> Result<Self, ScopeError> {
        let path = path.as_ref();
        let open = || {
            let dir = Dir::open_ambient_dir(path, ambient_authority())?;
            Ok(Self {
                dir,
                root: system::canonicalize(path)?,
                given: std::path::absolute(path)?,
            })
        };
        open().map_err(|source| ScopeError {
            path: path.to_owned(),
            source,
        })
    }

    /// Opens the root of the file system that an absolute path lies in: each drive of Windows has its own.
    pub(super) fn root_of(path: &Path) -> io::Result<Self> {
        let root = path.ancestors().last().unwrap_or(path).to_owned();
        let dir = Dir::open_ambient_dir(&root, ambient_authority())?;
        let given = root.clone();
        Ok(Self { dir, root, given })
    }

    /// Tells whether it is the whole file system, in which links were resolved before a path came here.
    pub(super) fn is_host(&self) -> bool {
        self.root.parent().is_none()
    }

    /// Returns the absolute path of the directory, without symbolic links.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the handle through which every access goes.
    pub(crate) fn dir(&self) -> &Dir {
        &self.dir
    }

    /// Returns the path below the directory that an absolute path names, if it is the directory or lies in it by its text.
    pub(crate) fn inner(&self, absolute: &Path) -> Option<RelPath> {
        let below = absolute.strip_prefix(&self.root);
        let below = below.or_else(|_| absolute.strip_prefix(&self.given));
        RelPath::normalise(below.ok()?)
    }

    /// Returns the absolute path of an accepted one.
    pub(crate) fn absolute(&self, path: &RelPath) -> PathBuf {
        // Joining an empty path would add a trailing slash.
        if path.0.as_os_str().is_empty() {
            self.root.clone()
        } else {
            self.root.join(&path.0)
        }
    }

    /// Returns what to tell a script about a failed access to `path`, given as the script wrote it.
    pub(crate) fn explain(error: &io::Error, action: &str, path: &str) -> String {
        if leaves(error) {
            PathRefusal::outside(path).to_string()
        } else if error.kind() == io::ErrorKind::PermissionDenied {
            format!("Permission denied: {}", shown(path))
        } else {
            format!("Failed to {action} '{}': {error}", shown(path))
        }
    }
}

/// Says why a directory cannot be granted to scripts.
#[derive(Debug, Error)]
#[error(
    "cannot open the working directory '{}'; give the path of an existing directory that this user may read",
    path.display()
)]
pub struct ScopeError {
    path: PathBuf,
    source: io::Error,
}

/// A path inside a [`Scope`]: plain names only, empty for the directory itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RelPath(PathBuf);

impl RelPath {
    /// Returns the path for a call on the scope's handle.
    pub(crate) fn as_path(&self) -> &Path {
        if self.0.as_os_str().is_empty() {
            Path::new(".")
        } else {
            &self.0
        }
    }

    /// Returns the path of an entry of the scope's directory.
    #[cfg(windows)]
    pub(super) fn of_name(name: &OsStr) -> Self {
        Self(name.into())
    }

    /// Returns the path of a neighbour in the same directory.
    pub(crate) fn sibling(&self, name: &str) -> Self {
        Self(self.0.with_file_name(name))
    }

    /// Returns the number of names that lead from the scope's directory to the path.
    pub(crate) fn depth(&self) -> usize {
        self.0.components().count()
    }

    /// Returns the path of an entry below this one.
    pub(crate) fn join(&self, inner: &Path) -> Option<Self> {
        Self::normalise(&self.0.join(inner))
    }

    /// Returns the directory part and the last name; `None` for the scope's directory itself.
    pub(crate) fn split(&self) -> Option<(Self, &OsStr)> {
        let name = self.0.file_name()?;
        Some((Self(self.0.parent()?.to_owned()), name))
    }

    /// Takes the path apart and puts it together without `.` and `..`; `None` if it leaves.
    pub(crate) fn normalise(path: &Path) -> Option<Self> {
        let mut inner = PathBuf::new();
        for component in path.components() {
            match component {
                Component::Normal(name) => inner.push(name),
                Component::CurDir => {}
                Component::ParentDir if inner.pop() => {}
                Component::ParentDir | Component::RootDir | Component::Prefix(_) => return None,
            }
        }
        Some(Self(inner))
    }
}

/// Says why a path of a script was not accepted.
#[derive(Debug, Error, PartialEq, Eq)]
pub(crate) enum PathRefusal {
    #[error(
        "The path is empty. Give the path of a file inside the working directory granted to this script."
    )]
    Empty,
    #[error("The path contains a NUL character, which no file name can have.")]
    Nul,
    #[error(
        "Access denied: {0} is a path of the Windows NT namespace, which can name devices and network shares."
    )]
    NtNamespace(String),
    #[error("{}", device::refusal(.0))]
    Device(String),
    #[error("Access denied: '{0}' lies outside the working directory granted to this script.")]
    Outside(String),
    #[error(
        "Access denied: '{0}' may only be read; this script was not granted to change files there."
    )]
    ReadOnly(String),
    #[error(
        "'{0}' is a relative path, and no working directory was granted to this script. Give the absolute path of a file in a granted directory."
    )]
    NoWorkdir(String),
    #[error("{NO_SCOPE}")]
    NothingGranted,
}

impl PathRefusal {
    pub(super) fn outside(path: &str) -> Self {
        Self::Outside(shown(path).to_owned())
    }

    pub(super) fn nt_namespace(path: &str) -> Self {
        Self::NtNamespace(shown(path).to_owned())
    }

    pub(super) fn device(path: &str) -> Self {
        Self::Device(shown(path).to_owned())
    }

    pub(super) fn read_only(path: &str) -> Self {
        Self::ReadOnly(shown(path).to_owned())
    }

    pub(super) fn no_workdir(path: &str) -> Self {
        Self::NoWorkdir(shown(path).to_owned())
    }
}

/// Tells whether the operating system or cap-std stopped a path that led out of the scope.
fn leaves(error: &io::Error) -> bool {
    // cap-std makes this error itself, so that it has no number of the operating system, unlike a refused permission.
    error.kind() == io::ErrorKind::PermissionDenied && error.raw_os_error().is_none()
        || error.kind() == io::ErrorKind::CrossesDevices
}

/// Keeps an absurdly long path from filling the answer.
pub(super) fn shown(path: &str) -> &str {
    path.char_indices()
        .nth(MAX_SHOWN_CHARS)
        .map_or(path, |(end, _)| path.split_at(end).0)
}
