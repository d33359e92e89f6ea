//! The unified diff of a text whose changes are known: only the lines around them are compared.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::ops::Range;

use memchr::{memchr, memchr_iter, memrchr};

use super::changes::{Change, Changes};
use super::effort::{Effort, Stopped};
use super::matching::Lines;
use super::matching::similarity::Matcher;

/// Unchanged lines that are shown on each side of a change.
const CONTEXT_LINES: usize = 3;

/// Largest product of old and new lines that are compared with each other; beyond it a change is shown as a whole.
const MAX_COMPARED: usize = 4_000_000;

/// Most bytes of a diff in an answer.
const MAX_BYTES: usize = 256 * 1024;

const CUT: &str = "\n... [diff truncated]\n";

/// Names the two sides of a diff.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sides<'a> {
    pub(super) old: &'a str,
    pub(super) new: &'a str,
}

/// Writes a diff; it is empty where nothing was changed, and cut where it is too long.
pub(super) fn unified(
    sides: Sides<'_>,
    old: &str,
    new: &str,
    changes: &Changes,
    effort: &Effort<'_>,
) -> Result<String, Stopped> {
    let mut replaced = Vec::new();
    let mut counter = LineCounter::default();
    let changes = whole_lines(old, new, changes);
    for change in &changes {
        let start = (
            counter.old.at(old, change.old.start),
            counter.new.at(new, change.new.start),
        );
        compare(old, new, change, start, &mut replaced, effort)?;
    }
    if replaced.is_empty() {
        return Ok(String::new());
    }
    let span = |side: fn(&Change) -> &Range<usize>| {
        let first = changes.first().map_or(0, |change| side(change).start);
        first..changes.last().map_or(first, |change| side(change).end)
    };
    let old = effort.shown_around(old, span(|change| &change.old))?;
    let new = effort.shown_around(new, span(|change| &change.new))?;
    let (old, new) = (Lines::of(&old), Lines::of(&new));
    let mut diff = format!("--- {}\n+++ {}\n", sides.old, sides.new);
    let mut rest = replaced.as_slice();
    while let Some((first, _)) = rest.split_first() {
        let is_apart = |pair: &[Replaced]| match pair {
            [one, next] => next.old.from > one.old.to + 2 * CONTEXT_LINES,
            _ => true,
        };
        let len = rest
            .windows(2)
            .position(is_apart)
            .map_or(rest.len(), |at| at + 1);
        let (hunk, after) = rest.split_at(len);
        write_hunk(&mut diff, &old, &new, first, hunk);
        if diff.len() > MAX_BYTES {
            diff.truncate(diff.floor_char_boundary(MAX_BYTES));
            diff.push_str(CUT);
            break;
        }
        rest = after;
    }
    Ok(diff)
}

/// Lines by their numbers from 0.
#[derive(Debug, Clone)]
struct Section {
    from: usize,
    to: usize,
}

/// Lines that were replaced by others.
#[derive(Debug)]
struct Replaced {
    old: Section,
    new: Section,
}

/// Extends changes to whole lines and joins those that then meet.
fn whole_lines(old: &str, new: &str, changes: &Changes) -> Vec<Change> {
    let mut whole: Vec<Change> = Vec::new();
    for change in changes.as_slice() {
        let line_start = memrchr(b'\n', &old.as_bytes()[..change.old.start]).map_or(0, |at| at + 1);
        // Between two changes both texts are equal; a change that shares a line with the one before is joined to it.
        let before = change.old.start - line_start;
        let is_complete =
            |text: &str, end: usize| end == 0 || text.as_bytes().get(end - 1) == Some(&b'\n');
        let after = if is_complete(old, change.old.end) && is_complete(new, change.new.end) {
            0
        } else {
            let rest = &old.as_bytes()[change.old.end..];
            memchr(b'\n', rest).map_or(rest.len(), |at| at + 1)
        };
        let last = whole.last_mut();
        match last.filter(|last| line_start < last.old.end || change.old.start <= last.old.end) {
            Some(last) => {
                last.old.end = last.old.end.max(change.old.end + after);
                // The end of the joined change is as far behind this one in both texts.
                last.new.end = change.new.end + (last.old.end - change.old.end);
            }
            None => whole.push(Change {
                old: line_start..change.old.end + after,
                new: change.new.start.saturating_sub(before)..change.new.end + after,
            }),
        }
    }
    whole
}

/// Counts lines up to places that only go forward.
#[derive(Debug, Default)]
struct LineCounter {
    old: Counted,
    new: Counted,
}

#[derive(Debug, Default)]
struct Counted {
    offset: usize,
    lines: usize,
}

impl Counted {
    fn at(&mut self, text: &str, offset: usize) -> usize {
        let passed = text.as_bytes().get(self.offset..offset).unwrap_or_default();
        self.lines += memchr_iter(b'\n', passed).count();
        self.offset = offset;
        self.lines
    }
}

