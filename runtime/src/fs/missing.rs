//! The directories that have to be made for a file, so that they can be removed again when the file does not come to be.

use super::Place;

/// Names the directories that a file needs and that are not there, the innermost first.
#[derive(Debug)]
pub(crate) struct MissingDirectories(Vec<Place>);

impl MissingDirectories {
    /// Looks for them on the way to a place.
    pub(crate) fn of(place: &Place) -> Self {
        let above = std::iter::successors(place.parent(), Place::parent);
        Self(
            above
                .take_while(|directory| !directory.has_entry())
                .collect(),
        )
    }

    /// Removes those that were made meanwhile.
    pub(crate) fn remove(&self) {
        for directory in &self.0 {
            // One that was not made, or that something else has filled meanwhile, stays as it is.
            let _ = directory.dir().remove_dir(directory.path());
        }
    }
}
