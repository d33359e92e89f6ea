//! The nine strategies in the order in which they are tried. The first one that finds the pattern anywhere wins.

use std::ops::Range;

use memchr::memmem;

use super::approximate::{alike_lines, anchored_blocks};
use super::{Lines, Mapped, Pattern};
use crate::tools::patch::effort::{Effort, STEPS_PER_MATCH, Stopped};

/// A way in which the text of a file may differ from the pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tools::patch) enum Strategy {
    /// Not at all.
    Exact,
    /// In the whitespace at both ends of each line.
    LineTrimmed,
    /// In the length of runs of spaces and tabs.
    WhitespaceNormalized,
    /// In the whitespace at the start of each line.
    IndentationFlexible,
    /// By having newlines, tabs and carriage returns where the pattern has `\n`, `\t` and `\r` in letters.
    EscapeNormalized,
    /// In the whitespace at both ends of the first and of the last line.
    TrimmedBoundary,
    /// In typographic characters.
    UnicodeNormalized,
    /// In the lines between the first and the last one.
    BlockAnchor,
    /// A little in every line.
    ContextAware,
}

impl Strategy {
    pub(super) const ALL: [Self; 9] = [
        Self::Exact,
        Self::LineTrimmed,
        Self::WhitespaceNormalized,
        Self::IndentationFlexible,
        Self::EscapeNormalized,
        Self::TrimmedBoundary,
        Self::UnicodeNormalized,
        Self::BlockAnchor,
        Self::ContextAware,
    ];

    /// Returns the name that answers have for it.
    pub(in crate::tools::patch) fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::LineTrimmed => "line_trimmed",
            Self::WhitespaceNormalized => "whitespace_normalized",
            Self::IndentationFlexible => "indentation_flexible",
            Self::EscapeNormalized => "escape_normalized",
            Self::TrimmedBoundary => "trimmed_boundary",
            Self::UnicodeNormalized => "unicode_normalized",
            Self::BlockAnchor => "block_anchor",
            Self::ContextAware => "context_aware",
        }
    }

    /// Tells whether what it finds is only similar to the pattern.
    pub(in crate::tools::patch) fn is_approximate(self) -> bool {
        matches!(self, Self::BlockAnchor | Self::ContextAware)
    }

    /// Returns where the pattern is by this strategy alone.
    fn spans(
        self,
        text: &str,
        lines: &Lines<'_>,
        pattern: &Pattern<'_>,
        effort: &Effort<'_>,
    ) -> Result<Vec<Range<usize>>, Stopped> {
        effort.spend(text.len() + pattern.text.len())?;
        let spans = match self {
            Self::Exact => return exact(text, pattern.text, effort),
            Self::EscapeNormalized => {
                let unescaped = unescaped(pattern.text);
                return if unescaped == pattern.text {
                    Ok(Vec::new())
                } else {
                    exact(text, &unescaped, effort)
                };
            }
            Self::WhitespaceNormalized => {
                let pattern = Mapped::squeezed(pattern.text).text;
                return Mapped::squeezed(text).find(&pattern, effort);
            }
            Self::UnicodeNormalized => {
                let pattern = Mapped::plain(pattern.text).text;
                return Mapped::plain(text).find(&pattern, effort);
            }
            Self::LineTrimmed => equal_lines(lines, pattern, str::trim, effort)?,
            Self::IndentationFlexible => equal_lines(lines, pattern, str::trim_start, effort)?,
            Self::TrimmedBoundary => trimmed_boundaries(text, lines, pattern, effort)?,
            Self::BlockAnchor => anchored_blocks(text, lines, pattern, effort)?,
            Self::ContextAware => alike_lines(lines, pattern, effort)?,
        };
        Ok(spans
            .into_iter()
            .map(|span| with_newline(text, span, pattern))
            .collect())
    }
}

/// What the first strategy found that found anything.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::tools::patch) struct Found {
    pub(in crate::tools::patch) strategy: Strategy,
    /// At least one range of the text, in order; those of strategies that look at lines may overlap.
    pub(in crate::tools::patch) spans: Vec<Range<usize>>,
}

impl Found {
    /// Looks for a pattern, which is not blank.
    pub(in crate::tools::patch) fn in_text(
        text: &str,
        pattern: &Pattern<'_>,
        effort: &Effort<'_>,
    ) -> Result<Option<Self>, Stopped> {
        // The strategy that nearly always finds it needs no lines.
        let spans = exact(text, pattern.text, effort)?;
        let strategy = Strategy::Exact;
        if !spans.is_empty() {
            return Ok(Some(Self { strategy, spans }));
        }
        let lines = Lines::of(text);
        for strategy in Strategy::ALL.into_iter().skip(1) {
            let spans = strategy.spans(text, &lines, pattern, effort)?;
            if !spans.is_empty() {
                return Ok(Some(Self { strategy, spans }));
            }
        }
        Ok(None)
    }

