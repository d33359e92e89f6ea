//! From the parser's events to a tree, with a stack of its own instead of recursion.
//!
//! What an alias stands for is copied, and counted before it is.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use saphyr_parser::{Event, Parser, ScalarStyle, Tag};

use super::error::YamlError;
use super::scalar;
use super::value::{Value, text_weight};

/// Lists and mappings in each other.
const MAX_DEPTH: usize = 64;

/// Values of a tree, and copies that are kept for aliases; a text of 64 bytes or more counts as several.
const MAX_VALUES: usize = 100_000;

/// The key that stands for all keys of other mappings.
const MERGE: &str = "<<";

/// Reads a text of one document; an empty one is null. Of keys that are there twice, the last one counts.
pub(in super::super) fn parse(text: &str) -> Result<Value, YamlError> {
    let mut builder = Builder::default();
    for event in Parser::new_from_str(text) {
        let (event, _) = event?;
        builder.take(event)?;
    }
    Ok(builder.root.unwrap_or(Value::Null))
}

#[derive(Debug, Default)]
struct Builder {
    open: Vec<Frame>,
    anchors: HashMap<usize, Value>,
    spent: usize,
    root: Option<Value>,
}

/// A list or mapping that is not closed yet. An anchor of 0 is none.
#[derive(Debug)]
enum Frame {
    List {
        anchor: usize,
        items: Vec<Value>,
    },
    Mapping {
        anchor: usize,
        entries: BTreeMap<String, Value>,
        merged: Vec<Value>,
        key: Option<Key>,
    },
}

#[derive(Debug)]
enum Key {
    Named(String),
    Merge,
    /// A list or mapping as a key: nothing here has such a name.
    Nameless,
}

impl Builder {
    fn take(&mut self, event: Event<'_>) -> Result<(), YamlError> {
        match event {
            Event::DocumentStart(_) if self.root.is_some() => Err(YamlError::SeveralDocuments),
            Event::Scalar(text, style, anchor, tag) => self.scalar(&text, style, anchor, tag),
            Event::Alias(anchor) => {
                let value = self.anchors.get(&anchor).ok_or(YamlError::Recursive)?;
                let weight = value.weight();
                // Counted before it is copied: it may be large, and stand in many places.
                spend(&mut self.spent, weight)?;
                let value = value.clone();
                self.place(value);
                Ok(())
            }
            Event::SequenceStart(anchor, _) => self.start(Frame::List {
                anchor,
                items: Vec::new(),
            }),
            Event::MappingStart(anchor, _) => self.start(Frame::Mapping {
                anchor,
                entries: BTreeMap::new(),
                merged: Vec::new(),
                key: None,
            }),
            Event::SequenceEnd | Event::MappingEnd => self.end(),
            _ => Ok(()),
        }
    }

    fn scalar(
        &mut self,
        text: &str,
        style: ScalarStyle,
        anchor: usize,
        tag: Option<Cow<'_, Tag>>,
    ) -> Result<(), YamlError> {
        self.spend(text_weight(text))?;
        let is_text = tag.is_some_and(|tag| tag.is_yaml_core_schema() && tag.suffix == "str");
        let is_plain = style == ScalarStyle::Plain && !is_text;
        // A key keeps the letters it was written with, be it `on` or `5`.
        if let Some(Frame::Mapping { key, .. }) = self.open.last_mut()
            && key.is_none()
        {
            *key = Some(match text {
                MERGE if is_plain => Key::Merge,
                name => Key::Named(name.to_owned()),
            });
            return self.keep(anchor, &Value::Text(text.to_owned()));
        }
        let value = if is_plain {
            scalar::resolve(text)
        } else {
            Value::Text(text.to_owned())
        };
        self.keep(anchor, &value)?;
        self.place(value);
        Ok(())
    }

    fn start(&mut self, frame: Frame) -> Result<(), YamlError> {
        self.spend(1)?;
        if self.open.len() == MAX_DEPTH {
            return Err(YamlError::TooDeep(MAX_DEPTH));
        }
        self.open.push(frame);
        Ok(())
    }

    fn end(&mut self) -> Result<(), YamlError> {
        let (anchor, value) = match self.open.pop() {
            Some(Frame::List { anchor, items }) => (anchor, Value::List(items)),
            Some(Frame::Mapping {
                anchor,
                mut entries,
                merged,
                ..
            }) => {
                for (name, value) in merged.into_iter().flat_map(mappings) {
                    entries.entry(name).or_insert(value);
                }
                (anchor, Value::Mapping(entries))
            }
            None => return Ok(()),
        };
        self.keep(anchor, &value)?;
        self.place(value);
        Ok(())
    }

    /// Keeps a copy for the aliases of an anchor.
    fn keep(&mut self, anchor: usize, value: &Value) -> Result<(), YamlError> {
        if anchor != 0 {
            self.spend(value.weight())?;
            self.anchors.insert(anchor, value.clone());
        }
        Ok(())
    }

    /// Puts a value where it belongs: an alias may also stand for a key.
    fn place(&mut self, value: Value) {
        match self.open.last_mut() {
            None => self.root = Some(value),
            Some(Frame::List { items, .. }) => items.push(value),
            Some(Frame::Mapping {
                entries,
                merged,
                key,
                ..
            }) => match key.take() {
                None => {
                    *key = Some(match value {
                        Value::Text(name) => Key::Named(name),
                        _ => Key::Nameless,
                    });
                }
                Some(Key::Named(name)) => {
                    entries.insert(name, value);
                }
                Some(Key::Merge) => merged.push(value),
                Some(Key::Nameless) => {}
            },
        }
    }

