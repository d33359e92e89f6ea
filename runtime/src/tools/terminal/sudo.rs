//! Recognises that `sudo` wanted a password, which nobody can type: a command has no terminal and no input.

pub(super) const HINT: &str = "sudo needs a password, and nobody can type one here. Run the command without sudo, or ask the user to run it.";

/// What `sudo` says when it gets no password.
const COMPLAINTS: [&str; 7] = [
    "a password is required",
    "a terminal is required",
    "no password was provided",
    "no tty present",
    "incorrect password attempt",
    "unable to read password",
    "authentication is required",
];

/// Tells whether an output says so.
pub(super) fn asked_for_password(output: &str) -> bool {
    output.lines().any(|line| {
        line.trim_start()
            .strip_prefix("sudo")
            .is_some_and(|rest| COMPLAINTS.iter().any(|complaint| rest.contains(complaint)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complaints_about_a_password_are_known() {
        for output in [
            "sudo: a password is required",
            "x\nsudo: a terminal is required to read the password; either use the -S option\ny",
            "sudo-rs: interactive authentication is required",
            "sudo: 3 incorrect password attempts",
        ] {
            assert!(asked_for_password(output), "{output}");
        }
        for output in [
            "",
            "sudo: command not found",
            "the manual says: sudo: a password is required",
            "a password is required",
        ] {
            assert!(!asked_for_password(output), "{output}");
        }
    }
}
