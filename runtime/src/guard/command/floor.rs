//! The commands that never run, whoever asks and whatever was approved.
//!
//! This is a floor under mistakes, not a jail: who may use `terminal` can do on the host what its user can.

use std::sync::LazyLock;

use regex::Regex;

use super::command_line::CommandLine;
use super::device::is_disk;
use super::program::Program;
use super::rule::{Finds, Rule};
use super::target::Vital;

/// The rules in the order in which they are tried.
pub(super) const FLOOR: [Rule; 12] = [
    Rule {
        description: "recursive delete of the root filesystem",
        finds: Finds::OwnProgram(|program| deletes(program, Vital::Root)),
        hits: &[
            "rm -rf /",
            "rm / -rf",
            "sudo rm -r --no-preserve-root /*",
            "cd /tmp && \\rm -fR \"/\"",
            "bash -c 'rm -rf /'",
            "echo $(rm -rf /)",
            "true\nrm -r /",
            "if x; then rm -rf /; fi",
            "rm$IFS-rf${IFS}/",
            "r$@m -rf /",
            "{rm,-rf,/}",
            "$'\\x72m' -rf $'\\57'",
            "r\\\nm -rf /",
            "echo rm -rf / | sh",
            "find . -exec rm -rf / \\;",
            "xargs rm -rf / <x",
            "env -S 'rm -rf /'",
            "timeout 5 nice -n 1 rm -rf /",
            "ssh host 'rm -rf /'",
            "trap 'rm -rf /' EXIT",
            "alias ls='rm -rf /'",
            "sudo -u root --group wheel rm -rf /",
            "chroot /mnt rm -rf /",
            "find / -delete",
            "(\n(rm -rf /)\n)",
            "case x in x) rm -rf /;; esac",
            "f() { rm -rf /; }; f",
            "function f { rm -rf /; }; f",
            "case x in (x) rm -rf / ;; esac",
            "2>/dev/null rm -rf /",
            "env -i A=1 rm -rf /",
            "sudo -- rm -r -- /",
            "nice -10 rm -rf /",
            "echo \"${x:-$(rm -rf /)}\"",
            "ls | xargs -I{} rm -rf /",
            "! rm -rf /",
            "bash <<< 'rm -rf /'",
            "sh <<E\nrm -rf /\nE",
            "cat <<E | sh\nrm -rf /\nE",
            "cat <<E\n$(rm -rf /)\nE",
            "cat <<E\n`rm -rf /`\nE",
            "rm --recursiv --no-preserve-roo /",
        ],
        misses: &[
            "rm -rf /tmp/x ./build ~/x node_modules",
            "rm -f /",
            "echo 'rm -rf /'",
            "echo \"rm -rf /\" # rm -rf /",
            "git commit -m 'reboot; rm -rf /'",
            "cat <<E\nrm -rf /\nE",
            "cat <<'E'\n$(rm -rf /)\nE",
            "printf %s 'rm -rf /' > note",
            "docker exec x rm -rf /",
            "echo 'rm -rf /' | sh x",
            "cat <<E\n$((1<<2))\nrm -rf /\nE",
            "echo \"${x:-`ls`}\" 'rm -rf /'",
            "find . -delete",
            "find / -name x",
            "",
        ],
    },
    Rule {
        description: "recursive delete of a system directory",
        finds: Finds::OwnProgram(|program| deletes(program, Vital::SystemDirectory)),
        hits: &[
            "rm -rf /etc",
            "rm --recursive /usr/",
            "eval \"rm -rf /var/*\"",
            "rm -r /tmp/../etc",
            "find /usr -delete",
        ],
        misses: &["rm /etc/x", "rm -rf /var/tmp/x", "ls -r /etc", "rm -rf etc"],
    },
    Rule {
        description: "recursive delete of the home directory",
        finds: Finds::OwnProgram(|program| deletes(program, Vital::Home)),
        hits: &[
            "rm -rf ~",
            "rm -rf \"$HOME\"/",
            "rm -r ${HOME}/*",
            "rm -rf ~root",
            "rm -rf $HOME/.",
        ],
        misses: &[
            "rm -rf ~/x",
            "rm ~",
            "rm -rf $HOME/build",
            "echo rm -rf '~'",
        ],
    },
    Rule {
        description: "format filesystem (mkfs)",
        finds: Finds::OwnProgram(|program| {
            (program.name == "mkfs" || program.name.starts_with("mkfs."))
                && !program.only_informs(&["-V"])
        }),
        hits: &["mkfs /dev/x", "sudo mkfs.ext4 -F x", "mkfs -V x", "mkfs"],
        misses: &[
            "grep -r mkfs /usr/src",
            "man mkfs",
            "./my-mkfs x",
            "mkfs.ext4 -V",
            "mkfs --help",
            "command -v mkfs.ext4",
        ],
    },
    Rule {
        description: "dd to a raw block device",
        finds: Finds::OwnProgram(|program| {
            program.name == "dd"
                && program
                    .arguments
                    .iter()
                    .filter_map(|word| word.strip_prefix("of="))
                    .any(is_disk)
        }),
        hits: &[
            "dd if=/dev/zero of=/dev/sda bs=1M",
            "dd of=/dev/nvme0n1",
            "zcat x | dd of=/dev/disk/by-id/x bs=4M",
            "dd of=//dev/sda bs=4M",
            "dd of=/dev/mapper/vg-root bs=4M",
        ],
        misses: &["dd if=/dev/sda of=disk.img", "dd of=/dev/null"],
    },
    Rule {
        description: "redirect to a raw block device",
        finds: Finds::OwnProgram(|program| program.outputs.iter().any(|path| is_disk(path))),
        hits: &[
            "echo x > /dev/sda",
            "cat y >>/dev/nvme0n1",
            ": 1<>/dev/vda",
            "cat x > /dev//sda",
        ],
        misses: &[
            "echo x > /dev/null 2>&1",
            "echo '> /dev/sda'",
            "cat </dev/sda",
        ],
    },
    Rule {
        description: "fork bomb",
        finds: Finds::Line(is_fork_bomb),
        hits: &[
            ":(){ :|:& };:",
            "bomb() { bomb | bomb & }; bomb",
            "sh -c ':(){ :|:& };:'",
        ],
        misses: &["echo ':(){ :|:& };:'", "f() { a | b & }; f"],
    },
    Rule {
        description: "kill all processes",
        finds: Finds::OwnProgram(kills_all),
        hits: &["kill -1", "kill -9 -1", "kill -s KILL -- -1", "kill -1 -1"],
        misses: &["kill -1 123", "kill -9 123", "kill -l"],
    },
    Rule {
        description: "system shutdown or reboot",
        finds: Finds::OwnProgram(|program| {
            program.is_one_of(&["halt", "poweroff", "reboot", "shutdown"])
                && !program.only_informs(&[])
        }),
        hits: &[
            "shutdown -h now",
            "sudo reboot",
            "x; /sbin/halt",
            "poweroff",
            "case x in x) reboot;; esac",
            "command reboot",
            "A=1 case x in\nreboot",
            "shutdown -h",
            "x=(a); reboot",
            "for case in x; do reboot; done",
            "echo ${x:-'}'}; reboot",
            "[[ a =~ (x|y) ]] && reboot",
        ],
        misses: &[
            "echo reboot shutdown",
            "ls $(date) reboot",
            "cat shutdown",
            "shutdown --help",
            "reboot --version",
            "command -v reboot",
            "command -V reboot",
            "type reboot; which reboot; hash reboot",
            "case $1 in\n start) ls ;;\n reboot|shutdown) ls ;;\n (halt) ls\nesac",
            "x=$(case x in reboot) ls ;; esac)",
            "cmds=(reboot shutdown halt)",
            "declare -a x=(\n a # b\n reboot\n)",
            "arr+=(reboot)",
            "n=\"${n//'\"'/}\"; echo \"a\"; echo 'x; reboot now'",
            "(( reboot & 1 ))",
            "[[ $x =~ (start|reboot) ]]",
        ],
    },
    Rule {
        description: "init 0 or 6 (shutdown or reboot)",
        finds: Finds::OwnProgram(|program| {
            program.is_one_of(&["init", "telinit"])
                && (program.has_word("0") || program.has_word("6"))
        }),
        hits: &["init 0", "sudo telinit 6"],
        misses: &["init 3", "git init 0"],
    },
    Rule {
        description: "systemctl poweroff, reboot, halt or kexec",
        finds: Finds::OwnProgram(|program| {
            program.name == "systemctl"
                && program
                    .service_action()
                    .is_some_and(|action| ["poweroff", "reboot", "halt", "kexec"].contains(&action))
        }),
        hits: &[
            "systemctl reboot",
            "systemctl --no-wall kexec",
            "systemctl -H h reboot",
        ],
        misses: &["systemctl status reboot.target", "systemctl list-units"],
    },
    Rule {
        description: "commands nested too deeply to be checked",
        finds: Finds::Line(|line| line.is_too_deep),
        hits: &[DEEP],
        misses: &["sh -c \"sh -c 'eval ls'\"", "echo $(echo $(echo $(ls)))"],
    },
];

/// Opens more subshells than the lexer follows.
const DEEP: &str = match str::from_utf8(&[b'('; 1_000]) {
    Ok(text) => text,
    Err(_) => "",
};

/// Tells whether a program deletes such a place and all that is in it, with its options before or after the operands.
fn deletes(program: &Program, vital: Vital) -> bool {
    let is_recursive = match program.name.as_str() {
        "rm" => program.has_flag("rR", &["--recursive"]),
        "find" => program.has_word("-delete"),
        _ => false,
    };
    is_recursive
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
fn is_fork_bomb(line: &CommandLine) -> bool {
    static SHAPE: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r"([\w:.]+)\s*\(\s*\)\s*\{\s*([\w:.]+)\s*\|\s*([\w:.]+)\s*&").ok()
    });
    SHAPE.as_ref().is_some_and(|shape| {
        shape.captures_iter(&line.unquoted).any(|captures| {
            let name = captures.get(1).map(|found| found.as_str());
            [2, 3]
                .into_iter()
                .all(|group| captures.get(group).map(|found| found.as_str()) == name)
        })
    })
}

#[cfg(test)]
mod tests;
