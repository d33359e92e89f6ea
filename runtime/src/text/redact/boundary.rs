//! Owns the question what stands before a candidate: the pattern engine is linear and therefore knows no look-behind.
//!
//! A letter of an escape (`\n`, `\r`, `\t`) is no letter of a word, so that a secret at the beginning of a line is also
//! found in the `repr` and in the JSON of a text.

/// Returns whether a byte may not stand next to a token.
pub(super) const fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

/// Returns whether the place behind `before` is inside a word of letters, digits and the bytes of `joined`.
pub(super) fn ends_in_word(before: &str, joined: &[u8]) -> bool {
    match before.as_bytes() {
        [.., b'\\', b'n' | b'r' | b't'] | [] => false,
        [.., last] => last.is_ascii_alphanumeric() || joined.contains(last),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_digits_and_joined_bytes_are_inside_a_word() {
        for (before, inside) in [
            ("", false),
            ("a", true),
            (" 1", true),
            ("a ", false),
            ("a-", true),
            ("a.", false),
            ("é", false),
        ] {
            assert_eq!(ends_in_word(before, b"-_"), inside, "{before}");
        }
    }

    #[test]
    fn an_escape_is_no_part_of_a_word() {
        for (before, inside) in [
            ("a\\n", false),
            ("\\\\r", false),
            ("\\t", false),
            ("\\x", true),
            ("n", true),
        ] {
            assert_eq!(ends_in_word(before, b"-_"), inside, "{before}");
        }
    }
}
