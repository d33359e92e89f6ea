//! Sizes in bytes, as people write them.

use std::fmt;
use std::str::FromStr;

/// A size in bytes. Reads `512MiB`, `64k`, `1.5 GB` or a plain number; units with an `i` and single letters are powers of 1,024.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ByteSize(u64);

/// A text that is no size.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not a size; hint: write a number of bytes or, for example, `512MiB`")]
pub struct ParseSizeError {
    text: String,
}

impl ByteSize {
    /// Makes a size of that many bytes.
    pub const fn bytes(bytes: u64) -> Self {
        Self(bytes)
    }

    /// Makes a size of that many mebibytes.
    pub const fn mebibytes(mebibytes: u32) -> Self {
        Self((mebibytes as u64) << 20)
    }

    /// Returns the size in bytes.
    pub const fn as_bytes(self) -> u64 {
        self.0
    }
}

impl FromStr for ByteSize {
    type Err = ParseSizeError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        parse(text.trim()).map(Self).ok_or_else(|| ParseSizeError {
            text: text.to_owned(),
        })
    }
}

impl fmt::Display for ByteSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (unit, shift) in [("GiB", 30), ("MiB", 20), ("KiB", 10)] {
            if self.0 != 0 && self.0.is_multiple_of(1 << shift) {
                return write!(f, "{}{unit}", self.0 >> shift);
            }
        }
        write!(f, "{}B", self.0)
    }
}

fn parse(text: &str) -> Option<u64> {
    let split = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let scale = match unit.trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "k" | "kib" => 1 << 10,
        "m" | "mib" => 1 << 20,
        "g" | "gib" => 1 << 30,
        "kb" => 1_000,
        "mb" => 1_000_000,
        "gb" => 1_000_000_000,
        _ => return None,
    };
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
    if whole.is_empty() || fraction.is_empty() || fraction.len() > 9 || fraction.contains('.') {
        return None;
    }
    let whole: u64 = whole.parse().ok()?;
    let numerator: u64 = fraction.parse().ok()?;
    // At most nine digits: the power fits, and so does its product with the largest unit.
    let denominator = 10_u64.pow(u32::try_from(fraction.len()).ok()?);
    whole
        .checked_mul(scale)?
        .checked_add(numerator.checked_mul(scale)? / denominator)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_as_people_write_them() {
        for (text, bytes) in [
            ("0", 0),
            ("1024", 1024),
            ("64k", 65_536),
            ("512MiB", 536_870_912),
            (" 1.5 GB ", 1_500_000_000),
            ("2g", 2_147_483_648),
            ("10b", 10),
        ] {
            assert_eq!(text.parse(), Ok(ByteSize(bytes)), "{text}");
        }
    }

    #[test]
    fn what_is_no_size_is_refused() {
        for text in [
            "",
            "-1",
            "MiB",
            "1..5k",
            "1.5.5k",
            "12 parsecs",
            "99999999999g",
            "NaN",
            "1e3",
            ".",
        ] {
            assert_eq!(
                text.parse::<ByteSize>(),
                Err(ParseSizeError {
                    text: text.to_owned()
                }),
                "{text}"
            );
        }
    }

    #[test]
    fn a_size_is_shown_in_its_largest_whole_unit() {
        assert_eq!(ByteSize::mebibytes(512).to_string(), "512MiB");
        assert_eq!(ByteSize::bytes(1 << 30).to_string(), "1GiB");
        assert_eq!(ByteSize::bytes(1500).to_string(), "1500B");
    }
}
