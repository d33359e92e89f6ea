//! Git commands that lose work.

use super::super::option::is_flag;
use super::super::program::Program;
use super::super::rule::{Finds, Rule};

pub(super) const RULES: [Rule; 4] = [
    Rule {
        description: "git reset --hard (destroys uncommitted changes)",
        finds: Finds::Program(|program| has(program, "reset", "", &["--hard"])),
        hits: &[
            "git reset --hard",
            "git reset --har",
            "git -C x reset HEAD~1 --hard",
            "sudo git -c a=b reset --hard",
        ],
        misses: &[
            "git reset --soft HEAD~1",
            "git log --grep 'reset --hard'",
            "echo git reset --hard",
        ],
    },
    Rule {
        description: "git push --force (rewrites remote history)",
        finds: Finds::Program(|program| {
            has(
                program,
                "push",
                "f",
                &["--force", "--force-with-lease", "--mirror"],
            ) || subcommand(program).is_some_and(|(name, words)| {
                name == "push" && words.iter().any(|word| word.starts_with('+'))
            })
        }),
        hits: &[
            "git push --force",
            "git push --forc",
            "git push origin main -f",
            "git push -uf origin x",
            "git push origin +main",
        ],
        misses: &[
            "git push",
            "git push --follow-tags",
            "git fetch --force",
            "git commit -m 'push -f'",
        ],
    },
    Rule {
        description: "git clean with force (deletes untracked files)",
        finds: Finds::Program(|program| {
            has(program, "clean", "f", &["--force"]) && !has(program, "clean", "n", &["--dry-run"])
        }),
        hits: &["git clean -fdx", "git clean -d --force"],
        misses: &[
            "git clean -n",
            "git clean --dry-run",
            "git clean -fdn",
            "git clean -fd --dry-run",
            "echo git clean -f",
        ],
    },
    Rule {
        description: "git branch force delete",
        finds: Finds::Program(|program| {
            has(program, "branch", "D", &[])
                || has(program, "branch", "d", &["--delete"])
                    && has(program, "branch", "f", &["--force"])
        }),
        hits: &[
            "git branch -D x",
            "git branch --delete --force x",
            "git branch -df x",
        ],
        misses: &["git branch -d x", "git branch D", "git branch --list -a"],
    },
];

/// Tells whether a program is that subcommand of git with one of the options.
fn has(program: &Program, name: &str, letters: &str, names: &[&str]) -> bool {
    subcommand(program).is_some_and(|(found, words)| {
        found == name && words.iter().any(|word| is_flag(word, letters, names))
    })
}

/// Returns git's subcommand and the words behind it.
pub(in super::super) fn subcommand(program: &Program) -> Option<(&str, &[String])> {
    if program.name != "git" {
        return None;
    }
    let mut is_value = false;
    let at = program.arguments.iter().position(|word| {
        let was_value = is_value;
        is_value = ["-C", "-c", "--git-dir", "--work-tree", "--namespace"].contains(&word.as_str());
        !was_value && !word.starts_with('-')
    })?;
    let (name, words) = program.arguments.get(at..)?.split_first()?;
    Some((name, words))
}
