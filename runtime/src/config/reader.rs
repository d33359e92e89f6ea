//! Reads one key after the other from its layers: the environment before the file, the file before the default.
//!
//! A value that is broken is told and passed over, so that the next layer counts. No message shows a value.

use std::collections::BTreeSet;

use super::kind::Kind;
use super::raw::RawConfig;
use super::setting::{Origin, Setting, Shown};
use super::yaml::{self, Value};

/// The file's name in messages.
const FILE: &str = "config.yaml";

/// The layers, and what was found wrong in them.
pub(super) struct Reader<'a> {
    raw: &'a RawConfig,
    environment: &'a dyn Fn(&str) -> Option<String>,
    known: BTreeSet<&'static str>,
    warnings: Vec<String>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(raw: &'a RawConfig, environment: &'a dyn Fn(&str) -> Option<String>) -> Self {
        let broken = raw.broken_sections().map(|(section, kind)| {
            format!("`{section}` in {FILE} is {kind}; expected a mapping; using the defaults of its keys")
        });
        Self {
            raw,
            environment,
            known: BTreeSet::new(),
            warnings: broken.collect(),
        }
    }

    /// Returns the value of a key that only the file can name.
    pub(super) fn file<T: Shown>(
        &mut self,
        key: &'static str,
        kind: &Kind<T>,
        default: T,
    ) -> Setting<T> {
        self.known.insert(key);
        let (value, origin) = match self.raw.get(key).map(|value| (value, (kind.coerce)(value))) {
            None => (default, Origin::Default),
            Some((_, Some(value))) => (value, Origin::File),
            Some((broken, None)) => {
                self.warn_of(key, broken, &kind.expected, &default);
                (default, Origin::Default)
            }
        };
        Setting { key, value, origin }
    }

    /// Returns the value of a key that an environment variable can name as well.
    pub(super) fn variable<T: Shown>(
        &mut self,
        key: &'static str,
        variable: &'static str,
        kind: &Kind<T>,
        default: T,
    ) -> Setting<T> {
        let setting = self.file(key, kind, default);
        let Some(text) = self.environment(variable) else {
            return setting;
        };
        if let Some(value) = (kind.coerce)(&Value::Text(text)) {
            let origin = Origin::Environment(variable);
            return Setting { key, value, origin };
        }
        let (expected, value) = (&kind.expected, setting.value.shown());
        self.warn(format!(
            "the environment variable `{variable}` for `{key}` is a text; expected {expected}; using {value}"
        ));
        setting
    }

    /// Returns the texts of a key; a single text is a list of one. What is no text is left out, so that one mistake does not undo the
    /// rest of a list of things to refuse.
    pub(super) fn texts(&mut self, key: &'static str) -> Setting<Vec<String>> {
        self.known.insert(key);
        let raw = self.raw;
        let Some(found) = raw.get(key) else {
            return Setting {
                key,
                value: Vec::new(),
                origin: Origin::Default,
            };
        };
        self.list(key, found, Origin::File)
    }

    /// Returns those texts of a key that are what they have to be.
    pub(super) fn texts_of(
        &mut self,
        key: &'static str,
        expected: &str,
        is_valid: impl Fn(&str) -> bool,
    ) -> Setting<Vec<String>> {
        let mut setting = self.texts(key);
        let (valid, broken): (Vec<_>, Vec<_>) =
            setting.value.into_iter().partition(|text| is_valid(text));
        for _ in broken {
            self.warn(format!(
                "an entry of `{key}` in {FILE} is a text; expected {expected}; leaving it out"
            ));
        }
        setting.value = valid;
        setting
    }

    /// Returns the texts of a key that an environment variable can name as well, as a JSON list.
    pub(super) fn texts_or_variable(
        &mut self,
        key: &'static str,
        variable: &'static str,
    ) -> Setting<Vec<String>> {
        let setting = self.texts(key);
        match self.environment(variable) {
            // Every JSON list is one of YAML too; what is neither is a text.
            Some(text) => {
                let value = yaml::parse(&text).unwrap_or(Value::Text(text));
                self.list(key, &value, Origin::Environment(variable))
            }
            None => setting,
        }
    }

    fn list(&mut self, key: &'static str, found: &Value, origin: Origin) -> Setting<Vec<String>> {
        let expected = "a list of texts";
        let items = match found {
            Value::List(items) => items.as_slice(),
            Value::Text(_) => std::slice::from_ref(found),
            broken => {
                let none = Vec::<String>::new();
                self.warn_of(key, broken, expected, &none);
                return Setting {
                    key,
                    value: none,
                    origin: Origin::Default,
                };
            }
        };
        let mut value = Vec::new();
        for item in items {
            match item {
                Value::Text(text) if text.contains('\0') => self.warn(format!(
                    "an entry of `{key}` in {origin} is a text with a NUL character; expected a text; leaving it out"
                )),
                Value::Text(text) if !text.trim().is_empty() => value.push(text.trim().to_owned()),
                Value::Text(_) | Value::Null => {}
                broken => {
                    let kind = broken.type_name();
                    self.warn(format!(
                        "an entry of `{key}` in {origin} is {kind}; expected a text; leaving it out"
                    ));
                }
            }
        }
        Setting { key, value, origin }
    }

    /// Returns the value of an environment variable; an empty one is as good as none.
    pub(super) fn environment(&self, variable: &str) -> Option<String> {
        (self.environment)(variable).filter(|value| !value.trim().is_empty())
    }

    /// Takes a key as known that is read no longer.
    pub(super) fn retired(&mut self, key: &'static str) {
        self.known.insert(key);
    }

    pub(super) fn warn(&mut self, warning: String) {
        self.warnings.push(warning);
    }

    /// Logs the keys that nobody asked for, and returns the warnings.
    pub(super) fn finish(self) -> Vec<String> {
        for key in self.raw.unknown_keys(&self.known) {
            tracing::debug!(
                key = key.escape_debug().to_string(),
                "unknown key in {FILE}"
            );
        }
        self.warnings
    }

    fn warn_of(&mut self, key: &str, broken: &Value, expected: &str, default: &dyn Shown) {
        let (kind, default) = (broken.type_name(), default.shown());
        self.warn(format!(
            "`{key}` in {FILE} is {kind}; expected {expected}; using the default, {default}"
        ));
    }
}
