//! The programs that a command line starts, with the text that it hands to other shells taken in.
//!
//! A program is what stands in command position: after assignments, keywords of the shell and wrappers such as `sudo`.

use super::lexer::{Simple, lex};

/// Number of texts that are handed to inner shells and looked at; each may hand over more.
const MAX_PAYLOADS: usize = 64;

const SHELLS: [&str; 7] = ["ash", "bash", "dash", "fish", "ksh", "sh", "zsh"];

/// Words of the shell after which a command begins.
const KEYWORDS: [&str; 12] = [
    "!", "coproc", "do", "elif", "else", "if", "then", "time", "until", "while", "{", "}",
];

/// Programs that start another one: name, options that take the next word as value, words before the program.
const WRAPPERS: [(&str, &str, usize); 19] = [
    ("builtin", "", 0),
    ("bunx", "", 0),
    ("busybox", "", 0),
    ("command", "", 0),
    ("doas", "Cu", 0),
    ("env", "uCS", 0),
    ("exec", "a", 0),
    ("ionice", "cnpPu", 0),
    ("nice", "n", 0),
    ("nohup", "", 0),
    ("npx", "p", 0),
    ("setsid", "", 0),
    ("stdbuf", "ioe", 0),
    ("sudo", "CDghpRrTtUu", 0),
    ("time", "fo", 0),
    ("timeout", "ks", 1),
    ("unbuffer", "", 0),
    ("watch", "n", 0),
    ("xargs", "adEIiLlnPs", 0),
];

/// One program that a command line starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Program {
    /// Name without directories.
    pub(super) name: String,
    pub(super) arguments: Vec<String>,
    /// Names of the wrappers before it, outermost first.
    pub(super) wrappers: Vec<String>,
    /// Files that its output goes to.
    pub(super) outputs: Vec<String>,
    /// What it reads from a here-document.
    input: String,
    /// Whether it is followed by a single `&`.
    pub(super) is_background: bool,
}

impl Program {
    /// Finds what a simple command starts; a command of assignments alone has an empty name.
    fn of(simple: Simple) -> Self {
        let mut words = simple.words.into_iter().peekable();
        let mut wrappers = Vec::new();
        let mut name = String::new();
        let mut options = Vec::new();
        while let Some(word) = words.next() {
            if is_assignment(&word) || KEYWORDS.contains(&word.as_str()) {
                continue;
            }
            let program = base_name(&word).to_owned();
            let Some((_, valued, positions)) = WRAPPERS.iter().find(|(name, ..)| *name == program)
            else {
                name = program;
                break;
            };
            wrappers.push(program);
            options.clear();
            while let Some(option) = words.next_if(|word| word.starts_with('-')) {
                let takes_value = option
                    .strip_prefix('-')
                    .is_some_and(|flag| flag.len() == 1 && valued.contains(flag));
                options.push(option);
                options.extend(words.next_if(|_| takes_value));
            }
            options.extend(words.by_ref().take(*positions));
        }
        let mut arguments: Vec<String> = words.collect();
        if name.is_empty()
            && let Some(last) = wrappers.pop()
        {
            // A wrapper around nothing is itself what runs.
            (name, arguments) = (last, options);
        }
        Self {
            name,
            arguments,
            wrappers,
            outputs: simple.outputs,
            input: simple.input,
            is_background: simple.is_background,
        }
    }

    /// Returns the text that the program runs as a shell command.
    fn payload(&self) -> Option<String> {
        if self.name == "eval" {
            return Some(self.arguments.join(" "));
        }
        if !SHELLS.contains(&self.name.as_str()) && self.name != "su" {
            return None;
        }
        let is_command_option =
            |word: &String| word.starts_with('-') && !word.starts_with("--") && word.ends_with('c');
        let payload = self
            .arguments
            .iter()
            .position(is_command_option)
            .and_then(|at| {
                self.arguments
                    .iter()
                    .skip(at + 1)
                    .find(|word| !word.starts_with('-'))
            });
        payload
            .cloned()
            .or_else(|| (!self.input.is_empty()).then(|| self.input.clone()))
    }
}

/// The programs of a command line, and the text of it that is not quoted.
#[derive(Debug)]
pub(super) struct CommandLine {
    pub(super) programs: Vec<Program>,
    /// Unquoted text, payloads included as lines of their own.
    pub(super) unquoted: String,
}

impl CommandLine {
    /// Reads the command line itself.
    pub(super) fn outer(text: &str) -> Self {
        let lexed = lex(text);
        let programs = lexed.commands.into_iter().map(Program::of).collect();
        Self {
            programs,
            unquoted: lexed.unquoted,
        }
    }

    /// Reads the command line and everything in it that an inner shell would run.
    pub(super) fn whole(text: &str) -> Self {
        let mut whole = Self::outer(text);
        let mut at = 0;
        let mut payloads = 0;
        while let Some(program) = whole.programs.get(at) {
            if let Some(payload) = program.payload().filter(|_| payloads < MAX_PAYLOADS) {
                payloads += 1;
                let inner = Self::outer(&payload);
                whole.programs.extend(inner.programs);
                whole.unquoted.push('\n');
                whole.unquoted.push_str(&inner.unquoted);
            }
            at += 1;
        }
        whole
    }
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

fn base_name(word: &str) -> &str {
    word.rsplit_once('/').map_or(word, |(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<String> {
        CommandLine::whole(text)
            .programs
            .into_iter()
            .map(|program| program.name)
            .collect()
    }

    #[test]
    fn wrappers_assignments_and_keywords_are_passed() {
        let rows = [
            ("A=1 B+=2 /bin/rm x", vec!["rm"]),
            ("sudo -u root -E rm x", vec!["rm"]),
            ("timeout -k 5 10s rm", vec!["rm"]),
            ("env -u X A=1 nice -n 5 rm", vec!["rm"]),
            ("if true; then rm x; fi", vec!["true", "rm", "fi"]),
            ("find . | xargs -n 1 rm", vec!["find", "rm"]),
            ("echo rm", vec!["echo"]),
            ("sudo nohup --version", vec!["nohup"]),
            ("A=1", vec![""]),
        ];
        for (text, expected) in rows {
            assert_eq!(names(text), expected, "{text}");
        }
    }

    #[test]
    fn texts_for_inner_shells_are_taken_in() {
        let rows = [
            ("bash -lc 'a; b'", vec!["bash", "a", "b"]),
            ("eval \"a b\" c", vec!["eval", "a"]),
            ("sh -c \"sh -c 'a b'\"", vec!["sh", "sh", "a"]),
            ("bash <<E\na\nE", vec!["bash", "a"]),
            ("su -c 'a b' root", vec!["su", "a"]),
            ("bash script.sh", vec!["bash"]),
            ("python -c 'a'", vec!["python"]),
        ];
        for (text, expected) in rows {
            assert_eq!(names(text), expected, "{text}");
        }
    }

    #[test]
    fn endless_nesting_ends() {
        let line = CommandLine::whole(&"eval ".repeat(10_000));
        assert_eq!(line.programs.len(), MAX_PAYLOADS + 1);
    }

    #[test]
    fn wrappers_are_kept_by_name() {
        let line = CommandLine::outer("sudo nohup server --port 1 &");
        assert_eq!(line.programs.len(), 1);
        for program in line.programs {
            assert_eq!(program.wrappers, ["sudo", "nohup"]);
            assert_eq!(program.arguments, ["--port", "1"]);
            assert!(program.is_background);
        }
    }
}
