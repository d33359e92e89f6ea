//! How the lexer reads arithmetic, subscripts and parameters: texts in which the separators of commands are letters.
//!
//! What turns out to be no such thing is read once more as commands, so that nothing hides in it.

use super::frame::{Arithmetic, ArithmeticForm, Frame, Parameter, ParameterPart, Place, Role};
use super::lexer::Lexer;
use super::slot::{Slot, is_assignment, is_name};

/// The variable whose value separates words.
const SEPARATOR: &str = "IFS";

impl Lexer<'_> {
    /// Tells whether a `(` opens the words of an array.
    pub(super) fn begins_list(&self) -> bool {
        self.may_set()
            && self
                .frame
                .word
                .as_ref()
                .is_some_and(|word| word.ends_with('=') && is_assignment(word))
    }

    /// Tells whether a `(` is the first of two that open arithmetic; takes the second.
    pub(super) fn begins_arithmetic(&mut self) -> bool {
        self.frame.word.is_none()
            && self.frame.next_word == Role::Word
            && matches!(self.frame.slot, Slot::Start | Slot::Loop)
            && self.chars.takes('(')
    }

    /// Tells whether a `[` opens the subscript of a variable that is set.
    pub(super) fn begins_subscript(&self) -> bool {
        self.may_set() && self.frame.word.as_deref().is_some_and(is_name)
    }

    /// Tells whether the word that is being read may set a variable.
    fn may_set(&self) -> bool {
        !self.frame.is_disguised
            && self.frame.next_word == Role::Word
            && self.frame.slot.takes_assignment()
    }

    pub(super) fn open_subscript(&mut self) {
        self.open_arithmetic(ArithmeticForm::Subscript, false);
    }

    pub(super) fn open_arithmetic_command(&mut self) {
        let stage = self.frame.stage;
        self.open_arithmetic(ArithmeticForm::Command, false);
        // If it is two subshells instead, they are a part of the pipeline around them.
        if matches!(self.frame.place, Place::Arithmetic(_)) {
            self.frame.stage = stage;
            self.frame.reads_pipe = stage.is_piped;
        }
    }

    pub(super) fn open_arithmetic(&mut self, form: ArithmeticForm, is_in_quotes: bool) {
        self.open(Place::Arithmetic(Arithmetic {
            form,
            depth: 0,
            is_in_quotes,
        }));
    }

    /// Takes a letter of an arithmetic expression.
    pub(super) fn arithmetic(&mut self, arithmetic: Arithmetic, letter: char) {
        use ArithmeticForm::{Command, Expansion};

        let (opening, closing) = match arithmetic.form {
            Command | Expansion => ('(', ')'),
            _ => ('[', ']'),
        };
        if self.expands_within(letter, arithmetic.is_in_quotes) {
        } else if letter != closing || arithmetic.depth > 0 {
            self.word().push(letter);
            let depth = if letter == opening {
                arithmetic.depth + 1
            } else if letter == closing {
                arithmetic.depth - 1
            } else {
                arithmetic.depth
            };
            self.frame.place = Place::Arithmetic(Arithmetic {
                depth,
                ..arithmetic
            });
        } else if closing == ')' {
            self.close_parentheses(arithmetic);
        } else {
            self.close_brackets(arithmetic);
        }
    }

    fn close_parentheses(&mut self, arithmetic: Arithmetic) {
        let text = self.chars.since(self.frame.start);
        let text = text.strip_suffix(')').unwrap_or(text);
        let is_expression = self.chars.takes(')');
        if !is_expression || self.seems_command() {
            self.read_within(text, self.subshell());
        }
        match (is_expression, arithmetic.form) {
            (true, ArithmeticForm::Command) => self.leave(),
            (true, _) => self.resume("$(())"),
            (false, ArithmeticForm::Command) => self.stay_in(Place::Subshell),
            (false, _) => self.stay_in(Place::Substitution),
        }
    }

    /// Goes on behind the first of two subshells that were no expression.
    fn stay_in(&mut self, place: Place) {
        self.frame.place = place;
        self.frame.word = None;
    }

    fn close_brackets(&mut self, arithmetic: Arithmetic) {
        let text = self.chars.since(self.frame.start);
        let text = text.strip_suffix(']').unwrap_or(text);
        let rest = self.chars.rest();
        let is_set = rest.starts_with('=') || rest.starts_with("+=");
        let is_subscript = arithmetic.form == ArithmeticForm::Subscript;
        let is_of_parameter = is_subscript
            && self
                .around()
                .is_some_and(|frame| matches!(frame.place, Place::Parameter(_)));
        if !is_of_parameter && (self.seems_command() || is_subscript && !is_set) {
            self.read_within(text, Frame::default());
        }
        self.resume(if is_subscript { "[]" } else { "$(())" });
    }

    /// Tells whether the expression that was read is none, but commands of another shell.
    fn seems_command(&self) -> bool {
        self.frame.word.as_deref().is_some_and(has_adjacent_words)
    }

    /// Returns the place around this one.
    fn around(&self) -> Option<&Frame> {
        self.outer.last()
    }

    /// Returns a frame like that of a subshell in this place.
    fn subshell(&self) -> Frame {
        Frame {
            place: Place::Subshell,
            stage: self.frame.stage,
            reads_pipe: self.frame.reads_pipe,
            ..Frame::default()
        }
    }

    /// Takes a letter that quotes or expands within an expression or parameter; tells whether it was one.
    fn expands_within(&mut self, letter: char, is_in_quotes: bool) -> bool {
        match letter {
            '"' => self.frame.is_quoted = !self.frame.is_quoted,
            '\'' if self.frame.is_quoted => return false,
            '\'' if is_in_quotes => {
                self.is_ambiguous = true;
                if self.knows_posix_quotes {
                    return false;
                }
                self.single_quoted(false);
            }
            '\'' => self.single_quoted(false),
            '\\' => {
                let escaped = self.chars.next();
                self.word().extend(escaped.filter(|&next| next != '\n'));
            }
            '$' => self.dollar(is_in_quotes || self.frame.is_quoted),
            '`' => self.backtick(),
            _ => return self.frame.is_quoted && matches!(self.frame.place, Place::Arithmetic(_)),
        }
        true
    }

    pub(super) fn open_parameter(&mut self, is_in_quotes: bool) {
        self.open(Place::Parameter(Parameter {
            is_in_quotes,
            part: ParameterPart::Name,
        }));
    }

    /// Takes a letter of a parameter.
    pub(super) fn parameter(&mut self, parameter: Parameter, letter: char) {
        use ParameterPart::{Name, Pattern, Word};

        let is_in_quotes = parameter.is_in_quotes && parameter.part != Pattern;
        let is_quoted = self.frame.is_quoted;
        if parameter.part == Name && ['"', '\'', '\\', '$', '`'].contains(&letter) {
            self.set_part(parameter, Word);
        }
        if self.expands_within(letter, is_in_quotes) {
            return;
        }
        let name = self.frame.word.as_deref().unwrap_or_default();
        let part = match letter {
            _ if is_quoted || parameter.part != Name => parameter.part,
            '[' => {
                self.open_arithmetic(ArithmeticForm::Subscript, parameter.is_in_quotes);
                return;
            }
            _ if letter == '_' || letter.is_alphanumeric() || letter == '}' => Name,
            // Marks before the name, and parameters that have no other name.
            '!' | '#' | '@' | '*' | '?' | '-' if name.is_empty() => Name,
            '@' | '*' if name == "!" || name == "#" => Name,
            '#' | '%' | '/' | '^' | ',' => Pattern,
            _ => Word,
        };
        self.set_part(parameter, part);
        match letter {
            '}' if !is_quoted => self.close_parameter(parameter.is_in_quotes),
            '<' | '>' if !is_quoted && !parameter.is_in_quotes && self.chars.takes('(') => {
                self.open(Place::Substitution);
            }
            _ => self.word().push(letter),
        }
    }

    fn set_part(&mut self, parameter: Parameter, part: ParameterPart) {
        self.frame.place = Place::Parameter(Parameter { part, ..parameter });
    }

    /// Goes on behind a parameter, which is resolved where it serves to hide words.
    fn close_parameter(&mut self, is_in_quotes: bool) {
        let text = self.frame.word.take().unwrap_or_default();
        // Some shells run `${ …; }` and `${|…; }`.
        if text.starts_with(|first: char| first == '|' || first.is_whitespace()) {
            let commands = self.chars.since(self.frame.start);
            let commands = commands.trim_start_matches('|').trim_end_matches('}');
            self.read_within(commands, Frame::default());
        }
        let around = self.around();
        let is_in_word = !is_in_quotes && around.is_some_and(Frame::splits);
        let has_word = around.is_some_and(|frame| frame.word.is_some());
        let is_separator = text.strip_prefix(SEPARATOR).is_some_and(|rest| {
            !rest.starts_with(|next: char| next == '_' || next.is_alphanumeric())
        });
        let is_positional = text == "@" || text == "*" || text.parse::<u8>().is_ok_and(|at| at > 0);
        if is_in_word && (is_separator || is_positional) {
            self.resume("");
            self.frame.word.take_if(|_| !has_word);
            if is_separator {
                self.end_word();
            }
        } else {
            self.resume(&format!("${{{text}}}"));
        }
    }
}

/// Tells whether a word or option follows another word, with nothing but blanks between.
///
/// `bash` takes such a text for an expression with an error; other shells take it for commands.
fn has_adjacent_words(text: &str) -> bool {
    let is_operand = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut letters = text.chars().peekable();
    let mut before = None;
    let mut has_blank = false;
    while let Some(letter) = letters.next() {
        if letter.is_whitespace() {
            has_blank = true;
            continue;
        }
        let is_joined = letters.peek().is_none_or(|next| !next.is_whitespace());
        let begins_word = is_operand(letter) || ['/', '~', '-', '.'].contains(&letter) && is_joined;
        if has_blank && begins_word && before.is_some_and(is_operand) {
            return true;
        }
        has_blank = false;
        before = Some(letter);
    }
    false
}
