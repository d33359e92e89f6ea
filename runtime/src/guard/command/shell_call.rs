//! How a shell or interpreter is called: where the program that it runs comes from.

use super::option::{Options, Part, is_long_option};
use super::program::Program;
use super::sources::Sources;

/// Files that are what a program reads anyway.
const STANDARD_INPUTS: [&str; 4] = ["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"];

/// An interpreter of a language, and how it takes code.
#[derive(Debug)]
struct Interpreter {
    name: &'static str,
    /// Letters behind which code stands, alone or among others.
    code: &'static str,
    options: Options,
}

const fn interpreter(
    name: &'static str,
    code: &'static str,
    valued: &'static str,
    attached: &'static str,
    names: &'static [&'static str],
) -> Interpreter {
    Interpreter {
        name,
        code,
        options: Options::new(valued, attached, names),
    }
}

const INTERPRETERS: [Interpreter; 13] = [
    interpreter("bun", "ep", "epr", "", &["--eval", "--print"]),
    interpreter("deno", "", "", "", &[]),
    interpreter("ipython", "c", "cm", "", &[]),
    interpreter("lua", "e", "el", "", &[]),
    interpreter(
        "node",
        "ep",
        "epCr",
        "",
        &[
            "--eval",
            "--print",
            "--conditions",
            "--import",
            "--loader",
            "--require",
        ],
    ),
    interpreter("osascript", "e", "els", "", &[]),
    interpreter("perl", "eE", "eEI", "iMmxFCDlV0", &[]),
    interpreter("php", "rBRE", "rBREcdfFtSz", "", &["--define", "--run"]),
    interpreter("pypy", "c", "cmWX", "", &[]),
    interpreter("python", "c", "cmWX", "", &["--check-hash-based-pycs"]),
    interpreter("rscript", "e", "e", "", &[]),
    interpreter("ruby", "e", "eICEr", "ixFKTW0", &[]),
    interpreter("tclsh", "", "", "", &[]),
];

/// Where the program of a shell or interpreter comes from.
#[derive(Debug, Default)]
pub(super) struct ShellCall<'p> {
    /// Code among the words.
    pub(super) code: Vec<&'p str>,
    /// Whether an option says that code follows.
    pub(super) has_code_option: bool,
    /// The file that it runs.
    pub(super) script: Option<&'p str>,
    /// Whether it runs what it reads.
    pub(super) reads_input: bool,
}

