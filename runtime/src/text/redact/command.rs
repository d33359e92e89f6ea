//! Owns the reading of a shell command line for one question: does its output hold secrets by name?
//!
//! It answers for dumps of the environment and for programs that print a file known to hold secrets. It is no shell: it
//! splits commands and words, follows `sh -c`, and is right for what people type.

/// Programs that print the files that they are given.
const READERS: [&str; 16] = [
    "cat", "head", "tail", "type", "bat", "batcat", "less", "more", "nl", "zcat", "tac", "view",
    "grep", "awk", "sed", "egrep",
];
/// Programs that run the command that follows.
const WRAPPERS: [&str; 8] = [
    "sudo", "command", "builtin", "exec", "time", "nohup", "nice", "stdbuf",
];
/// Shells whose `-c` is a command line.
const SHELLS: [&str; 5] = ["sh", "bash", "zsh", "dash", "ksh"];
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
        && split(command)
            .iter()
            .any(|words| dumps(words, hermes, depth))
}

fn dumps(words: &[String], hermes: bool, depth: usize) -> bool {
    let words = skip_assignments(words);
    let Some((program, arguments)) = words.split_first() else {
        return false;
    };
    let no_operand = arguments.iter().all(|argument| argument.starts_with('-'));
    match base_name(program) {
        "printenv" => true,
        "env" => {
            let run = skip_assignments(skip_options(arguments));
            run.is_empty() || dumps(run, hermes, depth)
        }
        "set" => arguments.is_empty(),
        "export" | "declare" | "typeset" => {
            no_operand || arguments.iter().any(|argument| argument == "-p")
        }
        wrapper if WRAPPERS.contains(&wrapper) => dumps(skip_options(arguments), hermes, depth),
        shell if SHELLS.contains(&shell) => {
            let script = arguments
                .iter()
                .skip_while(|argument| !is_command_option(argument))
                .nth(1);
            script.is_some_and(|script| dumps_at_depth(script, depth + 1))
        }
        reader if READERS.contains(&reader) => arguments
            .iter()
            .any(|argument| holds_secrets(argument, hermes)),
        _ => false,
    }
}

fn skip_assignments(words: &[String]) -> &[String] {
    let is_assignment = |word: &String| {
        word.split_once('=').is_some_and(|(name, _)| {
            !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
        })
    };
    let skipped = words.iter().take_while(|word| is_assignment(word)).count();
    words.get(skipped..).unwrap_or_default()
}

fn skip_options(words: &[String]) -> &[String] {
    let skipped = words
        .iter()
        .take_while(|word| word.starts_with('-'))
        .count();
    words.get(skipped..).unwrap_or_default()
}

/// Returns whether an option is `-c`, alone or among others (`-lc`).
fn is_command_option(argument: &str) -> bool {
    argument.starts_with('-') && !argument.starts_with("--") && argument.ends_with('c')
}

/// Returns whether an argument names a file that holds secrets.
fn holds_secrets(argument: &str, hermes: bool) -> bool {
    let file = base_name(argument);
    file.starts_with(".env")
        || RC_FILES.contains(&file)
        || (hermes && matches!(file, "config.yaml" | "config.yml"))
}

fn base_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// Splits a command line into its commands, and each into words without their quotes. Targets of `>` are no words.
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
                end_word(&mut commands, &mut word);
                while chars
                    .next_if(|c| matches!(c, '>' | '&' | '|' | ' '))
                    .is_some()
                {}
                while chars
                    .next_if(|c| !c.is_whitespace() && !matches!(c, ';' | '|' | '&'))
                    .is_some()
                {}
            }
            (None, c) if c == '<' || c.is_whitespace() => end_word(&mut commands, &mut word),
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
            "cat ~/.hermes/config.yaml",
            "cd $HERMES_HOME && cat config.yaml",
            "zcat x | cat - .profile",
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
            "echo \\; env\\ x",
        ] {
            assert!(!dumps_secrets(command), "{command}");
        }
    }

    #[test]
    fn command_lines_inside_command_lines_are_followed_a_bounded_way() {
        assert!(dumps_secrets("sh -c \"sh -c 'env'\""));
        let deep = (0..8).fold("env".to_owned(), |inner, _| {
            format!("sh -c {}", inner.replace(' ', "\\ "))
        });
        assert!(!dumps_secrets(&deep));
    }
}
