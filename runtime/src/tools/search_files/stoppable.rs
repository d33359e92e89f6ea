//! A pattern that a search can be stopped in, however long the lines of a text are.
//!
//! A text is handed to the engine in pieces, each of whole lines and so small that the slowest pattern is done with it
//! soon. A line that is longer than a piece is stepped through.

use std::cell::RefCell;

use grep_matcher::{ByteSet, LineMatchKind, LineTerminator, Match, Matcher, NoCaptures, NoError};
use grep_regex::RegexMatcher;
use memchr::{memchr, memrchr};

use super::pattern::Pattern;
use super::stepper::{Halt, Steps};
use super::watch::{Gap, Watch};

/// Bytes of the longest character: what stands so near to a cut may look different without it.
const CHARACTER_BYTES: usize = 4;

/// Finds matches until the watch is over; then there are none any more.
pub(super) struct Stoppable<'s> {
    pattern: &'s Pattern,
    watch: &'s Watch,
    steps: RefCell<Option<Steps>>,
}

impl<'s> Stoppable<'s> {
    pub(super) fn new(pattern: &'s Pattern, watch: &'s Watch) -> Self {
        Self {
            pattern,
            watch,
            steps: RefCell::default(),
        }
    }

    fn engine(&self) -> &RegexMatcher {
        &self.pattern.matcher
    }

    fn is_short(&self, text: &[u8], at: usize) -> bool {
        text.len().saturating_sub(at) <= self.pattern.max_piece
    }

    /// Finds the first match in a text that is longer than a piece.
    fn step(&self, text: &[u8], at: usize) -> Result<Option<Match>, NoError> {
        let Some(stepper) = self.pattern.stepper() else {
            return self.slide(text, at);
        };
        let mut steps = self.steps.borrow_mut();
        let steps = steps.get_or_insert_with(|| stepper.steps());
        match stepper.find(steps, text, at, &|| !self.watch.is_over()) {
            Ok(found) => Ok(found.map(|(start, end)| Match::new(start, end))),
            Err(Halt::Over) => Ok(None),
            Err(Halt::Letters) => self.slide(text, at),
        }
    }

    /// Finds a match with the engine, in pieces that overlap by half; one that is longer than that may be missed.
    fn slide(&self, text: &[u8], at: usize) -> Result<Option<Match>, NoError> {
        self.watch.skip(Gap::LongMatches);
        let stride = self.pattern.max_piece.div_ceil(2).max(1);
        for start in (at..text.len()).step_by(stride) {
            if self.watch.is_over() {
                return Ok(None);
            }
            let cut = start.saturating_add(2 * stride).min(text.len());
            let piece = text.split_at(cut).0;
            let end = self.engine().shortest_match_at(piece, start)?;
            let is_real = |end: usize| cut == text.len() || end + CHARACTER_BYTES < cut;
            if end.is_some_and(is_real) {
                return self.engine().find_at(piece, start);
            }
        }
        Ok(None)
    }
}

