//! Commands that delete more than one looks at.

use super::super::program::Program;
use super::super::rule::{Finds, Rule};
use super::super::target::{is_in_root, is_of_system};

pub(super) const RULES: [Rule; 5] = [
    Rule {
        description: "delete in root path",
        finds: Finds::Program(|program| {
            program.is_one_of(&["rm", "rmdir", "shred", "unlink"])
                && program.operands().any(is_in_root)
                || program.name == "mv" && sources(program).any(is_of_system)
        }),
        hits: &[
            "rm /etc/hosts",
            "rm -f /vmlinuz",
            "sudo rm -- /usr/bin/python3",
            "rm \"/boot/x\"",
            "rm /tmp/../etc/passwd",
            "unlink /etc/passwd",
            "mv /usr /x",
            "mv /usr/bin/x .",
            "mv -t /x /lib",
        ],
        misses: &[
            "rm /tmp/x",
            "rm etc/hosts",
            "rm -f /home/u/x",
            "ls /etc/hosts",
            "echo rm /x",
            "mv x /usr/local/bin/x",
            "mv /tmp/x /home/u/y z",
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
            "ls | xargs -i rm -r {}",
            "kubectl exec p -- rm -rf /data",
            "kubectl -n x exec -it p -c y -- rm -rf /data",
            "docker exec -it -u root x rm -rf /data",
            "docker compose -f a.yml exec -T x sh -c 'rm -rf y'",
            "docker compose run --rm x rm -r y",
            "bash -c 'rm -r x'",
            "find . -name x -exec rm -r {} +",
        ],
        misses: &[
            "rm -f x",
            "rm --interactive -- -r",
            "echo rm -rf x",
            "grep -r rm .",
            "docker exec -it x bash",
            "kubectl exec -it p -- sh -c ls",
            "docker exec rm ls -r",
            "git submodule foreach 'git pull'",
            "uv run pytest -r rm",
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

/// Returns what a program such as `mv` takes away: all operands but the last, which is where it goes.
fn sources(program: &Program) -> impl Iterator<Item = &str> {
    let has_target = program.has_flag("t", &["--target-directory"]);
    let count = program.operands().count();
    program.operands().take(if has_target {
        count
    } else {
        count.saturating_sub(1)
    })
}
