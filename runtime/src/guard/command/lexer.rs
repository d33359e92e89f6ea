//! Splits the text of a shell command into simple commands, as far as a guard needs it.
//!
//! Quotes, escapes, comments, here-documents, substitutions, arithmetic, parameters, `case` and lists are followed, so
//! that quoted prose is never taken for a command. `$IFS`, empty positional parameters, `$'…'` and plain brace lists are
//! resolved, because they serve to hide words; nothing else is expanded: `$HOME` stays `$HOME`. The time is linear in the
//! text; only texts within texts (here-documents, backticks) recurse, and not deeper than a few levels.

use std::mem;

use super::cursor::Cursor;
use super::frame::{Document, Frame, Place, Role, Stage};
use super::simple::{Lexed, Simple};
use super::slot::{CaseStep, Slot};

/// Substitutions and subshells within each other that are followed.
const MAX_DEPTH: usize = 500;
/// How often a text may be read again in all, as texts within texts.
const MAX_READINGS: usize = 16;

/// Splits a text; text that no shell would accept gives some commands, too.
///
/// Where shells differ about a single quote, the commands of both readings are given.
pub(super) fn lex(text: &str) -> Lexed {
    let mut first = Lexer::new(text);
    first.run();
    let mut found = first.lexed;
    if first.is_ambiguous {
        let mut second = Lexer::new(text);
        second.knows_posix_quotes = true;
        second.pipelines = first.pipelines + 1;
        second.frame.stage.pipeline = second.pipelines;
        second.run();
        found.append(second.lexed);
    }
    found
}

