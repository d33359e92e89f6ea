//! Owns the reading of a shell command line for one question: does its output hold secrets by name?
//!
//! It answers for dumps of the environment and for programs that print a file known to hold secrets. It is no shell: it
//! splits commands and words, follows `sh -c`, and is right for what people type.

/// Programs that print the files that they are given.
const READERS: [&str; 16] = [
    "cat", "head", "tail", "type", "bat", "batcat", "less", "more", "nl", "zcat", "tac", "view",
    "grep", "awk", "sed", "egrep",
];
/// Programs that run the command behind their options, as the guard of commands knows them too.
const WRAPPERS: [&str; 43] = [
    "builtin",
    "bunx",
    "busybox",
    "chroot",
    "chrt",
    "command",
    "doas",
    "eval",
    "exec",
    "fakeroot",
    "flock",
    "i386",
    "ionice",
    "linux32",
    "linux64",
    "ltrace",
    "nice",
    "nohup",
    "npx",
    "nsenter",
    "parallel",
    "pkexec",
    "prlimit",
    "runuser",
    "setarch",
    "setpriv",
    "setsid",
    "stdbuf",
    "strace",
    "sudo",
    "systemd-run",
    "taskset",
    "time",
    "timeout",
    "toybox",
    "unbuffer",
    "unshare",
    "uvx",
    "watch",
    "winpty",
    "x86_64",
    "xargs",
    "xvfb-run",
];
/// Words between a wrapper's options and its command: a value of the last option, and what the wrapper itself needs.
const MAX_WRAPPER_WORDS: usize = 2;
/// Words behind the name of a shell among which its `-c` and the command line are.
const MAX_SHELL_WORDS: usize = 8;
/// Programs whose `-c` is a command line.
const SHELLS: [&str; 11] = [
    "ash", "bash", "dash", "fish", "ksh", "runuser", "script", "sh", "su", "tcsh", "zsh",
];
/// Options of `env` that take the next word as value.
const ENV_VALUED: [&str; 4] = ["-u", "--unset", "-C", "--chdir"];
/// Options of `find` behind which a command stands.
const FIND_RUNS: [&str; 4] = ["-exec", "-execdir", "-ok", "-okdir"];
/// Begins a word that names a file from which input comes.
const INPUT_MARK: char = '<';
/// Words of the shell after which a command begins.
const KEYWORDS: [&str; 9] = [
    "!", "coproc", "do", "elif", "else", "if", "then", "until", "while",
];
/// Start-up files of shells.
const RC_FILES: [&str; 16] = [
    ".bashrc",
    ".bash_profile",
    ".bash_login",
    ".bash_aliases",
    ".profile",
    ".zshrc",
    ".zshenv",
    ".zprofile",
    ".zlogin",
    ".kshrc",
    ".cshrc",
    ".tcshrc",
    ".login",
    "config.fish",
    ".bash_logout",
    ".zlogout",
];
/// Command lines inside command lines are followed this deep.
const DEEPEST: usize = 4;

/// Returns whether the output of a command line is a dump of the environment or of a file that holds secrets.
pub(super) fn dumps_secrets(command: &str) -> bool {
    dumps_at_depth(command, 0)
}

fn dumps_at_depth(command: &str, depth: usize) -> bool {
    // `cd ~/.hermes && cat config.yaml` names the directory elsewhere.
    let hermes = command.to_ascii_lowercase().contains("hermes");
    depth < DEEPEST
        && split(command).into_iter().any(|words| {
            let (inputs, words): (Vec<_>, Vec<_>) = words
                .into_iter()
                .partition(|word| word.starts_with(INPUT_MARK));
            let around = Around {
                inputs: &inputs,
                hermes,
                depth,
            };
            dumps(&words, &around)
        })
}

/// What stands around the words of a command.
struct Around<'c> {
    /// Files that its input comes from, each behind the mark.
    inputs: &'c [String],
    hermes: bool,
    depth: usize,
}

/// What one program of a command tells about its output.
enum Meaning<'c> {
    Dumps(bool),
    /// What the command behind these words would print.
    Runs(&'c [String]),
    /// What this command line would print.
    Line(&'c str),
}

fn dumps(mut words: &[String], around: &Around<'_>) -> bool {
    // A loop: a hostile command has as many wrappers as it likes.
    loop {
        match meaning(skip_assignments(words), around) {
            Meaning::Dumps(dumps) => return dumps,
            Meaning::Runs(run) => words = run,
            Meaning::Line(line) => return dumps_at_depth(line, around.depth + 1),
        }
    }
}

fn meaning<'c>(words: &'c [String], around: &Around<'_>) -> Meaning<'c> {
    let Some((program, arguments)) = words.split_first() else {
        return Meaning::Dumps(false);
    };
    let name = base_name(program);
    if SHELLS.contains(&name)
        && let Some(script) = script(arguments)
    {
        return Meaning::Line(script);
    }
    match name {
        "printenv" => Meaning::Dumps(true),
        "env" => env(arguments),
        "set" => Meaning::Dumps(arguments.is_empty()),
        "export" | "declare" | "typeset" => Meaning::Dumps(
            arguments.iter().all(|argument| argument.starts_with('-'))
                || arguments.iter().any(|argument| argument == "-p"),
        ),
        "find" => {
            let is_run = |argument: &String| FIND_RUNS.contains(&argument.as_str());
            runs(
                arguments,
                arguments.iter().position(is_run).map(|at| at + 1),
            )
        }
        keyword if KEYWORDS.contains(&keyword) => Meaning::Runs(arguments),
        wrapper if WRAPPERS.contains(&wrapper) => runs(arguments, wrapped_command(arguments)),
        reader if READERS.contains(&reader) => Meaning::Dumps(
            arguments
                .iter()
                .chain(around.inputs)
                .any(|argument| holds_secrets(argument, around.hermes)),
        ),
        _ => Meaning::Dumps(false),
    }
}

fn runs(arguments: &[String], start: Option<usize>) -> Meaning<'_> {
    let run = start.and_then(|start| arguments.get(start..));
    run.map_or(Meaning::Dumps(false), Meaning::Runs)
}

