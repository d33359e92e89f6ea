//! The commands that never run, whoever asks and whatever was approved.
//!
//! This is a floor under mistakes, not a jail: who may use `terminal` can do on the host what its user can.

use std::sync::LazyLock;

use regex::Regex;

use super::command_line::{CommandLine, Program};
use super::target::{Vital, is_disk};

/// Returns why a command is on the floor; `None` if it is not.
pub(super) fn refusal(command: &str) -> Option<String> {
    let line = CommandLine::whole(command);
    let is_hit = |rule: &&Rule| line.programs.iter().any(rule.matches);
    let description = if is_fork_bomb(&line.unquoted) {
        "fork bomb"
    } else {
        RULES.iter().find(is_hit)?.description
    };
    Some(format!(
        "BLOCKED (hardline): {description}. This command is on the unconditional blocklist and cannot be executed via the agent — not even with --yolo, /yolo, approvals.mode=off, or cron approve mode. If you genuinely need to run it, run it yourself in a terminal outside the agent."
    ))
}

struct Rule {
    description: &'static str,
    matches: fn(&Program) -> bool,
}

/// The rules in the order in which they are tried.
const RULES: [Rule; 10] = [
    Rule {
        description: "recursive delete of the root filesystem",
        matches: |program| deletes(program, Vital::Root),
    },
    Rule {
        description: "recursive delete of a system directory",
        matches: |program| deletes(program, Vital::SystemDirectory),
    },
    Rule {
        description: "recursive delete of the home directory",
        matches: |program| deletes(program, Vital::Home),
    },
    Rule {
        description: "format filesystem (mkfs)",
        matches: |program| program.name == "mkfs" || program.name.starts_with("mkfs."),
    },
    Rule {
        description: "dd to a raw block device",
        matches: |program| {
            program.name == "dd"
                && program
                    .arguments
                    .iter()
                    .filter_map(|word| word.strip_prefix("of="))
                    .any(is_disk)
        },
    },
    Rule {
        description: "redirect to a raw block device",
        matches: |program| program.outputs.iter().any(|path| is_disk(path)),
    },
    Rule {
        description: "kill all processes",
        matches: kills_all,
    },
    Rule {
        description: "system shutdown or reboot",
        matches: |program| {
            ["halt", "poweroff", "reboot", "shutdown"].contains(&program.name.as_str())
        },
    },
    Rule {
        description: "init 0 or 6 (shutdown or reboot)",
        matches: |program| {
            ["init", "telinit"].contains(&program.name.as_str())
                && program
                    .arguments
                    .iter()
                    .any(|word| word == "0" || word == "6")
        },
    },
    Rule {
        description: "systemctl poweroff, reboot, halt or kexec",
        matches: |program| {
            let action = program.arguments.iter().find(|word| !word.starts_with('-'));
            program.name == "systemctl"
                && action.is_some_and(|action| {
                    ["poweroff", "reboot", "halt", "kexec"].contains(&action.as_str())
                })
        },
    },
];

/// Tells whether a program is a recursive `rm` of such a place, with its options before or after the operands.
fn deletes(program: &Program, vital: Vital) -> bool {
    let is_recursive = |word: &String| {
        word == "--recursive"
            || !word.starts_with("--")
                && word
                    .strip_prefix('-')
                    .is_some_and(|flags| flags.contains(['r', 'R']))
    };
    program.name == "rm"
        && program.arguments.iter().any(is_recursive)
        && program
            .arguments
            .iter()
            .any(|word| Vital::of(word) == Some(vital))
}

/// Tells whether a program is a `kill` whose target is every process, `-1`; as the first of several words `-1` is a signal.
fn kills_all(program: &Program) -> bool {
    let targets = match program.arguments.as_slice() {
        [first, rest @ ..] if first == "-1" && !rest.is_empty() => rest,
        all => all,
    };
    program.name == "kill" && targets.iter().any(|word| word == "-1")
}

