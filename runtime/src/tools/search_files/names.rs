//! Finds files and directories by their names.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;
use std::time::SystemTime;

use globset::{GlobBuilder, GlobMatcher};

use super::arguments::Order;
use super::page::{Finding, Page, Row};
use super::tree::Met;
use super::watch::{Gap, Watch};

/// Most files that are put into the order of their times, so that memory is bounded.
pub(super) const MAX_SORTED: usize = 100_000;

/// Compiles the glob for names that a pattern means; the error is the engine's explanation.
///
/// Only what follows the last slash counts, and a pattern without a slash may stand at the end of a longer name.
pub(super) fn compile(pattern: &str) -> Result<GlobMatcher, String> {
    let pattern = pattern.trim_end_matches('/');
    let glob = match pattern.rsplit_once('/') {
        Some((_, last)) => last.to_owned(),
        None if pattern.starts_with('*') => pattern.to_owned(),
        None => format!("*{pattern}"),
    };
    let built = GlobBuilder::new(&glob)
        .literal_separator(true)
        .backslash_escape(true)
        .build();
    built
        .map(|glob| glob.compile_matcher())
        .map_err(|error| error.to_string())
}

/// Collects entries in an order.
pub(super) fn search(
    order: Order,
    matching: impl Iterator<Item = Met>,
    mut page: Page,
    watch: &Watch,
) -> Page {
    match order {
        Order::Discovery => {
            for met in matching {
                let path = Arc::from(met.shown());
                if !page.push(Row {
                    path,
                    finding: Finding::File,
                }) {
                    watch.set_enough();
                    break;
                }
            }
        }
        Order::Modified => {
            let room = usize::try_from(page.end())
                .unwrap_or(MAX_SORTED)
                .min(MAX_SORTED);
            let mut newest = Newest::new(room);
            for met in matching {
                match met.modified() {
                    Ok(time) => newest.push(time, met.shown()),
                    Err(_) => watch.skip(Gap::Unreadable),
                }
            }
            let total = newest.total;
            for path in newest.into_paths() {
                let path = Arc::from(path);
                page.push(Row {
                    path,
                    finding: Finding::File,
                });
            }
            let sorted = page.seen;
            page.total = total;
            page.has_more = total > page.end() && sorted >= page.end();
            if sorted < total.min(page.end()) {
                // Told, for the page ends although there are older files.
                watch.skip_many(Gap::Unsorted, total - sorted);
            }
        }
    }
    page
}

/// Keeps the newest paths; of equally old ones the first by their bytes.
struct Newest {
    /// The one to give up first is on top.
    heap: BinaryHeap<(Reverse<SystemTime>, String)>,
    room: usize,
    total: u64,
}

impl Newest {
    fn new(room: usize) -> Self {
        Self {
            heap: BinaryHeap::new(),
            room,
            total: 0,
        }
    }

    fn push(&mut self, time: SystemTime, path: String) {
        self.total += 1;
        self.heap.push((Reverse(time), path));
        if self.heap.len() > self.room {
            self.heap.pop();
        }
    }

    fn into_paths(self) -> impl Iterator<Item = String> {
        self.heap
            .into_sorted_vec()
            .into_iter()
            .map(|(_, path)| path)
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use std::time::Duration;

    use super::*;

    #[test]
    fn only_the_last_part_of_a_pattern_counts() {
        let rows = [
            ("main.py", "main.py", true),
            ("main.py", "old_main.py", true),
            ("main.py", "main.pyc", false),
            ("*.py", "x.py", true),
            ("src/main.py", "main.py", true),
            ("src/main.py", "old_main.py", false),
            ("**/*.{py,rs}", "x.rs", true),
            ("te?t", "a_test", true),
            ("[ab].c", "xb.c", true),
            ("", "anything", true),
            ("src/", "old_src", true),
        ];
        for (pattern, name, expected) in rows {
            assert_eq!(
                compile(pattern).unwrap().is_match(name),
                expected,
                "{pattern} {name}"
            );
        }
        assert_eq!(
            compile("[a").unwrap_err(),
            "error parsing glob '*[a': unclosed character class; missing ']'"
        );
    }

    #[test]
    fn the_newest_come_first_and_equally_old_ones_by_path() {
        let mut newest = Newest::new(3);
        for (seconds, path) in [(1, "old"), (5, "b"), (9, "new"), (5, "c"), (5, "a")] {
            newest.push(
                SystemTime::UNIX_EPOCH + Duration::from_secs(seconds),
                path.to_owned(),
            );
        }
        assert_eq!(newest.total, 5);
        assert_eq!(newest.into_paths().collect::<Vec<_>>(), ["new", "a", "b"]);
    }
}