/// Looks behind the options of `env`; without a command it shows the variables.
fn env(arguments: &[String]) -> Meaning<'_> {
    let mut words = arguments.iter().enumerate();
    while let Some((at, word)) = words.next() {
        if ENV_VALUED.contains(&word.as_str()) {
            words.next();
        } else if matches!(word.as_str(), "-S" | "--split-string") {
            return Meaning::Line(words.next().map_or("", |(_, line)| line));
        } else if let Some(line) = word.strip_prefix("-S") {
            return Meaning::Line(line);
        } else if !word.starts_with('-') && !is_assignment(word) {
            return runs(arguments, Some(at));
        }
    }
    Meaning::Dumps(true)
}

/// Returns the command line that a shell is given; it stands soon behind its name.
fn script(arguments: &[String]) -> Option<&str> {
    let mut words = arguments.iter().take(MAX_SHELL_WORDS);
    words.find(|word| is_command_option(word))?;
    words.next().map(String::as_str)
}

/// Returns where the command of a wrapper begins: at the first name that means something here, soon behind the options.
fn wrapped_command(arguments: &[String]) -> Option<usize> {
    let words = arguments
        .iter()
        .enumerate()
        .filter(|(_, word)| !word.starts_with('-') && !is_assignment(word));
    let mut first = words.take(MAX_WRAPPER_WORDS + 1);
    first.find_map(|(at, word)| is_known(base_name(word)).then_some(at))
}

fn is_known(program: &str) -> bool {
    matches!(
        program,
        "printenv" | "env" | "set" | "export" | "declare" | "typeset" | "find"
    ) || WRAPPERS.contains(&program)
        || SHELLS.contains(&program)
        || READERS.contains(&program)
}

fn skip_assignments(words: &[String]) -> &[String] {
    let skipped = words.iter().take_while(|word| is_assignment(word)).count();
    words.get(skipped..).unwrap_or_default()
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
    })
}

/// Returns whether an option is `-c`, alone or among others (`-lc`).
fn is_command_option(argument: &str) -> bool {
    argument.starts_with('-') && !argument.starts_with("--") && argument.ends_with('c')
}

/// Returns whether an argument names a file that holds secrets.
fn holds_secrets(argument: &str, hermes: bool) -> bool {
    let file = base_name(argument.trim_start_matches(INPUT_MARK));
    file.starts_with(".env")
        || RC_FILES.contains(&file)
        || (hermes && matches!(file, "config.yaml" | "config.yml"))
}

fn base_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// Splits a command line into its commands, and each into words without their quotes. Targets of `>` are no words,
/// and those of `<` keep it as a mark.
fn split(command: &str) -> Vec<Vec<String>> {
    let mut commands = vec![Vec::new()];
    let mut word = None::<String>;
    let mut quote = None;
    // The quotes around each open bracket: a substitution inside quotes is read as a command of its own.
    let mut brackets = Vec::new();
    let mut chars = command.chars().peekable();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(mark), _) if c == mark => quote = None,
            (Some('"') | None, '\\') => word.get_or_insert_default().extend(chars.next()),
            (Some('"') | None, '$') if chars.next_if_eq(&'(').is_some() => {
                end_command(&mut commands, &mut word);
                brackets.push(quote.take());
            }
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, '(') => {
                end_command(&mut commands, &mut word);
                brackets.push(None);
            }
            (None, ')') => {
                end_command(&mut commands, &mut word);
                quote = brackets.pop().flatten();
            }
            (Some('"') | None, '`') | (None, ';' | '|' | '&' | '\n' | '{' | '}') => {
                end_command(&mut commands, &mut word);
            }
            (None, '>') => {
                end_word_before_redirection(&mut commands, &mut word);
                while chars
                    .next_if(|c| matches!(c, '>' | '&' | '|' | ' '))
                    .is_some()
                {}
                while chars
                    .next_if(|c| !c.is_whitespace() && !matches!(c, ';' | '|' | '&'))
                    .is_some()
                {}
            }
            (None, INPUT_MARK) => {
                end_word_before_redirection(&mut commands, &mut word);
                while chars
                    .next_if(|c| matches!(c, '<' | '&' | '-' | ' '))
                    .is_some()
                {}
                word = Some(INPUT_MARK.to_string());
            }
            (None, c) if c.is_whitespace() => end_word(&mut commands, &mut word),
            _ => word.get_or_insert_default().push(c),
        }
    }
    end_word(&mut commands, &mut word);
    commands
}

