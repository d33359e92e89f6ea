//! Commands that change disks, services and processes of the host.

use super::super::device::{is_block_device, is_device, is_harmless_device};
use super::super::option::{is_flag, is_long_option};
use super::super::program::Program;
use super::super::rule::{Finds, Rule};

/// Options that send the signal which no process can refuse, in upper case.
const FORCE: [&str; 10] = [
    "--SIGNAL 9",
    "--SIGNAL KILL",
    "--SIGNAL=9",
    "--SIGNAL=KILL",
    "-9",
    "-KILL",
    "-S 9",
    "-S KILL",
    "-S SIGKILL",
    "-SIGKILL",
];

pub(super) const RULES: [Rule; 8] = [
    Rule {
        description: "format or wipe a filesystem (mkfs family)",
        finds: Finds::Program(|program| {
            program.is_one_of(&[
                "fdisk", "mke2fs", "mkfs", "mkswap", "newfs", "parted", "sfdisk", "sgdisk",
                "wipefs",
            ]) && !program.has_flag("l", &["--list", "--help", "--version"])
                || program.name.starts_with("mkfs.") && !program.only_informs(&["-V"])
        }),
        hits: &["mke2fs x.img", "sudo wipefs -a /dev/x", "mkfs.ext4 x"],
        misses: &["fdisk -l", "man mkfs", "echo mke2fs x", "mkfs.ext4 -V"],
    },
    Rule {
        description: "disk copy (dd if=)",
        finds: Finds::Program(|program| {
            program.name == "dd" && program.arguments.iter().any(|word| word.starts_with("if="))
        }),
        hits: &["dd if=/dev/zero of=x bs=1M count=1", "sudo dd of=x if=y"],
        misses: &["dd of=x", "echo dd if=x", "cargo add if=x"],
    },
    Rule {
        description: "write to block device",
        finds: Finds::Program(|program| {
            let writes = match program.name.as_str() {
                "dd" => program
                    .arguments
                    .iter()
                    .filter_map(|word| word.strip_prefix("of="))
                    .any(is_block_device),
                "cp" | "install" | "mv" => destinations(program).any(is_block_device),
                "shred" | "tee" => program.operands().any(is_block_device),
                _ => false,
            };
            writes || program.outputs.iter().any(|path| is_block_device(path))
        }),
        hits: &[
            "tee /dev/sda <x",
            "cp x.img /dev/loop0",
            "cat x > /dev/dm-0",
            "dd of=/dev/disk/by-id/x",
            "dd of=/dev/loop0 bs=1M",
            "dd of=/dev//sda of=x",
            "tee /dev/sda x",
        ],
        misses: &[
            "cp /dev/sda x.img",
            "tee /dev/stderr",
            "echo x > /dev/null",
            "echo /dev/sda",
        ],
    },
    Rule {
        description: "write to a device",
        finds: Finds::Program(|program| {
            let is_such = |path: &str| is_device(path) && !is_harmless_device(path);
            program.outputs.iter().any(|path| is_such(path))
                || program.name == "tee" && program.operands().any(is_such)
                || program.name == "cp" && destinations(program).any(is_such)
        }),
        hits: &[
            "echo x > /dev/mem",
            "cat x >> /dev/../dev/input/event0",
            "tee a /dev/port b",
            "cp x /dev/mem",
            "cp --target-dir=/dev x",
        ],
        misses: &[
            "echo x > /dev/null 2> /dev/stderr",
            "echo x > /dev/fd/3",
            "tee /dev/tty /dev/stdout",
            "cp /dev/mem x",
            "cp x /dev/null",
            "cp x /dev/shm/x",
            "echo '> /dev/mem'",
        ],
    },
    Rule {
        description: "replace or delete a device",
        finds: Finds::Program(|program| match program.name.as_str() {
            "rm" | "unlink" | "shred" | "mv" => program.operands().any(is_device),
            "ln" | "install" => destinations(program).any(is_device),
            "cp" => {
                program.has_flag("f", &["--force", "--remove-destination"])
                    && destinations(program).any(is_device)
            }
            _ => false,
        }),
        hits: &[
            "rm /dev/null",
            "mv x /dev/null",
            "mv /dev/null x",
            "cp -f x /dev/null",
            "cp --remove-dest x /dev/null",
            "ln -sf x /dev/null",
            "install x /dev/null",
            "mv -t /dev x",
        ],
        misses: &[
            "rm x > /dev/null",
            "cp -f /dev/null x",
            "ln -s /dev/null x.service",
            "install /dev/null x",
            "echo rm /dev/null",
            "rm /dev/shm/x",
        ],
    },
    Rule {
        description: "stop, restart, disable or mask a system service",
        finds: Finds::Program(|program| match program.name.as_str() {
            "systemctl" => program.service_action().is_some_and(|action| {
                ["stop", "restart", "disable", "mask", "kill", "isolate"].contains(&action)
            }),
            "service" | "rc-service" => ["stop", "restart"].contains(&program.operand(1)),
            "launchctl" => {
                ["bootout", "kickstart", "remove", "stop", "unload"].contains(&program.operand(0))
            }
            _ => false,
        }),
        hits: &[
            "systemctl stop nginx",
            "sudo systemctl --user restart x",
            "systemctl mask x",
            "systemctl -H h stop x",
            "service x stop",
            "launchctl unload x",
        ],
        misses: &[
            "systemctl status x",
            "systemctl list-units stop",
            "service x status",
            "echo systemctl stop x",
        ],
    },
    Rule {
        description: "force kill of processes",
        finds: Finds::Program(|program| {
            let forces = || {
                let words = program.arguments.join(" ").to_ascii_uppercase();
                FORCE.iter().any(|option| has_words(&words, option))
            };
            match program.name.as_str() {
                "pkill" => forces(),
                "killall" => forces() || program.has_flag("r", &["--regexp"]),
                _ => false,
            }
        }),
        hits: &[
            "pkill -9 x",
            "killall -KILL x",
            "killall -r 'x.*'",
            "pkill --signal KILL x",
            "killall -s 9 x",
        ],
        misses: &[
            "pkill -f my_script.py",
            "killall x",
            "kill -9 123",
            "echo pkill -9",
        ],
    },
    Rule {
        description: "kill of every process of a user or group",
        finds: Finds::Program(|program| {
            program.is_one_of(&["pkill", "skill", "slay"]) && names_everybody(program)
                || program.name == "killall" && program.has_flag("u", &["--user"])
                || program.name == "killall5"
        }),
        hits: &[
            "pkill -u me",
            "pkill -HUP -fu me",
            "killall -u me",
            "pkill .",
            "pkill -f '.*'",
            "killall5",
        ],
        misses: &[
            "pkill x",
            "killall x",
            "pgrep -u me",
            "pkill -HUP nginx",
            "pkill -USR1 -f worker.py",
            "pkill -SIGQUIT x",
            "killall -HUP nginx",
        ],
    },
];

