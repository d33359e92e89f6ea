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
        Redactor::default().redact(self, Profile::FileRead).into()
    }
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