fn end_command(commands: &mut Vec<Vec<String>>, word: &mut Option<String>) {
    end_word(commands, word);
    commands.push(Vec::new());
}

/// Ends a word, unless it is the number of the stream that is redirected.
fn end_word_before_redirection(commands: &mut [Vec<String>], word: &mut Option<String>) {
    let is_number = |word: &String| !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
    word.take_if(|word| is_number(word));
    end_word(commands, word);
}

fn end_word(commands: &mut [Vec<String>], word: &mut Option<String>) {
    if let (Some(words), Some(word)) = (commands.last_mut(), word.take()) {
        words.push(word);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dumps_of_the_environment_are_recognised() {
        for command in [
            "env",
            "env | sort",
            "printenv",
            "printenv OPENAI_API_KEY",
            "set",
            "export",
            "export -p",
            "declare -x",
            "declare -p X",
            "cd /tmp && env",
            "true; /usr/bin/env -0",
            "sudo -E env",
            "FOO=1 env",
            "bash -c 'env | grep KEY'",
            "bash -lc \"set\"",
            "echo $(env)",
            "echo \"$(printenv)\"",
            "echo \"a $(cat .env) b\"",
            "env FOO=1 printenv",
            "(set)",
            "env > out.txt; env",
            "xargs env </dev/null | grep DB",
            "env </dev/null",
            "env 2>/dev/null",
            "env 0<in",
            "set 2>&1",
            "env 2>&1 < in | sort",
            "set <<< x",
            "xargs -I {} env",
            "timeout -k 5 9 env",
            "timeout 5 printenv",
            "nice -n 5 env",
            "sudo -u root env",
            "setsid env",
            "ionice -c 3 nice nohup env",
            "flock lock env",
            "chroot / env",
            "strace -o log -f env",
            "busybox env",
            "unshare -r env",
            "eval env",
            "watch -n 1 env",
            "env -u HOME",
            "env -u HOME -i",
            "env -C /tmp printenv",
            "env -S 'printenv X'",
            "env -S'printenv X'",
            "find . -maxdepth 0 -exec env ;",
            "if true; then env; fi",
            "! env",
            "while printenv; do break; done",
            "script -qc env /dev/null",
            "su -c 'env | sort' nobody",
            "runuser -u nobody env",
            "ash -c env",
            "xargs -n1 sh -c 'env'",
        ] {
            assert!(dumps_secrets(command), "{command}");
        }
    }

    #[test]
    fn readers_of_files_with_secrets_are_recognised() {
        for command in [
            "cat .env",
            "head -5 app/.env.local",
            "tail ~/.bashrc",
            "type .envrc",
            "bat .zshrc",
            "less .env*",
            "grep KEY .env",
            "awk -F= '{print $2}' .env",
            "sed -n 1p \".env\"",
            "cat < .env",
            "cat<.env",
            "timeout 5 cat <\".env\"",
            "cat ~/.hermes/config.yaml",
            "cd $HERMES_HOME && cat config.yaml",
            "zcat x | cat - .profile",
            "ls | xargs cat .env",
            "timeout 5 head .bashrc",
            "find . -name .env -exec cat .env +",
        ] {
            assert!(dumps_secrets(command), "{command}");
        }
    }

    #[test]
    fn other_commands_are_not() {
        for command in [
            "",
            "echo env",
            "env FOO=1 python x.py",
            "env python x.py",
            "set -e",
            "set -euo pipefail; make",
            "export A=b",
            "declare -x A=b",
            "cat config.yaml",
            "cat README.md",
            "cat app.py > .env",
            "ls .env",
            "grep process.env src",
            "echo 'env'",
            "printf '%s' environment",
            "python -c 'env'",
            "git config set",
            "xargs rm -f",
            "timeout 5 python x.py",
            "sudo -u env python x.py",
            "find . -name .env",
            "env -u HOME python x.py",
            "env -S 'python x.py'",
            "nice -n 5 cargo test --release --lib env",
            "echo \\; env\\ x",
        ] {
            assert!(!dumps_secrets(command), "{command}");
        }
    }

    #[test]
    fn command_lines_inside_command_lines_are_followed_a_bounded_way() {
        for wrapper in ["sudo ", "runuser ", "env ", "if ", "env -u x "] {
            let many = wrapper.repeat(200_000);
            assert!(dumps_secrets(&format!("{many} printenv")), "{wrapper}");
            assert!(!dumps_secrets(&format!("{many} true")), "{wrapper}");
        }
        assert!(dumps_secrets("sh -c \"sh -c 'env'\""));
        let deep = (0..8).fold("env".to_owned(), |inner, _| {
            format!("sh -c {}", inner.replace(' ', "\\ "))
        });
        assert!(!dumps_secrets(&deep));
    }
}
