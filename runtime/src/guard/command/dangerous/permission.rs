//! Commands that open files to everybody, or give them or themselves to the superuser.

use std::collections::HashSet;

use super::super::option::is_flag;
use super::super::program::Program;
use super::super::rule::{Finds, Rule};
use super::super::target::base_name;

pub(super) const RULES: [Rule; 4] = [
    Rule {
        description: "world-writable permissions (chmod)",
        finds: Finds::Program(|program| {
            program.name == "chmod" && opens_to_all(program.operand(0))
        }),
        hits: &[
            "chmod 777 x",
            "chmod -R 0666 x",
            "chmod o+w x",
            "chmod a+rwx x",
            "chmod u+x,o=rw x",
            "chmod 00777 x",
            "chmod =777 x",
            "chmod +777 x",
            "chmod a=u x",
            "docker exec x chmod 777 y",
        ],
        misses: &[
            "chmod 755 x",
            "chmod u+w x",
            "chmod o-w x",
            "chmod +w x",
            "echo chmod 777",
            "chmod 644 777",
            "chmod 0755 x",
            "chmod u=rw,g=u x",
        ],
    },
    Rule {
        description: "recursive chown to root",
        finds: Finds::Program(|program| {
            let owner = program.operand(0);
            let owner = owner.split([':', '.']).next().unwrap_or(owner);
            program.name == "chown"
                && program.has_flag("R", &["--recursive"])
                && ["root", "0"].contains(&owner)
        }),
        hits: &[
            "chown -R root x",
            "sudo chown --recursive root:wheel /srv",
            "chown -hR 0:0 x",
        ],
        misses: &["chown root x", "chown -R me x", "echo chown -R root"],
    },
    Rule {
        description: "chmod +x followed by immediate execution",
        finds: Finds::Line(|line| {
            let mut made = HashSet::new();
            for program in &line.programs {
                if program.name == "chmod" && makes_executable(program) {
                    made.extend(program.operands().skip(1).map(base_name));
                } else if program.path.contains('/') && made.contains(base_name(&program.path)) {
                    return true;
                }
            }
            false
        }),
        hits: &[
            "chmod +x x.sh && ./x.sh",
            "chmod 755 x; sudo ./x",
            "chmod u+x a b\n/tmp/b --now",
        ],
        misses: &[
            "chmod +x x.sh",
            "./x.sh; chmod +x x.sh",
            "chmod +x x.sh && ./y.sh",
            "chmod -x x && ./x",
        ],
    },
    Rule {
        description: "sudo with a password, shell or authentication option",
        finds: Finds::Program(|program| {
            let asks = |options: &[String]| {
                options.iter().any(|word| {
                    is_flag(
                        word,
                        "SAsai",
                        &["--stdin", "--askpass", "--shell", "--auth-type", "--login"],
                    )
                })
            };
            program.name == "sudo" && asks(&program.arguments)
                || program.wrappers.iter().any(|wrapper| {
                    wrapper.name == "sudo" && (program.name == "su" || asks(&wrapper.options))
                })
        }),
        hits: &[
            "echo pw | sudo -S ls",
            "sudo -s",
            "sudo -i",
            "sudo su",
            "sudo -nA ls",
            "sudo --askpass ls",
            "nice sudo -S -u root ls",
        ],
        misses: &[
            "sudo ls -S",
            "sudo -n ls",
            "sudo -u root ls -a",
            "echo sudo -S",
        ],
    },
];

/// Tells whether a mode gives everybody the right to write.
fn opens_to_all(mode: &str) -> bool {
    let digits = mode.trim_start_matches(['=', '+']);
    if !digits.is_empty() && digits.chars().all(|digit| digit.is_digit(8)) {
        return digits.ends_with(['2', '3', '6', '7']);
    }
    mode.split(',').any(|clause| {
        let Some(at) = clause.find(['+', '=']) else {
            return false;
        };
        // The operator is one byte at a place that was just found.
        let (who, rights) = clause.split_at(at);
        let is_who = who.chars().all(|letter| "ugoa".contains(letter));
        // With `u` everybody gets the rights of the owner.
        is_who && who.contains(['o', 'a']) && rights.contains(['w', 'u'])
    })
}

fn makes_executable(program: &Program) -> bool {
    program.operands().next().is_some_and(|mode| {
        mode.contains("+x")
            || mode.contains("+rx")
            || mode.contains("+rwx")
            || mode.len() >= 3
                && mode.chars().all(|digit| digit.is_digit(8))
                && mode.contains(['1', '3', '5', '7'])
    })
}
