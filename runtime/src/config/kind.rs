//! What a key can be, and how a value of any YAML type becomes that.

use std::time::Duration;

use super::yaml::Value;
use super::zone::is_zone;

/// Largest number that any key takes: as seconds it is thirty years.
const MAX_WHOLE: u64 = 1_000_000_000;

/// Reads a value of any type; `None` is for one that is broken.
type Coerce<T> = dyn Fn(&Value) -> Option<T>;

/// A type of values: how it is read, and how a message calls it.
pub(super) struct Kind<T> {
    pub(super) expected: String,
    pub(super) coerce: Box<Coerce<T>>,
}

impl<T: 'static> Kind<T> {
    fn new(expected: impl Into<String>, coerce: impl Fn(&Value) -> Option<T> + 'static) -> Self {
        Self {
            expected: expected.into(),
            coerce: Box::new(coerce),
        }
    }

    /// Makes another type of the values.
    pub(super) fn map<U: 'static>(self, change: impl Fn(T) -> U + 'static) -> Kind<U> {
        let Self { expected, coerce } = self;
        Kind::new(expected, move |value| coerce(value).map(&change))
    }
}

/// Whole numbers from `least` on: integers, floats as far as they are whole, and texts of either.
pub(super) fn whole(least: u64) -> Kind<u64> {
    let read = move |value: &Value| {
        let number = match value {
            Value::Integer(number) => u64::try_from(*number).ok()?,
            Value::Float(number) => truncated(*number)?,
            Value::Text(text) => {
                let text = text.trim();
                let float = || text.parse().ok().and_then(truncated);
                text.parse().ok().or_else(float)?
            }
            _ => return None,
        };
        (least..=MAX_WHOLE).contains(&number).then_some(number)
    };
    Kind::new(format!("a whole number from {least} to {MAX_WHOLE}"), read)
}

/// Whole numbers of seconds, 1 or more.
pub(super) fn seconds() -> Kind<Duration> {
    let mut kind = whole(1).map(Duration::from_secs);
    kind.expected.push_str(" (seconds)");
    kind
}

/// Sizes and counts in memory, 1 or more.
pub(super) fn size() -> Kind<usize> {
    // Ten digits fit: where they did not, the limit would be the largest there is.
    whole(1).map(|number| usize::try_from(number).unwrap_or(usize::MAX))
}

/// `true` or `false`, or a word or number that means one of them.
pub(super) fn boolean() -> Kind<bool> {
    Kind::new("a boolean", |value| match value {
        Value::Bool(value) => Some(*value),
        Value::Integer(0) => Some(false),
        Value::Integer(1) => Some(true),
        Value::Text(text) => match text.trim().to_ascii_lowercase().as_str() {
            "true" | "yes" | "on" | "1" => Some(true),
            "false" | "no" | "off" | "0" => Some(false),
            _ => None,
        },
        _ => None,
    })
}

/// One of a few words, whatever their case and the blanks around them. A bare `off`, which YAML reads as a boolean, is that word.
pub(super) fn choice(words: &'static [&'static str]) -> Kind<&'static str> {
    let quoted: Vec<_> = words.iter().map(|word| format!("`{word}`")).collect();
    let expected = format!("one of {}", quoted.join(", "));
    let expected = match quoted.as_slice() {
        [only] => only.clone(),
        _ => expected,
    };
    Kind::new(expected, move |value| {
        let word = match value {
            Value::Bool(false) => "off",
            Value::Text(text) => text.trim(),
            _ => return None,
        };
        let found = words.iter().find(|known| known.eq_ignore_ascii_case(word));
        found.copied()
    })
}

/// A text without blanks around it; an empty one is as good as none.
pub(super) fn text() -> Kind<Option<String>> {
    Kind::new("a text", |value| match value {
        Value::Text(text) if !text.contains('\0') => Some(
            Some(text.trim())
                .filter(|text| !text.is_empty())
                .map(str::to_owned),
        ),
        _ => None,
    })
}

