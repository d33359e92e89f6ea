//! The command that a lexer is reading, and the place that it stands in.
//!
//! Every substitution and subshell has a frame of its own, so that the words around it stay apart from those in it.

use super::lexer::Simple;

/// A command that is being read, and how the place that it stands in ends.
#[derive(Default)]
pub(super) struct Frame {
    pub(super) simple: Simple,
    pub(super) word: Option<String>,
    pub(super) next_word: Role,
    pub(super) documents: Vec<Document>,
    pub(super) closer: Closer,
    /// Whether the place is within double quotes of the same frame.
    pub(super) is_quoted: bool,
    /// Whether the place is within a brace list such as `{a,b}`, whose items become words.
    pub(super) in_braces: bool,
    /// Where the next command stands in a pipeline; all commands of a subshell belong to the pipeline around it.
    pub(super) stage: Stage,
    /// Whether the place as a whole reads from a pipe.
    pub(super) reads_pipe: bool,
    /// Number of commands that were complete when the place was entered.
    pub(super) first: usize,
}

/// Where a command stands in a pipeline.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Stage {
    /// Number of the pipeline within its text.
    pub(super) pipeline: usize,
    /// Whether the command reads from a pipe.
    pub(super) is_piped: bool,
}

/// What the next word of a command is.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Role {
    #[default]
    Word,
    Output,
    Input,
    HereString,
    HereDocument {
        strips_tabs: bool,
        /// Whether no part of the delimiter was quoted so far.
        expands: bool,
    },
}

/// What ends the place that a command stands in.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Closer {
    #[default]
    End,
    /// `)` of a substitution, after which the outer word goes on.
    Substitution,
    /// `)` of a subshell or of a function's head, after which a new command begins.
    Subshell,
    Backtick,
    /// The end of a here-document, where a double quote is a letter.
    Document,
}

/// A here-document that was announced.
pub(super) struct Document {
    pub(super) delimiter: String,
    pub(super) strips_tabs: bool,
    /// Whether substitutions in its text are run: no part of the delimiter was quoted.
    pub(super) expands: bool,
}
