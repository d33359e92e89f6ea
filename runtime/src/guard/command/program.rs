//! One program of a command line: its name behind all wrappers, its words, and what feeds it.

use std::sync::Arc;

use super::frame::Stage;
use super::option::{Options, Part, is_flag};
use super::simple::Simple;
use super::slot::is_assignment;
use super::sources::Sources;
use super::target::Sensitive;
use super::wrapper::{Wrapper, wrapper_named};

const SHELLS: [&str; 13] = [
    "ash", "bash", "csh", "dash", "fish", "ksh", "mksh", "rbash", "rksh", "rzsh", "sh", "tcsh",
    "zsh",
];
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

/// One program that a command line starts.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each tells one thing about the program, and none follows from the others"
)]
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
    /// Whether something in it is expanded.
    pub(super) is_expanded: bool,
    /// Texts that it reads as commands, from a pipe or a substitution.
    pub(super) fed: Arc<Vec<String>>,
    /// Whether it runs in a container.
    pub(super) is_elsewhere: bool,
}

impl Program {
    /// Finds what a simple command starts; a command of assignments alone has an empty name.
    pub(super) fn of(simple: Simple, inner: Sources, upstream: Sources) -> Self {
        let closes_group = simple
            .words
            .first()
            .is_some_and(|word| GROUP_ENDS.contains(&word.as_str()));
        let words = without_coprocess_name(simple.words);
        let mut rest = words.as_slice();
        let mut wrappers: Vec<Wrapper> = Vec::new();
        let mut assignments = Vec::new();
        let mut path = String::new();
        let mut options = Vec::new();
        while let Some((word, behind)) = rest.split_first() {
            rest = behind;
            if is_assignment(word) {
                assignments.push(word.clone());
            } else if KEYWORDS.contains(&word.as_str()) {
            } else if let Some(kind) = wrapper_named(&name_of(word)) {
                let wrapper = Wrapper::read(kind, word.clone(), rest);
                rest = rest.get(wrapper.options.len()..).unwrap_or_default();
                if wrapper.only_tells() {
                    (path, options) = (wrapper.path, wrapper.options);
                    break;
                }
                wrappers.push(wrapper);
            } else {
                path.clone_from(word);
                break;
            }
        }
        if path.is_empty()
            && let Some(last) = wrappers.pop()
        {
            // A wrapper around nothing is itself what runs.
            (path, options) = (last.path, last.options);
        }
        options.extend_from_slice(rest);
        let mut program = Self {
            name: name_of(&path),
            path,
            arguments: options,
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
            is_expanded: simple.is_expanded,
            fed: Arc::default(),
            is_elsewhere: false,
        };
        program.source = program.kind() | program.unread();
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
            _ if self.tells_secrets() => Sources::SECRETS,
            _ if decodes => Sources::DECODES,
            "pgrep" | "pidof" => Sources::FINDS_PROCESSES,
            _ if self.fetches() => Sources::FETCHES,
            _ => Sources::default(),
        }
    }

    /// Tells whether the program writes the variables of the environment, or a file that holds secrets.
    fn tells_secrets(&self) -> bool {
        let is_secret = |path: &str| {
            matches!(
                Sensitive::of(path),
                Some(Sensitive::Credentials | Sensitive::Project)
            )
        };
        match self.name.as_str() {
            "env" | "printenv" => self.arguments.is_empty(),
            "awk" | "base64" | "bzip2" | "cat" | "cut" | "grep" | "gzip" | "head" | "jq" | "od"
            | "sed" | "sort" | "strings" | "tail" | "tar" | "xxd" | "xz" | "zip" => {
                self.operands().any(is_secret) || self.inputs.iter().any(|path| is_secret(path))
            }
            _ => false,
        }
    }

    /// Tells whether the program transfers data over the network.
    pub(super) fn fetches(&self) -> bool {
        self.is_one_of(&FETCHERS)
    }

    /// Tells whether it is a shell.
    pub(super) fn is_shell(&self) -> bool {
        // A name may end with a version.
        let is_version = |letter: char| letter.is_ascii_digit() || letter == '.';
        SHELLS.contains(&self.name.trim_end_matches(is_version))
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

    /// Tells whether it only tells about itself, with these options or the usual ones and no other word.
    pub(super) fn only_informs(&self, options: &[&str]) -> bool {
        let informs = |word: &String| {
            ["--help", "--version"].contains(&word.as_str()) || options.contains(&word.as_str())
        };
        !self.arguments.is_empty() && self.arguments.iter().all(informs)
    }

    /// Returns what `systemctl` is told to do.
    pub(super) fn service_action(&self) -> Option<&str> {
        const OPTIONS: Options = Options::new(
            "HMPnopst",
            "",
            &[
                "--host",
                "--kill-whom",
                "--lines",
                "--machine",
                "--output",
                "--property",
                "--root",
                "--signal",
                "--state",
                "--type",
            ],
        );
        if self.name != "systemctl" {
            return None;
        }
        OPTIONS
            .parts(&self.arguments)
            .into_iter()
            .find_map(|part| match part {
                Part::Operand(word) => Some(word),
                _ => None,
            })
    }

    /// Tells whether one of the words is this one.
    pub(crate) fn has_word(&self, word: &str) -> bool {
        self.arguments.iter().any(|argument| argument == word)
    }
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

fn name_of(word: &str) -> String {
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
    let name = name.to_ascii_lowercase();
    match name.strip_suffix(".exe") {
        Some(stem) => stem.to_owned(),
        None => name,
    }
}
