//! Text in UTF-16: how it is noticed, and how it becomes UTF-8.

use std::fmt;

/// Largest file that is transcoded, in bytes; the whole text is held in memory.
pub(super) const MAX_BYTES: u64 = 10 * 1024 * 1024;
/// Shortest sample in which zero bytes tell something.
const MIN_SAMPLE_BYTES: usize = 4;

/// Which byte of a unit comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Utf16 {
    LittleEndian,
    BigEndian,
}

impl Utf16 {
    /// Judges the start of a file by its byte order mark, else by where its zero bytes are; `None` if it is something else.
    pub(super) fn detect(start: &[u8]) -> Option<Self> {
        let found = match start {
            [0xff, 0xfe, ..] => Self::LittleEndian,
            [0xfe, 0xff, ..] => Self::BigEndian,
            _ => Self::by_zero_bytes(start)?,
        };
        // Numbers of 16 or 32 bits in binary data have zero bytes in the same places.
        let is_control = |letter| matches!(letter, '\0'..='\x08' | '\x0e'..='\x1a');
        (!found.text(start).any(is_control)).then_some(found)
    }

    /// Text in Latin letters has its zero bytes at the one parity, at least every second one, and none at the other.
    fn by_zero_bytes(start: &[u8]) -> Option<Self> {
        if start.len() < MIN_SAMPLE_BYTES {
            return None;
        }
        let (mut first, mut second) = (0, 0);
        let (units, _) = start.as_chunks::<2>();
        for [high, low] in units {
            first += usize::from(*high == 0);
            second += usize::from(*low == 0);
        }
        let is_most = |zeros: usize| zeros * 2 >= units.len();
        match (first, second) {
            (0, second) if is_most(second) => Some(Self::LittleEndian),
            (first, 0) if is_most(first) => Some(Self::BigEndian),
            _ => None,
        }
    }

    /// Returns the text as UTF-8 without its byte order mark; what is no character becomes a replacement character.
    pub(super) fn decode(self, bytes: &[u8]) -> Vec<u8> {
        self.text(bytes).collect::<String>().into_bytes()
    }

    /// Returns the characters behind a byte order mark. A last byte without a second one is left out.
    fn text(self, bytes: &[u8]) -> impl Iterator<Item = char> {
        const BOM: u16 = 0xfeff;
        let (units, _) = bytes.as_chunks::<2>();
        let units = units.iter().map(move |unit| match self {
            Self::LittleEndian => u16::from_le_bytes(*unit),
            Self::BigEndian => u16::from_be_bytes(*unit),
        });
        let mut units = units.peekable();
        units.next_if_eq(&BOM);
        char::decode_utf16(units).map(|letter| letter.unwrap_or(char::REPLACEMENT_CHARACTER))
    }
}

impl fmt::Display for Utf16 {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::LittleEndian => "UTF-16-LE",
            Self::BigEndian => "UTF-16-BE",
        })
    }
}