impl Matcher for Stoppable<'_> {
    type Captures = NoCaptures;
    type Error = NoError;

    /// Finds the first match, in a single line or by a pattern that goes across lines.
    fn find_at(&self, text: &[u8], at: usize) -> Result<Option<Match>, NoError> {
        if self.is_short(text, at) {
            self.engine().find_at(text, at)
        } else {
            self.step(text, at)
        }
    }

    fn shortest_match_at(&self, text: &[u8], at: usize) -> Result<Option<usize>, NoError> {
        if self.is_short(text, at) {
            self.engine().shortest_match_at(text, at)
        } else {
            Ok(self.step(text, at)?.map(|found| found.end()))
        }
    }

    fn find_candidate_line(&self, text: &[u8]) -> Result<Option<LineMatchKind>, NoError> {
        if self.is_short(text, 0) {
            return self.engine().find_candidate_line(text);
        }
        let mut at = 0;
        while at < text.len() {
            if self.watch.is_over() {
                return Ok(None);
            }
            let rest = text.split_at(at).1;
            let start = rest.split_at(rest.len().min(self.pattern.max_piece)).0;
            let feed = memrchr(b'\n', start).or_else(|| memchr(b'\n', rest));
            // Without the last line feed, behind which a pattern for nothing would find an empty line.
            let piece = rest.split_at(feed.unwrap_or(rest.len())).0;
            let found = if self.is_short(piece, 0) {
                self.engine().find_candidate_line(piece)?
            } else {
                self.step(piece, 0)?.map(|_| LineMatchKind::Confirmed(0))
            };
            if let Some(found) = found {
                return Ok(Some(match found {
                    LineMatchKind::Confirmed(inner) => LineMatchKind::Confirmed(at + inner),
                    LineMatchKind::Candidate(inner) => LineMatchKind::Candidate(at + inner),
                }));
            }
            at += piece.len() + 1;
        }
        Ok(None)
    }

    fn new_captures(&self) -> Result<NoCaptures, NoError> {
        Ok(NoCaptures::new())
    }

    fn non_matching_bytes(&self) -> Option<&ByteSet> {
        self.engine().non_matching_bytes()
    }

    fn line_terminator(&self) -> Option<LineTerminator> {
        self.engine().line_terminator()
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use std::time::Duration;

    use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder, sinks};
    use proptest::prelude::*;
    use tokio_util::sync::CancellationToken;

    use super::super::pattern::Reading;
    use super::*;

    const PATTERNS: [&str; 16] = [
        "a",
        "ab",
        "^a",
        "b$",
        "^$",
        "a.b",
        "[ab]{2}",
        "b*",
        "(?i)A",
        r"\s",
        r"a\nb",
        r"b\n*a",
        r"(?:a|ab)(?:b\n|\n)",
        r"^\n^",
        r"\Aa",
        r"b\z",
    ];

    fn watch() -> Watch {
        Watch::start(CancellationToken::new(), Duration::from_mins(1))
    }

    fn pattern(text: &str, max_piece: usize) -> Pattern {
        let mut pattern = Pattern::compile(text, Reading::Regex).unwrap();
        pattern.max_piece = max_piece;
        pattern
    }

    fn lines(pattern: &Pattern, matcher: impl Matcher, text: &str) -> Vec<(u64, String)> {
        let mut found = Vec::new();
        let mut searcher: Searcher = SearcherBuilder::new()
            .multi_line(pattern.is_multi_line)
            .bom_sniffing(false)
            .binary_detection(BinaryDetection::none())
            .build();
        let sink = sinks::UTF8(|number, line| {
            found.push((number, line.to_owned()));
            Ok(true)
        });
        searcher
            .search_slice(matcher, text.as_bytes(), sink)
            .unwrap();
        found
    }

    proptest! {
        #[test]
        fn pieces_of_any_size_give_the_lines_of_the_whole(
            text in "[ab é\n]{0,60}",
            which in 0..PATTERNS.len(),
            max_piece in 0_usize..12,
        ) {
            let pattern = pattern(PATTERNS[which], max_piece);
            let watch = watch();
            let stoppable = lines(&pattern, Stoppable::new(&pattern, &watch), &text);
            prop_assert_eq!(stoppable, lines(&pattern, &pattern.matcher, &text));
        }

        #[test]
        fn a_match_has_the_bounds_that_the_engine_finds(
            text in "[ab é\n]{0,60}",
            which in 0..PATTERNS.len(),
            at in 0_usize..20,
        ) {
            let pattern = pattern(PATTERNS[which], 0);
            let text = if pattern.is_multi_line { text } else { text.replace('\n', "") };
            let (text, at) = (text.as_bytes(), at.min(text.len()));
            let expected = pattern.matcher.find_at(text, at).unwrap();
            let found = Stoppable::new(&pattern, &watch()).find_at(text, at).unwrap();
            prop_assert_eq!(found, expected);
        }

        #[test]
        fn words_beside_any_letter_are_found_in_overlapping_pieces(text in "[ab é]{0,60}") {
            let watch = watch();
            for word in [r"\ba\b", r"\bé", r"b\B", r"\b.?$"] {
                let pattern = pattern(word, 16);
                let stoppable = lines(&pattern, Stoppable::new(&pattern, &watch), &text);
                prop_assert_eq!(stoppable, lines(&pattern, &pattern.matcher, &text));
            }
        }
    }

    #[test]
    fn a_search_that_is_over_finds_nothing_more_not_even_in_the_line_that_it_is_in() {
        let text = "a".repeat(10_000);
        for (expression, max_piece) in [("a", 16), (r"a\n?", 16), (r"\ba", 16), ("a$", 16)] {
            for text in [text.clone(), format!("é{text}"), "a\n".repeat(5_000)] {
                let pattern = pattern(expression, max_piece);
                let cancelled = CancellationToken::new();
                cancelled.cancel();
                let over = Watch::start(cancelled, Duration::from_mins(1));
                assert_eq!(lines(&pattern, Stoppable::new(&pattern, &over), &text), []);
            }
        }
    }

    #[test]
    fn a_line_of_megabytes_is_searched_whole_by_a_pattern_of_any_size() {
        let text = format!(
            "{} needle {}",
            "hay é ".repeat(300_000),
            "hay ".repeat(300_000)
        );
        for expression in [
            "needle",
            r"h\w{3,30}|n\w{3,30}\s",
            "^hay .*needle.*hay $",
            r"\bneedle\b",
            r"(?:x{9}){400}|(?i)NEEDLE",
        ] {
            let pattern = Pattern::compile(expression, Reading::Regex).unwrap();
            let watch = watch();
            let found = lines(&pattern, Stoppable::new(&pattern, &watch), &text);
            assert_eq!(found.len(), 1, "{expression}");
        }
    }
}
