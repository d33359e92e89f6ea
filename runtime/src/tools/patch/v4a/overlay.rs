//! The files that a patch names, as they would be after each of its operations. Nothing on disk is changed here.

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::path::PathBuf;

use super::entry::{Entry, Now};
use super::hunk::{Effect, HunkFault};
use super::links::leads_elsewhere;
use super::{Hunk, Operation};
use crate::fs::{Kind, Place, ReadDenials};
use crate::tools::patch::document::Document;
use crate::tools::patch::effort::{Effort, Stopped};
use crate::tools::patch::replace::{Mismatch, NOT_FOUND};
use crate::tools::patch::target::{self, ReadFault};

/// Most bytes of all files that one patch reads.
const MAX_TOTAL_BYTES: usize = 64 << 20;

/// Most faults that an answer lists.
const MAX_FAULTS: usize = 20;

/// Holds the files that were named so far.
pub(in crate::tools::patch) struct Overlay<'a> {
    /// The places of all paths of the patch, by the path as it was given.
    places: &'a BTreeMap<String, Place>,
    /// Why some of the paths lead nowhere.
    unreachable: &'a BTreeMap<String, String>,
    denials: &'a ReadDenials,
    effort: &'a Effort<'a>,
    pub(super) entries: Vec<Entry>,
    pub(super) by_path: HashMap<PathBuf, usize>,
    bytes_read: usize,
    pub(super) has_applied: bool,
    has_changes: bool,
}

impl<'a> Overlay<'a> {
    pub(in crate::tools::patch) fn new(
        places: &'a BTreeMap<String, Place>,
        unreachable: &'a BTreeMap<String, String>,
        denials: &'a ReadDenials,
        effort: &'a Effort<'a>,
    ) -> Self {
        Self {
            places,
            unreachable,
            denials,
            effort,
            entries: Vec::new(),
            by_path: HashMap::new(),
            bytes_read: 0,
            has_applied: false,
            has_changes: false,
        }
    }

