//! Gives a replacement the indentation of the file when the text that was looked for had another one.
//!
//! The lines of the old text and of the file are pairs, from which it is learnt what an indentation of the old text is in
//! the file. Where the old text had lost its structure, so that one indentation stands for several, the new text's lines
//! are paired with the old ones and take over what the file has there.

use std::collections::HashMap;

use crate::tools::patch::effort::{Effort, Stopped};
use crate::tools::patch::matching::similarity::{Block, Matcher};

/// A tab in columns, where one side indents with tabs and the other with spaces.
const TAB_COLUMNS: usize = 4;

/// Returns the new text with the indentation that it has to have in place of `region`, the lines of the file that `old` matched.
pub(in crate::tools::patch) fn reindented(
    old: &str,
    new: &str,
    region: &str,
    effort: &Effort<'_>,
) -> Result<String, Stopped> {
    let old_lines: Vec<&str> = old.split('\n').collect();
    let file_lines: Vec<&str> = region.split('\n').collect();
    let pairs: Vec<Pair<'_>> = old_lines
        .iter()
        .zip(&file_lines)
        .map(|(old, file)| Pair {
            old: indent_of(old),
            file: indent_of(file),
            is_blank: is_blank(old) || is_blank(file),
        })
        .collect();
    let told = || pairs.iter().filter(|pair| !pair.is_blank);
    if told().all(|pair| pair.old == pair.file) {
        return Ok(new.to_owned());
    }
    let new_lines: Vec<&str> = new.split('\n').collect();
    let partners = partners(&old_lines, &new_lines, effort)?;
    let mut fitting = Fitting::new(told(), &new_lines);
    let told_pair = |partner: &Option<usize>| pairs.get((*partner)?).filter(|pair| !pair.is_blank);
    // The next line that stands for one of the file tells how deep the block is that a line before it begins.
    let mut nexts = vec![None; new_lines.len()];
    let mut next = None;
    for (slot, partner) in nexts.iter_mut().zip(&partners).rev() {
        *slot = next;
        next = told_pair(partner).or(next);
    }
    let mut lines = Vec::with_capacity(new_lines.len());
    for ((line, partner), next) in new_lines.iter().zip(&partners).zip(nexts) {
        if is_blank(line) {
            lines.push((*line).to_owned());
            continue;
        }
        // A line may have to look at all that have their places.
        effort.spend(fitting.placed.len() + line.len())?;
        let indent = fitting.fit(line, told_pair(partner), next);
        lines.push(format!("{indent}{}", unindented(line)));
    }
    Ok(lines.join("\n"))
}

/// The indentations of a line of the old text and of its line in the file.
#[derive(Debug)]
struct Pair<'t> {
    old: &'t str,
    file: &'t str,
    is_blank: bool,
}

/// Pairs lines of the new text with lines of the old one: the equal ones, and those between in their order.
fn partners(
    old: &[&str],
    new: &[&str],
    effort: &Effort<'_>,
) -> Result<Vec<Option<usize>>, Stopped> {
    let mut numbers = HashMap::new();
    let mut number = |line: &&str| -> u32 {
        // Two texts of a call never have so many lines.
        let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
        *numbers.entry(line.trim().to_owned()).or_insert(next)
    };
    let old_numbers: Vec<u32> = old.iter().map(&mut number).collect();
    let matcher = Matcher::new(new.iter().map(&mut number).collect());
    let mut blocks = matcher.blocks(&old_numbers, effort)?;
    blocks.push(Block {
        first: old.len(),
        second: new.len(),
        len: 0,
    });
    let mut partners = vec![None; new.len()];
    let (mut old_from, mut new_from) = (0, 0);
    for block in blocks {
        // What is between two blocks was replaced: line by line, as far as both sides go.
        let between = (block.first - old_from).min(block.second - new_from);
        let replaced = (0..between).map(|at| (old_from + at, new_from + at));
        let equal = (0..block.len).map(|at| (block.first + at, block.second + at));
        for (old, new) in replaced.chain(equal) {
            if let Some(partner) = partners.get_mut(new) {
                *partner = Some(old);
            }
        }
        (old_from, new_from) = (block.first + block.len, block.second + block.len);
    }
    Ok(partners)
}

/// A line of the new text that has its place: how it was indented, how it is, and whether a block follows it.
#[derive(Debug)]
struct Placed {
    given: String,
    result: String,
    begins_block: bool,
}

/// Holds what is known about the two ways to indent while the new lines get their places.
#[derive(Debug)]
struct Fitting<'t> {
    /// What an indentation of the old text is in the file; `None` where it stands for several.
    known: HashMap<&'t str, Option<&'t str>>,
    /// The pair of the first line that is not blank.
    base: (&'t str, &'t str),
    /// One level of the old text, and what it is in the file.
    unit: Option<(String, String)>,
    placed: Vec<Placed>,
}

impl<'t> Fitting<'t> {
    fn new<'p>(pairs: impl Iterator<Item = &'p Pair<'t>> + Clone, new: &[&str]) -> Self
    where
        't: 'p,
    {
        let mut known: HashMap<&str, Option<&str>> = HashMap::new();
        for pair in pairs.clone() {
            known
                .entry(pair.old)
                .and_modify(|file| *file = file.filter(|file| *file == pair.file))
                .or_insert(Some(pair.file));
        }
        let base = pairs.clone().next();
        let unit = unit_of_levels(&known).or_else(|| unit_of_kinds(pairs, new));
        Self {
            known,
            base: base.map_or(("", ""), |pair| (pair.old, pair.file)),
            unit,
            placed: Vec::new(),
        }
    }

