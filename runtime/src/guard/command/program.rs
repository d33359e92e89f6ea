//! One program of a command line: its name behind all wrappers, its words, and the texts that it hands to a shell.

use super::frame::Stage;
use super::lexer::Simple;
use super::sources::Sources;
use super::wrapper::{Wrapper, wrapper_named};

const SHELLS: [&str; 8] = ["ash", "bash", "dash", "fish", "ksh", "sh", "tcsh", "zsh"];
/// Words of the shell after which a command begins.
const KEYWORDS: [&str; 11] = [
    "!", "coproc", "do", "elif", "else", "if", "then", "until", "while", "{", "}",
];
/// Words that close a group of commands.
const GROUP_ENDS: [&str; 4] = ["}", "done", "esac", "fi"];
const FETCHERS: [&str; 9] = [
    "aria2c",
    "curl",
    "fetch",
    "http",
    "https",
    "httpie",
    "lwp-request",
    "wget",
    "xh",
];
/// Files that are what a program reads anyway.
const STANDARD_INPUTS: [&str; 3] = ["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"];
/// Options of `ssh` that take the next word as value.
const SSH_VALUED: &str = "BbcDEeFIiJLlmOopQRSWw";

/// One program that a command line starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Program {
    /// Name without directories and `.exe`, in lower case.
    pub(crate) name: String,
    /// The name as it was written.
    pub(super) path: String,
    pub(crate) arguments: Vec<String>,
    /// The wrappers before it, outermost first.
    pub(crate) wrappers: Vec<Wrapper>,
    /// Variables that are set for it, as `NAME=value`.
    pub(super) assignments: Vec<String>,
    /// Files that its output goes to.
    pub(super) outputs: Vec<String>,
    /// Files that its input comes from.
    pub(super) inputs: Vec<String>,
    /// What it reads from a here-document or here-string.
    pub(super) input: String,
    /// Whether that is a here-document.
    pub(super) has_document: bool,
    /// Whether it is followed by a single `&`.
    pub(crate) is_background: bool,
    pub(super) stage: Stage,
    /// What kind of program it is itself.
    pub(super) source: Sources,
    /// The programs before it in its pipeline.
    pub(super) upstream: Sources,
    /// The programs of its substitutions.
    pub(super) inner: Sources,
    /// Whether it is the word that ends a group of commands.
    pub(super) closes_group: bool,
}

impl Program {
    /// Finds what a simple command starts; a command of assignments alone has an empty name.
    pub(super) fn of(simple: Simple, inner: Sources, upstream: Sources) -> Self {
        let closes_group = simple
            .words
            .first()
            .is_some_and(|word| GROUP_ENDS.contains(&word.as_str()));
        let mut words = without_coprocess_name(simple.words).into_iter().peekable();
        let mut wrappers = Vec::new();
        let mut assignments = Vec::new();
        let mut path = String::new();
        while let Some(word) = words.next() {
            if is_assignment(&word) {
                assignments.push(word);
            } else if KEYWORDS.contains(&word.as_str()) {
            } else if let Some(kind) = wrapper_named(&name_of(&word)) {
                wrappers.push(Wrapper::read(kind, word, &mut words));
            } else {
                path = word;
                break;
            }
        }
        let mut arguments: Vec<String> = words.collect();
        if path.is_empty()
            && let Some(last) = wrappers.pop()
        {
            // A wrapper around nothing is itself what runs.
            (path, arguments) = (last.path, last.options);
        }
        let mut program = Self {
            name: name_of(&path),
            path,
            arguments,
            wrappers,
            assignments,
            outputs: simple.outputs,
            inputs: simple.inputs,
            input: simple.input,
            has_document: simple.has_document,
            is_background: simple.is_background,
            stage: simple.stage,
            source: Sources::default(),
            upstream,
            inner,
            closes_group,
        };
        program.source = program.kind();
        program
    }

    fn kind(&self) -> Sources {
        let decodes = match self.name.as_str() {
            "base64" | "base32" | "basenc" => self.has_flag("dD", &["--decode"]),
            "xxd" => self.has_flag("r", &["--revert"]),
            "openssl" => self.has_flag("d", &[]),
            "tr" | "rev" | "uudecode" => true,
            _ => false,
        };
        match self.name.as_str() {
            _ if decodes => Sources::DECODES,
            "pgrep" | "pidof" => Sources::FINDS_PROCESSES,
            _ if self.fetches() => Sources::FETCHES,
            _ => Sources::default(),
        }
    }

    /// Tells whether the program transfers data over the network.
    pub(super) fn fetches(&self) -> bool {
        self.is_one_of(&FETCHERS)
    }