/// Returns where a program such as `cp` writes: its last operand, or the directory of an option.
fn destinations(program: &Program) -> impl Iterator<Item = &str> {
    let directory = program
        .arguments
        .iter()
        .map(String::as_str)
        .skip_while(|word| *word != "-t" && !is_long_option(word, &["--target-directory"]))
        .take(2)
        .map(|word| word.split_once('=').map_or(word, |(_, path)| path));
    // With one operand alone there is nothing to write, unless an option names the directory.
    program
        .operands()
        .skip(1)
        .last()
        .into_iter()
        .chain(directory)
}

/// Tells whether words stand behind each other in a text of words.
fn has_words(text: &str, words: &str) -> bool {
    format!(" {text} ").contains(&format!(" {words} "))
}

fn names_everybody(program: &Program) -> bool {
    program.arguments.iter().any(|word| {
        !is_signal(word) && is_flag(word, "uUgG", &["--euid", "--uid", "--group", "--pgroup"])
    }) || program
        .operands()
        .any(|pattern| [".", ".*", ""].contains(&pattern))
}

/// Tells whether an option is the name of a signal.
fn is_signal(word: &str) -> bool {
    const NAMES: [&str; 31] = [
        "ABRT", "ALRM", "BUS", "CHLD", "CONT", "FPE", "HUP", "ILL", "INT", "IO", "KILL", "PIPE",
        "POLL", "PROF", "PWR", "QUIT", "SEGV", "STKFLT", "STOP", "SYS", "TERM", "TRAP", "TSTP",
        "TTIN", "TTOU", "URG", "USR1", "USR2", "VTALRM", "WINCH", "XCPU",
    ];
    let name = word.trim_start_matches('-').to_ascii_uppercase();
    let name = name.strip_prefix("SIG").unwrap_or(&name);
    NAMES.contains(&name)
}
