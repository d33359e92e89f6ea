//! The text that is looked for, as a text and as lines.

/// Holds what is looked for.
#[derive(Debug)]
pub(in crate::tools::patch) struct Pattern<'p> {
    /// The text as it was given.
    pub(super) text: &'p str,
    pub(super) lines: Vec<&'p str>,
    /// The text ends with a newline, which ends its last line and is no line of its own.
    pub(super) ends_line: bool,
}

impl<'p> Pattern<'p> {
    /// Looks for a text.
    pub(in crate::tools::patch) fn of_text(text: &'p str) -> Self {
        let ended = text
            .strip_suffix('\n')
            .filter(|lines| !lines.trim().is_empty());
        Self {
            text,
            lines: ended.unwrap_or(text).split('\n').collect(),
            ends_line: ended.is_some(),
        }
    }

    /// Looks for whole lines; an empty last one is a blank line.
    pub(in crate::tools::patch) fn of_lines(text: &'p str) -> Self {
        Self {
            text,
            lines: text.split('\n').collect(),
            ends_line: false,
        }
    }

    /// Returns the first line and the last one; `None` for a single line.
    pub(super) fn ends(&self) -> Option<(&'p str, &'p str)> {
        match self.lines.as_slice() {
            [first, .., last] => Some((first, last)),
            _ => None,
        }
    }

    /// Returns the lines between the first and the last one as a text.
    pub(super) fn inner(&self) -> String {
        match self.lines.as_slice() {
            [_, inner @ .., _] => inner.join("\n"),
            _ => String::new(),
        }
    }
}