    /// Tells whether it is a shell.
    pub(super) fn is_shell(&self) -> bool {
        self.is_one_of(&SHELLS)
    }

    /// Tells whether its name is one of these.
    pub(super) fn is_one_of(&self, names: &[&str]) -> bool {
        names.contains(&self.name.as_str())
    }

    /// Returns the number of the pipeline that it is a part of.
    pub(crate) fn pipeline(&self) -> usize {
        self.stage.pipeline
    }

    /// Returns the words that are no options.
    pub(crate) fn operands(&self) -> impl Iterator<Item = &str> {
        let words = self.arguments.iter().map(String::as_str);
        words.filter(|word| !word.starts_with('-'))
    }

    /// Returns the word at a place among those that are no options; an empty text where there is none.
    pub(super) fn operand(&self, at: usize) -> &str {
        self.operands().nth(at).unwrap_or_default()
    }

    /// Tells whether an option is given: a letter, alone or among others, or a long name, with or without a value.
    pub(crate) fn has_flag(&self, letters: &str, names: &[&str]) -> bool {
        self.arguments
            .iter()
            .take_while(|word| *word != "--")
            .any(|word| is_flag(word, letters, names))
    }

    /// Tells whether one of the words is this one.
    pub(crate) fn has_word(&self, word: &str) -> bool {
        self.arguments.iter().any(|argument| argument == word)
    }

    /// Tells whether it runs in a shell or interpreter what the pipe or a substitution brings.
    pub(super) fn runs_text_of(&self, kind: Sources) -> bool {
        let is_interpreter = self.is_shell()
            || self.is_one_of(&["source", ".", "eval"])
            || super::dangerous::is_interpreter(&self.name);
        is_interpreter && (self.inner.has(kind) || self.stage.is_piped && self.upstream.has(kind))
            || self.path.starts_with("$()") && self.inner.has(kind)
    }

    /// Returns the texts that the program runs as shell commands.
    pub(super) fn payloads(&self) -> Vec<String> {
        let mut texts: Vec<String> = self.wrappers.iter().filter_map(Wrapper::payload).collect();
        // The shell runs the value of this variable before every prompt.
        let declares = self.is_one_of(&["declare", "export", "local", "readonly", "typeset"]);
        let words = self.arguments.iter().filter(|_| declares);
        texts.extend(
            self.assignments
                .iter()
                .chain(words)
                .filter_map(|word| Some(word.strip_prefix("PROMPT_COMMAND=")?.to_owned())),
        );
        if self.path == "-c" {
            // `flock FILE -c TEXT`: the option stands where a program could.
            texts.extend(self.arguments.first().cloned());
        }
        match self.name.as_str() {
            "eval" => texts.push(self.arguments.join(" ")),
            "env" => texts.extend(Wrapper::split_string(&self.arguments)),
            "watch" | "parallel" => texts.extend(self.rest_behind_options("njIN")),
            "mapfile" | "readarray" => texts.extend(self.value_of_callback()),
            "." | "source" if STANDARD_INPUTS.contains(&self.operand(0)) => {
                texts.push(self.input.clone());
            }
            "ssh" => texts.extend(
                self.rest_behind_options(SSH_VALUED)
                    .and_then(|rest| Some(rest.split_once(' ')?.1.to_owned())),
            ),
            "trap" => texts.push(self.operand(0).to_owned()),
            "alias" => texts.extend(
                self.operands()
                    .filter_map(|word| Some(word.split_once('=')?.1.to_owned())),
            ),
            "find" | "fd" => texts.extend(self.executed()),
            "cmd" => texts.extend(self.rest_behind(&["/c", "/k"])),
            "powershell" | "pwsh" => texts.extend(self.rest_behind(&["-command", "-c"])),
            "runuser" if self.has_flag("u", &["--user"]) => {
                texts.extend(self.rest_behind_options("ugG"));
            }
            "su" | "runuser" | "script" | "flock" | "capsh" => texts.extend(self.command_option()),
            _ if self.is_shell() => {
                let command = self.command_option();
                texts.extend(
                    command.or_else(|| (!self.input.is_empty()).then(|| self.input.clone())),
                );
            }
            _ => {}
        }
        texts
    }

    /// Returns the text that an earlier stage of the pipeline prints for this shell to run.
    pub(super) fn piped_text(&self, before: &Self) -> Option<String> {
        let sources_input =
            self.is_one_of(&[".", "source"]) && STANDARD_INPUTS.contains(&self.operand(0));
        if !(self.is_shell() || sources_input)
            || !self.stage.is_piped
            || before.stage.pipeline != self.stage.pipeline
        {
            return None;
        }
        match before.name.as_str() {
            "echo" | "printf" => Some(before.arguments.join(" ")),
            "cat" => Some(before.input.clone()),
            _ => None,
        }
    }

