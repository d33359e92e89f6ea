//! Owns how a found secret is shown: shortened for a reader, or as a sentinel that cannot be written back.
//!
//! Masking is stable: what a mask wrote is recognised as masked and never masked again.

/// Stands for a secret too short to show any of it.
const HIDDEN: &str = "***";
/// Stands for a secret of no known family in text that may be written back to its file.
const SENTINEL: &str = "«redacted-secret»";
/// How every sentinel begins.
pub(crate) const SENTINEL_START: &str = "«redacted";
/// Shorter secrets are hidden whole: ten shown characters of fewer than 18 would be more than half.
const SHORTEST_SHOWN: usize = 18;
/// Characters shown of the beginning of a long secret.
const HEAD: usize = 6;
/// Characters shown of the end of a long secret.
const TAIL: usize = 4;
/// Stand between the two ends of a long secret.
const DOTS: &str = "...";

/// The way in which secrets are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mask {
    /// Beginning and end of a long secret stay, so that a reader can tell two keys apart.
    Shortened,
    /// Nothing of the secret stays, and the text cannot be taken for the value of the file. The file's lines keep their
    /// numbers: each line of a secret has a sentinel of its own.
    Sentinel,
}

impl Mask {
    /// Returns what is shown for a token that begins with a known `prefix`.
    pub(super) fn token(self, prefix: &str, token: &str) -> String {
        match self {
            Self::Shortened => shortened(token),
            Self::Sentinel => on_each_line(&format!("{SENTINEL_START}:{prefix}…»"), token),
        }
    }

    /// Returns what is shown for any other secret, or `None` when it is masked already.
    pub(super) fn secret(self, secret: &str) -> Option<String> {
        (!is_masked(secret)).then(|| match self {
            Self::Shortened => shortened(secret),
            Self::Sentinel => on_each_line(SENTINEL, secret),
        })
    }

    /// Returns what is shown for a value that is a secret as a whole, whatever its shape; `shown` where secrets are shortened.
    pub(super) fn vault(self, value: &str, shown: &str) -> String {
        match self {
            Self::Shortened => shown.to_owned(),
            Self::Sentinel => on_each_line(shown, value),
        }
    }

    /// Returns what is shown for a secret of which not even the ends are shown, or `None` when it is masked already.
    pub(super) fn hidden(self, secret: &str) -> Option<String> {
        self.fixed(secret, HIDDEN)
    }

    /// Returns `shown` where secrets are shortened, or `None` when `secret` is masked already.
    pub(super) fn fixed(self, secret: &str, shown: &str) -> Option<String> {
        (!is_masked(secret)).then(|| match self {
            Self::Shortened => shown.to_owned(),
            Self::Sentinel => on_each_line(SENTINEL, secret),
        })
    }
}

/// Returns a sentinel for each line of a secret.
fn on_each_line(sentinel: &str, secret: &str) -> String {
    let mut shown = sentinel.to_owned();
    for _ in secret.matches('\n') {
        shown.push('\n');
        shown.push_str(sentinel);
    }
    shown
}

/// Returns whether a whole value is the work of a mask.
pub(super) fn is_masked(value: &str) -> bool {
    value == HIDDEN || value.starts_with(SENTINEL_START) || is_shortened(value)
}

fn is_shortened(value: &str) -> bool {
    value.chars().skip(HEAD).take(DOTS.len()).eq(DOTS.chars())
        && value.chars().count() == HEAD + DOTS.len() + TAIL
}

fn shortened(secret: &str) -> String {
    let visible: String = secret.chars().filter(|&c| !is_invisible(c)).collect();
    // Spaces that invisible characters held inside a value are at its ends now, and would not be read back as part of it.
    let visible = visible.trim();
    if visible.chars().count() < SHORTEST_SHOWN {
        return HIDDEN.to_owned();
    }
    let head: String = visible.chars().take(HEAD).collect();
    let tail = visible
        .char_indices()
        .rev()
        .nth(TAIL - 1)
        .map_or(0, |(at, _)| at);
    format!("{head}{DOTS}{}", visible.get(tail..).unwrap_or_default())
}

