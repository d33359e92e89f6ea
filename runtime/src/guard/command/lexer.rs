//! Splits the text of a shell command into simple commands, as far as a guard needs it.
//!
//! Quotes, escapes, comments, here-documents and substitutions are followed, so that quoted prose is never taken for a
//! command. `$IFS`, empty positional parameters, `$'…'` and plain brace lists are resolved, because they serve to hide
//! words; nothing else is expanded: `$HOME` stays `$HOME`. The time is linear in the text; only here-documents within
//! here-documents recurse, and not deeper than a few levels.

use std::iter::Peekable;
use std::mem;
use std::ops::Range;
use std::str::Chars;

use super::frame::{Closer, Document, Frame, Role, Stage};

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
    /// Whether a single `&` follows.
    pub(super) is_background: bool,
    pub(super) stage: Stage,
    /// The commands of its substitutions, which come before it.
    pub(super) inner: Range<usize>,
}

impl Simple {
    /// Tells whether nothing was written between two separators.
    fn is_empty(&self) -> bool {
        self.words.is_empty()
            && self.outputs.is_empty()
            && self.inputs.is_empty()
            && self.input.is_empty()
    }
}

/// Substitutions and subshells within each other that are followed.
const MAX_DEPTH: usize = 500;
/// Here-documents within each other that are followed; each level reads its text once more.
const MAX_DOCUMENTS: usize = 8;

/// The commands of a text and what of it is not quoted.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Lexed {
    pub(super) commands: Vec<Simple>,
    pub(super) unquoted: String,
    /// Whether the text nests deeper than it is followed, so that what was found is not all there is.
    pub(super) is_too_deep: bool,
}

/// Splits a text; text that no shell would accept gives some commands, too.
pub(super) fn lex(text: &str) -> Lexed {
    let mut lexer = Lexer::new(text);
    lexer.run();
    lexer.lexed
}

/// The state of reading one text; how quotes and `$` are read is told in `quoting`.
pub(super) struct Lexer<'a> {
    pub(super) chars: Peekable<Chars<'a>>,
    lexed: Lexed,
    /// The innermost command that is being read.
    pub(super) frame: Frame,
    /// The commands around it, the innermost last.
    outer: Vec<Frame>,
    /// Here-documents whose text begins after this line, with the place of the command that reads each.
    documents: Vec<(Document, usize)>,
    /// Number of pipelines so far.
    pipelines: usize,
    /// Number of here-documents around the text.
    level: usize,
}

