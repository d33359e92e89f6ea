//! What a script may reach of the host's files: which directories, and which of them it may change.
//!
//! Every path of a script becomes a [`Place`] here or is refused; no tool opens a file in another way. A grant adds and
//! never takes away: of two granted directories that hold a path, the innermost one that allows the access is used.

use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::scope::PathRefusal;
use super::{Place, Scope, device};
use crate::system;

/// How paths begin that Windows takes past its own rules.
const NT_NAMESPACES: [&str; 3] = [r"\??\", r"\\.\", r"\\?\UNC\"];

/// What a tool is going to do with a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    /// It only looks.
    Read,
    /// It changes the file, which includes looking at it.
    Write,
}

/// Holds the directories that a script may reach.
#[derive(Debug, Clone, Default)]
pub(crate) struct Grants {
    /// Where relative paths begin.
    workdir: Option<Arc<Scope>>,
    /// Further directories, each with whether it may be changed.
    further: Vec<(Arc<Scope>, Access)>,
    /// The whole file system, for modes that are no sandbox.
    host: Option<Arc<Scope>>,
}

impl Grants {
    /// Grants one directory, in which relative paths begin, for reading and writing.
    #[cfg(test)]
    pub(crate) fn of(workdir: Arc<Scope>) -> Self {
        Self::default().with_workdir(workdir)
    }

    /// Grants everything that the user of this process can reach; relative paths begin in `workdir`.
    ///
    /// # Errors
    /// Fails if the root of the file system cannot be opened.
    pub(crate) fn whole_host(workdir: Arc<Scope>) -> io::Result<Self> {
        let host = Arc::new(Scope::root_of(workdir.root())?);
        Ok(Self {
            workdir: Some(workdir),
            further: Vec::new(),
            host: Some(host),
        })
    }

    /// Sets the directory in which relative paths begin; it may be read and changed.
    #[must_use]
    pub(crate) fn with_workdir(mut self, workdir: Arc<Scope>) -> Self {
        self.workdir = Some(workdir);
        self
    }

    /// Grants a further directory.
    #[must_use]
    pub(crate) fn with(mut self, scope: Arc<Scope>, access: Access) -> Self {
        self.further.push((scope, access));
        self
    }

    /// Returns the directory in which relative paths begin.
    pub(crate) fn workdir(&self) -> Option<&Arc<Scope>> {
        self.workdir.as_ref()
    }

    /// Tells whether nothing outside of the granted directories can be reached.
    pub(crate) fn is_confined(&self) -> bool {
        self.host.is_none()
    }

    /// Finds the place that a script's path means, if the script may reach it.
    pub(crate) fn place(&self, path: &str, access: Access) -> Result<Place, PathRefusal> {
        if path.is_empty() {
            return Err(PathRefusal::Empty);
        }
        if path.contains('\0') {
            return Err(PathRefusal::Nul);
        }
        if is_nt_namespace(path) {
            return Err(PathRefusal::nt_namespace(path));
        }
        if let Some(host) = &self.host {
            return self.place_on_host(host, path, access);
        }
        if self.workdir.is_none() && self.further.is_empty() {
            return Err(PathRefusal::NothingGranted);
        }
        // A path such as `../other` may lead out of one granted directory into another.
        let absolute = if Path::new(path).is_absolute() {
            lexically_normal(Path::new(path))
        } else {
            let workdir = self.workdir.as_ref();
            let workdir = workdir.ok_or_else(|| PathRefusal::no_workdir(path))?;
            if path == "~" || path.starts_with("~/") {
                // A script that writes `~` means the home directory, never a directory of that name.
                return Err(PathRefusal::outside(path));
            }
            lexically_normal(&workdir.root().join(path))
        };
        let workdir = self.workdir.iter().map(|scope| (scope, Access::Write));
        let further = self.further.iter().map(|(scope, access)| (scope, *access));
        let mut holding: Vec<_> = workdir
            .chain(further)
            .filter_map(|(scope, granted)| Some((scope, scope.inner(&absolute)?, granted)))
            .collect();
        if holding.is_empty() {
            return Err(PathRefusal::outside(path));
        }
        holding.retain(|(_, _, granted)| access == Access::Read || *granted == Access::Write);
        // The shortest rest of the path belongs to the innermost directory.
        let innermost = holding
            .into_iter()
            .min_by_key(|(_, inner, _)| inner.depth());
        let (scope, inner, _) = innermost.ok_or_else(|| PathRefusal::read_only(path))?;
        Ok(Place::new(Arc::clone(scope), inner, path))
    }

    /// Finds a path anywhere on the host. Symbolic links are resolved here, for an absolute one cannot be followed below a handle.
    fn place_on_host(
        &self,
        host: &Arc<Scope>,
        path: &str,
        access: Access,
    ) -> Result<Place, PathRefusal> {
        let start = self
            .workdir
            .as_ref()
            .map_or(Path::new("/"), |scope| scope.root());
        let absolute = lexically_normal(&start.join(with_home(path)));
        // Resolving would lose the name of a device such as `/dev/stdin`, which is a link to whatever the stream is.
        if access == Access::Read && device::leads_to_device(&absolute) {
            return Err(PathRefusal::device(path));
        }
        let resolved = resolve_existing(&absolute);
        if let Some(inner) = host.inner(&resolved) {
            return Ok(Place::new(Arc::clone(host), inner, path).spelled(&absolute));
        }
        // Another drive of Windows: everything else lies below the one root.
        let outside = || PathRefusal::outside(path);
        let other = Scope::root_of(&resolved).map_err(|_| outside())?;
        let inner = other.inner(&resolved).ok_or_else(outside)?;
        Ok(Place::new(Arc::new(other), inner, path).spelled(&absolute))
    }
}

/// Puts the home directory in the place of a leading `~`.
fn with_home(path: &str) -> PathBuf {
    let rest = match path.strip_prefix('~') {
        Some(rest) if rest.is_empty() || rest.starts_with('/') => rest,
        _ => return PathBuf::from(path),
    };
    std::env::home_dir().map_or_else(
        || PathBuf::from(path),
        |home| home.join(rest.trim_start_matches('/')),
    )
}

/// Tells whether a path begins like one of the Windows NT namespace, which is refused on every system.
fn is_nt_namespace(path: &str) -> bool {
    NT_NAMESPACES.iter().any(|start| {
        let beginning = path.as_bytes().get(..start.len());
        beginning.is_some_and(|bytes| bytes.eq_ignore_ascii_case(start.as_bytes()))
    })
}

/// Resolves the symbolic links of the longest part of an absolute path that exists.
pub(super) fn resolve_existing(path: &Path) -> PathBuf {
    for ancestor in path.ancestors() {
        if let Ok(resolved) = system::canonicalize(ancestor) {
            let rest = path.strip_prefix(ancestor).unwrap_or(Path::new(""));
            // Joining an empty path would add a trailing slash.
            return if rest.as_os_str().is_empty() {
                resolved
            } else {
                resolved.join(rest)
            };
        }
    }
    path.to_owned()
}

/// Takes `.` and `..` out of an absolute path by its text; what would go above the root stays there.
pub(super) fn lexically_normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => {
                normal.pop();
            }
            Component::CurDir => {}
            part => normal.push(part),
        }
    }
    normal
}

#[cfg(test)]
mod tests;