/// Returns whether a character may interrupt a token without being seen, or break it over two lines.
pub(super) const fn is_noise(c: char) -> bool {
    matches!(
        c,
        '\0'..='\x1F' | '\x7F' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202F}' | '\u{2060}' | '\u{FEFF}'
    )
}

/// Returns whether a character takes no place of its own: noise, control (Cc) and format (Cf) characters.
fn is_invisible(c: char) -> bool {
    is_noise(c) || c.is_control() || is_format(c)
}

const fn is_format(c: char) -> bool {
    matches!(
        c,
        '\u{AD}'
            | '\u{600}'..='\u{605}'
            | '\u{61C}'
            | '\u{6DD}'
            | '\u{70F}'
            | '\u{890}'..='\u{891}'
            | '\u{8E2}'
            | '\u{180E}'
            | '\u{200B}'..='\u{200F}'
            | '\u{202A}'..='\u{202E}'
            | '\u{2060}'..='\u{2064}'
            | '\u{2066}'..='\u{206F}'
            | '\u{FEFF}'
            | '\u{FFF9}'..='\u{FFFB}'
            | '\u{110BD}'
            | '\u{110CD}'
            | '\u{13430}'..='\u{1343F}'
            | '\u{1BCA0}'..='\u{1BCA3}'
            | '\u{1D173}'..='\u{1D17A}'
            | '\u{E0001}'
            | '\u{E0020}'..='\u{E007F}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::pattern::compiled;

    #[test]
    fn seventeen_characters_are_hidden_and_eighteen_are_shortened() {
        assert_eq!(shortened("abcdefghijklmnopq"), "***");
        assert_eq!(shortened("abcdefghijklmnopqr"), "abcdef...opqr");
    }

    #[test]
    fn length_counts_characters_and_not_bytes() {
        assert_eq!(shortened("ééééééééé"), "***");
        assert_eq!(shortened("ééééééééééééééééüü"), "éééééé...ééüü");
    }

    #[test]
    fn control_and_format_characters_neither_count_nor_stay() {
        assert_eq!(
            shortened("abc\u{200b}def\0ghijklmnopqr\u{ad}\u{85}"),
            "abcdef...opqr"
        );
        assert_eq!(shortened("abcdefghijklm\n\n\n\n\n\n"), "***");
        assert_eq!(shortened("\0 abcdefghijklmnopqr \0"), "abcdef...opqr");
    }

    #[test]
    fn format_characters_are_those_of_unicode() {
        let format = compiled(r"^\p{Cf}$");
        let mut buffer = [0; 4];
        let wrong: Vec<char> = ('\0'..=char::MAX)
            .filter(|c| is_format(*c) != format.is_match(c.encode_utf8(&mut buffer)))
            .collect();
        assert_eq!(wrong, Vec::<char>::new());
    }

    #[test]
    fn what_a_mask_wrote_is_not_masked_again() {
        for mask in [Mask::Shortened, Mask::Sentinel] {
            for secret in [
                "short",
                "abcdefghijklmnopqrstuvwxyz",
                "ends.with.dots......",
            ] {
                let shown = mask.secret(secret).unwrap_or_default();
                assert_ne!(shown, secret);
                assert_eq!(mask.secret(&shown), None, "{shown}");
                assert_eq!(mask.hidden(&shown), None, "{shown}");
            }
        }
        assert_eq!(
            Mask::Shortened.secret(&Mask::Sentinel.token("ghp_", "ghp_x")),
            None
        );
    }

    #[test]
    fn a_sentinel_shows_the_family_and_nothing_else() {
        assert_eq!(
            Mask::Sentinel.token("ghp_", "ghp_abcdefghijklmnopqrst"),
            "«redacted:ghp_…»"
        );
        assert_eq!(
            Mask::Sentinel.secret("abcdefghijklmnopqrst").as_deref(),
            Some("«redacted-secret»")
        );
        assert_eq!(
            Mask::Sentinel.hidden("x").as_deref(),
            Some("«redacted-secret»")
        );
    }
}
