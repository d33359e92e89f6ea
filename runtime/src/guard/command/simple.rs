//! What a lexer finds: simple commands with their words and redirections, and the places of their substitutions.

use std::ops::Range;

use super::frame::Stage;

/// One command of a command line with its words, quotes removed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Simple {
    pub(super) words: Vec<String>,
    /// Files that the command's output is redirected to.
    pub(super) outputs: Vec<String>,
    /// Text of a here-document or here-string.
    pub(super) input: String,
    /// Whether that text came as a here-document.
    pub(super) has_document: bool,
    /// Files that the command's input comes from.
    pub(super) inputs: Vec<String>,
    /// Whether something in it is expanded, so that its words are not all that is known when it runs.
    pub(super) is_expanded: bool,
    /// Whether a single `&` follows.
    pub(super) is_background: bool,
    pub(super) stage: Stage,
    /// The commands of its substitutions, which come before it.
    pub(super) inner: Range<usize>,
    /// Those of them that read what it writes.
    pub(super) readers: Vec<Range<usize>>,
}

impl Simple {
    /// Tells whether nothing was written between two separators.
    pub(super) fn is_empty(&self) -> bool {
        self.words.is_empty()
            && self.outputs.is_empty()
            && self.inputs.is_empty()
            && self.input.is_empty()
    }

    /// Adds commands to those of the substitutions.
    pub(super) fn include(&mut self, commands: Range<usize>) {
        self.inner = if self.inner.is_empty() {
            commands
        } else {
            self.inner.start..commands.end
        };
    }

    /// Moves the places of other commands on, because that many were put before them.
    fn shift(&mut self, offset: usize) {
        for range in self.readers.iter_mut().chain([&mut self.inner]) {
            *range = range.start + offset..range.end + offset;
        }
    }
}

/// The commands of a text and what of it is not quoted.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Lexed {
    pub(super) commands: Vec<Simple>,
    pub(super) unquoted: String,
    /// Whether the text nests deeper than it is followed, so that what was found is not all there is.
    pub(super) is_too_deep: bool,
}

impl Lexed {
    /// Adds the commands of another text.
    pub(super) fn append(&mut self, other: Self) {
        let offset = self.commands.len();
        self.commands
            .extend(other.commands.into_iter().map(|mut simple| {
                simple.shift(offset);
                simple
            }));
        self.unquoted.push('\n');
        self.unquoted.push_str(&other.unquoted);
        self.is_too_deep |= other.is_too_deep;
    }
}
