//! One effective value, its key and where it came from.

use std::fmt;
use std::time::Duration;

use serde_json::Value;

use crate::guard::Mode;
use crate::text::redact::{Profile, Redactor};

/// Says where an effective value came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Origin {
    /// Nothing names a value.
    Default,
    /// `config.yaml`, or the text that was given in its place.
    File,
    /// The environment variable of that name.
    Environment(&'static str),
    /// The command line, or the program that uses the library.
    CommandLine,
}

impl fmt::Display for Origin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => formatter.write_str("default"),
            Self::File => formatter.write_str("config.yaml"),
            Self::Environment(name) => write!(formatter, "environment: {name}"),
            Self::CommandLine => formatter.write_str("command line"),
        }
    }
}

/// An effective value as it can be shown to anybody.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct EffectiveSetting {
    /// The key in `config.yaml`, its parts joined by points.
    pub key: &'static str,
    /// The value; null is none, durations are seconds, and secrets in texts are masked.
    pub value: Value,
    /// Where it came from.
    pub origin: Origin,
}

/// The effective value of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Setting<T> {
    pub(super) key: &'static str,
    pub(crate) value: T,
    pub(crate) origin: Origin,
}

impl<T> Setting<T> {
    /// Returns the value where anything names one.
    pub(crate) fn named(&self) -> Option<&T> {
        (self.origin != Origin::Default).then_some(&self.value)
    }

    /// Puts a value over what was found.
    pub(super) fn set(&mut self, value: T, origin: Origin) {
        (self.value, self.origin) = (value, origin);
    }
}

impl<T: Shown> Setting<T> {
    /// Returns the value as it can be shown.
    pub(super) fn effective(&self) -> EffectiveSetting {
        EffectiveSetting {
            key: self.key,
            value: self.value.shown(),
            origin: self.origin,
        }
    }
}

/// A value that can be shown to anybody.
pub(crate) trait Shown {
    fn shown(&self) -> Value;
}

impl Shown for bool {
    fn shown(&self) -> Value {
        (*self).into()
    }
}

impl Shown for u64 {
    fn shown(&self) -> Value {
        (*self).into()
    }
}

impl Shown for usize {
    fn shown(&self) -> Value {
        (*self).into()
    }
}

impl Shown for Duration {
    fn shown(&self) -> Value {
        if self.subsec_nanos() == 0 {
            self.as_secs().into()
        } else {
            self.as_secs_f64().into()
        }
    }
}

impl Shown for Mode {
    fn shown(&self) -> Value {
        self.name().into()
    }
}

impl Shown for &'static str {
    fn shown(&self) -> Value {
        (*self).into()
    }
}

impl Shown for String {
    fn shown(&self) -> Value {
        let text = without_users(self);
        Redactor::default().redact(&text, Profile::FileRead).into()
    }
}

/// Hides what stands before the host of each address in a text, a name or a password: the redactor knows those of few services.
fn without_users(text: &str) -> String {
    let mut shown = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("://") {
        shown.push_str(before);
        shown.push_str("://");
        let word = until(after, &[' ', '\t', '\n', '"', '\'', '<', '>']);
        let authority = until(word, &['/', '?', '#']);
        // A password may have a slash in it, against the rules.
        let has_password = authority.contains(':');
        let longer = || word.rfind('@').filter(|_| has_password);
        rest = after;
        if let Some(at) = authority.rfind('@').or_else(longer) {
            shown.push_str("***");
            // The place is in the text and at a character.
            rest = after.split_at(at).1;
        }
    }
    shown + rest
}

/// Returns a text up to the first of these characters.
fn until<'t>(text: &'t str, ends: &[char]) -> &'t str {
    text.split(ends).next().unwrap_or(text)
}

impl<T: Shown> Shown for Option<T> {
    fn shown(&self) -> Value {
        self.as_ref().map_or(Value::Null, Shown::shown)
    }
}

impl<T: Shown> Shown for Vec<T> {
    fn shown(&self) -> Value {
        self.iter().map(Shown::shown).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn users_and_passwords_of_addresses_are_hidden_and_nothing_else_is() {
        for (text, expected) in [
            ("https://u:hunter2@h/x", "https://***@h/x"),
            ("https://hunter2@h/x", "https://***@h/x"),
            ("socks5://u:p@ss@h:1080", "socks5://***@h:1080"),
            ("https://u:p/w#d?@h/x", "https://***@h/x"),
            ("postgres://u:pw@h/d", "postgres://***@h/d"),
            (
                "a ftp://u:p@h b git+ssh://t@h",
                "a ftp://***@h b git+ssh://***@h",
            ),
            ("https://h:80/x", "https://h:80/x"),
            ("https://h/@x", "https://h/@x"),
            ("curl 'https://h:80/' u@h", "curl 'https://h:80/' u@h"),
            ("u:p@h", "u:p@h"),
            ("://", "://"),
            ("é://é:é@é", "é://***@é"),
        ] {
            assert_eq!(text.to_owned().shown(), expected, "{text}");
        }
    }
}
