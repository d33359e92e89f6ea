//! Measured amounts and the ratio of two of them, as the table writes them.

use std::fmt;

/// A measured amount.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Quantity {
    Seconds(f64),
    Bytes(f64),
    PerSecond(f64),
}

impl Quantity {
    /// Returns the number in the base unit: seconds, bytes, or times a second.
    pub(crate) fn value(self) -> f64 {
        match self {
            Self::Seconds(value) | Self::Bytes(value) | Self::PerSecond(value) => value,
        }
    }
}

impl fmt::Display for Quantity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Seconds(seconds) if seconds.abs() >= 1.0 => {
                write!(formatter, "{} s", three_digits(seconds))
            }
            Self::Seconds(seconds) if seconds.abs() >= 1e-3 => {
                write!(formatter, "{} ms", three_digits(seconds * 1e3))
            }
            Self::Seconds(seconds) => write!(formatter, "{} µs", three_digits(seconds * 1e6)),
            Self::Bytes(bytes) => write!(formatter, "{} MB", three_digits(bytes / 1e6)),
            Self::PerSecond(times) => write!(formatter, "{times:.0}/s"),
        }
    }
}

/// Ours divided by native.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub(crate) struct Ratio(pub(crate) f64);

impl fmt::Display for Ratio {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 > 0.0 && self.0 < 0.5 {
            let times = three_digits(1.0 / self.0);
            let short = times.strip_suffix(".00").or(times.strip_suffix(".0"));
            write!(formatter, "1/{}", short.unwrap_or(&times))
        } else {
            write!(formatter, "{:.2}", self.0)
        }
    }
}

/// Writes a number with three digits that count, or more where the integer part has more.
fn three_digits(value: f64) -> String {
    let decimals = match value.abs() {
        size if size < 9.995 => 2,
        size if size < 99.95 => 1,
        _ => 0,
    };
    format!("{value:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_have_three_digits_and_a_fitting_unit() {
        assert_eq!(Quantity::Seconds(1.5).to_string(), "1.50 s");
        assert_eq!(Quantity::Seconds(0.0108).to_string(), "10.8 ms");
        assert_eq!(Quantity::Seconds(0.172).to_string(), "172 ms");
        assert_eq!(Quantity::Seconds(0.000_000_65).to_string(), "0.65 µs");
        assert_eq!(Quantity::Seconds(-0.000_02).to_string(), "-20.0 µs");
        assert_eq!(Quantity::Bytes(1_048_576.0).to_string(), "1.05 MB");
        assert_eq!(Quantity::PerSecond(2534.4).to_string(), "2534/s");
    }

    #[test]
    fn small_ratios_are_fractions() {
        assert_eq!(Ratio(1.9).to_string(), "1.90");
        assert_eq!(Ratio(0.6).to_string(), "0.60");
        assert_eq!(Ratio(0.05).to_string(), "1/20");
        assert_eq!(Ratio(0.2).to_string(), "1/5");
        assert_eq!(Ratio(0.03).to_string(), "1/33.3");
        assert_eq!(Ratio(0.005).to_string(), "1/200");
    }
}
