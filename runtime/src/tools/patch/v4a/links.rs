//! Symbolic links that a patch names: they are deleted, or moved where they go on to lead to the same file, and nothing else.
//!
//! What may be written through a link is judged before anything is moved, so that a patch may not make one lead elsewhere.

use std::path::PathBuf;

use super::Overlay;
use super::entry::Entry;
use crate::fs::{Place, link_names};

impl Overlay<'_> {
    /// Returns what is wrong with the links, once all operations were applied without fault.
    pub(super) fn link_faults(&self) -> Vec<String> {
        let entries = self.entries.iter().enumerate();
        let faults = entries.filter_map(|(index, entry)| {
            if entry.is_link && entry.is_present() && entry.is_replaced(index) {
                let given = &entry.given;
                return Some(format!(
                    "{given}: a symbolic link is not replaced; delete it in a patch of its own"
                ));
            }
            let source = self
                .entries
                .get(entry.disk_of().filter(|source| *source != index)?)?;
            if !source.is_link {
                return None;
            }
            let from = &source.given;
            if entry.is_on_disk {
                return Some(format!(
                    "{from}: a symbolic link is moved only to a name that is free before the patch"
                ));
            }
            let way = link_names(&source.place.absolute());
            let is_lost = self.replaced(&way).next().is_some();
            is_lost.then(|| leads_elsewhere(from))
        });
        faults.collect()
    }

    /// Tells whether the operations so far delete or move a link on the way of a path; `own` is its place with the last link not followed.
    pub(super) fn leads_through_lost_link(&self, own: &Place) -> bool {
        let own = own.absolute();
        let mut way = link_names(&own);
        way.push(own);
        // A file may be deleted and made anew.
        self.replaced(&way).any(|entry| entry.is_link)
    }

    /// Tells whether what is moved is a symbolic link that leads to no file, or that would lead elsewhere from the other place.
    pub(super) fn is_link_that_changes(&self, source: usize, target: usize) -> bool {
        let get = |index: usize| self.entries.get(index);
        let on_disk = get(source).and_then(|entry| get(entry.disk_of()?));
        let link = on_disk.filter(|entry| entry.is_link);
        let Some((old, new)) = link.zip(get(target)) else {
            return false;
        };
        let (old, new) = (&old.place, &new.place);
        let is_elsewhere = || old.absolute().parent() != new.absolute().parent();
        let is_relative = || old.link_text().is_none_or(|text| text.is_relative());
        old.link_leads_to_directory() != Some(false) || is_relative() && is_elsewhere()
    }

    /// Yields those entries of the patch at these paths that are gone or other ones after the operations so far.
    fn replaced<'e>(&'e self, way: &'e [PathBuf]) -> impl Iterator<Item = &'e Entry> {
        way.iter().filter_map(|name| {
            let index = *self.by_path.get(name)?;
            let entry = self.entries.get(index)?;
            entry.is_replaced(index).then_some(entry)
        })
    }
}

/// Returns the refusal to move a link.
pub(super) fn leads_elsewhere(from: &str) -> String {
    format!(
        "{from}: a symbolic link is moved only where it goes on to lead to the file that it leads to"
    )
}
