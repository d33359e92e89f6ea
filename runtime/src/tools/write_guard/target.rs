//! A file that is going to be written: the place that the script named and the one where the bytes will be.

use std::io;
use std::path::{Path, PathBuf};

use crate::fs::Place;
use crate::text::truncate::first_chars;

/// Longest part of a path that an answer repeats, in characters.
const MAX_SHOWN_CHARS: usize = 500;

/// Names a file by both of its paths.
#[derive(Debug, Clone)]
pub(in crate::tools) struct Target {
    /// Where the bytes will be; it is no symbolic link.
    pub(in crate::tools) landing: Place,
    shown: String,
    paths: [PathBuf; 2],
}

impl Target {
    /// Follows the symbolic links of a place; the file itself may be missing.
    pub(in crate::tools) fn of(place: &Place) -> io::Result<Self> {
        let landing = place.resolved()?;
        Ok(Self {
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

    /// Tells whether one of the paths is of a kind.
    pub(super) fn is_any(&self, is: impl Fn(&Path) -> bool) -> bool {
        self.paths().into_iter().any(is)
    }
}
