//! A path that a script may reach: a granted directory and a path below it.
//!
//! Every access goes through the directory's handle, so that a symbolic link that is swapped in between check and use
//! cannot lead out.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cap_std::fs::{Dir, Metadata};

use super::{OpenFault, RegularFile, RelPath, Scope, lexically_normal, resolve_existing};
use crate::system;

/// Longest path that links are followed in, in bytes: Linux's own bound, with its final NUL.
const MAX_PATH_BYTES: usize = 4_095;

/// How often a file may be replaced while its path is resolved.
const MAX_REPLACED: u32 = 100;

/// Links to missing files that are followed one after the other, as many as Linux follows.
const MAX_HOPS: usize = 40;

/// Names an entry of a granted directory, which may be missing.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    scope: Arc<Scope>,
    path: RelPath,
    given: String,
    /// The absolute path before symbolic links were followed, where they were followed to get here.
    spelled: Option<PathBuf>,
}

impl Place {
    /// Makes the place of an accepted path; `given` is how the script wrote it.
    pub(super) fn new(scope: Arc<Scope>, path: RelPath, given: &str) -> Self {
        Self {
            scope,
            path,
            given: given.to_owned(),
            spelled: None,
        }
    }

    /// Keeps the absolute path that a script named, where links led from it to this place.
    #[must_use]
    pub(super) fn spelled(mut self, absolute: &Path) -> Self {
        self.spelled = (self.absolute() != absolute).then(|| absolute.to_owned());
        self
    }

    /// Returns the handle that accesses go through.
    pub(crate) fn dir(&self) -> &Dir {
        self.scope.dir()
    }

    /// Returns the path below the handle.
    pub(crate) fn path(&self) -> &Path {
        self.path.as_path()
    }

    /// Returns the path as the script wrote it.
    pub(crate) fn given(&self) -> &str {
        &self.given
    }

    /// Returns the absolute path of the host.
    pub(crate) fn absolute(&self) -> PathBuf {
        self.scope.absolute(&self.path)
    }

    /// Returns the absolute path that the script named, before any symbolic link was followed.
    pub(crate) fn named(&self) -> PathBuf {
        self.spelled.clone().unwrap_or_else(|| self.absolute())
    }

    /// Returns the absolute path to show. Two paths that are no text can look the same: nothing is decided by it.
    pub(crate) fn display(&self) -> String {
        self.absolute().to_string_lossy().into_owned()
    }

    /// Returns the absolute path to show of the entry itself, which may be a link that was followed to get here.
    pub(crate) fn display_entry(&self) -> String {
        let followed = self.spelled.as_ref().and_then(|_| self.entry().ok()?);
        followed.map_or_else(|| self.display(), |entry| entry.display())
    }

    /// Returns the last name; `None` for the granted directory itself.
    pub(crate) fn name(&self) -> Option<&OsStr> {
        self.path.split().map(|(_, name)| name)
    }

