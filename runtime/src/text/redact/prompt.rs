//! Redaction of text that somebody is asked to approve, which must not hide from them what it does.
//!
//! Whoever wrote the text may have formed it for this very pass. So only what can at most be a name is masked, wherever it stands: whole
//! tokens of letters, digits, `_` and `-` that a prefix gives away, web tokens, and lines of base64 in a private key. They must stand
//! inside a quoted literal, or where a command line has a value. No bracket, operator, quote, slash or line is ever left out, and a shape that can
//! hold one, such as the password of a URL, is not looked for. Values of the vault are exact, and are replaced wherever they are.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;
use serde_json::{Map, Value};

use super::mask::Mask;
use super::{literal, prefix};
use crate::text::pattern::compiled;

const PRIVATE_KEY: &str = "[REDACTED PRIVATE KEY]";
/// Longer words, in bytes, are no tokens.
const LONGEST_TOKEN: usize = 256;
/// Longer words, in bytes, are no web tokens.
const LONGEST_JWT: usize = 4096;

/// The kind of text that is approved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PromptKind {
    /// A script in Python.
    Script,
    /// A command line of a shell.
    Command,
    /// Paths of files: of these nothing is masked but values of the vault.
    Paths,
}

/// A place that is masked, and what is shown there.
pub(super) type Masked = (Range<usize>, String);

/// Returns the places of a text that hold secrets of known shapes, in order.
pub(super) fn secrets(text: &str, kind: PromptKind) -> Vec<Masked> {
    let literals = match kind {
        PromptKind::Script => literal::of_python(text),
        PromptKind::Command => literal::of_shell(text),
        PromptKind::Paths => return Vec::new(),
    };
    let mut found: Vec<Masked> = Vec::new();
    for literal in literals {
        found.extend(jwts(text, &literal, kind));
        found.extend(tokens(text, &literal, kind));
        found.extend(lines_of_keys(text, &literal));
    }
    if kind == PromptKind::Command {
        found.extend(values(text));
    }
    found.sort_by_key(|(span, _)| (span.start, span.end));
    found
}

/// Finds tokens inside a literal.
fn tokens(text: &str, literal: &Range<usize>, kind: PromptKind) -> Vec<Masked> {
    static WORD: LazyLock<Regex> = LazyLock::new(|| compiled(r"[A-Za-z0-9_-]+"));
    let inside = text.get(literal.clone()).unwrap_or_default();
    let words = WORD.find_iter(inside).filter_map(|word| {
        let mut start = word.start();
        // The letter of an escape is no letter of the word.
        if inside
            .get(..start)
            .is_some_and(|before| before.ends_with('\\'))
            && word.as_str().starts_with(['n', 'r', 't'])
        {
            start += 1;
        }
        let token = inside.get(start..word.end())?;
        let family = (token.len() <= LONGEST_TOKEN)
            .then(|| prefix::family_of(token))
            .flatten()?;
        is_value(text, literal, start..word.end(), kind).then(|| {
            let span = literal.start + start..literal.start + word.end();
            (span, Mask::Shortened.token(family, token))
        })
    });
    words.collect()
}

/// Finds signed web tokens inside a literal: three parts, of which two are objects in JSON.
fn jwts(text: &str, literal: &Range<usize>, kind: PromptKind) -> Vec<Masked> {
    static TOKEN: LazyLock<Regex> =
        LazyLock::new(|| compiled(r"(eyJ[A-Za-z0-9_-]+)\.(eyJ[A-Za-z0-9_-]+)\.[A-Za-z0-9_-]{10,}"));
    let inside = text.get(literal.clone()).unwrap_or_default();
    let tokens = TOKEN.captures_iter(inside).filter_map(|found| {
        let token = found.get(0)?;
        let is_token = token.len() <= LONGEST_JWT
            && is_value(text, literal, token.range(), kind)
            && is_object(&found[1])
            && is_object(&found[2]);
        is_token.then(|| {
            let span = literal.start + token.start()..literal.start + token.end();
            (span, Mask::Shortened.token("eyJ", token.as_str()))
        })
    });
    tokens.collect()
}

/// Tells whether a part of a web token is an object.
fn is_object(part: &str) -> bool {
    let decoded = base64url(part);
    decoded.is_some_and(|bytes| serde_json::from_slice::<Map<String, Value>>(&bytes).is_ok())
}