    /// Looks for a pattern of whole lines: where it stands as such, it is not looked for inside of lines.
    pub(in crate::tools::patch) fn as_lines(
        text: &str,
        pattern: &Pattern<'_>,
        effort: &Effort<'_>,
    ) -> Result<Option<Self>, Stopped> {
        effort.spend(text.len() / 8)?;
        let bytes = text.as_bytes();
        let (strategy, mut spans) = (Strategy::Exact, Vec::new());
        let finder = memmem::Finder::new(pattern.text);
        let mut from = 0;
        while let Some(found) = bytes.get(from..).and_then(|rest| finder.find(rest)) {
            let (start, end) = (from + found, from + found + pattern.text.len());
            effort.spend(pattern.text.len() / 8 + 16)?;
            let is_start = start.checked_sub(1).map(|before| bytes.get(before));
            if is_start.is_none_or(|before| before == Some(&b'\n'))
                && bytes.get(end).is_none_or(|after| *after == b'\n')
                // The line after a final newline is none that a patch could name.
                && (start < text.len() || text.is_empty())
            {
                effort.spend(STEPS_PER_MATCH)?;
                spans.push(start..end);
            }
            // The next line at the earliest; the byte there begins a character, for it follows a newline.
            match memchr::memchr(b'\n', &bytes[start..]) {
                Some(newline) => from = start + newline + 1,
                None => break,
            }
        }
        if spans.is_empty() && !pattern.text.trim().is_empty() {
            return Self::in_text(text, pattern, effort);
        }
        Ok((!spans.is_empty()).then_some(Self { strategy, spans }))
    }
}

/// Returns the occurrences that do not overlap.
fn exact(text: &str, pattern: &str, effort: &Effort<'_>) -> Result<Vec<Range<usize>>, Stopped> {
    // The search reads many bytes in a step.
    effort.spend(text.len() / 8 + pattern.len() / 8)?;
    let mut spans = Vec::new();
    for start in memmem::find_iter(text.as_bytes(), pattern) {
        effort.spend(STEPS_PER_MATCH)?;
        spans.push(start..start + pattern.len());
    }
    Ok(spans)
}

fn unescaped(pattern: &str) -> String {
    pattern
        .replace("\\n", "\n")
        .replace("\\t", "\t")
        .replace("\\r", "\r")
        // The text that is searched has no other ends of lines.
        .replace("\r\n", "\n")
}

/// Finds windows of lines that are equal to the pattern's lines in a plainer form.
fn equal_lines(
    lines: &Lines<'_>,
    pattern: &Pattern<'_>,
    plainer: fn(&str) -> &str,
    effort: &Effort<'_>,
) -> Result<Vec<Range<usize>>, Stopped> {
    // A newline before the first line and after the last one keeps the search to whole lines.
    let mut text = String::from("\n");
    let mut newlines = Vec::with_capacity(lines.len());
    for line in lines.iter() {
        newlines.push(text.len() - 1);
        text.push_str(plainer(line));
        text.push('\n');
    }
    let mut wanted = String::from("\n");
    for line in &pattern.lines {
        wanted.push_str(plainer(line));
        wanted.push('\n');
    }
    let finder = memmem::Finder::new(&wanted);
    let mut spans = Vec::new();
    let mut from = 0;
    while let Some(found) = text
        .as_bytes()
        .get(from..)
        .and_then(|rest| finder.find(rest))
    {
        let at = from + found;
        effort.spend(wanted.len() + STEPS_PER_MATCH)?;
        let first = newlines.partition_point(|newline| *newline < at);
        spans.push(lines.span(first, pattern.lines.len()));
        from = at + 1;
    }
    Ok(spans)
}

/// Finds windows whose inner lines are equal, and whose first and last lines are equal without the whitespace at their ends.
fn trimmed_boundaries(
    text: &str,
    lines: &Lines<'_>,
    pattern: &Pattern<'_>,
    effort: &Effort<'_>,
) -> Result<Vec<Range<usize>>, Stopped> {
    let count = pattern.lines.len();
    let Some((first, last)) = pattern.ends() else {
        return equal_lines(lines, pattern, str::trim, effort);
    };
    let inner = pattern.inner();
    let mut spans = Vec::new();
    for start in windows(lines, first, last, count) {
        effort.spend(inner.len() / 8 + 1)?;
        if text.get(lines.span(start + 1, count - 2)) == Some(&*inner) {
            effort.spend(STEPS_PER_MATCH)?;
            spans.push(lines.span(start, count));
        }
    }
    Ok(spans)
}

/// Returns the first lines of all windows whose first and last lines are these, but for whitespace at their ends.
pub(super) fn windows(
    lines: &Lines<'_>,
    first: &str,
    last: &str,
    count: usize,
) -> impl Iterator<Item = usize> {
    let (first, last) = (first.trim(), last.trim());
    (0..(lines.len() + 1).saturating_sub(count)).filter(move |start| {
        lines.get(*start).trim() == first && lines.get(start + count - 1).trim() == last
    })
}

/// Takes in the newline after a span, where the pattern ends with one.
fn with_newline(text: &str, span: Range<usize>, pattern: &Pattern<'_>) -> Range<usize> {
    let has_newline = text.as_bytes().get(span.end) == Some(&b'\n');
    let end = span.end + usize::from(pattern.ends_line && has_newline);
    span.start..end
}

#[cfg(test)]
mod tests;
