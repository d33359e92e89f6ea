//! One hunk: where its old lines are in a document, and what stands there afterwards.

use thiserror::Error;

use super::{Hunk, Line};
use crate::tools::patch::changes::Edit;
use crate::tools::patch::document::{Document, TooLarge, View};
use crate::tools::patch::effort::{Effort, Stopped};
use crate::tools::patch::matching::{Found, Pattern};
use crate::tools::patch::replace::{Mismatch, Wanted, is_applied};
use crate::tools::patch::suggestion::suggestion;

/// How far before its hint a hunk is looked for when it is not found in the whole file, in characters.
const CHARS_BEFORE_HINT: usize = 500;
/// How far behind the start of its hint, in characters.
const CHARS_AFTER_HINT: usize = 2_000;

/// What a hunk did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tools::patch) enum Effect {
    Changed,
    /// It has only context lines.
    ContextOnly,
    /// What it would do has been done before.
    Applied,
}

/// Says why a hunk cannot be applied.
#[derive(Debug, PartialEq, Eq, Error)]
pub(in crate::tools::patch) enum HunkFault {
    #[error("{}", .0)]
    NotFound(Mismatch),
    #[error("addition-only hunk context hint '{0}' not found")]
    HintMissing(String),
    #[error("addition-only hunk context hint '{hint}' is ambiguous ({count} occurrences)")]
    HintAmbiguous { hint: String, count: usize },
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

impl Hunk<'_> {
    /// Changes a document as the hunk says.
    pub(super) fn apply(
        &self,
        document: &mut Document,
        effort: &Effort<'_>,
    ) -> Result<Effect, HunkFault> {
        let is_added = |line: &Line<'_>| matches!(line, Line::Added(_) | Line::Empty);
        let is_context = |line: &Line<'_>| matches!(line, Line::Context(_) | Line::Empty);
        if self.lines.iter().all(is_context) {
            return Ok(Effect::ContextOnly);
        }
        // A hunk reads and writes the whole text, many bytes in a step.
        effort.spend(document.text().len() / 4)?;
        let edits = {
            let view = document.view();
            if self.lines.iter().all(is_added) {
                vec![self.insertion(&view)?]
            } else {
                match self.replacement(&view, effort)? {
                    Some(edits) => edits,
                    None => return Ok(Effect::Applied),
                }
            }
        };
        document.apply(&edits)?;
        Ok(Effect::Changed)
    }

    /// Returns the edit of a hunk that only adds: behind the line of its hint, or else at the end.
    fn insertion(&self, view: &View<'_>) -> Result<Edit, HunkFault> {
        let (_, new) = self.sides(false);
        let added = new.join("\n");
        let text: &str = &view.text;
        let at = match self.hint {
            None => text.len(),
            Some(hint) => {
                let mut found = text.match_indices(hint).map(|(at, _)| at);
                let Some(at) = found.next() else {
                    return Err(HunkFault::HintMissing(hint.to_owned()));
                };
                let count = 1 + found.count();
                if count > 1 {
                    let hint = hint.to_owned();
                    return Err(HunkFault::HintAmbiguous { hint, count });
                }
                let end = at + hint.len();
                let newline = text[end..].find('\n');
                newline.map_or(text.len(), |newline| end + newline + 1)
            }
        };
        // A file whose last line has no newline keeps that.
        let inserted = match text[..at].chars().next_back() {
            None | Some('\n') => format!("{added}\n"),
            Some(_) => format!("\n{added}"),
        };
        Ok(view.edit(at..at, &inserted))
    }

    /// Returns the edits of a hunk that has old lines; `None` if they were made before.
    fn replacement(
        &self,
        view: &View<'_>,
        effort: &Effort<'_>,
    ) -> Result<Option<Vec<Edit>>, HunkFault> {
        let mut mismatch = None;
        for with_empty in [false, true] {
            let (old, new) = self.sides(with_empty);
            if with_empty && old.len() + new.len() == self.count_signed() {
                break;
            }
            let (joined_old, joined_new) = (old.join("\n"), new.join("\n"));
            let wanted = Wanted {
                old: &joined_old,
                new: &joined_new,
                replace_all: false,
            };
            match self.edits(&wanted, new.is_empty(), view, effort) {
                Ok(edits) => return Ok(Some(edits)),
                Err(Mismatch::Stopped(stopped)) => return Err(stopped.into()),
                Err(Mismatch::Applied) => return Ok(None),
                Err(other) => mismatch = mismatch.or(Some(other)),
            }
        }
        let nothing = || Mismatch::NotFound {
            suggestion: String::new(),
        };
        Err(HunkFault::NotFound(mismatch.unwrap_or_else(nothing)))
    }

