//! Owns secrets that only their name gives away: assignments, fields of JSON and of Python's `repr`, YAML and dotted keys.
//!
//! Only text that is data is looked at as a whole: dumps of the environment and files. Everything that reads like an
//! expression, a reference, prose or a placeholder stays, so that source code keeps its meaning.

mod field;
mod name;
mod value;

use std::sync::LazyLock;

use regex::Regex;

use self::field::Field;
use super::mask::Mask;
use super::rewrite::Rewrite;
use crate::text::pattern::compiled;

/// Masks the value of every field whose name says that it is a secret.
pub(super) fn fields(text: &str, mask: Mask) -> Option<String> {
    let mut rewrite = Rewrite::new(text);
    mask_fields(text, 0, mask, &mut rewrite, |_| true);
    rewrite.finish()
}

/// Masks only fields of a Python `repr`, and only in the lines in which a failed test or an exception shows one.
pub(super) fn failure_lines(text: &str, mask: Mask) -> Option<String> {
    static FAILURE: LazyLock<Regex> = LazyLock::new(|| {
        compiled(
            r"(?m)^(?:E   |[ \t]*(?:[A-Za-z_][A-Za-z0-9_]*\.)*[A-Z][A-Za-z0-9_]*(?:Error|Exception|Warning|Exit|Interrupt): )[^\n]*",
        )
    });
    let mut rewrite = Rewrite::new(text);
    for line in FAILURE.find_iter(text) {
        mask_fields(line.as_str(), line.start(), mask, &mut rewrite, |field| {
            field.is_repr()
        });
    }
    rewrite.finish()
}

/// Walks over a part of a text that begins at `offset`, from one separator to the next.
fn mask_fields(
    part: &str,
    offset: usize,
    mask: Mask,
    rewrite: &mut Rewrite<'_>,
    wanted: fn(&Field<'_>) -> bool,
) {
    let mut at = 0;
    while let Some(found) = part.get(at..).and_then(|rest| rest.find(['=', ':'])) {
        let separator = at + found;
        at = separator + 1;
        let Some(field) = Field::around(part, separator).filter(|field| wanted(field)) else {
            continue;
        };
        if let Some(shown) = field.secret().and_then(|secret| mask.secret(secret)) {
            rewrite.replace(offset + field.value.start..offset + field.value.end, &shown);
            at = field.value.end;
        } else if let Some(resumed) = field.resume() {
            at = resumed;
        }
    }
}

#[cfg(test)]
mod tests;
