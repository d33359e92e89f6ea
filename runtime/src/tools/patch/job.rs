//! One call with everything that it needs, so that it can run on a thread that may block.

use std::collections::BTreeMap;
use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use super::apply::{ApplyFault, Step, apply};
use super::diff::{Sides, unified};
use super::document::Document;
use super::effort::{Effort, Stopped};
use super::lint;
use super::matching::Strategy;
use super::replace::{Mismatch, Wanted};
use super::reply::PatchReply;
use super::target;
use super::v4a::{Overlay, PatchText, Plan};
use crate::fs::{OldFile, Place, ReadDenials, SeenFiles};
use crate::text::redact::Redactor;

/// How often a call begins anew because a file was changed while it looked for the place to edit.
const MAX_ATTEMPTS: u32 = 16;

/// What a call asks for.
#[derive(Debug)]
pub(super) enum Request {
    Replace {
        path: String,
        old: String,
        new: String,
        replace_all: bool,
    },
    Patch {
        text: String,
    },
}

/// Holds one call.
#[derive(Debug)]
pub(super) struct Job {
    pub(super) request: Request,
    /// The places of all paths that the request names, by the path as it was given.
    pub(super) places: BTreeMap<String, Place>,
    /// Why paths of a patch lead nowhere. Their guards were not asked, so that they stay out of reach for this call.
    pub(super) unreachable: BTreeMap<String, String>,
    pub(super) denials: Arc<ReadDenials>,
    pub(super) redactor: Arc<Redactor>,
    /// What remembers which files the session knows, where that matters.
    pub(super) seen: Option<Arc<SeenFiles>>,
    /// Cancelled when the cell ends: nothing is changed then any more.
    pub(super) cell: CancellationToken,
}

impl Job {
    pub(super) fn run(&self) -> PatchReply {
        self.run_while(&|| self.cell.is_cancelled())
            .redacted(&self.redactor)
    }

    /// Runs until `is_over` tells that nobody waits for the answer any more.
    pub(super) fn run_while(&self, is_over: &dyn Fn() -> bool) -> PatchReply {
        let effort = Effort::new(is_over).showing(Arc::clone(&self.redactor));
        for _ in 0..MAX_ATTEMPTS {
            let attempt = match &self.request {
                Request::Replace {
                    path,
                    old,
                    new,
                    replace_all,
                } => {
                    let wanted = Wanted {
                        old,
                        new,
                        replace_all: *replace_all,
                    };
                    self.replace(path, wanted, &effort, is_over)
                }
                Request::Patch { text } => self.patch(text, &effort, is_over),
            };
            match attempt {
                Ok(reply) => return reply,
                Err(Interruption::Stale) => {}
                Err(Interruption::Stopped(stopped)) => {
                    return PatchReply::failed(stopped.to_string());
                }
            }
        }
        PatchReply::failed(
            "The file was changed by something else while it was patched, again and again. It was NOT modified by this call.",
        )
    }

    fn replace(
        &self,
        path: &str,
        wanted: Wanted<'_>,
        effort: &Effort<'_>,
        is_over: &dyn Fn() -> bool,
    ) -> Result<PatchReply, Interruption> {
        let Some(place) = self.places.get(path) else {
            return Ok(PatchReply::failed(format!("Failed to read file: {path}")));
        };
        let (place, file) = match open(place, &self.denials) {
            Ok(opened) => opened,
            Err(error) => return Ok(PatchReply::failed(error)),
        };
        let Some(mut document) = Document::decode(file.start.clone()) else {
            return Ok(PatchReply::failed(target::not_text(path)));
        };
        let strategy = match wanted.apply(&mut document, effort) {
            Ok(strategy) if document.is_changed() => strategy,
            Ok(_) | Err(Mismatch::Applied) => return Ok(PatchReply::unchanged(path)),
            Err(Mismatch::Stopped(stopped)) => return Err(stopped.into()),
            Err(mismatch) => return Ok(PatchReply::failed(mismatch.to_string())),
        };
        let shown = place.display();
        let (old, new) = (document.original(), document.text());
        let lint = match lint::check(&place.shown_name(), &shown, Some(old), new) {
            Ok(lint) => serde_json::to_value(lint).ok(),
            Err(refusal) => return Ok(PatchReply::failed(refusal)),
        };
        let sides = Sides {
            old: &format!("a/{path}"),
            new: &format!("b/{path}"),
        };
        let diff = unified(sides, old, new, document.changes(), effort)?;
        let step = Step::Write {
            place: &place,
            shown: path,
            old: Some(&file),
            like: None,
            content: &document.encode(),
        };
        let steps = [step];
        match apply(&steps, &self.denials, is_over) {
            Ok(()) => self.remember(&steps),
            Err(ApplyFault::Stale) => return Err(Interruption::Stale),
            Err(ApplyFault::Failed { failures, .. }) => {
                let whys: Vec<String> = failures.into_iter().map(|failure| failure.why).collect();
                return Ok(PatchReply::failed(whys.join("\n")));
            }
        }
        Ok(PatchReply {
            success: true,
            note: note(strategy),
            diff: Some(diff),
            files_modified: vec![shown.clone()],
            lint,
            resolved_path: Some(shown),
            ..PatchReply::default()
        })
    }

