//! The environment variables that a script sees.
//!
//! The table is fixed: nothing of the host's environment reaches the sandbox.

/// Each variable as C wants it, `NAME=value` with a closing NUL.
const VARIABLES: [&str; 5] = [
    "HOME=/scratch\0",
    "LANG=C.UTF-8\0",
    "LOGNAME=sandbox\0",
    "TMPDIR=/tmp\0",
    "USER=sandbox\0",
];

/// Returns every variable with its closing NUL.
pub(super) fn variables() -> impl Iterator<Item = &'static [u8]> {
    VARIABLES.iter().map(|variable| variable.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_variable_has_one_nul_at_its_end() {
        for variable in variables() {
            assert_eq!(
                variable.iter().position(|byte| *byte == 0),
                Some(variable.len() - 1)
            );
        }
        assert_eq!(variables().count(), 5);
        assert!(variables().any(|variable| variable == b"HOME=/scratch\0"));
    }
}
