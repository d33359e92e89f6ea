//! Notices when a large file was written again for a small change, which another tool does with less.

use std::collections::HashMap;

use super::content::SAMPLE_BYTES;

/// Lengths of both contents, in characters, for which a hint is given.
const CHARS: std::ops::RangeInclusive<usize> = 20_000..=400_000;
/// Most bytes that so many characters take.
const MAX_BYTES: usize = 4 * 400_000;
/// Share of the lines that stay, in percent.
const UNCHANGED_PERCENT: usize = 80;

/// Returns how many bytes of an old file have to be looked at when this text replaces it.
pub(super) fn bytes_of_interest(new: &str) -> usize {
    if is_of_interest(new) {
        // One byte more shows that there is more.
        MAX_BYTES + 1
    } else {
        SAMPLE_BYTES
    }
}

/// Returns the hint for a file that held `old`, as far as it was looked at.
pub(super) fn hint(old: &[u8], new: &str) -> Option<String> {
    let old = std::str::from_utf8(old).ok()?;
    if !is_of_interest(new) || !is_of_interest(old) {
        return None;
    }
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for line in old.lines() {
        *counts.entry(line).or_default() += 1;
    }
    let mut unchanged = 0;
    for line in new.lines() {
        if let Some(count @ 1..) = counts.get_mut(line) {
            *count -= 1;
            unchanged += 1;
        }
    }
    let lines = old.lines().count().max(new.lines().count());
    let percent = unchanged * 100 / lines.max(1);
    (percent >= UNCHANGED_PERCENT).then(|| {
        format!(
            "{percent}% of the lines are as they were. For a small change of a large file use patch: it takes only the lines that change."
        )
    })
}

fn is_of_interest(text: &str) -> bool {
    // The length in bytes answers for most texts.
    CHARS.start() <= &text.len() && text.len() <= MAX_BYTES && CHARS.contains(&text.chars().count())
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;

    fn text(lines: usize, changed: usize) -> String {
        (0..lines).fold(String::new(), |mut text, number| {
            let word = if number < changed { "new" } else { "old" };
            let _ = writeln!(text, "{word} line {number:05}");
            text
        })
    }

    #[test]
    fn a_hint_needs_two_large_texts_and_few_changes() {
        let hint = |old: &str, new: &str| hint(old.as_bytes(), new);
        let old = text(2_000, 0);
        let expected = "80% of the lines are as they were. For a small change of a large file use patch: it takes only the lines that change.";
        assert_eq!(hint(&old, &text(2_000, 400)).as_deref(), Some(expected));
        assert_eq!(hint(&old, &text(2_000, 401)), None);
        assert_eq!(hint(&text(1_100, 0), &text(1_100, 0)), None);
        assert_eq!(hint(&text(30_000, 0), &text(30_000, 1)), None);
        let wide = "ü".repeat(15_000);
        assert_eq!(hint(&wide, &wide), None);
        assert!(hint(&"😀\n".repeat(200_000), &"😀\n".repeat(200_000)).is_some());
        assert_eq!(bytes_of_interest("short"), SAMPLE_BYTES);
    }
}