    /// Returns the indentation of the next line of the new text.
    fn fit(&mut self, line: &str, pair: Option<&Pair<'_>>, next: Option<&Pair<'_>>) -> String {
        let given = indent_of(line);
        let result = match self.known.get(given) {
            Some(Some(file)) => (*file).to_owned(),
            Some(None) => match pair.filter(|pair| pair.old == given) {
                Some(pair) => pair.file.to_owned(),
                None => self.inserted(given, next),
            },
            None => self.deeper(given),
        };
        self.placed.push(Placed {
            given: given.to_owned(),
            result: result.clone(),
            begins_block: line.trim_end().ends_with([':', '{', '(', '[']),
        });
        result
    }

    /// Places a line that the old text did not have and whose indentation stands for several: beside the line before it,
    /// or inside the block that the line before begins.
    fn inserted(&self, given: &str, next: Option<&Pair<'_>>) -> String {
        let Some(before) = self.placed.last().filter(|before| before.given == given) else {
            return self.deeper(given);
        };
        if !before.begins_block {
            return before.result.clone();
        }
        match next.filter(|next| next.old == given && is_deeper(next.file, &before.result)) {
            Some(next) => next.file.to_owned(),
            None => format!("{}{}", before.result, self.level()),
        }
    }

    /// Places a line by the nearest line before it that is less indented, or else by the first line of the old text.
    fn deeper(&self, given: &str) -> String {
        let nearest = self
            .placed
            .iter()
            .rev()
            .find(|before| before.given == given || given.starts_with(before.given.as_str()));
        if let Some(before) = nearest {
            // What is found begins the indentation.
            let extra = given.get(before.given.len()..).unwrap_or_default();
            return format!("{}{}", before.result, self.converted(extra));
        }
        let (old, file) = self.base;
        if let Some(extra) = given.strip_prefix(old) {
            return format!("{file}{}", self.converted(extra));
        }
        // Less indented than the first line: by as much less in the file.
        let missing = self.converted(old.strip_prefix(given).unwrap_or_default());
        let end = file.len().saturating_sub(missing.len());
        file.get(..end).unwrap_or_default().to_owned()
    }

    /// Returns what a deeper indentation of the old text is in the file.
    fn converted(&self, extra: &str) -> String {
        if let Some((old, file)) = &self.unit
            && !old.is_empty()
        {
            let mut rest = extra;
            let mut levels = 0;
            while let Some(after) = rest.strip_prefix(old.as_str()) {
                (rest, levels) = (after, levels + 1);
            }
            if rest.is_empty() {
                return file.repeat(levels);
            }
        }
        extra.to_owned()
    }

    /// Returns one level of the file.
    fn level(&self) -> String {
        let deeper = self.known.values().flatten().find(|file| !file.is_empty());
        match (&self.unit, deeper.copied().unwrap_or(self.base.1)) {
            (Some((_, file)), _) => file.clone(),
            (None, file) if file.starts_with('\t') => "\t".to_owned(),
            (None, _) => " ".repeat(TAB_COLUMNS),
        }
    }
}

/// Learns a level from two indentations of the old text that are one level apart.
fn unit_of_levels(known: &HashMap<&str, Option<&str>>) -> Option<(String, String)> {
    let mut levels: Vec<(&str, &str)> = known
        .iter()
        .filter_map(|(old, file)| Some((*old, (*file)?)))
        .collect();
    levels.sort_unstable();
    let steps = levels.windows(2).filter_map(|pair| {
        let [(old, file), (deeper_old, deeper_file)] = pair else {
            return None;
        };
        let old_step = deeper_old.strip_prefix(old)?;
        let file_step = deeper_file.strip_prefix(file)?;
        (!file_step.is_empty()).then(|| (old_step.to_owned(), file_step.to_owned()))
    });
    steps.min_by_key(|(old, _)| old.len())
}

/// Guesses a level where one side indents with tabs and the other with spaces, by the smallest step of the new text.
fn unit_of_kinds<'p, 't: 'p>(
    mut pairs: impl Iterator<Item = &'p Pair<'t>> + Clone,
    new: &[&str],
) -> Option<(String, String)> {
    let file = pairs
        .clone()
        .map(|pair| pair.file)
        .find(|file| !file.is_empty())?;
    if pairs.any(|pair| pair.old.starts_with('\t')) && file.starts_with(' ') {
        return Some(("\t".to_owned(), " ".repeat(TAB_COLUMNS)));
    }
    let indents = || {
        new.iter()
            .filter(|line| !is_blank(line))
            .map(|line| indent_of(line))
    };
    if file.starts_with(' ') && indents().any(|indent| indent.starts_with('\t')) {
        return Some(("\t".to_owned(), " ".repeat(TAB_COLUMNS)));
    }
    if !file.starts_with('\t') || indents().any(|indent| indent.contains('\t')) {
        return None;
    }
    let base = indents().map(str::len).min()?;
    let step = indents()
        .map(|indent| indent.len() - base)
        .filter(|step| *step > 0)
        .min()?;
    Some((" ".repeat(step), "\t".to_owned()))
}

fn is_deeper(indent: &str, than: &str) -> bool {
    indent.len() > than.len() && indent.starts_with(than)
}

fn is_blank(line: &str) -> bool {
    line.trim().is_empty()
}

fn indent_of(line: &str) -> &str {
    line.split_at(line.len() - unindented(line).len()).0
}

fn unindented(line: &str) -> &str {
    line.trim_start_matches([' ', '\t'])
}

#[cfg(test)]
mod tests;