impl<'a> Lexer<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            chars: text.chars().peekable(),
            lexed: Lexed::default(),
            frame: Frame::default(),
            outer: Vec::new(),
            documents: Vec::new(),
            pipelines: 0,
            level: 0,
        }
    }

    fn run(&mut self) {
        while let Some(letter) = self.chars.next() {
            if self.frame.is_quoted {
                self.quoted(letter);
            } else {
                self.plain(letter);
            }
        }
        if self.level > 0 {
            // The text of a here-document is data; only the commands in it count.
            let root = self.outer.first_mut().unwrap_or(&mut self.frame);
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

    /// Keeps that the word which is being read has quotes, if it is the delimiter of a here-document.
    pub(super) fn quotes_delimiter(&mut self) {
        if let Role::HereDocument { expands, .. } = &mut self.frame.next_word {
            *expands = false;
        }
    }

    fn plain(&mut self, letter: char) {
        self.lexed.unquoted.push(letter);
        match letter {
            '\'' => self.single_quoted(false),
            '"' => {
                self.word();
                self.quotes_delimiter();
                self.frame.is_quoted = true;
            }
            '\\' => match self.chars.next() {
                Some('\n') | None => {}
                Some(escaped) => {
                    self.quotes_delimiter();
                    self.word().push(escaped);
                }
            },
            '$' => self.dollar(),
            '`' => self.backtick(),
            '#' if self.frame.word.is_none() => {
                while self.chars.next_if(|&next| next != '\n').is_some() {}
            }
            ' ' | '\t' | '\r' => self.end_word(),
            '\n' => {
                self.end_command(false);
                self.read_documents();
            }
            '{' if self.frame.word.is_none() && self.takes_descriptor() => {}
            '{' if self.frame.word.is_none() && self.starts_braces() => self.frame.in_braces = true,
            ',' if self.frame.in_braces => self.end_word(),
            '}' if self.frame.in_braces => self.frame.in_braces = false,
            ';' => self.end_command(false),
            '&' if self.chars.next_if_eq(&'&').is_some() => self.end_command(false),
            '&' if self.chars.peek() == Some(&'>') => self.end_word(),
            '&' => self.end_command(true),
            '|' if self.chars.next_if_eq(&'|').is_some() => self.end_command(false),
            '|' => {
                let _ = self.chars.next_if_eq(&'&');
                self.pipe();
            }
            '(' => {
                // What stands before it is a function's name or nothing: a subshell may be a stage of a pipeline.
                self.end_stage(false);
                self.open(Closer::Subshell);
            }
            ')' => self.close(),
            '>' => self.output(),
            '<' => self.input(),
            _ => self.word().push(letter),
        }
    }

    fn output(&mut self) {
        self.drop_descriptor();
        if self.chars.next_if_eq(&'(').is_some() {
            self.open(Closer::Substitution);
        } else if self.chars.next_if_eq(&'&').is_some() {
            // What follows is the number of a descriptor, or a file.
            self.frame.next_word = Role::Output;
        } else {
            let _ = self.chars.next_if(|&next| next == '>' || next == '|');
            self.frame.next_word = Role::Output;
        }
    }

    fn input(&mut self) {
        self.drop_descriptor();
        let role = if self.chars.next_if_eq(&'(').is_some() {
            self.open(Closer::Substitution);
            return;
        } else if self.chars.next_if_eq(&'>').is_some() {
            // `<>` opens for both; to write is the worse half.
            Role::Output
        } else if self.chars.next_if_eq(&'<').is_none() {
            let _ = self.chars.next_if_eq(&'&');
            Role::Input
        } else if self.chars.next_if_eq(&'<').is_some() {
            Role::HereString
        } else {
            Role::HereDocument {
                strips_tabs: self.chars.next_if_eq(&'-').is_some(),
                expands: true,
            }
        };
        self.frame.next_word = role;
    }

    /// Ends the word before a redirection, unless it is the number of the descriptor to redirect.
    fn drop_descriptor(&mut self) {
        self.frame
            .word
            .take_if(|word| word.chars().all(|letter| letter.is_ascii_digit()));
        self.end_word();
    }

    pub(super) fn end_word(&mut self) {
        let frame = &mut self.frame;
        let Some(word) = frame.word.take() else {
            return;
        };
        match mem::take(&mut frame.next_word) {
            Role::Word => frame.simple.words.push(word),
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

    /// Ends a command and its pipeline.
    fn end_command(&mut self, is_background: bool) {
        self.end_stage(is_background);
        self.frame.stage.is_piped = self.frame.reads_pipe;
        if self.frame.closer != Closer::Subshell {
            self.pipelines += 1;
            self.frame.stage.pipeline = self.pipelines;
        }
    }

    /// Ends a command whose output goes to the next one.
    fn pipe(&mut self) {
        self.end_stage(false);
        self.frame.stage.is_piped = true;
    }

    fn end_stage(&mut self, is_background: bool) {
        self.end_word();
        self.frame.in_braces = false;
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

    pub(super) fn open(&mut self, closer: Closer) {
        if self.outer.len() >= MAX_DEPTH {
            self.lexed.is_too_deep = true;
            return;
        }
        let is_subshell = closer == Closer::Subshell;
        let reads_pipe = is_subshell && self.frame.stage.is_piped;
        if !is_subshell {
            self.pipelines += 1;
        }
        let inner = Frame {
            closer,
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
            ..Frame::default()
        };
        self.outer.push(mem::replace(&mut self.frame, inner));
    }

    fn close(&mut self) {
        self.end_command(false);
        match self.frame.closer {
            Closer::Substitution => self.resume(),
            // The command before the parenthesis has ended there.
            Closer::Subshell => self.frame = self.outer.pop().unwrap_or_default(),
            Closer::End | Closer::Backtick | Closer::Document => {}
        }
    }

    pub(super) fn backtick(&mut self) {
        if self.frame.closer == Closer::Backtick && !self.frame.is_quoted {
            self.end_command(false);
            self.resume();
        } else {
            self.open(Closer::Backtick);
        }
    }

    /// Goes on with the word around a substitution; what it gives is not known, but the word is not empty.
    fn resume(&mut self) {
        let first = self.frame.first;
        self.frame = self.outer.pop().unwrap_or_default();
        let end = self.lexed.commands.len();
        let inner = &mut self.frame.simple.inner;
        *inner = if inner.start == inner.end {
            first..end
        } else {
            inner.start..end
        };
        self.word().push_str("$()");
    }

    /// Reads the texts of the here-documents that the line before has announced.
    fn read_documents(&mut self) {
        for (document, command) in mem::take(&mut self.documents) {
            let mut text = String::new();
            while self.chars.peek().is_some() {
                let line: String =
                    std::iter::from_fn(|| self.chars.next_if(|&next| next != '\n')).collect();
                self.chars.next();
                let line = if document.strips_tabs {
                    line.trim_start_matches('\t')
                } else {
                    &line
                };
                if line == document.delimiter {
                    break;
                }
                text.push_str(line);
                text.push('\n');
            }
            if document.expands {
                self.read_substitutions(&text);
            }
            if let Some(command) = self.lexed.commands.get_mut(command) {
                command.input.push_str(&text);
            }
        }
    }

    /// Takes the commands of the substitutions in a here-document, which is read as if in double quotes.
    fn read_substitutions(&mut self, text: &str) {
        if self.level >= MAX_DOCUMENTS {
            self.lexed.is_too_deep |= text.contains(['$', '`']);
            return;
        }
        let mut inner = Lexer::new(text);
        inner.level = self.level + 1;
        inner.pipelines = self.pipelines + 1;
        inner.frame = Frame {
            is_quoted: true,
            closer: Closer::Document,
            stage: Stage {
                pipeline: inner.pipelines,
                is_piped: false,
            },
            ..Frame::default()
        };
        inner.run();
        self.pipelines = inner.pipelines;
        let offset = self.lexed.commands.len();
        self.lexed
            .commands
            .extend(inner.lexed.commands.into_iter().map(|mut simple| {
                simple.inner = simple.inner.start + offset..simple.inner.end + offset;
                simple
            }));
        self.lexed.unquoted.push('\n');
        self.lexed.unquoted.push_str(&inner.lexed.unquoted);
        self.lexed.is_too_deep |= inner.lexed.is_too_deep;
    }
}

#[cfg(test)]
mod tests;
