//! Owns the secrets that their own shape gives away: passes 3, 6, 7, 10 and 12.
//!
//! Each function is one pass. Neighbouring characters are looked at by hand.

use std::sync::LazyLock;

use regex::Regex;

use super::boundary::ends_in_word;
use super::mask::Mask;
use super::rewrite::{Rewrite, replace_each};
use crate::text::pattern::compiled;

/// Stands for a private key.
const PRIVATE_KEY: &str = "[REDACTED PRIVATE KEY]";

/// Phone numbers up to this length, the plus sign included, show two characters at each side, longer ones four.
const SHORT_PHONE: usize = 8;

/// Masks Zhipu keys: 32 lower-case hexadecimal digits, a dot and at least 16 letters or digits.
pub(super) fn zhipu_keys(text: &str, mask: Mask) -> Option<String> {
    static KEY: LazyLock<Regex> = LazyLock::new(|| compiled(r"[0-9a-f]{32}\.[A-Za-z0-9]{16,}"));
    replace_each(text, &KEY, |found| {
        let key = found.get(0)?;
        let bounded = !ends_in_word(text.get(..key.start())?, b"_-");
        bounded
            .then(|| mask.secret(key.as_str()))
            .flatten()
            .map(|shown| (key.range(), shown))
    })
}

/// Masks Telegram bot tokens behind the number of the bot.
pub(super) fn telegram_tokens(text: &str, mask: Mask) -> Option<String> {
    static TOKEN: LazyLock<Regex> = LazyLock::new(|| compiled(r"[0-9]{8,}:([-A-Za-z0-9_]{30,})"));
    replace_each(text, &TOKEN, |found| {
        let secret = found.get(1)?;
        mask.hidden(secret.as_str())
            .map(|shown| (secret.range(), shown))
    })
}

