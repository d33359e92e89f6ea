//! What an opened file holds: text in one of its encodings, of which a page is read, or something else.

use std::fs::File;
use std::io::{self, Read};

use super::binary::{Binary, SAMPLE_BYTES};
use super::index::LineIndex;
use super::page::{Page, PageRequest};
use super::text::Text;
use super::utf16::{self, Utf16};
use crate::fs::RegularFile;
use crate::text::redact::Redactor;

/// Largest file that is read at once, in bytes.
pub(super) const SMALL_BYTES: u64 = 256 * 1024;
const BOM: &[u8] = b"\xef\xbb\xbf";

/// What a file holds.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// A page, and the encoding of the file if it is not UTF-8.
    Text(Page, Option<Utf16>),
    Binary(Binary),
}

/// Reads pages of files for one cell.
pub(super) struct Contents<'a> {
    pub(super) request: PageRequest,
    pub(super) redactor: &'a Redactor,
    /// Tells whether anybody still waits for the page.
    pub(super) goes_on: &'a dyn Fn() -> bool,
}

impl Contents<'_> {
    /// Reads a page of a small file, which is read as a whole.
    pub(super) fn small(&self, file: &File, len: u64) -> io::Result<Content> {
        // Files that the kernel makes up have no length; what they hold is small.
        let (capacity, most) = match usize::try_from(len) {
            Ok(capacity @ 1..) => (capacity, len),
            _ => (0, SMALL_BYTES),
        };
        let mut bytes = Vec::with_capacity(capacity);
        file.take(most).read_to_end(&mut bytes)?;
        let start = bytes.split_at(bytes.len().min(SAMPLE_BYTES)).0;
        // A length in memory fits into 64 bits.
        match Form::detect(start, bytes.len() as u64) {
            Form::Binary(binary) => Ok(Content::Binary(binary)),
            Form::Utf16(encoding) => self.transcoded(&bytes, encoding),
            Form::Utf8 { begin } => {
                let mut text = Text::in_memory(bytes, begin);
                let index = &mut LineIndex::new(begin);
                let page = Page::read(&mut text, self.request, index, self.redactor, self.goes_on)?;
                Ok(Content::Text(page, None))
            }
        }
    }

    /// Reads a page of a large file; `index` is what is known about its lines, and becomes what is known then.
    pub(super) fn large(
        &self,
        opened: &RegularFile,
        index: &mut Option<LineIndex>,
    ) -> io::Result<Content> {
        let (mut file, len) = (&opened.file, opened.len);
        let mut start = Vec::with_capacity(SAMPLE_BYTES);
        file.take(SAMPLE_BYTES as u64).read_to_end(&mut start)?;
        match Form::detect(&start, len) {
            Form::Binary(binary) => Ok(Content::Binary(binary)),
            Form::Utf16(encoding) => {
                file.take(len.saturating_sub(start.len() as u64))
                    .read_to_end(&mut start)?;
                self.transcoded(&start, encoding)
            }
            Form::Utf8 { begin } => {
                let mut text = Text::new(&mut file, begin, len);
                let index = index.get_or_insert_with(|| LineIndex::new(begin));
                let page = Page::read(&mut text, self.request, index, self.redactor, self.goes_on)?;
                Ok(Content::Text(page, None))
            }
        }
    }

    fn transcoded(&self, bytes: &[u8], encoding: Utf16) -> io::Result<Content> {
        let mut text = Text::in_memory(encoding.decode(bytes), 0);
        let index = &mut LineIndex::new(0);
        let page = Page::read(&mut text, self.request, index, self.redactor, self.goes_on)?;
        Ok(Content::Text(page, Some(encoding)))
    }
}

/// How a file is to be read.
#[derive(Debug, PartialEq, Eq)]
enum Form {
    /// The text begins behind a byte order mark, if there is one.
    Utf8 {
        begin: u64,
    },
    Utf16(Utf16),
    Binary(Binary),
}