/// Tells whether a function is defined that pipes into itself in the background.
fn is_fork_bomb(unquoted: &str) -> bool {
    static SHAPE: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r"([\w:.]+)\s*\(\s*\)\s*\{\s*([\w:.]+)\s*\|\s*([\w:.]+)\s*&").ok()
    });
    SHAPE.as_ref().is_some_and(|shape| {
        shape.captures_iter(unquoted).any(|captures| {
            let name = captures.get(1).map(|found| found.as_str());
            [2, 3]
                .into_iter()
                .all(|group| captures.get(group).map(|found| found.as_str()) == name)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the description in the refusal of a command.
    fn hit(command: &str) -> Option<String> {
        let text = refusal(command)?;
        let description = text
            .strip_prefix("BLOCKED (hardline): ")?
            .split_once(". This")?
            .0;
        Some(description.to_owned())
    }

    #[test]
    fn every_rule_has_commands_that_it_refuses() {
        let rows: [(&str, &[&str]); 11] = [
            (
                "recursive delete of the root filesystem",
                &[
                    "rm -rf /",
                    "rm / -rf",
                    "sudo rm -r --no-preserve-root /*",
                    "cd /tmp && \\rm -fR \"/\"",
                    "bash -c 'rm -rf /'",
                    "echo $(rm -rf /)",
                    "true\nrm -r /",
                    "if x; then rm -rf /; fi",
                ],
            ),
            (
                "recursive delete of a system directory",
                &[
                    "rm -rf /etc",
                    "rm --recursive /usr/",
                    "eval \"rm -rf /var/*\"",
                ],
            ),
            (
                "recursive delete of the home directory",
                &["rm -rf ~", "rm -rf \"$HOME\"/", "rm -r ${HOME}/*"],
            ),
            (
                "format filesystem (mkfs)",
                &["mkfs /dev/x", "sudo mkfs.ext4 -F x"],
            ),
            (
                "dd to a raw block device",
                &["dd if=/dev/zero of=/dev/sda bs=1M"],
            ),
            (
                "redirect to a raw block device",
                &["echo x > /dev/sda", "cat y >>/dev/nvme0n1"],
            ),
            (
                "fork bomb",
                &[
                    ":(){ :|:& };:",
                    "bomb() { bomb | bomb & }; bomb",
                    "sh -c ':(){ :|:& };:'",
                ],
            ),
            (
                "kill all processes",
                &["kill -1", "kill -9 -1", "kill -s KILL -- -1", "kill -1 -1"],
            ),
            (
                "system shutdown or reboot",
                &[
                    "shutdown -h now",
                    "sudo reboot",
                    "x; /sbin/halt",
                    "poweroff",
                ],
            ),
            (
                "init 0 or 6 (shutdown or reboot)",
                &["init 0", "sudo telinit 6"],
            ),
            (
                "systemctl poweroff, reboot, halt or kexec",
                &["systemctl reboot", "systemctl --no-wall kexec"],
            ),
        ];
        for (description, commands) in rows {
            for command in commands {
                assert_eq!(hit(command).as_deref(), Some(description), "{command}");
            }
        }
    }

    #[test]
    fn what_only_looks_alike_runs() {
        let commands = [
            "rm -rf /tmp/x ./build ~/x node_modules",
            "rm /etc/x",
            "rm -f /",
            "echo 'rm -rf /'",
            "echo \"rm -rf /\" # rm -rf /",
            "git commit -m 'reboot; rm -rf /'",
            "cat <<E\nrm -rf /\nE",
            "grep -r mkfs /usr/src",
            "dd if=/dev/sda of=disk.img",
            "echo x > /dev/null 2>&1",
            "echo ':(){ :|:& };:'",
            "f() { a | b & }; f",
            "kill -1 123",
            "kill -9 123",
            "echo reboot shutdown",
            "init 3",
            "systemctl status reboot.target",
            "ls $(date) reboot",
            "",
        ];
        for command in commands {
            assert_eq!(hit(command), None, "{command}");
        }
    }
}
