//! The guards behind the argument parser, in the order in which they are asked.
//!
//! The order is data: a new guard is one line in the list, at its place. The first refusal ends the questions.

use super::refusal::Refusal;

/// Shows a guard what is about to run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Candidate<'a> {
    pub(crate) code: &'a str,
}

type Guard = fn(&Candidate<'_>) -> Result<(), Refusal>;

const ORDER: [Guard; 1] = [code_is_there];

/// Asks every guard; fails with the first refusal.
pub(crate) fn check(candidate: &Candidate<'_>) -> Result<(), Refusal> {
    ORDER.iter().try_for_each(|guard| guard(candidate))
}

fn code_is_there(candidate: &Candidate<'_>) -> Result<(), Refusal> {
    if candidate.code.chars().all(is_blank) {
        Err(Refusal::NoCode)
    } else {
        Ok(())
    }
}

/// Tells whether Python's `str.strip` would remove the character.
fn is_blank(character: char) -> bool {
    // Python also counts the four ASCII separators, which Unicode's White_Space property leaves out.
    character.is_whitespace() || matches!(character, '\x1c'..='\x1f')
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use super::*;

    #[test]
    fn blank_code_is_refused() {
        for code in ["", "   \n", "\t\r\n", "\u{a0}\u{3000}", "\x1c\x1f"] {
            let refusal = check(&Candidate { code }).unwrap_err();
            assert_eq!(
                refusal.to_string(),
                "No code provided. execute_code requires a non-empty 'code' parameter containing Python source. \
                 To run shell commands, use terminal(command=...) instead.",
                "{code:?}"
            );
        }
    }

    #[test]
    fn code_with_one_visible_or_odd_character_passes() {
        for code in ["1", " # only a comment", "\0", "\u{200b}"] {
            assert_eq!(check(&Candidate { code }), Ok(()), "{code:?}");
        }
    }
}
