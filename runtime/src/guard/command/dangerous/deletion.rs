//! Commands that delete more than one looks at.

use super::super::program::Program;
use super::super::rule::{Finds, Rule};
use super::super::target::is_in_root;

pub(super) const RULES: [Rule; 5] = [
    Rule {
        description: "delete in root path",
        finds: Finds::Program(|program| {
            program.is_one_of(&["rm", "rmdir", "shred", "unlink"])
                && program.operands().any(is_in_root)
        }),
        hits: &[
            "rm /etc/hosts",
            "rm -f /vmlinuz",
            "sudo rm -- /usr/bin/python3",
            "rm \"/boot/x\"",
            "rm /tmp/../etc/passwd",
            "unlink /etc/passwd",
        ],
        misses: &[
            "rm /tmp/x",
            "rm etc/hosts",
            "rm -f /home/u/x",
            "ls /etc/hosts",
            "echo rm /x",
        ],
    },
    Rule {
        description: "recursive delete",
        finds: Finds::Program(|program| {
            program.name == "rm" && program.has_flag("rR", &["--recursive"])
        }),
        hits: &[
            "rm -rf build",
            "rm build -r",
            "rm --recursive --force x",
            "rm --recursiv x",
            "cd x && sudo rm -fR .",
            "\\rm -r x",
            "/bin/rm -r x",
            "xargs -0 rm -rf",
            "bash -c 'rm -r x'",
            "find . -name x -exec rm -r {} +",
        ],
        misses: &[
            "rm -f x",
            "rm --interactive -- -r",
            "echo rm -rf x",
            "grep -r rm .",
            "rmdir x",
        ],
    },
    Rule {
        description: "xargs with rm",
        finds: Finds::Program(|program| {
            let is_behind_xargs = |program: &Program| {
                program
                    .wrappers
                    .iter()
                    .any(|wrapper| wrapper.name == "xargs")
            };
            program.is_one_of(&["rm", "shred", "unlink"]) && is_behind_xargs(program)
        }),
        hits: &[
            "ls | xargs rm",
            "find . -print0 | xargs -0 -n 1 rm -f",
            "xargs sudo rm <x",
        ],
        misses: &["ls | xargs echo rm", "ls | xargs -n 1 wc", "rm xargs"],
    },
    Rule {
        description: "find -exec rm",
        finds: Finds::Program(|program| {
            program.is_one_of(&["find", "fd"])
                && program
                    .payloads()
                    .iter()
                    .any(|command| command.starts_with("'rm'") || command.starts_with("'/bin/rm'"))
        }),
        hits: &[
            "find . -exec rm {} \\;",
            "find . -type f -execdir /bin/rm {} +",
            "fd -x rm",
        ],
        misses: &[
            "find . -exec wc {} +",
            "find . -name rm",
            "echo 'find . -exec rm {} +'",
        ],
    },
    Rule {
        description: "find -delete",
        finds: Finds::Program(|program| program.name == "find" && program.has_word("-delete")),
        hits: &["find . -name '*.pyc' -delete", "sudo find x -delete"],
        misses: &["find . -name -deleted", "grep -delete find"],
    },
];
