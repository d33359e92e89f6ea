//! Owns pass 2: tokens that a known prefix gives away, whole or interrupted by characters that cannot be seen.
//!
//! A token stands between characters that are not `[A-Za-z0-9_-]`. The table is data; `tail.rs` knows how a token goes
//! on after its prefix. The walk is linear: a token is consumed, and a candidate that is none looks a bounded way ahead.

mod tail;

use self::tail::{Alphabet, Progress};
use super::boundary::{ends_in_word, is_token};
use super::mask::{Mask, is_noise};
use super::rewrite::Rewrite;

/// A candidate that does not match within so many characters of tail is not followed over further interruptions.
const LONGEST_UNDECIDED: usize = 64;

/// One family of tokens: its prefix, and what follows it.
struct Family {
    prefix: &'static str,
    alphabet: Alphabet,
    shortest: usize,
}

const fn family(prefix: &'static str, alphabet: Alphabet, shortest: usize) -> Family {
    Family {
        prefix,
        alphabet,
        shortest,
    }
}

/// Every family; where one prefix begins with another, the longer one comes first and names the sentinel.
const FAMILIES: [Family; 62] = [
    family("sk-", Alphabet::Dotted, 10),
    family("ghp_", Alphabet::Token, 10),
    family("github_pat_", Alphabet::Token, 10),
    family("gho_", Alphabet::Token, 10),
    family("ghu_", Alphabet::Token, 10),
    family("ghs_", Alphabet::Token, 10),
    family("ghr_", Alphabet::Token, 10),
    family("xapp-", Alphabet::Numbered, 10),
    family("xoxb-", Alphabet::Token, 10),
    family("xoxa-", Alphabet::Token, 10),
    family("xoxp-", Alphabet::Token, 10),
    family("xoxr-", Alphabet::Token, 10),
    family("xoxs-", Alphabet::Token, 10),
    family("AIza", Alphabet::Token, 30),
    family("pplx-", Alphabet::Opaque, 10),
    family("fal_", Alphabet::Opaque, 10),
    family("fc-", Alphabet::Opaque, 10),
    family("bb_live_", Alphabet::Token, 10),
    family("gAAAA", Alphabet::Padded, 20),
    family("AKIA", Alphabet::UpperExact, 16),
    family("sk_live_", Alphabet::Token, 10),
    family("sk_test_", Alphabet::Opaque, 10),
    family("rk_live_", Alphabet::Token, 10),
    family("SG.", Alphabet::DottedOpaque, 10),
    family("hf_", Alphabet::Opaque, 10),
    family("r8_", Alphabet::Opaque, 10),
    family("npm_", Alphabet::Opaque, 10),
    family("pypi-", Alphabet::Opaque, 10),
    family("dop_v1_", Alphabet::Token, 10),
    family("doo_v1_", Alphabet::Token, 10),
    family("am_org_", Alphabet::Alnum, 20),
    family("am_", Alphabet::Alnum, 20),
    family("sk_", Alphabet::Opaque, 10),
    family("tvly-", Alphabet::Opaque, 10),
    family("exa_", Alphabet::Opaque, 10),
    family("gsk_", Alphabet::Opaque, 10),
    family("syt_", Alphabet::Opaque, 10),
    family("retaindb_", Alphabet::Opaque, 10),
    family("hsk-", Alphabet::Opaque, 10),
    family("mem0_", Alphabet::Opaque, 10),
    family("brv_", Alphabet::Opaque, 10),
    family("xai-", Alphabet::Token, 30),
    family("ntn_", Alphabet::Opaque, 10),
    family("fw-", Alphabet::Opaque, 30),
    family("fw_", Alphabet::Opaque, 30),
    family("fpk_", Alphabet::Opaque, 30),
    family("glpat-", Alphabet::Dotted, 10),
    family("gloas-", Alphabet::Token, 10),
    family("gldt-", Alphabet::Token, 10),
    family("glrt-", Alphabet::Dotted, 10),
    family("glrtr-", Alphabet::Token, 10),
    family("glcbt-", Alphabet::Token, 10),
    family("glptt-", Alphabet::Token, 10),
    family("glft-", Alphabet::Token, 10),
    family("glimt-", Alphabet::Token, 10),
    family("glagent-", Alphabet::Token, 10),
    family("glsoat-", Alphabet::Token, 10),
    family("glffct-", Alphabet::Token, 10),
    family("glwt-", Alphabet::Token, 10),
    family("GR1348941", Alphabet::Token, 10),
    family("pk-lf-", Alphabet::Token, 8),
    family("AGE-SECRET-KEY-1", Alphabet::Upper, 10),
];

