//! The two strategies that take what is only similar to the pattern.

use std::ops::Range;

use super::similarity::{Letters, ratio};
use super::strategy::windows;
use super::{Lines, Pattern};
use crate::tools::patch::effort::{Effort, Stopped};

/// How alike the inner lines of the only candidate have to be, in percent.
const ONLY_CANDIDATE: usize = 50;
/// How alike the inner lines have to be where there are several candidates, in percent.
const SEVERAL_CANDIDATES: usize = 70;
/// How alike each pair of lines has to be, in percent.
const EACH_LINE: usize = 80;

/// Finds windows whose first and last lines are equal without the whitespace at their ends, and whose inner lines are alike.
pub(super) fn anchored_blocks(
    text: &str,
    lines: &Lines<'_>,
    pattern: &Pattern<'_>,
    effort: &Effort<'_>,
) -> Result<Vec<Range<usize>>, Stopped> {
    let count = pattern.lines.len();
    let Some((first, last)) = pattern.ends() else {
        return Ok(Vec::new());
    };
    let candidates: Vec<usize> = windows(lines, first, last, count).collect();
    let percent = match candidates.len() {
        1 => ONLY_CANDIDATE,
        _ => SEVERAL_CANDIDATES,
    };
    let wanted = pattern.inner();
    let wanted_letters = Letters::of(&wanted);
    let mut spans = Vec::new();
    for start in candidates {
        let inner = text.get(lines.span(start + 1, count - 2));
        let inner = inner.unwrap_or_default();
        effort.spend(inner.len())?;
        if Letters::of(inner)
            .bound(&wanted_letters)
            .is_at_least(percent)
            && ratio(inner, &wanted, effort)?.is_at_least(percent)
        {
            spans.push(lines.span(start, count));
        }
    }
    Ok(spans)
}

/// Finds windows each of whose lines is alike to the pattern's line; blank lines are alike only to each other.
pub(super) fn alike_lines(
    lines: &Lines<'_>,
    pattern: &Pattern<'_>,
    effort: &Effort<'_>,
) -> Result<Vec<Range<usize>>, Stopped> {
    let wanted: Vec<(&str, Letters)> = pattern
        .lines
        .iter()
        .map(|line| (line.trim(), Letters::of(line.trim())))
        .collect();
    let mut spans = Vec::new();
    for start in 0..(lines.len() + 1).saturating_sub(wanted.len()) {
        let mut is_alike = true;
        for (offset, (wanted, letters)) in wanted.iter().enumerate() {
            let line = lines.get(start + offset).trim();
            effort.spend(line.len() + 1)?;
            is_alike = Letters::of(line).bound(letters).is_at_least(EACH_LINE)
                && ratio(wanted, line, effort)?.is_at_least(EACH_LINE);
            if !is_alike {
                break;
            }
        }
        if is_alike {
            spans.push(lines.span(start, wanted.len()));
        }
    }
    Ok(spans)
}
