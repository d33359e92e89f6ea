//! Tells text from binary data by the first bytes of a file, and names the frequent binary formats.

use std::fmt;

/// Number of bytes that decide.
pub(in crate::tools) const SAMPLE_BYTES: usize = 1_000;

/// Names of formats by the bytes at an offset; the first row that fits wins.
const MAGIC: [(usize, &[u8], &str); 29] = [
    (0, b"\x89PNG\r\n\x1a\n", "PNG"),
    (0, b"\xff\xd8\xff", "JPEG"),
    (0, b"GIF87a", "GIF"),
    (0, b"GIF89a", "GIF"),
    (8, b"WEBP", "WebP"),
    (0, b"RIFF", "RIFF"),
    (0, b"%PDF", "PDF"),
    (0, b"PK\x03\x04", "ZIP"),
    (0, b"PK\x05\x06", "ZIP"),
    (0, b"\x1f\x8b", "gzip"),
    (0, b"BZh", "bzip2"),
    (0, b"\xfd7zXZ\x00", "xz"),
    (0, b"7z\xbc\xaf\x27\x1c", "7-Zip"),
    (0, b"\x7fELF", "ELF"),
    (0, b"MZ", "PE"),
    (0, b"\xfe\xed\xfa\xce", "Mach-O"),
    (0, b"\xfe\xed\xfa\xcf", "Mach-O"),
    (0, b"\xce\xfa\xed\xfe", "Mach-O"),
    (0, b"\xcf\xfa\xed\xfe", "Mach-O"),
    (0, b"\xca\xfe\xba\xbe", "Java class"),
    (0, b"SQLite format 3\x00", "SQLite"),
    (0, b"OggS", "Ogg"),
    (0, b"fLaC", "FLAC"),
    (0, b"ID3", "MP3"),
    (0, b"\xff\xfb", "MP3"),
    (4, b"ftyp", "MP4"),
    (0, b"BM", "BMP"),
    (0, b"II*\x00", "TIFF"),
    (0, b"MM\x00*", "TIFF"),
];

const UNKNOWN: &str = "unknown binary";
const IMAGES: [&str; 6] = ["PNG", "JPEG", "GIF", "WebP", "BMP", "TIFF"];

/// Describes a file that is not text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Binary {
    kind: &'static str,
    len: u64,
}

impl Binary {
    /// Judges a file of `len` bytes by its start; `None` if it is text.
    pub(super) fn detect(start: &[u8], len: u64) -> Option<Self> {
        let sample = start.split_at(start.len().min(SAMPLE_BYTES)).0;
        if is_text(sample, (sample.len() as u64) < len) {
            return None;
        }
        let kind = format_name(sample).unwrap_or(UNKNOWN);
        Some(Self { kind, len })
    }

    /// Tells whether the format has no name here.
    pub(super) fn is_unknown(self) -> bool {
        self.kind == UNKNOWN
    }

    /// Tells whether the format is one of images.
    pub(super) fn is_image(self) -> bool {
        IMAGES.contains(&self.kind)
    }
}

/// Names the format of data by its start; `None` if it is no frequent one.
pub(in crate::tools) fn format_name(start: &[u8]) -> Option<&'static str> {
    let fits = |(offset, magic, _): &&(usize, &[u8], _)| {
        start
            .get(*offset..)
            .is_some_and(|rest| rest.starts_with(magic))
    };
    MAGIC.iter().find(fits).map(|(_, _, kind)| *kind)
}

impl fmt::Display for Binary {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "Binary file ({}, {}) — cannot display as text.",
            self.kind,
            Size(self.len)
        )
    }
}

/// Tells whether a sample is UTF-8 without NUL; where it is only the start of a file its last character may be cut.
fn is_text(sample: &[u8], is_start: bool) -> bool {
    let is_utf8 = match std::str::from_utf8(sample) {
        Ok(_) => true,
        Err(error) => is_start && error.error_len().is_none(),
    };
    is_utf8 && !sample.contains(&0)
}

/// A number of bytes, shown with one decimal in the largest fitting unit up to megabytes.
struct Size(u64);

impl fmt::Display for Size {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        const KB: u64 = 1_024;
        const MB: u64 = KB * KB;
        let mut tenths = |unit, name| {
            // Rounded to the nearest tenth in whole numbers, which are exact for every size.
            let tenths = (u128::from(self.0) * 10 + u128::from(unit / 2)) / u128::from(unit);
            write!(formatter, "{}.{} {name}", tenths / 10, tenths % 10)
        };
        match self.0 {
            0..KB => write!(formatter, "{} bytes", self.0),
            KB..MB => tenths(KB, "KB"),
            MB.. => tenths(MB, "MB"),
        }
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use super::*;

    #[test]
    fn formats_are_named_by_their_magic() {
        let rows: [(&[u8], &str); 8] = [
            (b"\x89PNG\r\n\x1a\n\0\0", "PNG, 10 bytes"),
            (b"RIFF\0\0\0\0WEBPVP8", "WebP, 15 bytes"),
            (b"RIFF\0\0\0\0WAVE", "RIFF, 12 bytes"),
            (b"\x7fELF\x02\x01\x01\0", "ELF, 8 bytes"),
            (b"\0\0\0\x18ftypisom", "MP4, 12 bytes"),
            (b"SQLite format 3\0", "SQLite, 16 bytes"),
            (b"a\0b", "unknown binary, 3 bytes"),
            (b"caf\xe9 au lait", "unknown binary, 12 bytes"),
        ];
        for (bytes, expected) in rows {
            let binary = Binary::detect(bytes, u64::try_from(bytes.len()).unwrap()).unwrap();
            assert_eq!(
                binary.to_string(),
                format!("Binary file ({expected}) — cannot display as text.")
            );
            assert_eq!(binary.is_image(), ["PNG", "WebP"].contains(&binary.kind));
        }
    }

    #[test]
    fn text_that_looks_like_magic_is_text() {
        for text in [
            &b""[..],
            b"BM is no picture",
            b"%PDF is only a word",
            b"MZ",
            "ü".as_bytes(),
        ] {
            assert_eq!(
                Binary::detect(text, u64::try_from(text.len()).unwrap()),
                None
            );
        }
    }

    #[test]
    fn a_character_cut_by_the_sample_is_no_binary_data() {
        let text = format!("{}ü and more", "x".repeat(SAMPLE_BYTES - 1));
        assert_eq!(Binary::detect(text.as_bytes(), 1_010), None);
        // At the very end of a file half a character is a fault.
        assert_eq!(Binary::detect(b"x\xc3", 2).unwrap().kind, UNKNOWN);
        assert_eq!(Binary::detect(b"x\xc3", 3), None);
    }

    #[test]
    fn sizes_have_one_decimal() {
        let rows = [
            (1_023, "1023 bytes"),
            (1_024, "1.0 KB"),
            (1_587, "1.5 KB"),
            (5 * 1_024 * 1_024, "5.0 MB"),
            (u64::MAX, "17592186044416.0 MB"),
        ];
        for (bytes, expected) in rows {
            assert_eq!(Size(bytes).to_string(), expected);
        }
    }
}
