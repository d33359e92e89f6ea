//! What a patch comes to once all its operations are known to apply: steps on disk, and what to tell about them.

use serde_json::{Map, Value};

use super::Overlay;
use super::entry::Now;
use crate::fs::OldFile;
use crate::tools::patch::apply::Step;
use crate::tools::patch::changes::Changes;
use crate::tools::patch::diff::{Sides, unified};
use crate::tools::patch::document::Document;
use crate::tools::patch::effort::{Effort, Stopped};
use crate::tools::patch::lint;

/// Holds what an answer tells about a patch, and whether anything is to be done.
pub(in crate::tools::patch) struct Plan {
    pub(in crate::tools::patch) diff: String,
    pub(in crate::tools::patch) files_created: Vec<String>,
    pub(in crate::tools::patch) files_deleted: Vec<String>,
    /// The checks by path.
    pub(in crate::tools::patch) lint: Map<String, Value>,
    deeds: Vec<Deed>,
}

/// What is to be done for an entry.
enum Deed {
    /// Puts bytes there, with the mode and owner of another entry's file on disk if it is a moved one.
    Write {
        entry: usize,
        content: Vec<u8>,
        like: Option<usize>,
    },
    Rename {
        from: usize,
        to: usize,
    },
    Delete {
        entry: usize,
    },
}

impl Plan {
    /// Makes the plan of operations that were applied to an overlay without fault; the error is what prevents it after all.
    pub(in crate::tools::patch) fn of(
        overlay: &mut Overlay<'_>,
        effort: &Effort<'_>,
    ) -> Result<Result<Self, Vec<String>>, Stopped> {
        let mut plan = Self {
            diff: String::new(),
            files_created: Vec::new(),
            files_deleted: Vec::new(),
            lint: Map::new(),
            deeds: Vec::new(),
        };
        let mut faults = Vec::new();
        for index in 0..overlay.entries.len() {
            faults.extend(plan.add(overlay, index, effort)?.err());
        }
        Ok(if faults.is_empty() {
            Ok(plan)
        } else {
            Err(faults)
        })
    }

    /// Tells whether the patch changes nothing.
    pub(in crate::tools::patch) fn is_empty(&self) -> bool {
        self.deeds.is_empty()
    }

