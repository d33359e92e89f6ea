//! What an exit code means where the number alone would mislead.

use crate::guard::CommandLine;

/// Exit codes of programs: names, code, meaning.
const PROGRAM_CODES: [(&[&str], i32, &str); 9] = [
    (
        &["grep", "egrep", "fgrep", "zgrep", "rg", "ag", "ack"],
        1,
        "No matches found (not an error)",
    ),
    (
        &["diff", "colordiff", "cmp"],
        1,
        "Files differ (expected, not an error)",
    ),
    (
        &["test", "["],
        1,
        "Condition evaluated to false (expected, not an error)",
    ),
    (
        &["find"],
        1,
        "Some directories were inaccessible (partial results may still be valid)",
    ),
    (&["curl"], 6, "Could not resolve host"),
    (&["curl"], 7, "Failed to connect to host"),
    (
        &["curl"],
        22,
        "The server answered with an HTTP error status (400 or above)",
    ),
    (&["curl"], 28, "Operation timed out"),
    (
        &["git"],
        1,
        "Often no error for git (for example, a diff that found differences)",
    ),
];

/// Signals by number and what they usually mean.
const SIGNALS: [(i32, &str, &str); 11] = [
    (1, "SIGHUP", "its terminal was closed"),
    (3, "SIGQUIT", "it was asked to quit"),
    (4, "SIGILL", "it executed an illegal instruction"),
    (6, "SIGABRT", "it aborted itself"),
    (7, "SIGBUS", "it accessed memory that is not there"),
    (8, "SIGFPE", "an arithmetic operation failed"),
    (
        9,
        "SIGKILL",
        "it was killed by force, often because memory ran out (OOM)",
    ),
    (11, "SIGSEGV", "it accessed memory that it may not access"),
    (13, "SIGPIPE", "nobody read its output any more"),
    (15, "SIGTERM", "it was asked to end"),
    (24, "SIGXCPU", "it used up its processor time"),
];

/// A shell reports a program's death by a signal as this plus the signal's number.
const SIGNAL_BASE: i32 = 128;
/// Ctrl-C, which whoever sees the code has pressed.
const INTERRUPT: i32 = 2;

/// Returns the meaning of the code with which a command ended; `None` where the code says enough.
pub(super) fn meaning(command: &str, code: i32) -> Option<String> {
    signal_note(code).or_else(|| program_note(command, code).map(str::to_owned))
}

fn signal_note(code: i32) -> Option<String> {
    let number = if code < 0 {
        code.checked_neg()?
    } else {
        code - SIGNAL_BASE
    };
    if !(1..=64).contains(&number) || number == INTERRUPT {
        return None;
    }
    Some(match SIGNALS.iter().find(|(known, ..)| *known == number) {
        Some((_, name, cause)) => format!("Terminated by signal {number} ({name}): {cause}"),
        None => format!("Terminated by signal {number}"),
    })
}

/// Looks up the last program of the command line, which is the one whose code the shell passes on.
fn program_note(command: &str, code: i32) -> Option<&'static str> {
    let line = CommandLine::outer(command);
    let name = line.programs.last()?.name.as_str();
    let row = PROGRAM_CODES
        .iter()
        .find(|(names, known, _)| *known == code && names.contains(&name));
    row.map(|(_, _, meaning)| *meaning)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_of_programs_have_meanings() {
        let rows = [
            (
                "cat x | grep -q y",
                1,
                Some("No matches found (not an error)"),
            ),
            (
                "LC_ALL=C /usr/bin/diff a b",
                1,
                Some("Files differ (expected, not an error)"),
            ),
            (
                "test -e x",
                1,
                Some("Condition evaluated to false (expected, not an error)"),
            ),
            (
                "[ -e x ]",
                1,
                Some("Condition evaluated to false (expected, not an error)"),
            ),
            (
                "find /",
                1,
                Some("Some directories were inaccessible (partial results may still be valid)"),
            ),
            ("curl http://x", 6, Some("Could not resolve host")),
            ("grep x y", 2, None),
            ("grep x y", 0, None),
            ("grep x y | wc", 1, None),
            ("", 1, None),
        ];
        for (command, code, expected) in rows {
            assert_eq!(meaning(command, code).as_deref(), expected, "{command}");
        }
    }

    #[test]
    fn signals_are_named_from_both_forms_of_the_code() {
        let killed = "Terminated by signal 9 (SIGKILL): it was killed by force, often because memory ran out (OOM)";
        assert_eq!(meaning("x", 137).as_deref(), Some(killed));
        assert_eq!(meaning("x", -9).as_deref(), Some(killed));
        assert_eq!(
            meaning("x", 162).as_deref(),
            Some("Terminated by signal 34")
        );
        for code in [130, -2, 128, 255, i32::MIN] {
            assert_eq!(meaning("x", code), None, "{code}");
        }
    }
}