    /// Returns the last name to show, and to tell by its end what the file is; nothing for the granted directory itself.
    pub(crate) fn shown_name(&self) -> Cow<'_, str> {
        self.name().unwrap_or_default().to_string_lossy()
    }

    /// Returns the directory that holds the entry; `None` for the granted directory itself.
    pub(crate) fn parent(&self) -> Option<Self> {
        let (path, _) = self.path.split()?;
        Some(self.at(path))
    }

    /// Returns the place of the entry itself, whose directory is behind no link and whose own name may be one; `None` for the granted directory.
    pub(crate) fn entry(&self) -> io::Result<Option<Self>> {
        if let Some(spelled) = &self.spelled {
            let names = spelled.parent().zip(spelled.file_name());
            let entry = names.map(|(parent, name)| resolve_existing(parent).join(name));
            return Ok(entry
                .and_then(|entry| self.scope.inner(&entry))
                .map(|path| self.at(path)));
        }
        let Some((parent, name)) = self.parent().zip(self.name()) else {
            return Ok(None);
        };
        Ok(parent.resolved()?.below(Path::new(name)))
    }

    /// Tells whether a symbolic link leads to a directory; `None` where it leads to nothing that can be reached.
    pub(crate) fn link_leads_to_directory(&self) -> Option<bool> {
        if self.scope.is_host() {
            // An absolute link could not be followed below the handle.
            let target = std::fs::metadata(self.absolute());
            return target.ok().map(|target| target.is_dir());
        }
        self.metadata().ok().map(|target| target.is_dir())
    }

    /// Returns the text of a symbolic link; `None` for anything else.
    pub(crate) fn link_text(&self) -> Option<PathBuf> {
        self.dir().read_link_contents(self.path()).ok()
    }

    /// Returns the place of a neighbour in the same directory.
    pub(crate) fn sibling(&self, name: &str) -> Self {
        self.at(self.path.sibling(name))
    }

    /// Returns the place of an entry below this one; `None` if the path leads out.
    pub(crate) fn below(&self, inner: &Path) -> Option<Self> {
        self.path.join(inner).map(|path| self.at(path))
    }

    /// Opens the file for reading.
    pub(crate) fn open(&self) -> Result<RegularFile, OpenFault> {
        RegularFile::open(self.dir(), &self.path)
    }

    /// Opens the file for reading and writing in place, which shows that the user may write it.
    pub(crate) fn open_writable(&self) -> Result<RegularFile, OpenFault> {
        RegularFile::open_writable(self.dir(), &self.path)
    }

    /// Returns the metadata of what the path leads to.
    pub(crate) fn metadata(&self) -> io::Result<Metadata> {
        self.dir().metadata(self.path())
    }

    /// Tells whether there is an entry, if only a symbolic link to nothing.
    pub(crate) fn has_entry(&self) -> bool {
        self.dir().symlink_metadata(self.path()).is_ok()
    }

    /// Tells whether the entry is a symbolic link that leads to nothing, or on the host in a circle.
    ///
    /// A link that leads out of a granted directory is not one: what is outside is not told.
    pub(crate) fn is_dangling_link(&self) -> bool {
        let entry = self.dir().symlink_metadata(self.path());
        entry.is_ok_and(|entry| entry.is_symlink())
            && match self.metadata() {
                Ok(_) => false,
                Err(error) => error.kind() == io::ErrorKind::NotFound || self.scope.is_host(),
            }
    }

    /// Returns the place that symbolic links lead to, those on the way to an entry that is missing included, and a last
    /// one whose target is missing.
    pub(crate) fn resolved(&self) -> io::Result<Self> {
        if self.path().as_os_str().len() > MAX_PATH_BYTES {
            // The operating system would say the same, but only after a long walk.
            return Err(system::name_too_long());
        }
        let mut existing = self.clone();
        let mut missing = Vec::new();
        let mut hops = 0;
        let mut replaced = 0;
        loop {
            let target = match existing.dir().canonicalize(existing.path()) {
                Ok(target) => target,
                Err(error) if error.kind() == io::ErrorKind::NotFound && !existing.has_entry() => {
                    let Some((parent, name)) = existing.path.split() else {
                        return Err(error);
                    };
                    missing.push(name.to_owned());
                    existing = self.at(parent);
                    continue;
                }
                Err(_) if missing.is_empty() && hops < MAX_HOPS && existing.is_dangling_link() => {
                    hops += 1;
                    existing = existing.link_target()?;
                    continue;
                }
                Err(error) => return Err(error),
            };
            let whole = missing
                .iter()
                .rev()
                .fold(target, |path, name| path.join(name));
            // cap-std followed the links inside the directory, so that the result is inside.
            let leads_out = || io::Error::from(io::ErrorKind::CrossesDevices);
            let resolved = self.at(RelPath::normalise(&whole).ok_or_else(leads_out)?);
            if missing.is_empty() && replaced < MAX_REPLACED && resolved.is_of_replaced_file() {
                replaced += 1;
                continue;
            }
            return Ok(resolved);
        }
    }

    /// Tells whether the path is the one by which Linux calls an open file that another one has replaced.
    fn is_of_replaced_file(&self) -> bool {
        let name = self.path().file_name().unwrap_or_default();
        name.as_encoded_bytes().ends_with(b" (deleted)") && !self.has_entry()
    }

    /// Returns the place that a symbolic link names, without a look at what is there.
    fn link_target(&self) -> io::Result<Self> {
        let leads_out = || io::Error::from(io::ErrorKind::CrossesDevices);
        let target = self.dir().read_link_contents(self.path())?;
        let parent = self.parent().ok_or_else(leads_out)?;
        let path = if self.scope.is_host() {
            // An absolute link on the way could not be followed below the handle.
            let absolute = lexically_normal(&parent.absolute().join(target));
            self.scope.inner(&resolve_existing(&absolute))
        } else {
            // A target that begins with `..` begins where the link really lies; an absolute one leads out.
            let parent = parent.dir().canonicalize(parent.path())?;
            RelPath::normalise(&parent.join(target))
        };
        path.map(|path| self.at(path)).ok_or_else(leads_out)
    }

    /// Returns what to tell a script about a failed access.
    pub(crate) fn explain(&self, error: &io::Error, action: &str) -> String {
        Scope::explain(error, action, &self.given)
    }

    fn at(&self, path: RelPath) -> Self {
        Self {
            scope: Arc::clone(&self.scope),
            path,
            given: self.given.clone(),
            spelled: None,
        }
    }
}