    fn spend(&mut self, weight: usize) -> Result<(), YamlError> {
        spend(&mut self.spent, weight)
    }
}

fn spend(spent: &mut usize, weight: usize) -> Result<(), YamlError> {
    *spent = spent.saturating_add(weight);
    if *spent > MAX_VALUES {
        return Err(YamlError::TooMany(MAX_VALUES));
    }
    Ok(())
}

/// Returns the entries that a merged value brings: those of a mapping, or of each mapping in a list.
fn mappings(merged: Value) -> Vec<(String, Value)> {
    match merged {
        Value::Mapping(entries) => entries.into_iter().collect(),
        Value::List(items) => items
            .into_iter()
            .filter_map(|item| match item {
                Value::Mapping(entries) => Some(entries),
                _ => None,
            })
            .flatten()
            .collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use std::fmt::Write as _;

    use super::*;

    fn text(text: &str) -> Value {
        Value::Text(text.to_owned())
    }

    fn mapping(entries: impl IntoIterator<Item = (&'static str, Value)>) -> Value {
        let named = |(name, value): (&str, Value)| (name.to_owned(), value);
        Value::Mapping(entries.into_iter().map(named).collect())
    }

    #[test]
    fn a_document_becomes_its_tree() {
        let read = parse("a: [1, 'x', off]\nb: {c: ~}\non: \"5\"\n? [k]\n: lost\nd: !!str 7\n");
        let expected = mapping([
            (
                "a",
                Value::List(vec![Value::Integer(1), text("x"), Value::Bool(false)]),
            ),
            ("b", mapping([("c", Value::Null)])),
            ("on", text("5")),
            ("d", text("7")),
        ]);
        assert_eq!(read, Ok(expected));
        assert_eq!(parse(""), Ok(Value::Null));
        assert_eq!(parse("# nothing\n"), Ok(Value::Null));
    }

    #[test]
    fn of_equal_keys_the_last_one_counts() {
        assert_eq!(
            parse("a: 1\na: 2\n"),
            Ok(mapping([("a", Value::Integer(2))]))
        );
    }

    #[test]
    fn aliases_and_merged_keys_stand_for_what_they_name() {
        let read =
            parse("base: &b {x: 1, y: 2}\nmine: {y: 3, <<: *b}\nsame: *b\n&k key: 0\nother: *k\n");
        let base = mapping([("x", Value::Integer(1)), ("y", Value::Integer(2))]);
        let mine = mapping([("x", Value::Integer(1)), ("y", Value::Integer(3))]);
        let expected = mapping([
            ("base", base.clone()),
            ("mine", mine),
            ("same", base),
            ("key", Value::Integer(0)),
            ("other", text("key")),
        ]);
        assert_eq!(read, Ok(expected));
    }

    #[test]
    fn aliases_that_grow_without_bound_are_refused() {
        let mut bomb = "a0: &a0 [x, x]\n".to_owned();
        for level in 1..64 {
            let last = level - 1;
            writeln!(bomb, "a{level}: &a{level} [*a{last}, *a{last}]").unwrap();
        }
        assert_eq!(parse(&bomb), Err(YamlError::TooMany(MAX_VALUES)));
    }

    #[test]
    fn a_long_text_in_many_places_is_refused() {
        let aliases = |count: usize| {
            let text = "x".repeat(64_000);
            parse(&format!("a: &a {text}\nb: [{}]\n", "*a,".repeat(count)))
        };
        assert!(aliases(90).is_ok());
        assert_eq!(aliases(100), Err(YamlError::TooMany(MAX_VALUES)));
        let key = "k".repeat(64_000);
        let bomb = format!("a: &a {{{key}: 1}}\nb: [{}]\n", "*a,".repeat(100));
        assert_eq!(parse(&bomb), Err(YamlError::TooMany(MAX_VALUES)));
    }

    #[test]
    fn an_alias_inside_of_its_own_anchor_is_refused() {
        assert_eq!(parse("a: &a [*a]\n"), Err(YamlError::Recursive));
    }

    #[test]
    fn depth_and_number_are_bounded() {
        let deep = |levels: usize| parse(&format!("{}{}", "[".repeat(levels), "]".repeat(levels)));
        assert!(deep(MAX_DEPTH).is_ok());
        assert_eq!(deep(MAX_DEPTH + 1), Err(YamlError::TooDeep(MAX_DEPTH)));
        assert_eq!(
            parse(&"- ".repeat(100_000)),
            Err(YamlError::TooDeep(MAX_DEPTH))
        );
        let many = parse(&"- 1\n".repeat(MAX_VALUES));
        assert_eq!(many, Err(YamlError::TooMany(MAX_VALUES)));
    }

    #[test]
    fn what_is_no_single_document_is_refused_with_its_place() {
        assert_eq!(parse("a: 1\n---\nb: 2\n"), Err(YamlError::SeveralDocuments));
        let error = parse("token: sk-secret\n b: c\n").unwrap_err().to_string();
        assert_eq!(
            error,
            "line 2: mapping values are not allowed in this context"
        );
    }
}
