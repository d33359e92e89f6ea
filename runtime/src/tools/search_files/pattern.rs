//! The compiled form of a pattern, by an engine whose time grows only linearly with the text.
//!
//! For each byte of a text the engine needs at most a time that grows with the compiled pattern, and it cannot be
//! stopped. So a pattern knows how much text is handed to it at once; longer lines are for its stepper, which can be.

use std::sync::{Arc, OnceLock};

use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use regex_automata::nfa::thompson;
use regex_automata::util::syntax;

use super::stepper::Stepper;
use crate::text::truncate::first_chars;

/// Largest compiled form of a pattern in bytes.
const MAX_COMPILED_BYTES: usize = 4 << 20;
/// Bytes of a compiled pattern times bytes of a text that are searched without a look at the clock: the slowest patterns
/// need a quarter of a second.
const MAX_UNWATCHED_WORK: usize = 1 << 30;
/// Largest cache of an automaton in bytes.
const MAX_AUTOMATON_BYTES: usize = 16 << 20;
/// Deepest nesting of groups.
const MAX_NESTING: u32 = 100;
/// Longest explanation of a fault in characters; it repeats the pattern.
const MAX_FAULT_CHARS: usize = 2_000;
/// Letters that mean something in a regular expression.
const METACHARACTERS: &str = r"\.+*?()|[]{}^$";

/// How the text of a pattern is understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    /// As a regular expression.
    Regex,
    /// As a regular expression in which upper and lower case are the same.
    AnyCase,
    /// Letter by letter.
    Literal,
    /// In at least one of the other ways.
    AnyWay,
}

/// Finds matches in bytes.
#[derive(Debug, Clone)]
pub(super) struct Pattern {
    pub(super) matcher: RegexMatcher,
    /// Whether a match may go across lines.
    pub(super) is_multi_line: bool,
    /// Bytes of a text that the matcher gets at once.
    pub(super) max_piece: usize,
    source: Source,
    stepper: Arc<OnceLock<Option<Stepper>>>,
}

/// What a pattern is compiled from, the second time for its stepper.
#[derive(Debug, Clone)]
struct Source {
    alternatives: Vec<String>,
    is_any_case: bool,
}

impl Source {
    fn new(text: &str, reading: Reading) -> Self {
        Self {
            alternatives: match reading {
                Reading::Regex | Reading::AnyCase => vec![text.to_owned()],
                Reading::Literal => vec![regex::escape(text)],
                Reading::AnyWay => vec![format!("(?i:{text})"), regex::escape(text)],
            },
            is_any_case: reading == Reading::AnyCase,
        }
    }

    /// Returns a compiler that reads patterns as the matcher's does.
    fn compiler(&self) -> thompson::Compiler {
        let mut compiler = thompson::Compiler::new();
        compiler
            .syntax(
                syntax::Config::new()
                    .utf8(false)
                    .multi_line(true)
                    .case_insensitive(self.is_any_case)
                    .nest_limit(MAX_NESTING),
            )
            .configure(
                thompson::Config::new()
                    .utf8(false)
                    .nfa_size_limit(Some(MAX_COMPILED_BYTES))
                    .which_captures(thompson::WhichCaptures::None),
            );
        compiler
    }
}

impl Pattern {
    /// Compiles a pattern; the error is the engine's explanation.
    pub(super) fn compile(text: &str, reading: Reading) -> Result<Self, String> {
        let is_multi_line = match reading {
            Reading::Literal => text.contains('\n'),
            Reading::Regex | Reading::AnyCase | Reading::AnyWay => names_line_feed(text),
        };
        let source = Source::new(text, reading);
        let mut builder = RegexMatcherBuilder::new();
        builder
            .multi_line(true)
            .case_insensitive(source.is_any_case)
            .size_limit(MAX_COMPILED_BYTES)
            .dfa_size_limit(MAX_AUTOMATON_BYTES)
            .nest_limit(MAX_NESTING);
        if !is_multi_line {
            builder.line_terminator(Some(b'\n'));
        }
        let fault =
            |error: &dyn ToString| first_chars(&error.to_string(), MAX_FAULT_CHARS).to_owned();
        let matcher = builder
            .build_many(&source.alternatives)
            .map_err(|error| fault(&error))?;
        let automaton = source
            .compiler()
            .build_many(&source.alternatives)
            .map_err(|error| fault(&error))?;
        Ok(Self {
            matcher,
            is_multi_line,
            max_piece: MAX_UNWATCHED_WORK / automaton.memory_usage().max(1),
            source,
            stepper: Arc::default(),
        })
    }

    /// Returns the means to search a text that is longer than a piece; made when it is first needed.
    pub(super) fn stepper(&self) -> Option<&Stepper> {
        let make = || Stepper::new(self.source.compiler(), &self.source.alternatives);
        self.stepper.get_or_init(make).as_ref()
    }
}

/// Tells whether a pattern reads differently when case does not matter.
pub(super) fn has_case(text: &str) -> bool {
    text.chars()
        .any(|letter| letter.is_lowercase() || letter.is_uppercase())
}

/// Tells whether a pattern reads differently letter by letter.
pub(super) fn has_metacharacters(text: &str) -> bool {
    text.contains(|letter| METACHARACTERS.contains(letter))
}

/// Tells whether a pattern has a line feed or the escape of one.
fn names_line_feed(text: &str) -> bool {
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        if letter == '\n' || letter == '\\' && letters.next() == Some('n') {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_line_feed_or_its_escape_makes_a_pattern_multi_line() {
        let rows = [
            (r"a\nb", true),
            ("a\nb", true),
            (r"a\\nb", false),
            (r"a\\\nb", true),
            (r"\w[^\s]n", false),
            ("\\", false),
        ];
        for (pattern, expected) in rows {
            assert_eq!(names_line_feed(pattern), expected, "{pattern}");
        }
        assert_eq!(
            Pattern::compile(r"a\nb", Reading::Literal).map(|pattern| pattern.is_multi_line),
            Ok(false)
        );
    }

    #[test]
    fn what_is_too_large_to_compile_is_an_error() {
        let rows = [
            (
                r"(?:\w{100}){1000}".to_owned(),
                "compiled regex exceeds size limit of 4194304",
            ),
            (
                "(".repeat(101) + &")".repeat(101),
                "exceed the maximum number of nested parentheses/brackets (100)",
            ),
        ];
        for (pattern, expected) in rows {
            let fault = Pattern::compile(&pattern, Reading::Regex).map(|_| ());
            let fault = fault.err().unwrap_or_default();
            assert!(fault.ends_with(expected), "{fault}");
        }
    }

    #[test]
    fn the_other_readings_are_tried_only_where_they_differ() {
        assert!(has_case("ab1") && has_case("Ü") && !has_case("12 _"));
        assert!(has_metacharacters("f(") && !has_metacharacters("f x_1-2"));
    }
}
