//! Removal of installed software.

use super::super::program::Program;
use super::super::rule::{Finds, Rule};

pub(super) const RULES: [Rule; 1] = [Rule {
    description: "package uninstall",
    finds: Finds::Program(uninstalls),
    hits: &[
        "npm uninstall x",
        "npm rm -g x",
        "pnpm remove x",
        "yarn global remove x",
        "pip uninstall -y x",
        "python3 -m pip uninstall x",
        "python3 -mpip uninstall x",
        "uv pip uninstall x",
        "brew uninstall x",
        "sudo pip3 uninstall x",
        "apt-get -y purge x",
    ],
    misses: &[
        "npm install x",
        "pip list",
        "yarn add remove",
        "npm run uninstall",
        "echo pip uninstall x",
        "brew info uninstall",
    ],
}];

fn uninstalls(program: &Program) -> bool {
    let words: Vec<&str> = program.operands().take(4).collect();
    let actions: &[&str] = &[
        "purge",
        "remove",
        "rm",
        "autoremove",
        "r",
        "un",
        "uninstall",
        "unlink",
    ];
    match (program.name.as_str(), words.as_slice()) {
        ("uv", ["pip", action, ..]) | ("yarn", ["global", action, ..]) => actions.contains(action),
        ("npm" | "pnpm" | "yarn" | "brew" | "apt" | "apt-get" | "dnf" | "yum", [action, ..]) => {
            actions.contains(action)
        }
        (python, ["uninstall", ..]) if python.starts_with("python") => program.has_word("-mpip"),
        (python, ["pip", "uninstall", ..]) => python.starts_with("python"),
        (pip, ["uninstall", ..]) => pip.starts_with("pip") || pip == "uv" || pip == "conda",
        _ => false,
    }
}
