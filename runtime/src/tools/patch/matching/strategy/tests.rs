//! A row for each strategy, and all nine against an implementation that only does what their descriptions say.

#![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use std::slice::from_ref;

use proptest::prelude::*;
use proptest::strategy::Strategy as Generator;

use super::{Effort, Found, Lines, Pattern, Strategy};
use crate::tools::patch::matching::similarity::ratio;

fn found(text: &str, pattern: &str) -> Option<Found> {
    Found::in_text(text, &Pattern::of_text(pattern), &Effort::new(&|| false)).unwrap()
}

#[test]
fn each_strategy_finds_what_the_ones_before_do_not() {
    let rows: [(&str, &str, Strategy, &[&str]); 19] = [
        ("a b\nc", "b\nc", Strategy::Exact, &["b\nc"]),
        ("aaa", "aa", Strategy::Exact, &["aa"]),
        (
            "x\n  a \n\tb\ny",
            "a\nb",
            Strategy::LineTrimmed,
            &["  a \n\tb"],
        ),
        (
            "x\n  a \n\tb\ny",
            "a\nb\n",
            Strategy::LineTrimmed,
            &["  a \n\tb\n"],
        ),
        (
            "x\n  a \n\tb",
            "a\nb\n",
            Strategy::LineTrimmed,
            &["  a \n\tb"],
        ),
        (
            " a\n b\n a\n b",
            "a\nb",
            Strategy::LineTrimmed,
            &[" a\n b", " a\n b"],
        ),
        (
            "f(a,  \tb) x",
            "f(a, b)",
            Strategy::WhitespaceNormalized,
            &["f(a,  \tb)"],
        ),
        (
            "  x  =  1\n    y",
            " x = 1\n y",
            Strategy::WhitespaceNormalized,
            &["  x  =  1\n    y"],
        ),
        ("a\tb", "a\\tb", Strategy::EscapeNormalized, &["a\tb"]),
        (
            "say(a)\nx",
            "say(a)\\nx",
            Strategy::EscapeNormalized,
            &["say(a)\nx"],
        ),
        (
            " a \n b\u{b}\n c ",
            "a\n b\u{b}\nc",
            Strategy::LineTrimmed,
            &[" a \n b\u{b}\n c "],
        ),
        (
            "“it’s” — x…",
            "\"it's\" -- x...",
            Strategy::UnicodeNormalized,
            &["“it’s” — x…"],
        ),
        (
            "a\u{a0}b − c",
            "a b - c",
            Strategy::UnicodeNormalized,
            &["a\u{a0}b − c"],
        ),
        (
            "def f():\n    x = 1\n    return x\n",
            "def f():\n    y = 1\n    return x",
            Strategy::BlockAnchor,
            &["def f():\n    x = 1\n    return x"],
        ),
        (
            "begin\n0123456789\nend",
            "begin\n01234vwxyz\nend",
            Strategy::BlockAnchor,
            &["begin\n0123456789\nend"],
        ),
        (
            "b\n0123456789\ne\nb\n0123456vwx\ne",
            "b\n0123456vwy\ne",
            Strategy::BlockAnchor,
            &["b\n0123456789\ne", "b\n0123456vwx\ne"],
        ),
        (
            "0123456789",
            "01234567xy",
            Strategy::ContextAware,
            &["0123456789"],
        ),
        (
            "0123456789\n\nabcdefghij",
            "0123456xy9\n  \nabcdefghXY",
            Strategy::ContextAware,
            &["0123456789\n\nabcdefghij"],
        ),
        (
            "0123456789\n0123456789\n0123456789",
            "01234567xx\n01234567yy",
            Strategy::ContextAware,
            &["0123456789\n0123456789", "0123456789\n0123456789"],
        ),
    ];
    for (text, pattern, strategy, regions) in rows {
        let found = found(text, pattern).unwrap();
        assert_eq!(found.strategy, strategy, "{pattern:?} in {text:?}");
        let spans: Vec<&str> = found.spans.iter().map(|span| &text[span.clone()]).collect();
        assert_eq!(spans, regions, "{pattern:?} in {text:?}");
    }
}

#[test]
fn only_the_start_of_a_line_may_differ_in_indentation() {
    let effort = Effort::new(&|| false);
    let text = "x\n\u{2003}a \n  b ";
    let lines = Lines::of(text);
    let spans = |pattern| {
        Strategy::IndentationFlexible
            .spans(text, &lines, &Pattern::of_text(pattern), &effort)
            .unwrap()
    };
    assert_eq!(spans("a \nb "), from_ref(&(2..text.len())));
    assert!(spans("a\nb").is_empty());
}

#[test]
fn only_the_ends_of_the_first_and_last_line_are_trimmed() {
    // Trailing blanks of the inner line rule the earlier strategies out, for they are spaces of other kinds.
    let effort = Effort::new(&|| false);
    let text = " a \n \u{3000}b\n c ";
    let lines = Lines::of(text);
    let spans = |pattern| {
        Strategy::TrimmedBoundary
            .spans(text, &lines, &Pattern::of_text(pattern), &effort)
            .unwrap()
    };
    assert_eq!(spans("a\n \u{3000}b\nc"), from_ref(&(0..text.len())));
    assert!(spans("a\nb\nc").is_empty());
}