fn base64url(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    let (mut bits, mut count) = (0_u32, 0);
    for letter in text.bytes() {
        let value = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'-' => 62,
            b'_' => 63,
            _ => return None,
        };
        // At most six bits are left over from before.
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push(u8::try_from(bits >> count).ok()?);
            bits &= (1 << count) - 1;
        }
    }
    Some(bytes)
}

/// Tells whether a word of a literal stands as a value does, and not as the name of something that is called or looked into.
fn is_value(text: &str, literal: &Range<usize>, word: Range<usize>, kind: PromptKind) -> bool {
    static IN_COMMAND: LazyLock<Regex> = LazyLock::new(|| {
        compiled(r#"(?:[A-Za-z0-9_-]=|:\s*|//|(?i:bearer|basic|token)\s+)\\?["']?$"#)
    });
    let inside = text.get(literal.clone()).unwrap_or_default();
    let before = inside.get(..word.start).unwrap_or_default();
    let after = inside.get(word.end..).unwrap_or_default();
    let after = after
        .strip_prefix("==")
        .or(after.strip_prefix('='))
        .unwrap_or(after);
    let ends = after.is_empty()
        || after.starts_with(char::is_whitespace)
        || after.starts_with(['\'', '"', ',', '@', '&', '\\']);
    let begins = match kind {
        PromptKind::Script => {
            before.is_empty()
                || before.ends_with(char::is_whitespace)
                || before.ends_with(['\'', '"', ',', '=', ':'])
                || ["//", "\\n", "\\r", "\\t"]
                    .iter()
                    .any(|end| before.ends_with(end))
        }
        // A quoted word can be the name of a program, unless something is set to it.
        PromptKind::Command if before.is_empty() => {
            let before = text.get(..literal.start.saturating_sub(1));
            before.is_some_and(|before| before.ends_with('=') && is_named(before))
        }
        PromptKind::Command => IN_COMMAND.is_match(before),
        PromptKind::Paths => false,
    };
    begins && ends
}

/// Tells whether a name stands before the equals sign at the end.
fn is_named(before: &str) -> bool {
    let name = before.trim_end_matches('=');
    name.len() + 1 == before.len()
        && name.ends_with(|letter: char| letter.is_ascii_alphanumeric() || letter == '_')
}

/// Finds what unquoted names are set to, and tokens before the host of a URL, in a command line.
fn values(text: &str) -> Vec<Masked> {
    static VALUE: LazyLock<Regex> = LazyLock::new(|| {
        compiled(
            r"(?:[A-Za-z0-9_]=([A-Za-z0-9_-]+)(?:[\s;&]|$)|//(?:[A-Za-z0-9_.-]+:)?([A-Za-z0-9_-]+)@)",
        )
    });
    let found = VALUE.captures_iter(text).filter_map(|found| {
        let token = found.get(1).or(found.get(2))?;
        let family = (token.len() <= LONGEST_TOKEN)
            .then(|| prefix::family_of(token.as_str()))
            .flatten()?;
        Some((token.range(), Mask::Shortened.token(family, token.as_str())))
    });
    found.collect()
}

/// Finds the lines of a private key inside a literal that are base64 and nothing else; their padding and their slashes stay.
fn lines_of_keys(text: &str, literal: &Range<usize>) -> Vec<Masked> {
    static MARK: LazyLock<Regex> =
        LazyLock::new(|| compiled(r"-----(BEGIN|END) [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----"));
    static LINE: LazyLock<Regex> =
        LazyLock::new(|| compiled(r"(?:\\[nr]|[^\\\r\n])+?(?:\\[nr]|[\\\r\n]|$)"));
    static BODY: LazyLock<Regex> =
        LazyLock::new(|| compiled(r"^[ \t]*([A-Za-z0-9+/]{16,})={0,2}[ \t]*(?:\\[nr]|[\\\r\n])*$"));
    let inside = text.get(literal.clone()).unwrap_or_default();
    let mut found = Vec::new();
    let mut in_key = false;
    for line in LINE.find_iter(inside) {
        if let Some(mark) = MARK.captures(line.as_str()) {
            in_key = &mark[1] == "BEGIN";
        } else if in_key
            && let Some(body) = BODY.captures(line.as_str()).and_then(|body| body.get(1))
        {
            let mut start = literal.start + line.start() + body.start();
            // A line with slashes can be the path of a program, too: that it is one stays visible.
            for run in body.as_str().split('/') {
                if !run.is_empty() {
                    found.push((start..start + run.len(), PRIVATE_KEY.to_owned()));
                }
                start += run.len() + 1;
            }
        }
    }
    found
}

#[cfg(test)]
mod tests;
