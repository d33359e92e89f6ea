//! What a program writes, as far as its words tell: literal text, what it reads itself, or what nobody has read.

use super::cursor::Cursor;
use super::program::Program;
use super::quoting::ansi_escape;
use super::sources::Sources;

/// Programs that pass on what they read, with the number of operands that are no files.
const FILTERS: [(&str, usize); 11] = [
    ("cat", 0),
    ("egrep", 1),
    ("fgrep", 1),
    ("grep", 1),
    ("head", 0),
    ("sed", 1),
    ("sort", 0),
    ("tail", 0),
    ("tee", usize::MAX),
    ("tr", usize::MAX),
    ("uniq", 0),
];
/// Programs and words of the shell that write nothing to speak of.
const SILENT: [&str; 31] = [
    "", "(", ":", "[", "[[", "]]", "break", "case", "cd", "chmod", "continue", "declare", "done",
    "esac", "export", "false", "fi", "for", "local", "mkdir", "read", "return", "rm", "select",
    "set", "shift", "sleep", "test", "touch", "true", "}",
];

/// Bytes after which a format is not repeated for further arguments.
const MAX_FORMATTED: usize = 64 << 10;

impl Program {
    /// Tells whether the program writes what its words do not tell.
    pub(super) fn unread(&self) -> Sources {
        let is_behind_xargs = self.wrappers.iter().any(|wrapper| wrapper.name == "xargs");
        let is_literal = match self.name.as_str() {
            _ if is_behind_xargs => false,
            "echo" | "printf" => !self.is_expanded,
            // It rewrites what it reads.
            "sed" => false,
            name => match FILTERS.iter().find(|(filter, _)| *filter == name) {
                Some((_, others)) => {
                    let is_count = |word: &str| word.chars().all(|digit| digit.is_ascii_digit());
                    self.operands().skip(*others).all(is_count)
                        && self.inputs.is_empty()
                        && (self.input.is_empty() || !self.is_expanded)
                }
                None => SILENT.contains(&name),
            },
        };
        if is_literal {
            Sources::default()
        } else {
            Sources::UNREAD
        }
    }

    /// Returns the texts that the program writes because they stand in the command.
    pub(super) fn printed(&self) -> Vec<String> {
        match self.name.as_str() {
            "echo" => {
                let is_option = |word: &&String| {
                    word.len() > 1
                        && word
                            .strip_prefix('-')
                            .is_some_and(|rest| rest.chars().all(|it| "neE".contains(it)))
                };
                let words: Vec<&str> = self
                    .arguments
                    .iter()
                    .skip_while(is_option)
                    .map(String::as_str)
                    .collect();
                with_decoded(words.join(" "))
            }
            "printf" => self.formatted(),
            name if FILTERS.iter().any(|(filter, _)| *filter == name) && !self.input.is_empty() => {
                vec![self.input.clone()]
            }
            _ => Vec::new(),
        }
    }

    /// Returns what `printf` writes, and each of its arguments for the case that it writes them otherwise.
    fn formatted(&self) -> Vec<String> {
        let words = match self.arguments.as_slice() {
            [first, rest @ ..] if first == "--" => rest,
            words => words,
        };
        let Some((format, words)) = words.split_first() else {
            return Vec::new();
        };
        let mut values = words.iter();
        let mut text = String::new();
        loop {
            let before = values.len();
            let mut letters = Cursor::new(format);
            while let Some(letter) = letters.next() {
                match letter {
                    '\\' => text.extend(ansi_escape(&mut letters)),
                    '%' if letters.takes('%') => text.push('%'),
                    '%' => {
                        while letters
                            .next_if(|next| !next.is_ascii_alphabetic())
                            .is_some()
                        {}
                        letters.next();
                        text.push_str(values.next().map_or("", String::as_str));
                    }
                    _ => text.push(letter),
                }
            }
            if values.len() == 0 || values.len() == before || text.len() > MAX_FORMATTED {
                break;
            }
        }
        let mut texts = vec![text];
        texts.extend(words.iter().flat_map(|word| with_decoded(word.clone())));
        texts
    }
}

/// Returns a text, and what its escapes stand for if it has some.
fn with_decoded(text: String) -> Vec<String> {
    if !text.contains('\\') {
        return vec![text];
    }
    let mut decoded = String::new();
    let mut letters = Cursor::new(&text);
    while let Some(letter) = letters.next() {
        if letter == '\\' {
            decoded.extend(ansi_escape(&mut letters));
        } else {
            decoded.push(letter);
        }
    }
    vec![text, decoded]
}
