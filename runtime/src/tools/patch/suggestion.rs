//! What a script is told when its text was not found: the lines most like it, and what differs if it is only whitespace.

use std::fmt::Write as _;

use super::effort::{Effort, Stopped};
use super::matching::Lines;
use super::matching::similarity::{Letters, Ratio, ratio};

/// How alike a line has to be to the first line of the text, in percent; it has to be more.
const LEAST_LIKENESS: usize = 30;
const MAX_SECTIONS: usize = 3;
/// Lines that are shown before and after a section.
const AROUND: usize = 2;
/// Most lines of a section; a long text is recognised by its start.
const MAX_SECTION_LINES: usize = 40;
/// Longest line that is shown and compared, in bytes.
const MAX_LINE_BYTES: usize = 500;
/// Most lines whose whitespace is shown.
const MAX_VISIBLE_LINES: usize = 5;

/// Returns the text to put behind "could not find", which is empty where nothing is alike.
pub(super) fn suggestion(text: &str, old: &str, effort: &Effort<'_>) -> Result<String, Stopped> {
    let old_lines: Vec<&str> = old.lines().collect();
    let Some(anchor) = old_lines.iter().position(|line| !line.trim().is_empty()) else {
        return Ok(String::new());
    };
    let lines = Lines::of(text.strip_suffix('\n').unwrap_or(text));
    let wanted = cut(old_lines.get(anchor).copied().unwrap_or_default().trim());
    let best = most_alike(&lines, wanted, effort)?;
    if best.is_empty() {
        return Ok(String::new());
    }
    let clean = effort.shown(text)?;
    let clean = Lines::of(&clean);
    let count = old_lines.len().min(MAX_SECTION_LINES);
    let mut sections: Vec<(usize, String)> = Vec::new();
    for line in &best {
        let start = line.saturating_sub(AROUND);
        if sections.iter().any(|(other, _)| *other == start) {
            continue;
        }
        let end = (line + count + AROUND).min(lines.len());
        let rows = (start..end).map(|row| format!("{:4}| {}", row + 1, cut(clean.get(row))));
        sections.push((start, rows.collect::<Vec<_>>().join("\n")));
    }
    let sections: Vec<String> = sections.into_iter().map(|(_, section)| section).collect();
    let mut told = format!(
        "\n\nDid you mean one of these sections?\n{}",
        sections.join("\n---\n")
    );
    for line in best {
        if let Some(first) = line.checked_sub(anchor)
            && differs_in_whitespace(&lines, first, &old_lines)
        {
            let old_clean = effort.shown(old)?;
            let shown = [&Lines::of(&old_clean), &clean];
            told.push_str(&visible(&lines, first, &old_lines, shown));
            break;
        }
    }
    Ok(told)
}

/// Returns the lines most like the wanted one, best first; of equally good ones the earlier comes first.
fn most_alike(lines: &Lines<'_>, wanted: &str, effort: &Effort<'_>) -> Result<Vec<usize>, Stopped> {
    let letters = Letters::of(wanted);
    let mut best: Vec<(Ratio, usize)> = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let line = cut(line.trim());
        effort.spend(line.len() + 1)?;
        let is_good = |ratio: Ratio, best: &[(Ratio, usize)]| {
            let least = best.get(MAX_SECTIONS - 1);
            ratio.is_above(LEAST_LIKENESS)
                && least.is_none_or(|(least, _)| ratio.compare(*least).is_gt())
        };
        if line.is_empty() || !is_good(Letters::of(line).bound(&letters), &best) {
            continue;
        }
        let ratio = ratio(wanted, line, effort)?;
        if is_good(ratio, &best) {
            let place = best.partition_point(|(other, _)| other.compare(ratio).is_ge());
            best.insert(place, (ratio, index));
            best.truncate(MAX_SECTIONS);
        }
    }
    Ok(best.into_iter().map(|(_, index)| index).collect())
}

/// Tells whether the lines from `first` on are the wanted ones but for their whitespace.
fn differs_in_whitespace(lines: &Lines<'_>, first: usize, old: &[&str]) -> bool {
    let letters = |line: &str| -> String { line.split_whitespace().collect() };
    first + old.len() <= lines.len()
        && old
            .iter()
            .enumerate()
            .all(|(offset, line)| letters(line) == letters(lines.get(first + offset)))
}

/// Shows the whitespace of the lines that differ, from the clean lines of both sides.
fn visible(
    lines: &Lines<'_>,
    first: usize,
    old: &[&str],
    [clean_old, clean]: [&Lines<'_>; 2],
) -> String {
    let mut told = "\n\nOnly whitespace differs (→ is a tab, · is a space):".to_owned();
    let pairs = old
        .iter()
        .enumerate()
        .filter(|(offset, line)| **line != lines.get(first + offset))
        .map(|(offset, _)| offset);
    for offset in pairs.take(MAX_VISIBLE_LINES) {
        let shown = |line: &str| cut(line).replace('\t', "→").replace(' ', "·");
        // Writing to a string cannot fail.
        let _ = write!(
            told,
            "\n  old_string: {}\n  file L{}: {}",
            shown(clean_old.get(offset)),
            first + offset + 1,
            shown(clean.get(first + offset))
        );
    }
    told
}

/// Returns the start of a line that is too long to show.
fn cut(line: &str) -> &str {
    line.split_at(line.floor_char_boundary(MAX_LINE_BYTES)).0
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use super::*;

    fn told(text: &str, old: &str) -> String {
        suggestion(text, old, &Effort::new(&|| false)).unwrap()
    }

    #[test]
    fn the_best_sections_are_shown_with_their_neighbours() {
        let text = "one\ntwo\nthree\ndef compute_total(items):\n    pass\nsix\nseven\neight\n";
        assert_eq!(
            told(text, "def compute_totals(item):"),
            "\n\nDid you mean one of these sections?\n   2| two\n   3| three\n   4| def compute_total(items):\n   5|     pass\n   6| six"
        );
        assert_eq!(told(text, "@@@@"), "");
        assert_eq!(told("", "x"), "");
    }

    #[test]
    fn sections_come_in_the_order_of_likeness_and_at_most_three() {
        let far = "\n".repeat(8);
        let text = format!("value = 9{far}value_x = 1{far}value = 1{far}val = 1{far}nothing");
        let told = told(&text, "value = 1 # one");
        let heads: Vec<&str> = told.lines().filter(|line| line.contains('=')).collect();
        assert_eq!(
            heads,
            ["  17| value = 1", "   9| value_x = 1", "   1| value = 9"]
        );
        assert_eq!(told.matches("\n---\n").count(), 2);
    }

    #[test]
    fn whitespace_is_shown_where_only_it_differs() {
        let told = told("x=1\n\ty = f(a)\n", "x = 1\n    y=f(a)");
        assert_eq!(
            told.split_once("\n\nOnly").unwrap().1,
            " whitespace differs (→ is a tab, · is a space):\n  old_string: x·=·1\n  file L1: x=1\n  old_string: ····y=f(a)\n  file L2: →y·=·f(a)"
        );
    }
}