    /// Looks for the old lines in the whole text and then near the hint.
    fn edits(
        &self,
        wanted: &Wanted<'_>,
        removes_lines: bool,
        view: &View<'_>,
        effort: &Effort<'_>,
    ) -> Result<Vec<Edit>, Mismatch> {
        let pattern = Pattern::of_lines(wanted.old);
        let edits_of = |found: Option<Found>| match found {
            Some(mut found) => {
                if removes_lines && let [span] = found.spans.as_mut_slice() {
                    *span = with_newline(&view.text, span);
                }
                wanted.edits(view, &found, effort)
            }
            None if is_applied(&view.text, wanted.old, wanted.new) => Err(Mismatch::Applied),
            None => Err(Mismatch::NotFound {
                suggestion: suggestion(&view.text, wanted.old, effort)?,
            }),
        };
        let first = edits_of(Found::as_lines(&view.text, &pattern, effort)?);
        let Some(window) = self.hint.and_then(|hint| window_at(&view.text, hint)) else {
            return first;
        };
        if !matches!(
            first,
            Err(Mismatch::NotFound { .. } | Mismatch::Ambiguous { .. })
        ) {
            return first;
        }
        let near = Found::as_lines(&view.text[window.clone()], &pattern, effort)?;
        let near = near.map(|mut found| {
            for span in &mut found.spans {
                *span = span.start + window.start..span.end + window.start;
            }
            found
        });
        match near {
            Some(near) => edits_of(Some(near)).or(first),
            None => first,
        }
    }

    /// Returns the lines before and after, with or without those that have not even a sign.
    fn sides(&self, with_empty: bool) -> (Vec<&str>, Vec<&str>) {
        let is_empty = |line: &&Line<'_>| **line == Line::Empty;
        // What stands between two hunks is empty, and no line of either.
        let leading = self.lines.iter().take_while(is_empty).count();
        let trailing = self.lines.iter().rev().take_while(is_empty).count();
        let lines = self.lines.get(leading..self.lines.len() - trailing);
        let (mut old, mut new) = (Vec::new(), Vec::new());
        for line in lines.unwrap_or_default() {
            match *line {
                Line::Context(text) => {
                    old.push(text);
                    new.push(text);
                }
                Line::Removed(text) => old.push(text),
                Line::Added(text) => new.push(text),
                Line::Empty if with_empty => {
                    old.push("");
                    new.push("");
                }
                Line::Empty => {}
            }
        }
        (old, new)
    }

    /// Returns the number of lines on both sides without the empty ones.
    fn count_signed(&self) -> usize {
        let (old, new) = self.sides(false);
        old.len() + new.len()
    }
}

/// Takes in the newline that ends the last line of a span of whole lines, or else the one before its first line.
fn with_newline(text: &str, span: &std::ops::Range<usize>) -> std::ops::Range<usize> {
    let bytes = text.as_bytes();
    let before = span.start.checked_sub(1).and_then(|at| bytes.get(at));
    let starts_line = span.start == 0 || before == Some(&b'\n');
    match bytes.get(span.end) {
        Some(b'\n') if starts_line => span.start..span.end + 1,
        None if span.start > 0 && starts_line => span.start - 1..span.end,
        _ => span.clone(),
    }
}

/// Returns the lines around the first occurrence of a hint.
fn window_at(text: &str, hint: &str) -> Option<std::ops::Range<usize>> {
    let at = text.find(hint)?;
    let before = text[..at]
        .char_indices()
        .rev()
        .take(CHARS_BEFORE_HINT)
        .last();
    let start = before.map_or(at, |(start, _)| start);
    let after = text[at..].char_indices().nth(CHARS_AFTER_HINT);
    let end = after.map_or(text.len(), |(len, _)| at + len);
    // A part of a line would match what the whole line does not.
    let start = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
    let end = text[end..].find('\n').map_or(text.len(), |len| end + len);
    Some(start..end)
}
