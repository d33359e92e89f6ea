//! How the lexer reads the letters that separate or group commands, and the words of lists, conditions and `case`.

use super::frame::{Place, Role};
use super::lexer::Lexer;
use super::simple::Simple;
use super::slot::Slot;

impl Lexer<'_> {
    /// Takes a letter of a list, whose words are no commands.
    pub(super) fn list(&mut self, letter: char) {
        match letter {
            '\'' => self.single_quoted(false),
            '"' => {
                self.word();
                self.frame.is_quoted = true;
            }
            '\\' => self.escape(),
            '$' => self.dollar(false),
            '`' => self.backtick(),
            '#' if self.frame.word.is_none() => self.chars.skip_line(),
            '<' | '>' if self.chars.takes('(') => self.open(Place::Substitution),
            ')' => self.resume("()"),
            _ if letter.is_whitespace() => self.frame.word = None,
            _ => self.word().push(letter),
        }
    }

    /// Tells whether a letter that separates commands is a part of a condition's regular expression.
    pub(super) fn is_within_expression(&self, letter: char) -> bool {
        let word = self.frame.word.as_deref();
        self.frame.in_condition
            && (letter == '(' || word.is_some_and(|word| word.contains('(')))
            && self.frame.next_word == Role::Word
    }

    /// Takes a letter of a pattern of a `case`.
    pub(super) fn pattern(&mut self, letter: char) {
        let is_glob = |word: &String| word.ends_with(['?', '*', '+', '@', '!']);
        let is_inside = self.frame.pattern_depth > 0;
        match letter {
            '(' if is_inside || self.frame.word.as_ref().is_some_and(is_glob) => {
                self.frame.pattern_depth += 1;
                self.word().push(letter);
            }
            ')' if is_inside => {
                self.frame.pattern_depth -= 1;
                self.word().push(letter);
            }
            '|' if is_inside => self.word().push(letter),
            ')' if self.frame.slot == (Slot::Pattern { is_first: true })
                && self.frame.word.as_deref() == Some("esac") =>
            {
                self.end_word();
                self.close();
            }
            ')' => {
                self.frame.word = None;
                self.frame.simple = Simple::default();
                self.end_command(false);
            }
            _ => {
                // Behind an opening parenthesis or a `|`, `esac` is a pattern like others.
                self.end_word();
                self.frame.slot = Slot::Pattern { is_first: false };
            }
        }
    }

    pub(super) fn semicolon(&mut self) {
        let ends_clause = self.frame.cases > 0 && matches!(self.chars.peek(), Some(';' | '&')) && {
            // `;;`, `;&` or `;;&`.
            self.chars.next();
            self.chars.takes('&');
            true
        };
        self.end_command(false);
        if ends_clause {
            self.frame.slot = Slot::Pattern { is_first: true };
        }
    }

    /// Ends a line, and the command in it unless something stands before it that needs a second half.
    pub(super) fn end_line(&mut self) {
        self.end_word();
        let slot = self.frame.slot;
        self.frame.in_condition = false;
        if !(self.frame.is_after_pipe && self.frame.simple.is_empty()) {
            self.end_command(false);
        }
        if matches!(slot, Slot::Pattern { .. } | Slot::In) {
            self.frame.slot = slot;
        }
        self.read_documents();
    }

    pub(super) fn parenthesis(&mut self) {
        if self.begins_list() {
            self.open(Place::List);
        } else if self.begins_arithmetic() {
            self.end_stage(false);
            self.open_arithmetic_command();
        } else {
            // What stands before it is a function's name or nothing: a subshell may be a stage of a pipeline.
            self.end_stage(false);
            self.open(Place::Subshell);
        }
    }
}
