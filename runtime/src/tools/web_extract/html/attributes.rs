//! The attributes of one tag; looked for when an element needs one, which few do.

use std::borrow::Cow;

/// Attributes of a tag that are looked at.
const MAX_ATTRIBUTES: usize = 64;

/// The text between the name of a tag and its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Attributes<'a> {
    text: &'a str,
}

impl<'a> Attributes<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text }
    }

    /// Returns the value of the first attribute of this name, without character references; one without a value is empty.
    pub(super) fn get(self, name: &str) -> Option<Cow<'a, str>> {
        self.iter()
            .find(|(candidate, _)| candidate.eq_ignore_ascii_case(name))
            .map(|(_, value)| html_escape::decode_html_entities(value))
    }

    fn iter(self) -> impl Iterator<Item = (&'a str, &'a str)> {
        let mut rest = self.text;
        std::iter::from_fn(move || next_attribute(&mut rest)).take(MAX_ATTRIBUTES)
    }
}

fn next_attribute<'a>(rest: &mut &'a str) -> Option<(&'a str, &'a str)> {
    let is_space = |letter: char| letter.is_ascii_whitespace() || letter == '/';
    let text = rest.trim_start_matches(is_space);
    if text.is_empty() {
        return None;
    }
    // An equals sign at the start belongs to the name, so that there is always one.
    let end = text
        .char_indices()
        .skip(1)
        .find(|(_, letter)| is_space(*letter) || *letter == '=')
        .map_or(text.len(), |(at, _)| at);
    let (name, after) = text.split_at(end);
    let Some(value) = after.trim_start().strip_prefix('=') else {
        *rest = after;
        return Some((name, ""));
    };
    let value = value.trim_start();
    let quoted = value.strip_prefix('"').map(|rest| (rest, '"'));
    let quoted = quoted.or_else(|| value.strip_prefix('\'').map(|rest| (rest, '\'')));
    let (value, after) = match quoted {
        Some((inner, quote)) => inner.split_once(quote).unwrap_or((inner, "")),
        None => value.split_at(
            value
                .find(|letter: char| letter.is_ascii_whitespace())
                .unwrap_or(value.len()),
        ),
    };
    *rest = after;
    Some((name, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_found_in_every_notation() {
        let attributes =
            Attributes::new(" a=1 B = \"two words\" c='3 &amp; 4' d e=/x/ ü=ä a=2 = /");
        let rows = [
            ("a", Some("1")),
            ("b", Some("two words")),
            ("c", Some("3 & 4")),
            ("d", Some("")),
            ("e", Some("/x/")),
            ("ü", Some("ä")),
            ("f", None),
        ];
        for (name, expected) in rows {
            assert_eq!(attributes.get(name).as_deref(), expected, "{name}");
        }
        assert_eq!(Attributes::new("").get("a"), None);
        assert_eq!(Attributes::new(&"a ".repeat(64)).get("b"), None);
        assert_eq!(
            Attributes::new(&format!("{}b=1", "a ".repeat(64))).get("b"),
            None
        );
    }
}