/// Compares the lines of a change and adds the parts that differ.
fn compare(
    old: &str,
    new: &str,
    change: &Change,
    (old_line, new_line): (usize, usize),
    replaced: &mut Vec<Replaced>,
    effort: &Effort<'_>,
) -> Result<(), Stopped> {
    let old_lines: Vec<&str> = old[change.old.clone()].split_inclusive('\n').collect();
    let new_lines: Vec<&str> = new[change.new.clone()].split_inclusive('\n').collect();
    let pairs = || old_lines.iter().zip(&new_lines);
    let prefix = pairs().take_while(|(old, new)| old == new).count();
    let both_rest = old_lines.len().min(new_lines.len()) - prefix;
    let reversed = old_lines.iter().rev().zip(new_lines.iter().rev());
    let suffix = reversed
        .take(both_rest)
        .take_while(|(old, new)| old == new)
        .count();
    // Prefix and suffix together are at most the shorter side.
    let old_inner = &old_lines[prefix..old_lines.len() - suffix];
    let new_inner = &new_lines[prefix..new_lines.len() - suffix];
    let mut equal = Vec::new();
    if old_inner.len().saturating_mul(new_inner.len()) <= MAX_COMPARED {
        let mut numbers = HashMap::new();
        let mut number = |line| -> u32 {
            // There are fewer lines than the product of both counts, which fits.
            let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
            *numbers.entry(line).or_insert(next)
        };
        let old_numbers: Vec<u32> = old_inner.iter().map(|line| number(*line)).collect();
        let matcher = Matcher::new(new_inner.iter().map(|line| number(*line)).collect());
        for block in matcher.blocks(&old_numbers, effort)? {
            equal.push((block.first + prefix, block.second + prefix, block.len));
        }
    }
    equal.push((old_lines.len() - suffix, new_lines.len() - suffix, suffix));
    let mut old_side = Walk::new(&old_lines, old_line);
    let mut new_side = Walk::new(&new_lines, new_line);
    old_side.take_until(prefix);
    new_side.take_until(prefix);
    for (old_end, new_end, len) in equal {
        let (old, new) = (old_side.take_until(old_end), new_side.take_until(new_end));
        if old.from < old.to || new.from < new.to {
            replaced.push(Replaced { old, new });
        }
        old_side.take_until(old_end + len);
        new_side.take_until(new_end + len);
    }
    Ok(())
}

/// Goes through lines of a text and keeps count of lines and bytes.
struct Walk<'l> {
    lines: &'l [&'l str],
    taken: usize,
    line: usize,
}

impl<'l> Walk<'l> {
    fn new(lines: &'l [&'l str], line: usize) -> Self {
        Self {
            lines,
            taken: 0,
            line,
        }
    }

    fn take_until(&mut self, end: usize) -> Section {
        let lines = self.lines.get(self.taken..end).unwrap_or_default();
        let from = self.line;
        self.taken = end;
        self.line += lines.len();
        Section {
            from,
            to: self.line,
        }
    }
}

/// Writes a hunk from the clean lines of both texts.
fn write_hunk(
    diff: &mut String,
    old: &Lines<'_>,
    new: &Lines<'_>,
    first: &Replaced,
    hunk: &[Replaced],
) {
    let Some(last) = hunk.last() else {
        return;
    };
    let leading = first.old.from.min(CONTEXT_LINES);
    let trailing = old
        .count_ended()
        .saturating_sub(last.old.to)
        .min(CONTEXT_LINES);
    let range = |from: usize, to: usize| match to - from {
        1 => format!("{}", from + 1),
        0 => format!("{from},0"),
        len => format!("{},{len}", from + 1),
    };
    // Writing to a string cannot fail.
    let _ = writeln!(
        diff,
        "@@ -{} +{} @@",
        range(first.old.from - leading, last.old.to + trailing),
        range(first.new.from - leading, last.new.to + trailing),
    );
    let mut from = first.old.from - leading;
    for replaced in hunk {
        write_lines(diff, ' ', old, from..replaced.old.from);
        write_lines(diff, '-', old, replaced.old.from..replaced.old.to);
        write_lines(diff, '+', new, replaced.new.from..replaced.new.to);
        from = replaced.old.to;
        if diff.len() > MAX_BYTES {
            return;
        }
    }
    write_lines(diff, ' ', old, from..last.old.to + trailing);
}

fn write_lines(diff: &mut String, sign: char, lines: &Lines<'_>, range: Range<usize>) {
    for index in range {
        diff.push(sign);
        diff.push_str(lines.get(index));
        diff.push('\n');
        // Behind the last newline there is one more line, which is empty or has no end.
        if index + 1 == lines.len() {
            diff.push_str("\\ No newline at end of file\n");
        }
        if diff.len() > MAX_BYTES {
            return;
        }
    }
}

#[cfg(test)]
mod tests;