/// The state of reading one text; how its parts are read is told in `compound`, `expansion`, `nested`, `quoting` and
/// `redirection`.
pub(super) struct Lexer<'a> {
    pub(super) chars: Cursor<'a>,
    pub(super) lexed: Lexed,
    /// The innermost command that is being read.
    pub(super) frame: Frame,
    /// The commands around it, the innermost last.
    pub(super) outer: Vec<Frame>,
    /// Here-documents whose text begins after this line, with the place of the command that reads each.
    pub(super) documents: Vec<(Document, usize)>,
    /// Number of pipelines so far.
    pub(super) pipelines: usize,
    /// Number of texts around this one.
    pub(super) level: usize,
    /// Bytes of texts within this one that may still be read.
    pub(super) budget: usize,
    /// Whether a single quote within double quotes is a letter in parameters and arithmetic, too, as POSIX has it.
    pub(super) knows_posix_quotes: bool,
    /// Whether there was such a quote.
    pub(super) is_ambiguous: bool,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self {
            chars: Cursor::new(text),
            lexed: Lexed::default(),
            frame: Frame::default(),
            outer: Vec::new(),
            documents: Vec::new(),
            pipelines: 0,
            level: 0,
            budget: text.len().saturating_mul(MAX_READINGS),
            knows_posix_quotes: false,
            is_ambiguous: false,
        }
    }

    pub(super) fn run(&mut self) {
        while let Some(letter) = self.chars.next() {
            match self.frame.place {
                Place::Arithmetic(arithmetic) => self.arithmetic(arithmetic, letter),
                Place::Parameter(parameter) => self.parameter(parameter, letter),
                _ if self.frame.is_quoted => self.quoted(letter),
                Place::List => self.list(letter),
                _ => self.plain(letter),
            }
        }
        self.read_unclosed();
        let root = self.outer.first_mut().unwrap_or(&mut self.frame);
        if root.place == Place::Document {
            // The text of a here-document is data; only the commands in it count.
            root.word = None;
            root.simple = Simple::default();
        }
        // What was not closed ends with the text.
        self.end_command(false);
        while let Some(outer) = self.outer.pop() {
            self.frame = outer;
            self.end_command(false);
        }
    }

    pub(super) fn word(&mut self) -> &mut String {
        self.frame.word.get_or_insert_default()
    }

    fn plain(&mut self, letter: char) {
        self.lexed.unquoted.push(letter);
        match letter {
            '\'' => self.single_quoted(false),
            '"' => {
                self.word();
                self.mark_quotes();
                self.frame.is_quoted = true;
            }
            '\\' => self.escape(),
            '$' => self.dollar(false),
            '`' => self.backtick(),
            '#' if self.frame.word.is_none() => self.chars.skip_line(),
            ' ' | '\t' | '\r' => self.end_word(),
            '\n' => self.end_line(),
            '{' if self.frame.word.is_none() && self.takes_descriptor() => {}
            '{' if self.frame.word.is_none() && self.starts_braces() => self.frame.in_braces = true,
            ',' if self.frame.in_braces => self.end_word(),
            '}' if self.frame.in_braces => self.frame.in_braces = false,
            '(' | ')' | '|' | '&' | ';' if self.is_within_expression(letter) => {
                self.word().push(letter);
            }
            '(' | ')' | '|' if matches!(self.frame.slot, Slot::Pattern { .. }) => {
                self.pattern(letter);
            }
            ';' => self.semicolon(),
            '&' if self.chars.takes('&') => self.end_command(false),
            '&' if self.chars.peek() == Some('>') => self.end_word(),
            '&' => self.end_command(true),
            '|' if self.chars.takes('|') => self.end_command(false),
            '|' => {
                self.chars.takes('&');
                self.pipe();
            }
            '(' => self.parenthesis(),
            ')' => self.close(),
            '>' => self.output(),
            '<' => self.input(),
            '[' if self.begins_subscript() => self.open_subscript(),
            _ => self.word().push(letter),
        }
    }

    pub(super) fn end_word(&mut self) {
        let frame = &mut self.frame;
        let is_disguised = mem::take(&mut frame.is_disguised);
        let Some(word) = frame.word.take() else {
            return;
        };
        match mem::take(&mut frame.next_word) {
            Role::Word => self.take_word(word, is_disguised),
            Role::Output => frame.simple.outputs.push(word),
            Role::Input => frame.simple.inputs.push(word),
            Role::HereString => frame.simple.input.push_str(&word),
            Role::HereDocument {
                strips_tabs,
                expands,
            } => {
                frame.simple.has_document = true;
                frame.documents.push(Document {
                    delimiter: word,
                    strips_tabs,
                    expands,
                });
            }
        }
    }

    fn take_word(&mut self, word: String, is_disguised: bool) {
        let frame = &mut self.frame;
        let before = frame.slot;
        let (slot, step) = before.behind(&word, is_disguised, frame.cases > 0);
        frame.slot = slot;
        if before == Slot::Start && word == "[[" && !is_disguised {
            frame.in_condition = true;
        } else if word.ends_with("]]") {
            frame.in_condition = false;
        }
        match step {
            CaseStep::None if matches!(slot, Slot::Pattern { .. }) => {}
            CaseStep::None => frame.simple.words.push(word),
            CaseStep::Opens => {
                frame.cases += 1;
                self.end_stage(false);
                self.frame.slot = slot;
            }
            CaseStep::Closes => {
                frame.cases = frame.cases.saturating_sub(1);
                frame.simple.words.push(word);
            }
        }
    }

    /// Ends a command and its pipeline.
    pub(super) fn end_command(&mut self, is_background: bool) {
        self.end_stage(is_background);
        self.frame.stage.is_piped = self.frame.reads_pipe;
        if self.frame.place != Place::Subshell {
            self.pipelines += 1;
            self.frame.stage.pipeline = self.pipelines;
        }
    }

    /// Ends a command whose output goes to the next one.
    pub(super) fn pipe(&mut self) {
        self.end_stage(false);
        self.frame.stage.is_piped = true;
        self.frame.is_after_pipe = true;
    }

    pub(super) fn end_stage(&mut self, is_background: bool) {
        self.end_word();
        self.frame.in_braces = false;
        self.frame.is_after_pipe = false;
        self.frame.slot = Slot::Start;
        let mut simple = mem::take(&mut self.frame.simple);
        simple.is_background = is_background;
        simple.stage = self.frame.stage;
        let place = self.lexed.commands.len();
        self.documents.extend(
            self.frame
                .documents
                .drain(..)
                .map(|document| (document, place)),
        );
        if !simple.is_empty() || simple.has_document {
            self.lexed.commands.push(simple);
        }
    }

    pub(super) fn open(&mut self, place: Place) {
        if self.outer.len() >= MAX_DEPTH {
            self.lexed.is_too_deep = true;
            return;
        }
        let is_subshell = place == Place::Subshell;
        let reads_pipe = is_subshell && self.frame.stage.is_piped || place == Place::Reader;
        if !is_subshell {
            self.pipelines += 1;
        }
        let inner = Frame {
            place,
            stage: Stage {
                pipeline: if is_subshell {
                    self.frame.stage.pipeline
                } else {
                    self.pipelines
                },
                is_piped: reads_pipe,
            },
            reads_pipe,
            first: self.lexed.commands.len(),
            start: self.chars.at(),
            ..Frame::default()
        };
        self.outer.push(mem::replace(&mut self.frame, inner));
    }

    pub(super) fn close(&mut self) {
        self.end_command(false);
        match self.frame.place {
            Place::Substitution => self.resume("$()"),
            Place::Reader => {
                let read = self.frame.first..self.lexed.commands.len();
                self.resume("$()");
                self.frame.simple.readers.push(read);
            }
            // The command before the parenthesis has ended there.
            Place::Subshell => self.leave(),
            _ => {}
        }
    }

    /// Goes back to the place around this one.
    pub(super) fn leave(&mut self) {
        self.frame = self.outer.pop().unwrap_or_default();
    }

    /// Goes on with the word around a part of it, which stands for the text.
    pub(super) fn resume(&mut self, text: &str) {
        let first = self.frame.first;
        self.leave();
        let end = self.lexed.commands.len();
        if first < end {
            self.frame.simple.include(first..end);
        }
        self.word().push_str(text);
    }
}

#[cfg(test)]
mod tests;