#[test]
fn too_little_likeness_finds_nothing() {
    let rows = [
        ("b\n0123456789\ne", "b\n0123uvwxyz\ne"),
        ("b\n0123456789\ne\nb\n1\ne", "b\n012345vwxy\ne"),
        ("0123456789", "0123456xyz"),
        ("0123456789\nx\nabcdefghij", "0123456789\n\nabcdefghiX"),
        ("a—b", "a-b"),
        ("a", "a\nb"),
    ];
    for (text, pattern) in rows {
        assert_eq!(found(text, pattern), None, "{pattern:?} in {text:?}");
    }
}

#[test]
fn whole_lines_come_before_parts_of_lines() {
    let effort = Effort::new(&|| false);
    let spans = |text: &str, pattern: &str| {
        let pattern = Pattern::of_lines(pattern);
        let found = Found::as_lines(text, &pattern, &effort).unwrap();
        found.map_or(Vec::new(), |found| found.spans)
    };
    assert_eq!(spans("foobar\nfoo\nfoo2", "foo"), from_ref(&(7..10)));
    assert_eq!(spans("foobar\n", "foo"), from_ref(&(0..3)));
    assert_eq!(spans("a\n\nb\n", ""), from_ref(&(2..2)));
    assert!(spans("a\n", "").is_empty());
    assert_eq!(spans("a\na\na", "a\na"), [0..3, 2..5]);
}

/// The strategies in the words of their descriptions, a window of lines or a place of the text at a time.
mod obvious {
    use super::*;

