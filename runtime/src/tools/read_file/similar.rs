//! Finds the names in a directory that a script may have meant by one that is not there.

use std::collections::HashSet;
use std::path::Path;

/// Number of directory entries that are looked at.
pub(in crate::tools) const MAX_ENTRIES: usize = 50;
/// Number of names that are proposed.
const MAX_NAMES: usize = 5;
/// Longest name that is compared letter by letter, in bytes; longer than any real one.
const MAX_COMPARED_BYTES: usize = 255;

/// Returns the names most like `wanted`, best first; of equally good ones the earlier comes first.
pub(in crate::tools) fn similar_names(
    wanted: &str,
    names: impl IntoIterator<Item = String>,
) -> Vec<String> {
    let mut scored: Vec<(u32, String)> = names
        .into_iter()
        .take(MAX_ENTRIES)
        .map(|name| (score(&wanted.to_lowercase(), &name.to_lowercase()), name))
        .filter(|(score, _)| *score > 0)
        .collect();
    scored.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    scored
        .into_iter()
        .take(MAX_NAMES)
        .map(|(_, name)| name)
        .collect()
}

/// Scores a name by the best rule that holds; 0 means that there is no likeness.
fn score(wanted: &str, name: &str) -> u32 {
    let (wanted_stem, wanted_extension) = split(wanted);
    let (stem, extension) = split(name);
    if name == wanted {
        100
    } else if stem == wanted_stem {
        90
    } else if name.starts_with(wanted) || wanted.starts_with(name) {
        70
    } else if name.contains(wanted) {
        60
    } else if wanted.contains(name) && name.len() > 2 {
        40
    } else if is_alike(wanted, name) {
        50
    } else if !extension.is_empty()
        && extension == wanted_extension
        && shares_letters(wanted_stem, stem)
    {
        30
    } else {
        0
    }
}

fn split(name: &str) -> (&str, &str) {
    let path = Path::new(name);
    let part =
        |part: Option<&'_ std::ffi::OsStr>| part.and_then(|part| part.to_str().map(str::len));
    let stem = part(path.file_stem()).map_or(name, |len| name.split_at(len).0);
    let extension = part(path.extension()).map_or("", |len| name.split_at(name.len() - len).1);
    (stem, extension)
}

/// Tells whether at least 40 % of all letters occur in both names.
fn shares_letters(left: &str, right: &str) -> bool {
    let (left, right): (HashSet<char>, HashSet<char>) =
        (left.chars().collect(), right.chars().collect());
    let (common, longer) = (
        left.intersection(&right).count(),
        left.len().max(right.len()),
    );
    common * 10 >= longer * 4
}

/// Tells whether the matching blocks of two names make up at least 80 % of them.
fn is_alike(left: &str, right: &str) -> bool {
    if left.len().max(right.len()) > MAX_COMPARED_BYTES {
        return false;
    }
    let (left, right): (Vec<char>, Vec<char>) = (left.chars().collect(), right.chars().collect());
    matching(&left, &right) * 2 * 10 >= (left.len() + right.len()) * 8
}

/// Counts the letters in matching blocks: the longest common run, then the same at both sides of it.
///
/// The depth of the recursion is at most the length of a name.
fn matching(left: &[char], right: &[char]) -> usize {
    let (mut best, mut best_left, mut best_right) = (0, 0, 0);
    // Lengths of the common runs that end at each place of `right`, for the previous letter of `left`.
    let mut runs = vec![0_usize; right.len() + 1];
    for (at_left, letter) in left.iter().enumerate() {
        let mut before = 0;
        for (at_right, (other, run)) in right.iter().zip(runs.iter_mut().skip(1)).enumerate() {
            let length = if letter == other { before + 1 } else { 0 };
            before = std::mem::replace(run, length);
            if length > best {
                (best, best_left, best_right) =
                    (length, at_left + 1 - length, at_right + 1 - length);
            }
        }
    }
    if best == 0 {
        return 0;
    }
    let (left_before, left_rest) = left.split_at(best_left);
    let (right_before, right_rest) = right.split_at(best_right);
    let (left_after, right_after) = (left_rest.split_at(best).1, right_rest.split_at(best).1);
    best + matching(left_before, right_before) + matching(left_after, right_after)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn similar(wanted: &str, names: &[&str]) -> Vec<String> {
        similar_names(wanted, names.iter().map(|&name| name.to_owned()))
    }

    #[test]
    fn every_rule_has_its_score() {
        let rows = [
            ("readme.md", "readme.md", 100),
            ("readme.md", "readme.txt", 90),
            ("main", "main_test.rs", 70),
            ("config", "my_config.yaml", 60),
            ("confg.yaml", "config.yaml", 50),
            ("old_notes.txt", "notes", 40),
            ("abcd.rs", "cdab.rs", 30),
            ("abcd.rs", "wxyz.rs", 0),
            ("abcd.rs", "cdab.py", 0),
        ];
        for (wanted, name, expected) in rows {
            assert_eq!(score(wanted, name), expected, "{wanted} {name}");
        }
    }

    #[test]
    fn the_best_five_come_first() {
        let names = [
            "unlike.bin",
            "confg.yaml.bak",
            "CONFG.yaml",
            "config.yaml",
            "confg.yml",
        ];
        assert_eq!(
            similar("confg.yaml", &names),
            ["CONFG.yaml", "confg.yml", "confg.yaml.bak", "config.yaml"]
        );
        assert_eq!(similar("a", &["a1", "a2", "a3", "a4", "a5", "a6"]).len(), 5);
    }

    #[test]
    fn blocks_are_counted_on_both_sides() {
        let count = |left: &str, right: &str| {
            matching(
                &left.chars().collect::<Vec<_>>(),
                &right.chars().collect::<Vec<_>>(),
            )
        };
        assert_eq!(count("abxcd", "abcd"), 4);
        assert_eq!(count("abcd", "dcba"), 1);
        assert_eq!(count("", "x"), 0);
    }
}
