//! The tree itself, and how its types are called in a message.

use std::collections::BTreeMap;

/// A value of any YAML type.
#[derive(Debug, Clone, PartialEq)]
pub(in super::super) enum Value {
    Null,
    Bool(bool),
    /// A whole number; one that is too large for the type is its largest or smallest value.
    Integer(i64),
    Float(f64),
    Text(String),
    List(Vec<Value>),
    Mapping(BTreeMap<String, Value>),
}

impl Value {
    /// Returns the name of the type with its article.
    pub(in super::super) const fn type_name(&self) -> &'static str {
        match self {
            Self::Null => "a null",
            Self::Bool(_) => "a boolean",
            Self::Integer(_) => "an integer",
            Self::Float(_) => "a float",
            Self::Text(_) => "a text",
            Self::List(_) => "a list",
            Self::Mapping(_) => "a mapping",
        }
    }

    /// Returns what the tree costs: one for each value, itself included, and more for long texts.
    pub(super) fn weight(&self) -> usize {
        match self {
            Self::Text(text) => text_weight(text),
            Self::List(items) => 1 + items.iter().map(Self::weight).sum::<usize>(),
            Self::Mapping(entries) => {
                let weights = entries
                    .iter()
                    .map(|(name, value)| text_weight(name) + value.weight());
                1 + weights.sum::<usize>()
            }
            _ => 1,
        }
    }
}

/// Returns what a text costs: one, and one more for each room of a value that it fills.
pub(super) const fn text_weight(text: &str) -> usize {
    const ROOM: usize = 64;
    1 + text.len() / ROOM
}
