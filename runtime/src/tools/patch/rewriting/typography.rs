//! Keeps the typographic characters of a text that is replaced by one in plain ASCII, wherever the two agree.

use crate::tools::patch::effort::{Effort, Stopped};
use crate::tools::patch::matching::Mapped;
use crate::tools::patch::matching::similarity::{Block, Matcher};

/// Most characters of both texts that are compared one by one; of longer texts only the common start and end are kept.
const MAX_COMPARED: usize = 20_000;

/// Returns the new text with the characters of the old one where the new text has only their plain form.
pub(super) fn kept(old: &str, new: &str, effort: &Effort<'_>) -> Result<String, Stopped> {
    let plain = Mapped::plain(old);
    let plain_letters: Vec<char> = plain.text.chars().collect();
    let new_letters: Vec<char> = new.chars().collect();
    // Byte offsets of the characters, and the end.
    let mut offsets: Vec<usize> = plain.text.char_indices().map(|(at, _)| at).collect();
    offsets.push(plain.text.len());
    let mut text = String::with_capacity(new.len());
    let mut taken = 0;
    for block in common(&plain_letters, &new_letters, effort)? {
        // Blocks lie in both texts, in order.
        text.extend(&new_letters[taken..block.second]);
        taken = block.second + block.len;
        let mut at = block.first;
        let end = block.first + block.len;
        while at < end {
            // The plain characters from here to the next one that begins a character of the old text.
            let next = (at + 1..=end).find(|next| plain.original(offsets[*next]).is_some());
            let range = plain
                .original(offsets[at])
                .zip(next.and_then(|next| plain.original(offsets[next])));
            match range {
                Some((from, to)) => text.push_str(&old[from..to]),
                // A part of what a character became: the new text has its own form for the rest.
                None => text.extend(&plain_letters[at..next.unwrap_or(end)]),
            }
            at = next.unwrap_or(end);
        }
    }
    text.extend(&new_letters[taken..]);
    Ok(text)
}

/// Returns runs that both texts have in common, in order.
fn common(old: &[char], new: &[char], effort: &Effort<'_>) -> Result<Vec<Block>, Stopped> {
    let pairs = old.iter().zip(new);
    let prefix = pairs.take_while(|(old, new)| old == new).count();
    let (old_rest, new_rest) = (&old[prefix..], &new[prefix..]);
    let reversed = old_rest.iter().rev().zip(new_rest.iter().rev());
    let suffix = reversed.take_while(|(old, new)| old == new).count();
    let old_inner = &old_rest[..old_rest.len() - suffix];
    let new_inner = &new_rest[..new_rest.len() - suffix];
    let mut blocks = vec![Block {
        first: 0,
        second: 0,
        len: prefix,
    }];
    if old_inner.len() + new_inner.len() <= MAX_COMPARED {
        let numbers =
            |letters: &[char]| -> Vec<u32> { letters.iter().copied().map(u32::from).collect() };
        for mut block in Matcher::new(numbers(new_inner)).blocks(&numbers(old_inner), effort)? {
            block.first += prefix;
            block.second += prefix;
            blocks.push(block);
        }
    }
    blocks.push(Block {
        first: old.len() - suffix,
        second: new.len() - suffix,
        len: suffix,
    });
    Ok(blocks)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use proptest::prelude::*;

    use super::*;

    fn kept_of(old: &str, new: &str) -> String {
        kept(old, new, &Effort::new(&|| false)).unwrap()
    }

    #[test]
    fn characters_outside_of_the_change_stay() {
        let rows = [
            ("“one” — two…", "\"one\" -- three...", "“one” — three…"),
            ("a—b", "a-b", "a-b"),
            ("a—b", "a--b--c", "a—b--c"),
            ("it’s", "it’s new", "it’s new"),
            ("“x”", "'x'", "'x'"),
            ("", "x", "x"),
        ];
        for (old, new, expected) in rows {
            assert_eq!(kept_of(old, new), expected, "{old} {new}");
        }
    }

    proptest! {
        #[test]
        fn the_plain_form_is_always_that_of_the_new_text(old in "[a“”—…\\-\\. ä]{0,12}", new in "[a\"\\-\\.— ä]{0,12}") {
            let text = kept_of(&old, &new);
            prop_assert_eq!(Mapped::plain(&text).text, Mapped::plain(&new).text);
        }
    }
}
