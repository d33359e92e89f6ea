//! A file that is going to be changed: the place that the script named, the entry there, and the place where bytes will be.

use std::io;
use std::path::{Path, PathBuf};

use crate::fs::Place;
use crate::text::truncate::first_chars;

/// Longest part of a path that an answer repeats, in characters.
const MAX_SHOWN_CHARS: usize = 500;

/// Names a file by all of its paths.
#[derive(Debug, Clone)]
pub(in crate::tools) struct Target {
    /// Where the bytes will be; it is no symbolic link.
    pub(in crate::tools) landing: Place,
    shown: String,
    paths: [PathBuf; 2],
    /// The absolute path of the entry; only its last name may be a symbolic link.
    entry: PathBuf,
}

impl Target {
    /// Follows the symbolic links of a place; the file itself may be missing.
    pub(in crate::tools) fn of(place: &Place) -> io::Result<Self> {
        let landing = place.resolved()?;
        let found = place.dir().symlink_metadata(place.path());
        let is_link = found.is_ok_and(|entry| entry.is_symlink());
        // On the host links were followed to get here.
        let was_link = place.named() != place.absolute();
        let entry = if is_link || was_link {
            place.entry()?
        } else {
            None
        };
        Ok(Self {
            entry: entry.map_or_else(|| landing.absolute(), |entry| entry.absolute()),
            shown: first_chars(place.given(), MAX_SHOWN_CHARS).to_owned(),
            paths: [place.named(), landing.absolute()],
            landing,
        })
    }

    /// Returns the path as the script wrote it, to be shown.
    pub(in crate::tools) fn shown(&self) -> &str {
        &self.shown
    }

    /// Returns the absolute paths: the named one and the one without symbolic links.
    pub(super) fn paths(&self) -> [&Path; 2] {
        self.paths.each_ref().map(PathBuf::as_path)
    }

    /// Returns the absolute paths that differ from the one without symbolic links: the named one, and the one of what is taken away when
    /// the file is deleted or moved, which is a last link itself.
    pub(super) fn others(&self) -> impl Iterator<Item = &Path> {
        let [named, landing] = self.paths();
        let entry = (self.entry != named).then_some(&*self.entry);
        let paths = std::iter::once(named).chain(entry);
        paths.filter(move |path| *path != landing)
    }

    /// Returns the absolute paths of what can change: the entry, and where its bytes are.
    pub(super) fn changed(&self) -> [&Path; 2] {
        let [_, landing] = self.paths();
        [&self.entry, landing]
    }

    /// Tells whether one of the paths is of a kind.
    pub(super) fn is_any(&self, is: impl Fn(&Path) -> bool) -> bool {
        let [_, landing] = self.paths();
        is(landing) || self.others().any(is)
    }
}