    fn patch(
        &self,
        text: &str,
        effort: &Effort<'_>,
        is_over: &dyn Fn() -> bool,
    ) -> Result<PatchReply, Interruption> {
        effort.spend(text.len())?;
        let patch = match PatchText::parse(text) {
            Ok(patch) => patch,
            Err(fault) => return Ok(PatchReply::failed(fault.to_string())),
        };
        let mut overlay = Overlay::new(&self.places, &self.unreachable, &self.denials, effort);
        let faults = overlay.apply(&patch.operations)?;
        if !faults.is_empty() {
            return Ok(PatchReply::failed(refused(&faults)));
        }
        let plan = match Plan::of(&mut overlay, effort)? {
            Ok(plan) => plan,
            Err(faults) => return Ok(PatchReply::failed(refused(&faults))),
        };
        let mut files_modified: Vec<String> = Vec::new();
        for operation in &patch.operations {
            let show = if operation.follows() {
                Place::display
            } else {
                Place::display_entry
            };
            for path in operation.paths() {
                let shown = self.places.get(path).map(show);
                files_modified.extend(shown.filter(|shown| !files_modified.contains(shown)));
            }
        }
        if plan.is_empty() {
            return Ok(PatchReply::unchanged(&files_modified.join(", ")));
        }
        let steps = plan.steps(&overlay);
        match apply(&steps, &self.denials, is_over) {
            Ok(()) => self.remember(&steps),
            Err(ApplyFault::Stale) => return Err(Interruption::Stale),
            Err(ApplyFault::Failed {
                failures,
                is_restored,
            }) => {
                let failures: Vec<String> = failures.iter().map(ToString::to_string).collect();
                let state = if is_restored {
                    "all files were restored; nothing was changed"
                } else {
                    "state may be inconsistent — run `git diff` to assess"
                };
                return Ok(PatchReply::failed(bulleted(
                    &format!("Apply phase failed ({state}):"),
                    &failures,
                )));
            }
        }
        Ok(PatchReply {
            success: true,
            diff: Some(plan.diff),
            files_modified,
            files_created: plan.files_created,
            files_deleted: plan.files_deleted,
            lint: (!plan.lint.is_empty()).then(|| plan.lint.into()),
            ..PatchReply::default()
        })
    }
}

impl Job {
    /// Tells what the session knows about the files that were written.
    fn remember(&self, steps: &[Step<'_>]) {
        let Some(seen) = &self.seen else { return };
        for step in steps {
            let Step::Write { place, old, .. } = step else {
                continue;
            };
            let Ok(now) = place.open() else { continue };
            match old {
                Some(old) => seen.patched(&place.absolute(), old.identity(), now.identity),
                None => seen.written(&place.absolute(), now.identity),
            }
        }
    }
}

/// Finds the file that a path leads to, and reads it.
fn open(place: &Place, denials: &ReadDenials) -> Result<(Place, OldFile), String> {
    let target = place
        .resolved()
        .map_err(|error| target::ReadFault::of(error).explain(place))?;
    match target::read(&target, denials) {
        Ok(Some(file)) => Ok((target, file)),
        Ok(None) => Err(target::ReadFault::Missing.explain(place)),
        Err(fault) => Err(fault.explain(&target)),
    }
}

/// Why an attempt has no answer.
enum Interruption {
    /// A file was changed meanwhile.
    Stale,
    Stopped(Stopped),
}

impl From<Stopped> for Interruption {
    fn from(stopped: Stopped) -> Self {
        Self::Stopped(stopped)
    }
}

fn note(strategy: Strategy) -> Option<String> {
    strategy.is_approximate().then(|| {
        format!(
            "Non-exact match (strategy: {}). The edit span was located approximately, not matched to old_string's literal boundaries — review the diff below to confirm the change landed exactly where intended (a shifted boundary can duplicate or drop a line just outside the edited region).",
            strategy.name()
        )
    })
}

fn refused(faults: &[String]) -> String {
    bulleted("Patch validation failed (no files were modified):", faults)
}

fn bulleted(head: &str, rows: &[String]) -> String {
    let rows = rows.iter().map(|row| format!("\n  • {row}"));
    std::iter::once(head.to_owned()).chain(rows).collect()
}

#[cfg(test)]
mod tests;