impl Program {
    /// Returns how the program is called if it is a shell or interpreter, or a command of the shell that runs text.
    pub(super) fn shell_call(&self) -> Option<ShellCall<'_>> {
        if self.is_shell() {
            return Some(self.call_of_shell());
        }
        match self.name.as_str() {
            "eval" => Some(ShellCall {
                code: self.arguments.iter().map(String::as_str).collect(),
                ..ShellCall::default()
            }),
            "." | "source" => {
                let script = self.operands().next();
                Some(ShellCall {
                    script,
                    reads_input: script.is_some_and(|path| STANDARD_INPUTS.contains(&path)),
                    ..ShellCall::default()
                })
            }
            name => Some(self.call_of_interpreter(interpreter_named(name)?)),
        }
    }

    fn call_of_shell(&self) -> ShellCall<'_> {
        let mut words = self.arguments.iter().map(String::as_str).peekable();
        let mut call = ShellCall::default();
        let (mut reads_input, mut only_checks) = (false, false);
        while let Some(word) = words.next_if(|word| word.starts_with(['-', '+'])) {
            if word == "-" || word == "--" {
                break;
            }
            if word.starts_with("--") {
                let has_value = is_long_option(word, &["--command", "--init-command"])
                    && (self.name == "fish" || self.name == "zsh");
                if has_value {
                    call.has_code_option = true;
                    let joined = word.split_once('=').map(|(_, text)| text);
                    call.code.extend(joined.or_else(|| words.next()));
                } else if ["--init-file", "--rcfile"].contains(&word) {
                    words.next();
                }
                continue;
            }
            let letters = word.get(1..).unwrap_or_default();
            call.has_code_option |= word.starts_with('-') && letters.contains('c');
            reads_input |= letters.contains('s');
            only_checks |= word.starts_with('-') && letters.contains('n');
            // Each of these letters takes a word of its own.
            for _ in letters.matches(['o', 'O']) {
                words.next();
            }
        }
        if call.has_code_option {
            if call.code.is_empty() {
                call.code.extend(words.next());
            }
        } else {
            call.script = words.next();
            reads_input |= call
                .script
                .is_none_or(|path| STANDARD_INPUTS.contains(&path));
            call.reads_input = reads_input && !only_checks;
        }
        call
    }

    fn call_of_interpreter(&self, interpreter: &'static Interpreter) -> ShellCall<'_> {
        let mut call = ShellCall::default();
        let options = self
            .arguments
            .get(..interpreter.options.span(&self.arguments))
            .unwrap_or_default();
        let mut runs_module = false;
        for part in interpreter.options.parts(options) {
            match part {
                // Behind a module or code, the words are those of the program.
                _ if runs_module => {}
                Part::Valued('m', _) => runs_module = true,
                Part::Valued(letter, text) if interpreter.code.contains(letter) => {
                    call.has_code_option = true;
                    call.code.push(text);
                }
                Part::Long("--eval" | "--print" | "--run", text) => {
                    call.has_code_option = true;
                    call.code.extend(text);
                }
                _ => {}
            }
        }
        let mut rest = interpreter.options.rest(&self.arguments).iter();
        if interpreter.name == "deno" && self.operand(0) == "eval" {
            call.has_code_option = true;
            call.code.extend(rest.by_ref().map(String::as_str));
        }
        if !call.has_code_option && !runs_module {
            call.script = rest.next().map(String::as_str);
            call.reads_input = call
                .script
                .is_none_or(|path| STANDARD_INPUTS.contains(&path));
        }
        call
    }

    /// Tells whether it runs in a shell or interpreter what the pipe or a substitution brings.
    pub(super) fn runs_text_of(&self, kind: Sources) -> bool {
        let is_such = |word: &str| is_substituted(word) && self.inner.has(kind);
        let is_fed = self.stage.is_piped && self.upstream.has(kind);
        let is_behind_xargs = || self.wrappers.iter().any(|wrapper| wrapper.name == "xargs");
        self.path.starts_with(SUBSTITUTED) && self.inner.has(kind)
            || self.shell_call().is_some_and(|call| {
                call.code.iter().copied().chain(call.script).any(is_such)
                    || call.has_code_option && call.code.is_empty() && is_fed && is_behind_xargs()
                    || call.reads_input
                        && (is_fed
                            || is_such(&self.input)
                            || self.inputs.iter().any(|path| is_such(path)))
            })
    }

    /// Tells whether it runs the commands that it reads.
    pub(super) fn reads_program(&self) -> bool {
        (self.is_shell() || self.is_one_of(&[".", "source"]))
            && self.shell_call().is_some_and(|call| call.reads_input)
    }

    /// Tells whether it is a shell that runs what no word of the command says.
    pub(super) fn runs_unread_text(&self) -> bool {
        self.stage.is_piped && self.upstream.has(Sources::UNREAD) && self.reads_program()
    }

    /// Tells whether a substitution gives it code to run.
    pub(super) fn has_substituted_code(&self) -> bool {
        self.shell_call().is_some_and(|call| {
            call.code
                .iter()
                .copied()
                .chain(call.script)
                .any(is_substituted)
                || call.reads_input
                    && (is_substituted(&self.input)
                        || self.inputs.iter().any(|path| is_substituted(path)))
        })
    }
}

/// What the lexer puts in place of a substitution.
const SUBSTITUTED: &str = "$()";

fn is_substituted(word: &str) -> bool {
    word.contains(SUBSTITUTED)
}

/// Returns what is known of an interpreter; the name may end with a version.
fn interpreter_named(name: &str) -> Option<&'static Interpreter> {
    let stem = name.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
    INTERPRETERS.iter().find(|known| known.name == stem)
}
