//! The search against a slow and obvious one: a walk by paths, and a regular expression for each line.

#![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use std::fs;
use std::path::Path;

use proptest::prelude::*;
use regex::Regex;
use serde_json::{Value, json};

use super::SearchFiles;
use crate::tools::granted::Granted;

const PATHS: [&str; 10] = [
    "a",
    "a-b",
    "a/c",
    "b/.hidden",
    ".h/x",
    "b/c/d.py",
    "b/c.py",
    "b/d",
    "ab/x/y/z",
    "é",
];
const PATTERNS: [&str; 10] = [
    "a", "ab", "^a", "b$", "a.b", "[ab]{2}", "b*", "(?i)A", r"\s", "^$",
];

/// Returns all matches as `(path, line, text)`, in the order of the walk.
fn slowly(
    directory: &Path,
    shown: &str,
    pattern: &Regex,
    ignored: &[&str],
) -> Vec<(String, usize, String)> {
    let mut names: Vec<String> = fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| !name.starts_with('.') && !ignored.contains(&name.as_str()))
        .collect();
    names.sort();
    let mut rows = Vec::new();
    for name in names {
        let (path, shown) = (directory.join(&name), format!("{shown}/{name}"));
        if path.is_dir() {
            rows.extend(slowly(&path, &shown, pattern, ignored));
            continue;
        }
        let content = fs::read_to_string(path).unwrap();
        let lines = content.split_terminator('\n').enumerate();
        let matching = lines.filter(|(_, line)| pattern.is_match(line));
        rows.extend(matching.map(|(at, line)| (shown.clone(), at + 1, line.to_owned())));
    }
    rows
}

fn answer(place: &Granted, arguments: Value) -> Value {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    runtime.block_on(place.value(&SearchFiles::new(), arguments))
}

/// Returns the rows of an answer, whichever form they have.
fn rows_of(reply: &Value) -> Vec<(String, usize, String)> {
    let (mut rows, mut path) = (Vec::new(), "");
    for line in reply["matches_text"]
        .as_str()
        .unwrap_or_default()
        .split('\n')
    {
        match line.strip_prefix("  ").and_then(|row| row.split_once(": ")) {
            Some((number, text)) => {
                rows.push((path.to_owned(), number.parse().unwrap(), text.to_owned()));
            }
            None => path = line,
        }
    }
    for found in reply["matches"].as_array().into_iter().flatten() {
        let number = found["line"].as_u64().unwrap().try_into().unwrap();
        let text = |key: &str| found[key].as_str().unwrap().to_owned();
        rows.push((text("path"), number, text("content")));
    }
    rows
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn a_search_finds_what_a_slow_one_finds(
        files in prop::collection::btree_map(prop::sample::select(&PATHS[..]), "[abA \n]{0,30}", 0..8),
        pattern in prop::sample::select(&PATTERNS[..]),
        ignored in prop::sample::subsequence(vec!["c", "d", "c.py", "x"], 0..3),
        limit in 1_usize..12,
        offset in 0_usize..6,
    ) {
        let place = Granted::new();
        for (path, content) in &files {
            // A path below one that is a file already is left out.
            let is_below = files.keys().any(|other| path.starts_with(&format!("{other}/")));
            if !is_below {
                place.put(path, content);
            }
        }
        place.put(".ignore", ignored.join("\n"));
        let all = slowly(&place.path(""), ".", &Regex::new(pattern).unwrap(), &ignored);
        let page: Vec<_> = all.iter().skip(offset).take(limit).cloned().collect();
        let has_more = all.len() > offset + limit;

        let reply = answer(&place, json!({"pattern": pattern, "limit": limit, "offset": offset}));
        prop_assert_eq!(rows_of(&reply), page);
        prop_assert_eq!(&reply["total_count"], &json!(all.len().min(offset + limit)));
        prop_assert_eq!(reply["truncated"] == json!(true), has_more);

        let reply = answer(&place, json!({"pattern": pattern, "output_mode": "count"}));
        prop_assert_eq!(&reply["total_count"], &json!(all.len()));
        for (path, count) in reply["counts"].as_object().into_iter().flatten() {
            let expected = all.iter().filter(|(other, ..)| other == path).count();
            prop_assert_eq!(count, &json!(expected));
        }

        let mut paths: Vec<&str> = all.iter().map(|(path, ..)| path.as_str()).collect();
        paths.dedup();
        let reply = answer(&place, json!({"pattern": pattern, "output_mode": "files_only"}));
        let files: Vec<&str> = reply["files"].as_array().into_iter().flatten().map(|path| path.as_str().unwrap()).collect();
        prop_assert_eq!(files, paths);
    }
}
