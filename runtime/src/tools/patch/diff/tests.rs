//! Diffs as Python's `difflib.unified_diff` writes them, and that they lead from the old text to the new one.

#![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use proptest::prelude::*;

use super::*;
use crate::tools::patch::changes::Edit;

const SIDES: Sides<'_> = Sides {
    old: "a/f",
    new: "b/f",
};

fn diff_of(old: &str, edits: &[(Range<usize>, &str)]) -> String {
    let edits: Vec<Edit> = edits
        .iter()
        .map(|(range, text)| Edit {
            range: range.clone(),
            text: (*text).to_owned(),
        })
        .collect();
    let mut new = old.to_owned();
    for edit in edits.iter().rev() {
        new.replace_range(edit.range.clone(), &edit.text);
    }
    let mut changes = Changes::default();
    changes.record(&edits);
    unified(SIDES, old, &new, &changes, &Effort::new(&|| false)).unwrap()
}

/// Applies a diff strictly: every line that it shows must be there.
fn patched(old: &str, diff: &str) -> String {
    let old_lines: Vec<&str> = old.split_inclusive('\n').collect();
    let mut new = String::new();
    let mut at = 0;
    let mut lines = diff.lines().skip(2).peekable();
    while let Some(line) = lines.next() {
        if let Some(range) = line.strip_prefix("@@ -") {
            let range = range.split_once(' ').unwrap().0;
            let (start, count) = range.split_once(',').unwrap_or((range, "1"));
            let start: usize = start.parse().unwrap();
            let start = start - usize::from(count != "0");
            new.push_str(&old_lines[at..start].concat());
            at = start;
            continue;
        }
        let (sign, text) = line.split_at(1);
        let is_cut = lines.next_if_eq(&"\\ No newline at end of file").is_some();
        let text = format!("{text}{}", if is_cut { "" } else { "\n" });
        if sign != "+" {
            assert_eq!(old_lines[at], text);
            at += 1;
        }
        if sign != "-" {
            new.push_str(&text);
        }
    }
    new.push_str(&old_lines[at..].concat());
    new
}

#[test]
fn hunks_have_three_lines_of_context_and_their_numbers() {
    let numbers: Vec<String> = (1..=20).map(|number| number.to_string()).collect();
    let old = numbers.join("\n") + "\n";
    let at = |line: &str| old.find(&format!("\n{line}\n")).unwrap() + 1;
    let diff = diff_of(
        &old,
        &[(at("5")..at("6"), "five\n"), (at("16")..at("17"), "")],
    );
    assert_eq!(
        diff,
        "--- a/f\n+++ b/f\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n@@ -13,7 +13,6 @@\n 13\n 14\n 15\n-16\n 17\n 18\n 19\n"
    );
    // Seven lines between two changes part them, six do not.
    let near = diff_of(&old, &[(at("5")..at("6"), ""), (at("12")..at("13"), "")]);
    assert_eq!(near.matches("@@ -").count(), 1);
    let apart = diff_of(&old, &[(at("5")..at("6"), ""), (at("13")..at("14"), "")]);
    assert_eq!(apart.matches("@@ -").count(), 2);
}

#[test]
fn edges_of_a_file_are_told() {
    let rows: [(&str, Range<usize>, &str, &str); 6] = [
        (
            "",
            0..0,
            "a\nb",
            "@@ -0,0 +1,2 @@\n+a\n+b\n\\ No newline at end of file\n",
        ),
        ("a\n", 0..2, "", "@@ -1 +0,0 @@\n-a\n"),
        (
            "a\nb",
            2..3,
            "c",
            "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n",
        ),
        (
            "a",
            1..1,
            "\n",
            "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n",
        ),
        ("a\nb\n", 2..2, "x\n", "@@ -1,2 +1,3 @@\n a\n+x\n b\n"),
        (
            "a\r\nb\r\n",
            0..1,
            "c",
            "@@ -1,2 +1,2 @@\n-a\r\n+c\r\n b\r\n",
        ),
    ];
    for (old, range, new, expected) in rows {
        let diff = diff_of(old, &[(range, new)]);
        assert_eq!(diff, format!("--- a/f\n+++ b/f\n{expected}"), "{old:?}");
    }
    assert_eq!(diff_of("a\n", &[(0..1, "a")]), "");
}

#[test]
fn a_long_diff_is_cut() {
    let old = "x".repeat(400_000);
    let diff = diff_of(&old, &[(0..1, "ü")]);
    assert_eq!(diff.len(), MAX_BYTES + CUT.len());
    assert!(diff.ends_with(CUT));
    let many = "a\n".repeat(200_000);
    let edits: Vec<(Range<usize>, &str)> = (0..200_000)
        .map(|line| (2 * line..2 * line + 1, "b"))
        .collect();
    let diff = diff_of(&many, &edits);
    assert!(diff.len() <= MAX_BYTES + CUT.len() && diff.ends_with(CUT));
}

proptest! {
    #[test]
    fn a_diff_leads_from_the_old_text_to_the_new_one(
        old in "[ab\n]{0,60}", cuts in prop::collection::vec((0_usize..60, 0_usize..8, "[abc\n]{0,6}"), 0..5),
    ) {
        let mut new = old.clone();
        let mut changes = Changes::default();
        for (start, len, text) in cuts {
            let start = start.min(new.len());
            let range = start..(start + len).min(new.len());
            new.replace_range(range.clone(), &text);
            changes.record(&[Edit { range, text }]);
        }
        let diff = unified(SIDES, &old, &new, &changes, &Effort::new(&|| false)).unwrap();
        if old == new {
            prop_assert_eq!(diff, "");
        } else {
            prop_assert_eq!(patched(&old, &diff), new);
        }
    }
}
