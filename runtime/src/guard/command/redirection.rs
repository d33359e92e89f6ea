//! How the lexer reads redirections and the texts of here-documents.

use std::mem;

use super::frame::{Frame, Place, Role};
use super::lexer::Lexer;
use super::slot::Slot;

impl Lexer<'_> {
    pub(super) fn output(&mut self) {
        self.drop_descriptor();
        if self.chars.takes('(') {
            self.open(Place::Reader);
            return;
        }
        // What follows `>&` is the number of a descriptor, or a file.
        let _ = self
            .chars
            .next_if(|next| next == '&' || next == '>' || next == '|');
        self.frame.next_word = Role::Output;
    }

    pub(super) fn input(&mut self) {
        self.drop_descriptor();
        let role = if self.chars.takes('(') {
            self.open(Place::Substitution);
            return;
        } else if self.chars.takes('>') {
            // `<>` opens for both; to write is the worse half.
            Role::Output
        } else if !self.chars.takes('<') {
            self.chars.takes('&');
            Role::Input
        } else if self.chars.takes('<') {
            Role::HereString
        } else {
            Role::HereDocument {
                strips_tabs: self.chars.takes('-'),
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
        if self.frame.slot == Slot::Start {
            self.frame.slot = Slot::Program;
        }
    }

    /// Takes the rest of `{name}` in front of a redirection, which stores a descriptor and is no word.
    pub(super) fn takes_descriptor(&mut self) -> bool {
        let rest = self.chars.rest();
        let length = rest
            .bytes()
            .take_while(|&next| next == b'_' || next.is_ascii_alphanumeric())
            .count();
        // The letters that were counted are ASCII.
        let behind = rest.get(length..).unwrap_or_default();
        let is_descriptor = length > 0 && (behind.starts_with("}<") || behind.starts_with("}>"));
        if is_descriptor {
            let name = rest.get(..=length).unwrap_or_default();
            self.chars.takes_text(name);
        }
        is_descriptor
    }

    /// Reads the texts of the here-documents that the line before has announced.
    ///
    /// In doubt a text ends early, so that what follows is judged: a `\r` before the end of a line does not count, and of
    /// a delimiter with several lines only the first does.
    pub(super) fn read_documents(&mut self) {
        for (document, command) in mem::take(&mut self.documents) {
            let delimiter = document.delimiter.lines().next().unwrap_or_default();
            if delimiter.contains("$(") {
                // How the delimiter was written is not known any more.
                continue;
            }
            let mut text = String::new();
            while let Some(line) = self.chars.line() {
                let line = if document.strips_tabs {
                    line.trim_start_matches('\t')
                } else {
                    line
                };
                if line == delimiter || line.strip_suffix('\r') == Some(delimiter) {
                    break;
                }
                text.push_str(line);
                text.push('\n');
            }
            let is_expanded = document.expands && text.contains(['$', '`']);
            if is_expanded {
                let frame = Frame {
                    is_quoted: true,
                    place: Place::Document,
                    ..Frame::default()
                };
                self.read_within(&text, frame);
            }
            if let Some(command) = self.lexed.commands.get_mut(command) {
                command.input.push_str(&text);
                command.is_expanded |= is_expanded;
            }
        }
    }
}