    /// Returns the word behind `-c`, alone or among other letters.
    fn command_option(&self) -> Option<String> {
        if let Some((_, text)) = self
            .arguments
            .iter()
            .filter_map(|word| word.split_once('='))
            .find(|(name, _)| is_long_option(name, &["--command"]))
        {
            return Some(text.to_owned());
        }
        let is_command =
            |word: &String| word.starts_with('-') && !word.starts_with("--") && word.contains('c');
        let at = self
            .arguments
            .iter()
            .position(|word| is_command(word) || is_long_option(word, &["--command"]))?;
        let mut rest = self.arguments.iter().skip(at + 1);
        rest.find(|word| !word.starts_with('-')).cloned()
    }

    /// Returns the command that `mapfile` runs for its lines.
    fn value_of_callback(&self) -> Option<String> {
        let at = self
            .arguments
            .iter()
            .position(|word| word.starts_with("-C"))?;
        match self.arguments.get(at)?.strip_prefix("-C") {
            Some("") => self.arguments.get(at + 1).cloned(),
            text => text.map(str::to_owned),
        }
    }

    /// Returns the words behind the options; those of the given letters take a value.
    fn rest_behind_options(&self, valued: &str) -> Option<String> {
        let mut words = self.arguments.iter().peekable();
        while let Some(option) = words.next_if(|word| word.starts_with('-')) {
            let takes_value = option.len() == 2 && option.ends_with(|last| valued.contains(last));
            if takes_value {
                words.next();
            }
        }
        let rest: Vec<&str> = words.map(String::as_str).collect();
        (!rest.is_empty()).then(|| rest.join(" "))
    }

    /// Returns the words behind one of these, whatever its case.
    fn rest_behind(&self, markers: &[&str]) -> Option<String> {
        let is_marker = |word: &String| {
            markers
                .iter()
                .any(|marker| word.eq_ignore_ascii_case(marker))
        };
        let at = self.arguments.iter().position(is_marker)?;
        Some(self.arguments.get(at + 1..)?.join(" "))
    }

    /// Returns the commands that `find` runs for each file.
    fn executed(&self) -> Vec<String> {
        const STARTS: [&str; 6] = ["-exec", "-execdir", "-ok", "-okdir", "-x", "--exec"];
        let mut commands = Vec::new();
        let mut words = self.arguments.iter();
        while let Some(word) = words.next() {
            if STARTS.contains(&word.as_str()) {
                let command: Vec<String> = words
                    .by_ref()
                    .take_while(|word| *word != ";" && *word != "+")
                    .map(|word| format!("'{}'", word.replace('\'', r"'\''")))
                    .collect();
                commands.push(command.join(" "));
            }
        }
        commands
    }
}

/// Tells whether a word is an option with one of these letters or names.
pub(super) fn is_flag(word: &str, letters: &str, names: &[&str]) -> bool {
    if word.starts_with("--") {
        is_long_option(word, names)
    } else {
        word.strip_prefix('-')
            .is_some_and(|cluster| cluster.contains(|letter| letters.contains(letter)))
    }
}

/// Tells whether a word is one of these long options, perhaps abbreviated and with a value.
///
/// An abbreviation that fits other options, too, is an error of the program: to count it does no harm.
pub(super) fn is_long_option(word: &str, names: &[&str]) -> bool {
    let name = word.split_once('=').map_or(word, |(name, _)| name);
    name.len() > "--".len()
        && name.starts_with("--")
        && names.iter().any(|known| known.starts_with(name))
}

/// Leaves out the name in `coproc NAME { …; }`, which a compound command shows to be one.
fn without_coprocess_name(mut words: Vec<String>) -> Vec<String> {
    let has_name = matches!(words.as_slice(), [first, _, third, ..]
        if first == "coproc" && KEYWORDS.contains(&third.as_str()));
    if has_name {
        words.remove(1);
    }
    words
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        let name = name.strip_suffix('+').unwrap_or(name);
        !name.is_empty()
            && !name.starts_with(|first: char| first.is_ascii_digit())
            && name
                .chars()
                .all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
    })
}

fn name_of(word: &str) -> String {
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
    let name = name.to_ascii_lowercase();
    match name.strip_suffix(".exe") {
        Some(stem) => stem.to_owned(),
        None => name,
    }
}
