//! The command that a lexer is reading, and the place that it stands in.
//!
//! Every substitution, subshell, arithmetic expression, parameter and list has a frame of its own, so that the letters
//! in it mean what they mean there, and the words around it stay apart from those in it.

use super::simple::Simple;
use super::slot::Slot;

/// A command or expression that is being read, and the place that it stands in.
#[derive(Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each tells one thing about the place, and none follows from the others"
)]
pub(super) struct Frame {
    pub(super) simple: Simple,
    pub(super) word: Option<String>,
    /// Whether a part of the word was quoted or is expanded, so that it is neither a keyword nor a variable to set.
    pub(super) is_disguised: bool,
    pub(super) next_word: Role,
    pub(super) documents: Vec<Document>,
    pub(super) place: Place,
    /// Whether the place is within double quotes of the same frame.
    pub(super) is_quoted: bool,
    /// Whether the place is within a brace list such as `{a,b}`, whose items become words.
    pub(super) in_braces: bool,
    /// Whether the place is within `[[ … ]]`, where parentheses group or belong to a regular expression.
    pub(super) in_condition: bool,
    /// What the next word is to the command.
    pub(super) slot: Slot,
    /// Number of `case` commands that are open.
    pub(super) cases: usize,
    /// Parentheses that are open within a pattern of a `case`.
    pub(super) pattern_depth: usize,
    /// Where the next command stands in a pipeline; all commands of a subshell belong to the pipeline around it.
    pub(super) stage: Stage,
    /// Whether a `|` stands before the next command, so that the end of a line does not end the pipeline.
    pub(super) is_after_pipe: bool,
    /// Whether the place as a whole reads from a pipe.
    pub(super) reads_pipe: bool,
    /// Number of commands that were complete when the place was entered.
    pub(super) first: usize,
    /// Where the text of the place begins.
    pub(super) start: usize,
}

impl Frame {
    /// Tells whether what is expanded in the word that is being read is split, so that nothing can be left of it.
    pub(super) fn splits(&self) -> bool {
        self.slot != Slot::Subject && self.is_of_commands()
    }

    /// Tells whether commands are being read, and not an expression or a list.
    pub(super) fn is_of_commands(&self) -> bool {
        !matches!(
            self.place,
            Place::Arithmetic(_) | Place::Parameter(_) | Place::List
        )
    }
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

/// What the text that is being read belongs to, and so what ends it.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Place {
    #[default]
    End,
    /// Commands up to a `)`, after which the outer word goes on.
    Substitution,
    /// The same of `>(…)`, which reads what the outer command writes.
    Reader,
    /// Commands up to the `)` of a subshell or of a function's head, after which a new command begins.
    Subshell,
    /// A here-document up to its end, where a double quote is a letter.
    Document,
    Arithmetic(Arithmetic),
    /// `${…}`.
    Parameter(Parameter),
    /// The words of `name=(…)`, which are no commands.
    List,
}

/// An arithmetic expression that is being read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Arithmetic {
    pub(super) form: ArithmeticForm,
    /// Parentheses or brackets that are open within it.
    pub(super) depth: usize,
    /// Whether it stands within double quotes, where a single quote is a letter.
    pub(super) is_in_quotes: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ArithmeticForm {
    /// `((…))`.
    Command,
    /// `$((…))`.
    Expansion,
    /// `$[…]`.
    OldExpansion,
    /// `name[…]`, also of a parameter.
    Subscript,
}

/// A parameter expansion that is being read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Parameter {
    /// Whether it stands within double quotes.
    pub(super) is_in_quotes: bool,
    pub(super) part: ParameterPart,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ParameterPart {
    /// The name, with marks before it.
    Name,
    /// What stands behind `#`, `%`, `/`, `^` or `,`: single quotes quote.
    Pattern,
    /// What stands behind other operators: within double quotes, single quotes are letters.
    Word,
}

/// A here-document that was announced.
pub(super) struct Document {
    pub(super) delimiter: String,
    pub(super) strips_tabs: bool,
    /// Whether substitutions in its text are run: no part of the delimiter was quoted.
    pub(super) expands: bool,
}