    /// Returns the steps in an order that keeps data: what is new is written before anything goes.
    pub(in crate::tools::patch) fn steps<'s>(&'s self, overlay: &'s Overlay<'_>) -> Vec<Step<'s>> {
        let entry = |index: usize| overlay.entries.get(index);
        let mut steps: Vec<Step<'_>> = self
            .deeds
            .iter()
            .filter_map(|deed| {
                Some(match deed {
                    Deed::Write {
                        entry: index,
                        content,
                        like,
                    } => {
                        let entry = entry(*index)?;
                        let like = (*like).filter(|like| like != index);
                        Step::Write {
                            place: &entry.place,
                            shown: &entry.given,
                            old: entry.disk.as_ref(),
                            like: like.and_then(|like| disk_of(overlay, like)),
                            content,
                        }
                    }
                    Deed::Rename { from, to } => Step::Rename {
                        from: &entry(*from)?.place,
                        to: &entry(*to)?.place,
                        shown: &entry(*from)?.given,
                    },
                    Deed::Delete { entry: index } => Step::Delete {
                        place: &entry(*index)?.place,
                        shown: &entry(*index)?.given,
                    },
                })
            })
            .collect();
        steps.sort_by_key(Step::rank);
        steps
    }

    fn add(
        &mut self,
        overlay: &mut Overlay<'_>,
        index: usize,
        effort: &Effort<'_>,
    ) -> Result<Result<(), String>, Stopped> {
        let Some(entry) = overlay.entries.get(index) else {
            return Ok(Ok(()));
        };
        match entry.now {
            Now::Absent if entry.is_on_disk => {
                let heir = overlay.entries.iter().any(|other| other.takes_over(index));
                if !heir {
                    push_line(&mut self.diff, &format!("# Deleted: {}", entry.given));
                    self.files_deleted.push(entry.place.display());
                }
                let is_renamed = overlay.entries.iter().any(|other| other.is_renamed(index));
                if !is_renamed {
                    self.deeds.push(Deed::Delete { entry: index });
                }
                Ok(Ok(()))
            }
            Now::Absent => Ok(Ok(())),
            Now::DiskOf(source) if source == index => Ok(Ok(())),
            Now::DiskOf(source) => {
                self.tell_move(overlay, source, index);
                let is_free = overlay
                    .entries
                    .get(source)
                    .is_some_and(|entry| matches!(entry.now, Now::Absent));
                if is_free && entry.is_renamed(source) {
                    self.deeds.push(Deed::Rename {
                        from: source,
                        to: index,
                    });
                    return Ok(Ok(()));
                }
                let content = overlay.load(source).map(<[u8]>::to_vec);
                Ok(content.and_then(|content| self.write(overlay, index, content, Some(source))))
            }
            Now::Text { base, .. } => self.add_text(overlay, index, base, effort),
        }
    }

    fn add_text(
        &mut self,
        overlay: &mut Overlay<'_>,
        index: usize,
        base: Option<usize>,
        effort: &Effort<'_>,
    ) -> Result<Result<(), String>, Stopped> {
        // What was deleted and added again is a change of the file that is there.
        let is_replaced = base.is_none() && {
            let is_on_disk = overlay
                .entries
                .get(index)
                .is_some_and(|entry| entry.is_on_disk);
            is_on_disk && !overlay.entries.iter().any(|other| other.takes_over(index))
        };
        let replaced = if is_replaced {
            match overlay.load(index) {
                Ok(bytes) => {
                    Document::decode(bytes.to_vec()).map(|document| document.text().to_owned())
                }
                Err(why) => return Ok(Err(why)),
            }
        } else {
            None
        };
        let moved_from = base.filter(|base| *base != index);
        if let Some(source) = moved_from {
            self.tell_move(overlay, source, index);
        }
        let Some(entry) = overlay.entries.get(index) else {
            return Ok(Ok(()));
        };
        let Now::Text { document, .. } = &entry.now else {
            return Ok(Ok(()));
        };
        if moved_from.is_none() && base.is_some() && !document.is_changed() {
            return Ok(Ok(()));
        }
        let old_name = match base {
            Some(base) => {
                let base = overlay.entries.get(base);
                base.map(|base| format!("a/{}", base.given))
                    .unwrap_or_default()
            }
            None if is_replaced => format!("a/{}", entry.given),
            None => "/dev/null".to_owned(),
        };
        let sides = Sides {
            old: &old_name,
            new: &format!("b/{}", entry.given),
        };
        let (mut old, new) = (document.original(), document.text());
        let mut changes = document.changes().clone();
        if let Some(text) = &replaced {
            old = text;
            changes = Changes::whole(old.len(), new.len());
        }
        self.diff
            .push_str(&unified(sides, old, new, &changes, effort)?);
        let name = &entry.place.shown_name();
        let given = &entry.given;
        match lint::check(
            name,
            given,
            (base.is_some() || replaced.is_some()).then_some(old),
            new,
        ) {
            Ok(lint) => {
                let lint = serde_json::to_value(lint).unwrap_or_default();
                self.lint.insert(entry.place.display(), lint);
            }
            Err(refusal) => return Ok(Err(format!("{given}: {refusal}"))),
        }
        if entry.was_added && !is_replaced {
            self.files_created.push(entry.place.display());
        }
        let content = document.encode();
        Ok(self.write(overlay, index, content, base))
    }

    fn write(
        &mut self,
        overlay: &mut Overlay<'_>,
        index: usize,
        content: Vec<u8>,
        like: Option<usize>,
    ) -> Result<(), String> {
        let on_disk = overlay
            .entries
            .get(index)
            .is_some_and(|entry| entry.is_on_disk);
        if on_disk {
            // What is replaced must be known, so that it can be restored.
            overlay.load(index)?;
        }
        self.deeds.push(Deed::Write {
            entry: index,
            content,
            like,
        });
        Ok(())
    }

    fn tell_move(&mut self, overlay: &Overlay<'_>, from: usize, to: usize) {
        let given = |index: usize| overlay.entries.get(index).map_or("", |entry| &entry.given);
        push_line(
            &mut self.diff,
            &format!("# Moved: {} -> {}", given(from), given(to)),
        );
    }
}

fn disk_of<'o>(overlay: &'o Overlay<'_>, index: usize) -> Option<&'o OldFile> {
    overlay
        .entries
        .get(index)
        .and_then(|entry| entry.disk.as_ref())
}

fn push_line(diff: &mut String, line: &str) {
    if !diff.is_empty() && !diff.ends_with('\n') {
        diff.push('\n');
    }
    diff.push_str(line);
    diff.push('\n');
}
