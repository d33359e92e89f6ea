//! The bytes that replace a file: the new text in the line endings and with the byte order mark of the old one.

use std::borrow::Cow;

/// Number of bytes of an old file that decide about line endings.
pub(super) const SAMPLE_BYTES: usize = 4_096;

const BOM: &str = "\u{feff}";

/// Returns the new content in the form of the old one, which `old` is the start of.
pub(super) fn in_form_of<'a>(text: &'a str, old: &[u8]) -> Cow<'a, str> {
    let mut text = Cow::Borrowed(text);
    let sample = old.get(..SAMPLE_BYTES).unwrap_or(old);
    if sample.windows(2).any(|pair| pair == b"\r\n") {
        text = text.replace("\r\n", "\n").replace('\n', "\r\n").into();
    }
    if old.starts_with(BOM.as_bytes()) && !text.starts_with(BOM) {
        text = format!("{BOM}{text}").into();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_endings_and_mark_of_the_old_file_stay() {
        let rows: [(&str, &[u8], &str); 6] = [
            ("a\nb\n", b"x\ny\n", "a\nb\n"),
            ("a\nb\r\n", b"x\r\ny", "a\r\nb\r\n"),
            ("a\n", b"\xef\xbb\xbfx\n", "\u{feff}a\n"),
            ("\u{feff}a\n", b"\xef\xbb\xbfx\r\n", "\u{feff}a\r\n"),
            ("a\r\n", b"x\n", "a\r\n"),
            ("a\n", b"", "a\n"),
        ];
        for (text, old, expected) in rows {
            assert_eq!(in_form_of(text, old), expected, "{text:?} over {old:?}");
        }
        let late = [&[b'x'; SAMPLE_BYTES - 1][..], b"\r\n"].concat();
        assert_eq!(in_form_of("a\n", &late), "a\n");
    }
}
