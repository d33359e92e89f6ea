//! Surrogates that stand alone: Python has them in its strings, JSON can spell them, UTF-8 cannot hold them.
//!
//! Arguments with one are no JSON for the parser. A tool that says in its own words what is wrong with them gets them
//! with a stand-in instead, and is told so.

use std::fmt;

use memchr::memchr;

/// Names of the tools that look at [`ToolContext::lone_surrogate`](super::ToolContext) and refuse.
pub(super) const TOOLS: [&str; 1] = ["write_file"];

/// A character that is none, in JSON's spelling and as it is.
const STAND_IN_ESCAPE: &[u8; 6] = b"\\ufdd0";
const STAND_IN: char = '\u{fdd0}';

const HIGH: std::ops::Range<u16> = 0xd800..0xdc00;
const LOW: std::ops::Range<u16> = 0xdc00..0xe000;

/// A code unit that is only half of a character; shown as Python's `repr` shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LoneSurrogate(u16);

impl LoneSurrogate {
    /// Puts the stand-in in the place of all surrogates that stand alone; `None` where there are none.
    pub(super) fn replace_all(json: &[u8]) -> Option<(Self, Vec<u8>)> {
        let mut first = None;
        let mut repaired = Vec::with_capacity(json.len());
        let mut rest = json;
        while let Some(start) = memchr(b'\\', rest) {
            let (plain, escape) = rest.split_at(start);
            repaired.extend_from_slice(plain);
            let length = match unit(escape) {
                None => 2,
                Some(high) if HIGH.contains(&high) && follows_low(escape) => 12,
                Some(lone) if HIGH.contains(&lone) || LOW.contains(&lone) => {
                    first = first.or(Some(Self(lone)));
                    repaired.extend_from_slice(STAND_IN_ESCAPE);
                    rest = escape.split_at(6).1;
                    continue;
                }
                Some(_) => 6,
            };
            let (kept, after) = escape.split_at(length.min(escape.len()));
            repaired.extend_from_slice(kept);
            rest = after;
        }
        repaired.extend_from_slice(rest);
        Some((first?, repaired))
    }

    /// Tells whether a text has the stand-in in it.
    pub(super) fn is_in(text: &str) -> bool {
        text.contains(STAND_IN)
    }
}

impl fmt::Display for LoneSurrogate {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "'\\u{:04x}'", self.0)
    }
}

/// Returns the code unit that an escape at the start of the text spells.
fn unit(text: &[u8]) -> Option<u16> {
    let digits = text.strip_prefix(b"\\u")?.get(..4)?;
    if !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

fn follows_low(text: &[u8]) -> bool {
    text.get(6..)
        .and_then(unit)
        .is_some_and(|unit| LOW.contains(&unit))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use super::*;

    #[test]
    fn only_surrogates_that_stand_alone_are_replaced() {
        let rows: [(&str, Option<(&str, &str)>); 8] = [
            (r#""a\ud800b""#, Some((r"'\ud800'", r#""a\ufdd0b""#))),
            (
                r#""\uDFFF\ud800\ud801\udc00""#,
                Some((r"'\udfff'", r#""\ufdd0\ufdd0\ud801\udc00""#)),
            ),
            (r#""\ud83d\ude00""#, None),
            (r#""\\ud800""#, None),
            (r#""\\\ud800""#, Some((r"'\ud800'", r#""\\\ufdd0""#))),
            (r#""\u12""#, None),
            ("\"\\", None),
            (r#""\u+d80""#, None),
        ];
        for (json, expected) in rows {
            let found = LoneSurrogate::replace_all(json.as_bytes());
            let found =
                found.map(|(lone, text)| (lone.to_string(), String::from_utf8(text).unwrap()));
            let expected = expected.map(|(lone, text)| (lone.to_owned(), text.to_owned()));
            assert_eq!(found, expected, "{json}");
        }
    }
}
