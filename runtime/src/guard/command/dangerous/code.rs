//! Code that stands in the command itself, which the guard cannot judge.

use super::super::program::is_long_option;
use super::super::rule::{Finds, Rule};

/// Interpreters, and the letters of the options behind which they take code.
const INTERPRETERS: [(&str, &str); 10] = [
    ("bun", "e"),
    ("deno", ""),
    ("lua", "e"),
    ("node", "ep"),
    ("perl", "eE"),
    ("php", "r"),
    ("pypy", "c"),
    ("python", "c"),
    ("ruby", "e"),
    ("tclsh", ""),
];

pub(super) const RULES: [Rule; 3] = [
    Rule {
        description: "script execution via -e/-c flag",
        finds: Finds::Program(|program| {
            let letters = letters_of(&program.name);
            letters.is_some_and(|letters| {
                program
                    .arguments
                    .iter()
                    .take_while(|word| word.starts_with('-') && *word != "-m" && *word != "-")
                    .any(|word| {
                        ["--eval", "--print"].contains(&word.as_str())
                            || !word.starts_with("--")
                                && word.contains(|letter| letters.contains(letter))
                    })
            }) || program.name == "deno" && program.operand(0) == "eval"
        }),
        hits: &[
            "python -c 'print(1)'",
            "python3.11 -Ic 'x'",
            "perl -ne 'print'",
            "node --eval x",
            "ruby -e 1",
            "php -r x",
            "deno eval x",
            "sudo python3 -c x",
        ],
        misses: &[
            "python x.py -c",
            "python -m json.tool -c",
            "node x.js -e",
            "python --version",
            "echo python -c x",
            "perl x.pl",
        ],
    },
    Rule {
        description: "shell command via -c flag",
        finds: Finds::Program(|program| {
            (program.is_shell() || program.is_one_of(&["su", "runuser"]))
                && program.arguments.iter().any(|word| {
                    word.starts_with('-') && !word.starts_with("--") && word.contains('c')
                        || is_long_option(word, &["--command"])
                })
        }),
        hits: &[
            "bash -c ls",
            "sh -lc 'ls'",
            "sudo zsh -ic x",
            "su -c ls me",
            "bash -xec ls",
        ],
        misses: &[
            "bash x.sh",
            "bash --norc x.sh",
            "sh -x y",
            "echo bash -c ls",
            "grep -c sh x",
        ],
    },
    Rule {
        description: "script in a here-document or here-string",
        finds: Finds::Program(|program| {
            (program.is_shell() || is_interpreter(&program.name))
                && (program.has_document || !program.input.is_empty())
        }),
        hits: &[
            "bash <<E\nls\nE",
            "python3 - <<'E'\nprint(1)\nE",
            "sh <<< ls",
            "sudo bash -s <<-E\n\tls\n\tE",
        ],
        misses: &[
            "cat <<E\nbash\nE",
            "python3 x.py < y",
            "echo 'bash <<E'",
            "tee x <<E\npython\nE",
        ],
    },
];

/// Tells whether a program of this name runs code that it reads.
pub(in super::super) fn is_interpreter(name: &str) -> bool {
    letters_of(name).is_some()
}

/// Returns the letters of the options that take code; a name may end with a version.
fn letters_of(name: &str) -> Option<&'static str> {
    let stem = name.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
    let row = INTERPRETERS.iter().find(|(known, _)| *known == stem);
    row.map(|(_, letters)| *letters)
}