    /// Returns what each strategy finds.
    pub(super) fn find(text: &str, pattern: &str) -> [(&'static str, Vec<(usize, usize)>); 9] {
        [
            ("exact", places(text, pattern)),
            (
                "line_trimmed",
                line_windows(text, pattern, |_, _, file, want| file.trim() == want.trim()),
            ),
            ("whitespace_normalized", folded(text, pattern, squeeze)),
            (
                "indentation_flexible",
                line_windows(text, pattern, |_, _, file, want| {
                    file.trim_start() == want.trim_start()
                }),
            ),
            ("escape_normalized", {
                let plain = pattern
                    .replace("\\n", "\n")
                    .replace("\\t", "\t")
                    .replace("\\r", "\r")
                    .replace("\r\n", "\n");
                if plain == pattern {
                    Vec::new()
                } else {
                    places(text, &plain)
                }
            }),
            (
                "trimmed_boundary",
                line_windows(text, pattern, |at, count, file, want| {
                    if at == 0 || at + 1 == count {
                        file.trim() == want.trim()
                    } else {
                        file == want
                    }
                }),
            ),
            ("unicode_normalized", folded(text, pattern, plain)),
            ("block_anchor", anchors(text, pattern)),
            (
                "context_aware",
                line_windows(text, pattern, |_, _, file, want| {
                    alike(want.trim(), file.trim(), 80)
                }),
            ),
        ]
    }

    fn alike(first: &str, second: &str, percent: usize) -> bool {
        ratio(first, second, &Effort::new(&|| false))
            .unwrap()
            .is_at_least(percent)
    }

    fn places(text: &str, pattern: &str) -> Vec<(usize, usize)> {
        let mut spans = Vec::new();
        let mut at = 0;
        while at <= text.len() {
            if text.is_char_boundary(at) && text[at..].starts_with(pattern) {
                spans.push((at, at + pattern.len()));
                at += pattern.len().max(1);
            } else {
                at += 1;
            }
        }
        spans
    }

    /// Splits a pattern into lines; one final newline ends the last line.
    fn wanted(pattern: &str) -> (Vec<&str>, bool) {
        match pattern.strip_suffix('\n') {
            Some(lines) if !lines.trim().is_empty() => (lines.split('\n').collect(), true),
            _ => (pattern.split('\n').collect(), false),
        }
    }

    fn line_windows(
        text: &str,
        pattern: &str,
        fits: impl Fn(usize, usize, &str, &str) -> bool,
    ) -> Vec<(usize, usize)> {
        let (want, ends) = wanted(pattern);
        let lines: Vec<&str> = text.split('\n').collect();
        let mut spans = Vec::new();
        for first in 0..lines.len() {
            let Some(window) = lines.get(first..first + want.len()) else {
                break;
            };
            if (0..want.len()).all(|at| fits(at, want.len(), window[at], want[at])) {
                let start: usize = lines[..first].iter().map(|line| line.len() + 1).sum();
                let end = start + window.join("\n").len();
                let newline = usize::from(ends && text[end..].starts_with('\n'));
                spans.push((start, end + newline));
            }
        }
        spans
    }

    fn anchors(text: &str, pattern: &str) -> Vec<(usize, usize)> {
        let (want, _) = wanted(pattern);
        if want.len() < 2 {
            return Vec::new();
        }
        let ends = |at: usize, count: usize, file: &str, want: &str| {
            (at != 0 && at + 1 != count) || file.trim() == want.trim()
        };
        let candidates = line_windows(text, pattern, ends);
        let percent = if candidates.len() == 1 { 50 } else { 70 };
        let inner = |lines: &str, count: usize| {
            let lines: Vec<&str> = lines.split('\n').collect();
            lines[1..count - 1].join("\n")
        };
        candidates
            .into_iter()
            .filter(|(start, end)| {
                let file = inner(&text[*start..*end], want.len());
                alike(&file, &inner(pattern, want.len()), percent)
            })
            .collect()
    }

    /// Tries every part of the text and looks whether it becomes what the pattern becomes, neither more nor less.
    fn folded(text: &str, pattern: &str, fold: fn(&str) -> String) -> Vec<(usize, usize)> {
        let mut spans = Vec::new();
        let mut from = 0;
        let want = fold(pattern);
        for start in 0..=text.len() {
            if start < from || !text.is_char_boundary(start) || splits(text, start, fold) {
                continue;
            }
            let end = (start..=text.len()).find(|end| {
                text.is_char_boundary(*end)
                    && !splits(text, *end, fold)
                    && fold(&text[start..*end]) == want
            });
            if let Some(end) = end.filter(|end| *end > start) {
                spans.push((start, end));
                from = end;
            }
        }
        spans
    }

    /// Tells whether a cut goes through what becomes one piece.
    fn splits(text: &str, at: usize, fold: fn(&str) -> String) -> bool {
        fold(&text[..at]) + &fold(&text[at..]) != fold(text)
    }

    fn squeeze(text: &str) -> String {
        let mut text = text.replace('\t', " ");
        while text.contains("  ") {
            text = text.replace("  ", " ");
        }
        text
    }

    fn plain(text: &str) -> String {
        let pairs = [
            ("“", "\""),
            ("”", "\""),
            ("‘", "'"),
            ("’", "'"),
            ("—", "--"),
            ("–", "-"),
            ("−", "-"),
            ("…", "..."),
            ("\u{a0}", " "),
            ("\u{2003}", " "),
            ("\u{3000}", " "),
        ];
        pairs
            .iter()
            .fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
    }
}

/// Texts of few different pieces, so that patterns often occur.
fn text(pieces: std::ops::Range<usize>) -> impl Generator<Value = String> {
    let piece = prop::sample::select(vec![
        "a", "b", "foo", "foo(1)", "foo(2)", "bar = 10", "bar = 11", "\n", "\n", "\n", " ", "  ",
        "\t", "\\n", "\\t", "“", "\"", "—", "--", "-", "…", "\u{a0}", "é",
    ]);
    prop::collection::vec(piece, pieces).prop_map(|pieces| pieces.concat())
}

/// Copies a part of a text with a few changes of the kinds that copies have.
fn copied(text: &str, start: usize, len: usize, change: usize) -> String {
    let letters: Vec<char> = text.chars().collect();
    let start = start.min(letters.len());
    let part: String = letters[start..(start + len).min(letters.len())]
        .iter()
        .collect();
    match change {
        0 => part,
        1 => part.lines().map(str::trim).collect::<Vec<_>>().join("\n"),
        2 => part.replace(' ', "  "),
        3 => part.replace('\n', "\n  "),
        4 => part.replace('\n', "\\n").replace('\t', "\\t"),
        5 => part
            .replace(['“', '”'], "\"")
            .replace('—', "--")
            .replace('…', "..."),
        6 => part.replace('1', "7"),
        7 => part.trim().to_owned(),
        8 => part.replacen("foo", "fox", 1),
        _ => format!("{part}\n"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn the_strategies_do_what_their_descriptions_say(
        text in text(0..24), start in 0_usize..40, len in 1_usize..40, change in 0_usize..10,
    ) {
        let pattern = copied(&text, start, len, change);
        let pattern = if pattern.trim().is_empty() { "foo(1)" } else { &pattern };
        let (lines, effort) = (Lines::of(&text), Effort::new(&|| false));
        let expected = obvious::find(&text, pattern);
        for (strategy, (name, spans)) in Strategy::ALL.into_iter().zip(&expected) {
            let found = strategy.spans(&text, &lines, &Pattern::of_text(pattern), &effort).unwrap();
            let found: Vec<(usize, usize)> = found.iter().map(|span| (span.start, span.end)).collect();
            prop_assert_eq!((strategy.name(), &found), (*name, spans), "{:?} in {:?}", pattern, text);
        }
        let first = expected.into_iter().find(|(_, spans)| !spans.is_empty());
        let found = found(&text, pattern);
        prop_assert_eq!(found.map(|found| found.strategy.name()), first.map(|(name, _)| name));
    }
}
