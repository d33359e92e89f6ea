//! A line of a file in which a search has work for many minutes.

use std::{fs, iter};

use tempfile::TempDir;

/// Owns a directory with the file `line`.
#[derive(Debug)]
pub struct EndlessLine {
    place: TempDir,
}

impl EndlessLine {
    /// A script that searches the line. Nearly each letter needs a new state of an automaton with tens of thousands of parts.
    pub const SEARCH: &str =
        "from hermes_tools import search_files\nsearch_files('[ab]*a[ab]{40000}c', path='line')";

    /// Writes the line.
    pub fn write() -> Self {
        let place = tempfile::tempdir().unwrap();
        let mut number = 1_u64;
        let letters = iter::repeat_with(|| {
            // A linear congruence, whose highest bits look like chance.
            number = number
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            if number >> 62 == 0 { 'b' } else { 'a' }
        });
        let line: String = letters.take(3_000_000).collect();
        fs::write(place.path().join("line"), line).unwrap();
        Self { place }
    }

    /// Returns the directory.
    pub fn workdir(&self) -> &str {
        self.place.path().to_str().unwrap()
    }
}
