//! A search that can be stopped at any byte: a lazily made automaton that is stepped by hand.
//!
//! It gives the same matches as the engine that is used for shorter texts, only without that one's short cuts. It knows
//! one thing less: where a word ends beside a letter outside of ASCII.

use regex_automata::hybrid::LazyStateID;
use regex_automata::hybrid::dfa::{Cache, Config, DFA};
use regex_automata::nfa::thompson;
use regex_automata::{Anchored, Input, MatchKind};

/// Largest cache of an automaton in bytes; one that is full is emptied.
const MAX_CACHE_BYTES: usize = 4 << 20;
/// Bytes between two questions whether to go on. A single one can take a millisecond.
const STRIDE: usize = 64;

/// The automata that find the end of a match, and its start from there.
#[derive(Debug)]
pub(super) struct Stepper {
    forward: DFA,
    backward: DFA,
}

/// What a stepper remembers from one text to the next.
#[derive(Debug)]
pub(super) struct Steps {
    forward: Cache,
    backward: Cache,
}

/// Why a search has no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Halt {
    /// Nobody wants it to go on.
    Over,
    /// The pattern asks for a word boundary, and the text has letters for which the automaton cannot tell it.
    Letters,
}

impl Stepper {
    /// Compiles patterns; `None` for one that is too large backwards only.
    pub(super) fn new(mut compiler: thompson::Compiler, patterns: &[String]) -> Option<Self> {
        let mut make = |is_reverse, kind| {
            let configuration = thompson::Config::new().reverse(is_reverse);
            let automaton = compiler
                .configure(configuration)
                .build_many(patterns)
                .ok()?;
            DFA::builder()
                .configure(
                    Config::new()
                        .match_kind(kind)
                        .unicode_word_boundary(true)
                        .cache_capacity(MAX_CACHE_BYTES)
                        .skip_cache_capacity_check(true),
                )
                .build_from_nfa(automaton)
                .ok()
        };
        Some(Self {
            forward: make(false, MatchKind::LeftmostFirst)?,
            backward: make(true, MatchKind::All)?,
        })
    }

    /// Returns an empty memory.
    pub(super) fn steps(&self) -> Steps {
        Steps {
            forward: self.forward.create_cache(),
            backward: self.backward.create_cache(),
        }
    }

    /// Finds the first match in `text` from `at` on, as its start and end.
    pub(super) fn find(
        &self,
        steps: &mut Steps,
        text: &[u8],
        at: usize,
        goes_on: &dyn Fn() -> bool,
    ) -> Result<Option<(usize, usize)>, Halt> {
        let input = Input::new(text).range(at..);
        let Some(end) = self.end(&mut steps.forward, &input, goes_on)? else {
            return Ok(None);
        };
        let input = Input::new(text).range(at..end).anchored(Anchored::Yes);
        let start = self.start(&mut steps.backward, &input, goes_on)?;
        // What matches forward matches backward as well.
        Ok(start.map(|start| (start, end)))
    }

    fn end(
        &self,
        cache: &mut Cache,
        input: &Input<'_>,
        goes_on: &dyn Fn() -> bool,
    ) -> Result<Option<usize>, Halt> {
        let dfa = &self.forward;
        let start = dfa.start_state_forward(cache, input);
        let mut state = start.map_err(|_| Halt::Letters)?;
        let mut found = None;
        for (at, byte) in input.haystack().iter().enumerate().skip(input.start()) {
            if at % STRIDE == 0 && !goes_on() {
                return Err(Halt::Over);
            }
            state = next(dfa, cache, state, *byte)?;
            // An automaton tells of a match one byte late.
            if state.is_match() {
                found = Some(at);
            } else if state.is_dead() {
                return Ok(found);
            }
        }
        let last = dfa.next_eoi_state(cache, state);
        if last.map_err(|_| Halt::Letters)?.is_match() {
            found = Some(input.end());
        }
        Ok(found)
    }

    fn start(
        &self,
        cache: &mut Cache,
        input: &Input<'_>,
        goes_on: &dyn Fn() -> bool,
    ) -> Result<Option<usize>, Halt> {
        let dfa = &self.backward;
        let start = dfa.start_state_reverse(cache, input);
        let mut state = start.map_err(|_| Halt::Letters)?;
        let mut found = None;
        let bytes = input.haystack().iter().enumerate();
        let bytes = bytes.take(input.end()).skip(input.start());
        for (at, byte) in bytes.rev() {
            if at % STRIDE == 0 && !goes_on() {
                return Err(Halt::Over);
            }
            state = next(dfa, cache, state, *byte)?;
            if state.is_match() {
                found = Some(at + 1);
            } else if state.is_dead() {
                return Ok(found);
            }
        }
        let before = input
            .start()
            .checked_sub(1)
            .and_then(|before| input.haystack().get(before));
        let last = match before {
            Some(byte) => next(dfa, cache, state, *byte)?,
            None => dfa
                .next_eoi_state(cache, state)
                .map_err(|_| Halt::Letters)?,
        };
        if last.is_match() {
            found = Some(input.start());
        }
        Ok(found)
    }
}

fn next(dfa: &DFA, cache: &mut Cache, state: LazyStateID, byte: u8) -> Result<LazyStateID, Halt> {
    // A cache that is full is emptied without end, so that a byte is the only thing that can be in the way.
    let next = dfa.next_state(cache, state, byte);
    next.ok()
        .filter(|next| !next.is_quit())
        .ok_or(Halt::Letters)
}