impl Form {
    /// Judges a file of `len` bytes by its start.
    fn detect(start: &[u8], len: u64) -> Self {
        let Some(binary) = Binary::detect(start, len) else {
            let begin = if start.starts_with(BOM) { BOM.len() } else { 0 };
            return Self::Utf8 {
                begin: begin as u64,
            };
        };
        match Utf16::detect(start) {
            Some(encoding) if binary.is_unknown() => {
                if len <= utf16::MAX_BYTES {
                    Self::Utf16(encoding)
                } else {
                    Self::Binary(binary)
                }
            }
            _ => Self::Binary(binary),
        }
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use super::*;

    fn encoded(text: &str, encoding: Utf16) -> Vec<u8> {
        text.encode_utf16()
            .flat_map(|unit| match encoding {
                Utf16::LittleEndian => unit.to_le_bytes(),
                Utf16::BigEndian => unit.to_be_bytes(),
            })
            .collect()
    }

    fn form(bytes: &[u8]) -> Form {
        let start = bytes.split_at(bytes.len().min(SAMPLE_BYTES)).0;
        Form::detect(start, u64::try_from(bytes.len()).unwrap())
    }

    #[test]
    fn utf_16_is_known_by_its_mark_or_by_its_zero_bytes() {
        for encoding in [Utf16::LittleEndian, Utf16::BigEndian] {
            for text in [
                "\u{feff}key = value\n",
                "key = value\n",
                "\u{feff}\u{4f60}\u{597d}\n",
                "\u{feff}\u{1f600}",
                "\u{feff}",
                "gr\u{fc}n, \u{4f60}!\r\n",
                &format!("\u{feff}x{}", "\u{1f600}".repeat(400)),
            ] {
                let bytes = encoded(text, encoding);
                assert_eq!(form(&bytes), Form::Utf16(encoding), "{text:?}");
                let plain = text.trim_start_matches('\u{feff}');
                assert_eq!(encoding.decode(&bytes), plain.as_bytes());
            }
        }
    }

    #[test]
    fn binary_data_with_zero_bytes_is_not_utf_16() {
        for bytes in [
            &b"\x01\0\x02\0\x03\0\x04\0"[..],
            b"\xff\xfe\0\0A\0\0\0",
            b"\0\0\0\0\0\0\0\0",
            b"a\0b",
            b"a\0",
            b"\x7fELF\x02\0\0\0",
            b"BM\x01\0\x02\0\x03\0",
            b"ab\0cd\0ef",
            b"\xff\xfb\x90\0",
        ] {
            assert!(matches!(form(bytes), Form::Binary(_)), "{bytes:?}");
        }
    }

    #[test]
    fn utf_16_without_end_is_too_large() {
        let start = encoded("\u{feff}text", Utf16::LittleEndian);
        let form = |len| Form::detect(&start, len);
        assert_eq!(form(utf16::MAX_BYTES), Form::Utf16(Utf16::LittleEndian));
        let Form::Binary(binary) = form(utf16::MAX_BYTES + 1) else {
            panic!("not refused")
        };
        assert_eq!(
            binary.to_string(),
            "Binary file (unknown binary, 10.0 MB) — cannot display as text."
        );
    }

    #[test]
    fn half_units_and_halves_of_pairs_become_replacement_characters_or_nothing() {
        let bytes = b"\xff\xfea\0\x00\xd8b\0c";
        assert_eq!(Utf16::LittleEndian.decode(bytes), "a\u{fffd}b".as_bytes());
    }

    #[test]
    fn a_text_begins_behind_its_byte_order_mark() {
        assert_eq!(form(b"\xef\xbb\xbfx"), Form::Utf8 { begin: 3 });
        assert_eq!(form(b"x"), Form::Utf8 { begin: 0 });
        assert_eq!(form(b""), Form::Utf8 { begin: 0 });
    }
}
