//! Fits a replacement to the place where it goes when that place differs from the text that was looked for.

pub(super) mod drift;
mod indent;
mod typography;

use std::borrow::Cow;
use std::ops::Range;

pub(super) use indent::reindented;

use super::effort::{Effort, Stopped};
use super::matching::Strategy;

/// A replacement and where it goes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Replacement<'a> {
    /// The text that was looked for.
    pub(super) old: &'a str,
    /// The text that goes in its place.
    pub(super) new: &'a str,
    pub(super) strategy: Strategy,
}

impl Replacement<'_> {
    /// Returns the range to replace and the text to put there.
    pub(super) fn fitted(
        &self,
        text: &str,
        span: &Range<usize>,
        effort: &Effort<'_>,
    ) -> Result<(Range<usize>, String), Stopped> {
        if self.strategy == Strategy::Exact {
            return Ok((span.clone(), self.new.to_owned()));
        }
        let range = self.with_indentation(text, span);
        let region = &text[range.clone()];
        effort.spend(region.len() + self.new.len())?;
        let new = drift::with_controls(self.new, region);
        let new = without_added_newline(&new, self.old, region);
        let starts_line = range.start == 0 || text.as_bytes().get(range.start - 1) == Some(&b'\n');
        let new = if starts_line && self.strategy != Strategy::EscapeNormalized {
            Cow::Owned(reindented(self.old, new, region, effort)?)
        } else {
            Cow::Borrowed(new)
        };
        let new = match self.strategy {
            Strategy::UnicodeNormalized => typography::kept(region, &new, effort)?,
            _ => new.into_owned(),
        };
        Ok((range, new))
    }

    /// Takes in the indentation before a span that begins with the first other character of its line.
    fn with_indentation(&self, text: &str, span: &Range<usize>) -> Range<usize> {
        let before = &text[..span.start];
        let line = before.rfind('\n').map_or(0, |newline| newline + 1);
        let is_indentation = before[line..]
            .bytes()
            .all(|byte| matches!(byte, b' ' | b'\t'));
        let keeps_columns = matches!(
            self.strategy,
            Strategy::EscapeNormalized | Strategy::UnicodeNormalized
        );
        if is_indentation && !keeps_columns {
            line..span.end
        } else {
            span.clone()
        }
    }
}

/// Takes the final newline from a replacement whose pattern had one too, where the file's last line has none.
fn without_added_newline<'n>(new: &'n str, old: &str, region: &str) -> &'n str {
    if old.ends_with('\n') && !region.ends_with('\n') {
        new.strip_suffix('\n').unwrap_or(new)
    } else {
        new
    }
}
