//! What stands in the file: any value of any type at any key, nothing judged and nothing filled in.

use std::collections::{BTreeMap, BTreeSet};

use thiserror::Error;

use super::yaml::{self, Value, YamlError};

/// Parts of the file that are this program's; all others belong to others.
const SECTIONS: [&str; 7] = [
    "approvals",
    "code_execution",
    "security",
    "security.website_blocklist",
    "terminal",
    "tool_output",
    "web",
];

/// The file's values.
#[derive(Debug, Clone, Default)]
pub(super) struct RawConfig {
    entries: BTreeMap<String, Value>,
}

/// A text that is no configuration.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(super) enum RawError {
    #[error("not readable as YAML: {0}")]
    Yaml(#[from] YamlError),
    #[error("it is {0} and not a mapping")]
    NotAMapping(&'static str),
}

impl RawConfig {
    /// Reads a text; an empty one has no values.
    pub(super) fn from_yaml(text: &str) -> Result<Self, RawError> {
        match yaml::parse(text.trim_start_matches('\u{feff}'))? {
            Value::Null => Ok(Self::default()),
            Value::Mapping(entries) => Ok(Self { entries }),
            other => Err(RawError::NotAMapping(other.type_name())),
        }
    }

    /// Returns the value at a key such as `web.backend`; null is as good as none.
    pub(super) fn get(&self, key: &str) -> Option<&Value> {
        let mut names = key.split('.');
        let first = self.entries.get(names.next()?)?;
        let value = names.try_fold(first, |value, name| match value {
            Value::Mapping(entries) => entries.get(name),
            _ => None,
        })?;
        (*value != Value::Null).then_some(value)
    }

    /// Returns the parts of this program that are there and no mappings, with what they are.
    pub(super) fn broken_sections(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        SECTIONS.into_iter().filter_map(|section| {
            let value = self.get(section)?;
            (!matches!(value, Value::Mapping(_))).then(|| (section, value.type_name()))
        })
    }

    /// Returns the keys in this program's parts of the file that are not among the known ones.
    pub(super) fn unknown_keys(&self, known: &BTreeSet<&str>) -> Vec<String> {
        let in_section = |section: &'static str| match self.get(section) {
            Some(Value::Mapping(entries)) => {
                let keys = entries.keys().map(|name| format!("{section}.{name}"));
                keys.collect()
            }
            _ => Vec::new(),
        };
        let is_known = |key: &String| {
            let below = |known: &&str| {
                known
                    .strip_prefix(key.as_str())
                    .is_some_and(|rest| rest.starts_with('.'))
            };
            known.contains(key.as_str()) || known.iter().any(below)
        };
        let keys = SECTIONS.into_iter().flat_map(in_section);
        keys.filter(|key| !is_known(key)).collect()
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use super::*;

    #[test]
    fn values_are_found_by_their_dotted_keys() {
        let raw = RawConfig::from_yaml("\u{feff}a: 1\nb:\n  c: {d: x}\n  e: ~\n").unwrap();
        assert_eq!(raw.get("a"), Some(&Value::Integer(1)));
        assert_eq!(raw.get("b.c.d"), Some(&Value::Text("x".to_owned())));
        for missing in ["b.e", "b.x", "a.b", "b.c.d.e", ""] {
            assert_eq!(raw.get(missing), None, "{missing}");
        }
    }

    #[test]
    fn only_a_mapping_or_nothing_is_a_configuration() {
        for (text, kind) in [
            ("- a\n", "a list"),
            ("7\n", "an integer"),
            ("word", "a text"),
        ] {
            let error = RawConfig::from_yaml(text).unwrap_err();
            assert_eq!(error, RawError::NotAMapping(kind), "{text}");
        }
        assert!(RawConfig::from_yaml("").unwrap().entries.is_empty());
    }

    #[test]
    fn unknown_keys_are_told_of_our_parts_only() {
        let text = "web: {backend: x, colour: red, list: {a: 1}}\nmodel: {name: y}\nterminal: 5\n";
        let raw = RawConfig::from_yaml(text).unwrap();
        let known = BTreeSet::from(["web.backend", "web.list.a"]);
        assert_eq!(raw.unknown_keys(&known), ["web.colour"]);
        let broken: Vec<_> = raw.broken_sections().collect();
        assert_eq!(broken, [("terminal", "an integer")]);
    }
}
