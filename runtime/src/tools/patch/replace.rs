//! The replacement of one text in a document: which matches count, and what to say when none or too many do.

use std::fmt::Write as _;

use thiserror::Error;

use super::changes::Edit;
use super::document::{Document, MAX_BYTES, TooLarge, View};
use super::effort::{Effort, Stopped};
use super::matching::{Found, Lines, Pattern, Strategy};
use super::rewriting::{Replacement, drift};
use super::suggestion::suggestion;

/// Fewest characters of a new text by whose presence an edit counts as made already.
const MIN_TELLING_CHARS: usize = 8;
/// Most matches that an error lists.
const MAX_LISTED: usize = 5;
/// Longest line that such a list shows, in characters.
const MAX_LISTED_CHARS: usize = 80;

/// A text to be replaced by another.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted<'a> {
    pub(super) old: &'a str,
    pub(super) new: &'a str,
    pub(super) replace_all: bool,
}

impl Wanted<'_> {
    /// Replaces the text in a document, and returns by which strategy it was found.
    pub(super) fn apply(
        &self,
        document: &mut Document,
        effort: &Effort<'_>,
    ) -> Result<Strategy, Mismatch> {
        if self.old.is_empty() {
            return Err(Mismatch::EmptyOld);
        }
        if self.old.trim().is_empty() {
            return Err(Mismatch::BlankOld);
        }
        effort.spend(document.text().len() / 8 + self.old.len() + self.new.len())?;
        if self.old.contains('\r') && document.text().contains(self.old) {
            // The caller knows how the lines end, and may even want to change it.
            return self.apply_to(document, Document::verbatim, effort);
        }
        let (old, new) = (newlines_only(self.old), newlines_only(self.new));
        let corrected = {
            let view = document.view();
            effort.spend(view.text.len() / 2)?;
            drift::corrected(&old, &new, |text| view.text.contains(text))
        };
        let (old, new) = corrected.unwrap_or((old, new));
        let wanted = Wanted {
            old: &old,
            new: &new,
            ..*self
        };
        wanted.apply_to(document, Document::view, effort)
    }

    fn apply_to(
        &self,
        document: &mut Document,
        view: fn(&Document) -> View<'_>,
        effort: &Effort<'_>,
    ) -> Result<Strategy, Mismatch> {
        if self.old == self.new {
            return Err(Mismatch::Identical);
        }
        let view = view(document);
        let pattern = Pattern::of_text(self.old);
        let Some(found) = Found::in_text(&view.text, &pattern, effort)? else {
            if is_applied(&view.text, self.old, self.new) {
                return Err(Mismatch::Applied);
            }
            return Err(Mismatch::NotFound {
                suggestion: suggestion(&view.text, self.old, effort)?,
            });
        };
        let edits = self.edits(&view, &found, effort)?;
        drop(view);
        document.apply(&edits)?;
        Ok(found.strategy)
    }

    /// Returns the edits that put the new text in the place of what was found.
    pub(super) fn edits(
        &self,
        view: &View<'_>,
        found: &Found,
        effort: &Effort<'_>,
    ) -> Result<Vec<Edit>, Mismatch> {
        let strategy = found.strategy;
        if found.spans.len() > 1 {
            if !self.replace_all {
                return Err(Mismatch::ambiguous(&view.text, found, effort)?);
            }
            if strategy.is_approximate() {
                return Err(Mismatch::Approximate {
                    count: found.spans.len(),
                    strategy,
                });
            }
        }
        if strategy != Strategy::Exact {
            let regions: Vec<&str> = found
                .spans
                .iter()
                .filter_map(|span| view.text.get(span.clone()))
                .collect();
            if let Some(error) = drift::detected(self.old, self.new, &regions) {
                return Err(Mismatch::Drift(error));
            }
        }
        let replacement = Replacement {
            old: self.old,
            new: self.new,
            strategy,
        };
        let mut edits = Vec::new();
        let mut added = 0_usize;
        let mut from = 0;
        for span in &found.spans {
            // Matches of whole lines may overlap; each line is replaced once.
            if span.start < from {
                continue;
            }
            from = span.end;
            added = added.saturating_add(self.new.len());
            if added > 2 * MAX_BYTES {
                return Err(TooLarge(added).into());
            }
            effort.spend(span.len() + self.new.len() + 1)?;
            let (range, text) = replacement.fitted(&view.text, span, effort)?;
            edits.push(view.edit(range, &text));
        }
        Ok(edits)
    }
}

/// Tells whether a text looks as if the edit had been made in it already.
pub(super) fn is_applied(text: &str, old: &str, new: &str) -> bool {
    new.trim().chars().nth(MIN_TELLING_CHARS - 1).is_some()
        && text.contains(new)
        && !text.contains(old)
}

/// Returns a text whose lines end with newlines only.
pub(super) fn newlines_only(text: &str) -> String {
    text.replace("\r\n", "\n")
}

/// Says why nothing was replaced.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(super) enum Mismatch {
    #[error(
        "old_string is empty — nothing to match. Set old_string to the exact existing text the replacement should replace (read the file first if unsure). To create a new file or fully rewrite one, use write_file instead. Do not re-send this call unchanged."
    )]
    EmptyOld,
    #[error(
        "old_string is only whitespace — provide non-blank text to match. Set old_string to the exact existing text the replacement should replace (read the file first if unsure). Do not re-send this call unchanged."
    )]
    BlankOld,
    #[error(
        "No edit was applied because old_string and new_string are identical. Provide the existing text to replace in old_string and the changed replacement text in new_string."
    )]
    Identical,
    #[error("{0}")]
    Drift(String),
    #[error(
        "Found {count} matches for old_string. Provide more context to make it unique, or use replace_all=True. Matches:{rows}"
    )]
    Ambiguous { count: usize, rows: String },
    #[error(
        "Found {count} approximate matches via the '{}' strategy; replace_all only applies to exact matches. Provide the precise text (whitespace included) so an exact/line-trimmed match can be made.",
        strategy.name()
    )]
    Approximate { count: usize, strategy: Strategy },
    /// The new text is there and the old one is not.
    #[error("the edit appears to be already applied")]
    Applied,
    #[error("{NOT_FOUND}{suggestion}")]
    NotFound { suggestion: String },
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// What is said when no strategy found anything.
pub(super) const NOT_FOUND: &str = "Could not find a match for old_string in the file";

impl Mismatch {
    pub(super) fn ambiguous(
        text: &str,
        found: &Found,
        effort: &Effort<'_>,
    ) -> Result<Self, Stopped> {
        let lines = Lines::of(text);
        let clean = effort.shown(text)?;
        let clean = Lines::of(&clean);
        let mut rows = String::new();
        for span in found.spans.iter().take(MAX_LISTED) {
            let index = lines.index_at(span.start);
            let line = clean.get(index).trim();
            // Writing to a string cannot fail.
            let _ = write!(rows, "\n  L{}: ", index + 1);
            match line.char_indices().nth(MAX_LISTED_CHARS) {
                Some(_) => {
                    rows.extend(line.chars().take(MAX_LISTED_CHARS - 3));
                    rows.push_str("...");
                }
                None => rows.push_str(line),
            }
        }
        if let Some(more @ 1..) = found.spans.len().checked_sub(MAX_LISTED) {
            let _ = write!(rows, "\n  ... and {more} more");
        }
        Ok(Self::Ambiguous {
            count: found.spans.len(),
            rows,
        })
    }
}

#[cfg(test)]
mod tests;