    /// Applies operations one after the other, and returns what is wrong with them, a line for each fault.
    pub(in crate::tools::patch) fn apply(
        &mut self,
        operations: &[Operation<'_>],
    ) -> Result<Vec<String>, Stopped> {
        let mut faults = Vec::new();
        for operation in operations {
            let fault = match operation {
                Operation::Update { path, hunks } => {
                    self.update(path, hunks, &mut faults)?;
                    continue;
                }
                Operation::Add { path, lines } => self.add(path, lines),
                Operation::Delete { path } => self.delete(path),
                Operation::Move { from, to } => self.rename(from, to),
            };
            self.has_changes = true;
            faults.extend(fault.err());
        }
        if faults.is_empty() && !self.has_changes && !self.has_applied {
            faults.push("Patch contains no changes (only context lines were provided)".to_owned());
        }
        if faults.is_empty() {
            faults = self.link_faults();
        }
        if let Some(more @ 1..) = faults.len().checked_sub(MAX_FAULTS) {
            faults.truncate(MAX_FAULTS);
            faults.push(format!("... and {more} more"));
        }
        Ok(faults)
    }

    fn update(
        &mut self,
        path: &str,
        hunks: &[Hunk<'_>],
        faults: &mut Vec<String>,
    ) -> Result<(), Stopped> {
        let (index, mut document, base) = match self.document(path) {
            Ok(found) => found,
            Err(why) => {
                faults.push(format!("{path}: {why}"));
                return Ok(());
            }
        };
        for (number, hunk) in hunks.iter().enumerate() {
            match hunk.apply(&mut document, self.effort) {
                Ok(Effect::Changed) => self.has_changes = true,
                Ok(Effect::Applied) => self.has_applied = true,
                Ok(Effect::ContextOnly) => {}
                Err(HunkFault::Stopped(stopped)) => return Err(stopped),
                Err(HunkFault::NotFound(mismatch)) => {
                    let hint = hunk
                        .hint
                        .map_or_else(|| "(no hint)".to_owned(), |hint| format!("'{hint}'"));
                    let told = told_of_hunk(&mismatch);
                    faults.push(format!(
                        "{path}: hunk {} {hint} not found — {told}",
                        number + 1
                    ));
                }
                Err(fault) => faults.push(format!("{path}: {fault}")),
            }
            if faults.len() > MAX_FAULTS {
                break;
            }
        }
        if let Some(entry) = self.entries.get_mut(index) {
            entry.now = Now::Text { document, base };
        }
        Ok(())
    }

    /// Takes the text of a file out of its entry, or reads it.
    fn document(&mut self, path: &str) -> Result<(usize, Document, Option<usize>), String> {
        let index = self.entry(path, true)?;
        let now = match self.entries.get_mut(index) {
            Some(entry) => std::mem::replace(&mut entry.now, Now::Absent),
            None => Now::Absent,
        };
        match now {
            Now::Absent => Err(format!("Failed to read file: {path}")),
            Now::Text { document, base } => Ok((index, document, base)),
            Now::DiskOf(on_disk) => {
                let is_link = self.entries.get(on_disk).is_some_and(|entry| entry.is_link);
                let document = if is_link {
                    // Its text is that of another file, which would stay as it is.
                    Err(format!("'{path}' is a symbolic link that this patch moves"))
                } else {
                    self.load(on_disk).and_then(|bytes| {
                        Document::decode(bytes.to_vec()).ok_or_else(|| target::not_text(path))
                    })
                };
                if let Some(entry) = self.entries.get_mut(index) {
                    entry.now = Now::DiskOf(on_disk);
                }
                document.map(|document| (index, document, Some(on_disk)))
            }
        }
    }

    fn add(&mut self, path: &str, lines: &[&str]) -> Result<(), String> {
        let index = self
            .entry(path, true)
            .map_err(|why| format!("{path}: could not confirm the path is free — {why}"))?;
        let Some(entry) = self.entries.get_mut(index) else {
            return Ok(());
        };
        if !matches!(entry.now, Now::Absent) {
            return Err(format!(
                "{path}: file already exists — use Update File, not Add File"
            ));
        }
        entry.was_added = true;
        entry.now = Now::Text {
            document: Document::new(lines.join("\n")),
            base: None,
        };
        Ok(())
    }

    fn delete(&mut self, path: &str) -> Result<(), String> {
        let index = self
            .entry(path, false)
            .map_err(|why| format!("{path}: {why}"))?;
        match self.entries.get_mut(index).map(|entry| &mut entry.now) {
            Some(Now::Absent) | None => Err(format!("{path}: file not found for deletion")),
            Some(now) => {
                *now = Now::Absent;
                Ok(())
            }
        }
    }

    fn rename(&mut self, from: &str, to: &str) -> Result<(), String> {
        let source = self
            .entry(from, false)
            .map_err(|why| format!("{from}: {why}"))?;
        let target = self
            .entry(to, false)
            .map_err(|why| format!("{to}: could not confirm the path is free — {why}"))?;
        let is_absent = |index: usize| {
            let entry: Option<&Entry> = self.entries.get(index);
            entry.is_none_or(|entry| matches!(entry.now, Now::Absent))
        };
        if is_absent(source) {
            return Err(format!("{from}: source file not found for move"));
        }
        if !is_absent(target) {
            return Err(format!(
                "{to}: destination already exists — move would overwrite"
            ));
        }
        if self.is_link_that_changes(source, target) {
            return Err(leads_elsewhere(from));
        }
        let taken = self.entries.get_mut(source);
        let now = taken.map(|entry| std::mem::replace(&mut entry.now, Now::Absent));
        if let (Some(entry), Some(now)) = (self.entries.get_mut(target), now) {
            entry.now = now;
        }
        Ok(())
    }

    /// Returns the index of a path's file; the last symbolic link of the path is followed, or is the file itself.
    fn entry(&mut self, path: &str, follows: bool) -> Result<usize, String> {
        if let Some(why) = self.unreachable.get(path) {
            return Err(why.clone());
        }
        let place = self.places.get(path);
        let place = place.ok_or_else(|| format!("Failed to read file: {path}"))?;
        let explain = |error: io::Error| place.explain(&error, "read");
        // Two paths of one file must lead to one entry.
        let own = place.entry().map_err(explain)?;
        // A granted directory is no file either.
        let own = own.ok_or_else(|| not_a_file(path))?;
        let found = if !follows {
            own
        } else if self.leads_through_lost_link(&own) {
            return Err(format!(
                "'{path}' leads through a symbolic link that this patch deletes or moves"
            ));
        } else {
            place.resolved().map_err(explain)?
        };
        let key = found.absolute();
        if let Some(index) = self.by_path.get(&key) {
            return Ok(*index);
        }
        let (is_on_disk, is_link) = match found.dir().symlink_metadata(found.path()) {
            Ok(metadata) => {
                let file_type = metadata.file_type();
                // A link to a directory is a part of the paths of others' files: without it, or elsewhere, they would be other ones.
                let is_link = file_type.is_symlink();
                let is_file = if is_link {
                    found.link_leads_to_directory() != Some(true)
                } else {
                    Kind::of(file_type) == Kind::Regular
                };
                if !is_file {
                    return Err(not_a_file(path));
                }
                (true, is_link)
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => (false, false),
            Err(error) => return Err(explain(error)),
        };
        let index = self.entries.len();
        self.entries.push(Entry {
            given: path.to_owned(),
            place: found,
            is_on_disk,
            is_link,
            disk: None,
            now: if is_on_disk {
                Now::DiskOf(index)
            } else {
                Now::Absent
            },
            was_added: false,
        });
        self.by_path.insert(key, index);
        Ok(index)
    }

    /// Returns the bytes that an entry has on disk, which are read once.
    pub(super) fn load(&mut self, index: usize) -> Result<&[u8], String> {
        let Some(entry) = self.entries.get_mut(index) else {
            return Ok(&[]);
        };
        if entry.disk.is_none() {
            let read = target::read(&entry.place, self.denials);
            let read = read.map_err(|fault| fault.explain(&entry.place))?;
            let missing = || ReadFault::Missing.explain(&entry.place);
            let file = read.ok_or_else(missing)?;
            self.bytes_read += file.start.len();
            if self.bytes_read > MAX_TOTAL_BYTES {
                return Err(format!(
                    "the files of one patch may have {MAX_TOTAL_BYTES} bytes together; split the patch"
                ));
            }
            entry.disk = Some(file);
        }
        Ok(entry.disk.as_ref().map_or(&[], |file| &file.start))
    }
}

/// Returns what is said about a hunk, whose old lines are no `old_string` that could be sent again as they are.
fn told_of_hunk(mismatch: &Mismatch) -> String {
    match mismatch {
        Mismatch::BlankOld | Mismatch::EmptyOld => NOT_FOUND.to_owned(),
        other => other.to_string(),
    }
}

fn not_a_file(path: &str) -> String {
    format!("'{path}' is not a regular file")
}