/// Masks every token with a known prefix.
pub(super) fn redact(text: &str, mask: Mask) -> Option<String> {
    let bytes = text.as_bytes();
    let mut rewrite = Rewrite::new(text);
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        // Any byte has a place in a table of 256.
        let found = if INITIALS[usize::from(byte)] {
            token_at(text, at)
        } else {
            None
        };
        if let Some((family, end)) = found {
            let token = text.get(at..end).unwrap_or_default();
            rewrite.replace(at..end, &mask.token(family.prefix, token));
            at = end;
        } else {
            at += 1;
        }
    }
    rewrite.finish()
}

/// Returns the prefix that gives a word away as a token, if the whole word is one.
pub(super) fn family_of(word: &str) -> Option<&'static str> {
    let (family, end) = token_at(word, 0)?;
    (end == word.len()).then_some(family.prefix)
}

/// The bytes with which a prefix begins: most words of ordinary text are passed over by one look here.
static INITIALS: [bool; 256] = initials();

const fn initials() -> [bool; 256] {
    let mut table = [false; 256];
    let mut row = 0;
    while row < FAMILIES.len() {
        // A table with an empty prefix does not compile.
        table[FAMILIES[row].prefix.as_bytes()[0] as usize] = true;
        row += 1;
    }
    table
}

fn token_at(text: &str, start: usize) -> Option<(&'static Family, usize)> {
    if text
        .get(..start)
        .is_none_or(|before| ends_in_word(before, b"_-"))
    {
        return None;
    }
    FAMILIES.iter().find_map(|family| {
        let tail = after_prefix(text, start, family.prefix)?;
        Some((family, token_end(text, tail, family)?))
    })
}

/// Returns where the tail begins. White space does not interrupt a prefix: `s` and `k-means` in two cells are no token.
fn after_prefix(text: &str, start: usize, prefix: &str) -> Option<usize> {
    let mut at = start;
    for (index, expected) in prefix.bytes().enumerate() {
        if index > 0 {
            at = after_noise(text, at, |c| !c.is_whitespace());
        }
        if text.as_bytes().get(at) != Some(&expected) {
            return None;
        }
        at += 1;
    }
    Some(at)
}

/// Returns the end of the longest token whose tail begins at `at`, over interruptions.
fn token_end(text: &str, at: usize, family: &Family) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut progress = Progress::new(family.alphabet, family.shortest);
    let mut best = None;
    let mut end = progress.span(bytes, at);
    loop {
        let next = bytes.get(end).copied();
        if next.is_some_and(is_token) {
            return best;
        }
        if progress.is_complete() {
            best = Some(end);
        }
        let resumed = after_noise(text, end, |_| true);
        let broken = text.get(end..resumed).is_some_and(has_line_break);
        if resumed == end || (broken && best.is_some()) {
            return best;
        }
        if best.is_none() && progress.len() > LONGEST_UNDECIDED {
            return None;
        }
        if broken {
            progress.cross_line();
        }
        end = progress.span(bytes, resumed);
        // A name before an equals sign begins an assignment of its own.
        if end == resumed || bytes.get(end) == Some(&b'=') {
            return best;
        }
    }
}

fn after_noise(text: &str, at: usize, joins: impl Fn(char) -> bool) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    let stop = rest.find(|c| !(is_noise(c) && joins(c)));
    at + stop.unwrap_or(rest.len())
}

fn has_line_break(noise: &str) -> bool {
    noise.contains(['\n', '\r'])
}

#[cfg(test)]
mod tests;
