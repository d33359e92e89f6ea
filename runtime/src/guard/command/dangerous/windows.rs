//! What destroys on Windows, reached through its shells or from a shell that runs there.

use super::super::program::Program;
use super::super::rule::{Finds, Rule};

pub(super) const RULES: [Rule; 12] = [
    Rule {
        description: "Windows cmd destructive delete",
        finds: Finds::Program(|program| {
            let is_delete = program.is_one_of(&["del", "erase"])
                || program.is_one_of(&["rd", "rmdir"]) && has(program, "/s");
            is_delete && ["/s", "/q", "/f"].iter().any(|flag| has(program, flag))
        }),
        hits: &[
            "cmd /c del /s /q C:\\data",
            "cmd.exe /C \"rd /S /Q x\"",
            "del /f x",
            "rmdir /s x",
        ],
        misses: &["rmdir x", "cmd /c dir", "echo del /s", "rd x"],
    },
    Rule {
        description: "PowerShell destructive delete",
        finds: Finds::Program(|program| {
            let is_delete = program.is_one_of(&["remove-item", "ri"])
                || program.is_one_of(&["clear-disk", "format-volume", "remove-partition"]);
            is_delete
                && (program.name.ends_with("disk")
                    || program.name.contains("volume")
                    || program.name.contains("partition")
                    || ["-recurse", "-r", "-force", "-fo"]
                        .iter()
                        .any(|flag| has(program, flag)))
        }),
        hits: &[
            "powershell -Command \"Remove-Item -Recurse -Force C:\\x\"",
            "pwsh -c 'ri x -r'",
            "Format-Volume -DriveLetter D",
        ],
        misses: &[
            "pwsh -c 'Get-Item x'",
            "Remove-Item x",
            "echo Remove-Item -Recurse",
        ],
    },
    Rule {
        description: "encoded PowerShell command",
        finds: Finds::Program(|program| {
            program.is_one_of(&["powershell", "pwsh"])
                && program.arguments.iter().any(|word| {
                    let word = word.to_ascii_lowercase();
                    // Every beginning of the option's name is accepted.
                    word.len() > 1 && "-encodedcommand".starts_with(&word) || word == "-ec"
                })
        }),
        hits: &[
            "powershell -EncodedCommand ZABlAGwA",
            "pwsh.exe -NoProfile -enc AAAA",
            "powershell -e AA",
        ],
        misses: &[
            "powershell -ExecutionPolicy Bypass x.ps1",
            "pwsh -File x.ps1",
            "echo -enc",
        ],
    },
    Rule {
        description: "Windows process kill (taskkill)",
        finds: Finds::Program(|program| program.is_one_of(&["taskkill", "stop-process"])),
        hits: &["taskkill /F /IM x.exe", "cmd /c taskkill /PID 1"],
        misses: &["tasklist", "echo taskkill"],
    },
    Rule {
        description: "Windows disk format",
        finds: Finds::Program(|program| {
            program.name == "format" && program.operands().any(is_drive)
        }),
        hits: &["format C:", "cmd /c format d: /q"],
        misses: &["cargo fmt", "format x.py", "echo format C:"],
    },
    Rule {
        description: "Windows disk partitioning (diskpart)",
        finds: Finds::Program(|program| program.name == "diskpart"),
        hits: &["diskpart /s x.txt", "cmd /c diskpart"],
        misses: &["echo diskpart", "man diskpart"],
    },
    Rule {
        description: "Windows registry delete",
        finds: Finds::Program(|program| program.name == "reg" && has_first(program, &["delete"])),
        hits: &["reg delete HKLM\\x /f", "cmd /c REG DELETE x"],
        misses: &["reg query HKLM", "reg add x"],
    },
    Rule {
        description: "Windows permission change (icacls)",
        finds: Finds::Program(|program| {
            program.is_one_of(&["icacls", "cacls", "takeown"]) && !program.arguments.is_empty()
        }),
        hits: &["icacls x /grant Everyone:F", "takeown /f x"],
        misses: &["icacls", "echo icacls x"],
    },
    Rule {
        description: "Windows shadow copy delete (vssadmin)",
        finds: Finds::Program(|program| {
            program.name == "vssadmin" && has_first(program, &["delete", "resize"])
        }),
        hits: &[
            "vssadmin delete shadows /all",
            "cmd /c vssadmin Delete Shadows",
        ],
        misses: &["vssadmin list shadows", "echo vssadmin delete"],
    },
    Rule {
        description: "Windows backup delete (wbadmin)",
        finds: Finds::Program(|program| {
            program.name == "wbadmin" && has_first(program, &["delete", "disable"])
        }),
        hits: &["wbadmin delete catalog -quiet", "wbadmin DELETE backup"],
        misses: &["wbadmin get versions", "echo wbadmin delete"],
    },
    Rule {
        description: "Windows boot configuration change (bcdedit)",
        finds: Finds::Program(|program| {
            program.name == "bcdedit"
                && program
                    .arguments
                    .iter()
                    .any(|word| !word.eq_ignore_ascii_case("/enum") && word.starts_with('/'))
        }),
        hits: &[
            "bcdedit /set {default} recoveryenabled no",
            "bcdedit /delete x",
        ],
        misses: &["bcdedit", "bcdedit /enum"],
    },
    Rule {
        description: "Windows service change (sc)",
        finds: Finds::Program(|program| {
            program.name == "sc" && has_first(program, &["stop", "delete", "config", "pause"])
        }),
        hits: &["sc stop x", "sc.exe delete x"],
        misses: &["sc query", "echo sc stop x"],
    },
];

/// Tells whether one of the words is this one, whatever its case.
fn has(program: &Program, word: &str) -> bool {
    program
        .arguments
        .iter()
        .any(|argument| argument.eq_ignore_ascii_case(word))
}

fn has_first(program: &Program, words: &[&str]) -> bool {
    words
        .iter()
        .any(|word| program.operand(0).eq_ignore_ascii_case(word))
}

fn is_drive(word: &str) -> bool {
    word.strip_suffix(':').is_some_and(|letter| {
        letter.len() == 1 && letter.starts_with(|c: char| c.is_ascii_alphabetic())
    })
}