/// Replaces private keys in PEM form. Of a key without an end, the lines of its body are replaced.
pub(super) fn private_keys(text: &str, mask: Mask) -> Option<String> {
    static BEGIN: LazyLock<Regex> =
        LazyLock::new(|| compiled(r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----"));
    static END: LazyLock<Regex> =
        LazyLock::new(|| compiled(r"-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----"));
    if !text.contains("-----BEGIN ") {
        return None;
    }
    let mut rewrite = Rewrite::new(text);
    // Both kinds of line are met in order, each once: no begin looks for its end again.
    let mut ends = END.find_iter(text).peekable();
    let mut covered = 0;
    for begin in BEGIN.find_iter(text) {
        if begin.start() < covered {
            continue;
        }
        while ends.next_if(|end| end.start() < begin.end()).is_some() {}
        let end = match ends.peek() {
            Some(end) => Some(end.end()),
            None => unfinished_key(text, begin.end()),
        };
        if let Some(end) = end
            && let Some(key) = text.get(begin.start()..end)
            && let Some(shown) = mask.fixed(key, PRIVATE_KEY)
        {
            rewrite.replace(begin.start()..end, &shown);
            covered = end;
        }
    }
    rewrite.finish()
}

/// Returns the end of the lines of base64 that follow the first line of a key, if there are any.
fn unfinished_key(text: &str, start: usize) -> Option<usize> {
    static BODY: LazyLock<Regex> =
        LazyLock::new(|| compiled(r"^(?:(?:\s|\\[nr])+[A-Za-z0-9+/]{16,}={0,2})+"));
    let rest = text.get(start..)?;
    BODY.find(rest).map(|body| start + body.end())
}

/// Masks JSON web tokens of one to three segments.
pub(super) fn jwts(text: &str, mask: Mask) -> Option<String> {
    static TOKEN: LazyLock<Regex> = LazyLock::new(|| {
        compiled(r"eyJ[A-Za-z0-9_-]{10,}={0,2}(?:\.[A-Za-z0-9_-]{4,}={0,2}){0,2}")
    });
    replace_each(text, &TOKEN, |found| {
        let token = found.get(0)?;
        let bounded = !ends_in_word(text.get(..token.start())?, b"_-");
        bounded
            .then(|| mask.secret(token.as_str()))
            .flatten()
            .map(|shown| (token.range(), shown))
    })
}

/// Masks the middle of phone numbers in international form.
pub(super) fn phone_numbers(text: &str, mask: Mask) -> Option<String> {
    static PHONE: LazyLock<Regex> = LazyLock::new(|| compiled(r"\+[1-9][0-9]{6,14}"));
    replace_each(text, &PHONE, |found| {
        let phone = found.get(0)?;
        let sum = ends_in_word(text.get(..phone.start())?, b"_+");
        if sum || number_goes_on(text, phone.end()) {
            return None;
        }
        let sides = if phone.len() <= SHORT_PHONE { 2 } else { 4 };
        let head = phone.as_str().get(..sides)?;
        let tail = phone.as_str().get(phone.len() - sides..)?;
        mask.fixed(phone.as_str(), &format!("{head}****{tail}"))
            .map(|shown| (phone.range(), shown))
    })
}

/// Returns whether what follows makes the digits a word, a longer number or a fraction.
fn number_goes_on(text: &str, end: usize) -> bool {
    let mut rest = text.get(end..).unwrap_or_default().chars();
    match rest.next() {
        Some('.') => rest.next().is_some_and(|c| c.is_ascii_digit()),
        Some(c) => c.is_ascii_alphanumeric() || c == '_',
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Pass = fn(&str, Mask) -> Option<String>;

    fn check(pass: Pass, rows: &[(&str, &str)]) {
        for (text, expected) in rows {
            let shown = pass(text, Mask::Shortened).unwrap_or_else(|| (*text).to_owned());
            assert_eq!(shown, *expected, "{text}");
        }
    }

    #[test]
    fn zhipu_keys_are_shortened() {
        check(
            zhipu_keys,
            &[
                (
                    "k=0123456789abcdef0123456789abcdef.ABCDEFGHIJKLMNOP",
                    "k=012345...MNOP",
                ),
                (
                    "0123456789abcdef0123456789abcdef.ABCDEFGHIJKLMNO",
                    "0123456789abcdef0123456789abcdef.ABCDEFGHIJKLMNO",
                ),
                (
                    "0123456789ABCDEF0123456789abcdef.ABCDEFGHIJKLMNOP",
                    "0123456789ABCDEF0123456789abcdef.ABCDEFGHIJKLMNOP",
                ),
                (
                    "00000000123456789abcdef0123456789abcdef0.ABCDEFGHIJKLMNOP",
                    "00000000123456789abcdef0123456789abcdef0.ABCDEFGHIJKLMNOP",
                ),
            ],
        );
    }

    #[test]
    fn telegram_tokens_keep_the_number_of_the_bot() {
        check(
            telegram_tokens,
            &[
                (
                    "bot123456789:AAabcdefghijklmnopqrstuvwxyz-_12345/getMe",
                    "bot123456789:***/getMe",
                ),
                (
                    "123456789:AAabcdefghijklmnopqrstuvwxyz_12345",
                    "123456789:***",
                ),
                (
                    "1234567:AAabcdefghijklmnopqrstuvwxyz_12345",
                    "1234567:AAabcdefghijklmnopqrstuvwxyz_12345",
                ),
                (
                    "123456789:AAabcdefghijklmnopqrstuvwxyz",
                    "123456789:AAabcdefghijklmnopqrstuvwxyz",
                ),
                ("12:30:45 done", "12:30:45 done"),
            ],
        );
    }

    #[test]
    fn private_keys_are_replaced_whole() {
        check(
            private_keys,
            &[
                (
                    "a\n-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\nb",
                    "a\n[REDACTED PRIVATE KEY]\nb",
                ),
                (
                    "-----BEGIN PGP PRIVATE KEY BLOCK-----\nx\n-----END PGP PRIVATE KEY BLOCK-----",
                    "[REDACTED PRIVATE KEY]",
                ),
                (
                    "-----BEGIN PRIVATE KEY-----\n1\n-----END PRIVATE KEY----- \
                     -----BEGIN EC PRIVATE KEY-----\n2\n-----END EC PRIVATE KEY-----",
                    "[REDACTED PRIVATE KEY] [REDACTED PRIVATE KEY]",
                ),
                (
                    "-----BEGIN PUBLIC KEY-----\nMIIE\n-----END PUBLIC KEY-----",
                    "-----BEGIN PUBLIC KEY-----\nMIIE\n-----END PUBLIC KEY-----",
                ),
            ],
        );
    }

    #[test]
    fn the_body_of_a_key_without_an_end_is_replaced() {
        check(
            private_keys,
            &[
                (
                    "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG\nAbCdEfGhIjKlMnOpQrSt==\nok",
                    "[REDACTED PRIVATE KEY]\nok",
                ),
                (
                    "if '-----BEGIN PRIVATE KEY-----' in text:",
                    "if '-----BEGIN PRIVATE KEY-----' in text:",
                ),
            ],
        );
    }

    #[test]
    fn many_begins_without_an_end_are_walked_once() {
        let text = "-----BEGIN PRIVATE KEY-----\n".repeat(20_000);
        assert_eq!(private_keys(&text, Mask::Shortened), None);
    }

    #[test]
    fn jwts_of_one_to_three_segments_are_shortened() {
        check(
            jwts,
            &[
                (
                    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
                    "eyJhbG...dXJl",
                ),
                (
                    "\"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0\"",
                    "\"eyJhbG...xIn0\"",
                ),
                ("eyJhbGciOiJIUzI1NiJ9", "eyJhbG...NiJ9"),
                ("eyJhbGciOiJIU", "***"),
                ("eyJhbGciOi", "eyJhbGciOi"),
                ("keyJhbGciOiJIUzI1NiJ9", "keyJhbGciOiJIUzI1NiJ9"),
            ],
        );
    }

    #[test]
    fn phone_numbers_keep_both_ends() {
        check(
            phone_numbers,
            &[
                ("+14155552671", "+141****2671"),
                ("call +442071838750.", "call +442****8750."),
                ("+1234567", "+1****67"),
                ("+12345678", "+123****5678"),
                ("+123456", "+123456"),
                ("+1234567890123456", "+1234567890123456"),
                ("+01234567890", "+01234567890"),
                ("x+14155552671", "x+14155552671"),
                ("1e+10000000", "1e+10000000"),
                ("+1234567.89", "+1234567.89"),
                ("+14155552671x", "+14155552671x"),
                ("2024-01-01T00:00:00+0100", "2024-01-01T00:00:00+0100"),
            ],
        );
    }

    #[test]
    fn every_shape_has_a_sentinel() {
        let sentinel = "«redacted-secret»";
        for (pass, text, expected) in [
            (
                zhipu_keys as Pass,
                "0123456789abcdef0123456789abcdef.ABCDEFGHIJKLMNOP",
                sentinel.to_owned(),
            ),
            (
                telegram_tokens,
                "bot123456789:AAabcdefghijklmnopqrstuvwxyz_12345",
                format!("bot123456789:{sentinel}"),
            ),
            (
                private_keys,
                "-----BEGIN PRIVATE KEY-----\nx\n-----END PRIVATE KEY-----",
                format!("{sentinel}\n{sentinel}\n{sentinel}"),
            ),
            (jwts, "eyJhbGciOiJIUzI1NiJ9", sentinel.to_owned()),
            (phone_numbers, "+14155552671", sentinel.to_owned()),
        ] {
            assert_eq!(pass(text, Mask::Sentinel), Some(expected), "{text}");
        }
    }
}
