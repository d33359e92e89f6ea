//! A small Python program that carries what it prints: its last lines are comments that begin with `#|`.
//!
//! Any CPython can run such a file, so the expectation can be compared with the real interpreter.

use crate::case::Case;

/// Begins a line of expected output.
const MARK: &str = "#|";

/// A program and its expected output.
#[derive(Debug, Clone, Copy)]
pub struct Program {
    source: &'static str,
}

impl Program {
    /// Makes a program of the text of its file.
    pub const fn new(source: &'static str) -> Self {
        Self { source }
    }

    /// Runs the program in a fresh sandbox and asserts that it prints exactly what it says.
    pub async fn prints_what_it_says(self) {
        let expected = self.expected();
        assert!(
            !expected.is_empty(),
            "the program does not say what it prints"
        );
        Case::new(self.source)
            .run()
            .await
            .succeeds()
            .shows_no_frame_of_the_runtime()
            .output(&expected);
    }

    fn expected(self) -> String {
        let lines = self
            .source
            .lines()
            .filter_map(|line| line.strip_prefix(MARK));
        lines
            .flat_map(|line| [line.strip_prefix(' ').unwrap_or(line), "\n"])
            .collect()
    }
}
