//! Regular expressions that are literals of this program.

use regex::Regex;

/// Compiles a pattern that is a literal.
#[expect(clippy::expect_used, reason = "each pattern is a literal")]
pub(crate) fn compiled(pattern: &str) -> Regex {
    // The tests of each place run its pattern, so one that does not compile cannot be released.
    Regex::new(pattern).expect("a literal pattern compiles")
}