/// The name of a time zone that this machine knows; an empty one is as good as none.
pub(super) fn time_zone() -> Kind<Option<String>> {
    let Kind { coerce, .. } = text();
    Kind::new(
        "the IANA name of a time zone that this machine knows",
        move |value| {
            let zone = coerce(value)?;
            zone.as_deref().is_none_or(is_zone).then_some(zone)
        },
    )
}

/// Returns a float as Python's `int` does, towards zero; `None` for what is no number at all, and below zero.
fn truncated(number: f64) -> Option<u64> {
    let is_in_range = (0.0..=1e15).contains(&number);
    // In that range every whole number has an exact form in both types.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the range was checked"
    )]
    is_in_range.then(|| number.trunc() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(text: &str) -> Value {
        Value::Text(text.to_owned())
    }

    #[test]
    fn whole_numbers_are_read_from_what_is_one() {
        let rows = [
            (Value::Integer(1), Some(1)),
            (Value::Integer(1_000_000_000), Some(1_000_000_000)),
            (Value::Float(7.0), Some(7)),
            (Value::Float(2.9), Some(2)),
            (word(" 42 "), Some(42)),
            (word("2.5"), Some(2)),
            (Value::Integer(0), None),
            (Value::Integer(-1), None),
            (Value::Integer(1_000_000_001), None),
            (Value::Integer(i64::MAX), None),
            (Value::Float(0.5), None),
            (Value::Float(-3.0), None),
            (Value::Float(f64::NAN), None),
            (Value::Float(f64::INFINITY), None),
            (Value::Bool(true), None),
            (word("five"), None),
            (word("inf"), None),
            (word(""), None),
            (Value::List(vec![Value::Integer(1)]), None),
        ];
        for (value, expected) in rows {
            assert_eq!((whole(1).coerce)(&value), expected, "{value:?}");
        }
        assert_eq!((whole(0).coerce)(&Value::Integer(0)), Some(0));
    }

    #[test]
    fn booleans_have_words_and_numbers() {
        for yes in [
            Value::Bool(true),
            Value::Integer(1),
            word("Yes"),
            word(" ON "),
            word("1"),
        ] {
            assert_eq!((boolean().coerce)(&yes), Some(true), "{yes:?}");
        }
        for no in [
            Value::Bool(false),
            Value::Integer(0),
            word("No"),
            word("off"),
            word("FALSE"),
        ] {
            assert_eq!((boolean().coerce)(&no), Some(false), "{no:?}");
        }
        for broken in [
            Value::Integer(2),
            Value::Float(1.0),
            word("maybe"),
            word(""),
            Value::List(vec![]),
        ] {
            assert_eq!((boolean().coerce)(&broken), None, "{broken:?}");
        }
    }

    #[test]
    fn a_choice_is_one_of_its_words() {
        let kind = choice(&["smart", "off"]);
        assert_eq!(kind.expected, "one of `smart`, `off`");
        assert_eq!((kind.coerce)(&word(" SMART ")), Some("smart"));
        assert_eq!((kind.coerce)(&Value::Bool(false)), Some("off"));
        for broken in [
            word("bogus"),
            word(""),
            Value::Bool(true),
            Value::Integer(0),
        ] {
            assert_eq!((kind.coerce)(&broken), None, "{broken:?}");
        }
        assert_eq!((choice(&["local"]).coerce)(&Value::Bool(false)), None);
    }

    #[test]
    fn zones_have_the_form_of_their_names() {
        for good in [
            "UTC",
            "Asia/Kolkata",
            "Etc/GMT+5",
            "America/Argentina/Buenos_Aires",
        ] {
            assert_eq!(
                (time_zone().coerce)(&word(good)),
                Some(Some(good.to_owned()))
            );
        }
        assert_eq!((time_zone().coerce)(&word("  ")), Some(None));
        for bad in [
            "../etc/passwd",
            "/etc/localtime",
            ":UTC",
            "A//B",
            "Asia/",
            "a b",
            "Zürich",
            "UTC\0",
            "5",
        ] {
            assert_eq!((time_zone().coerce)(&word(bad)), None, "{bad}");
        }
    }
}
