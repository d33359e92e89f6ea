//! The mode as a configuration names it: a wrong name never makes a run less safe, nor fails it.

use crate::guard::Mode;

/// Returns the mode of that name; an unknown one is the strict mode, with a warning in the log.
pub(crate) fn mode_or_strict(name: &str) -> Mode {
    Mode::from_name(name).unwrap_or_else(|| {
        tracing::warn!(name, "unknown mode in the configuration; using strict");
        Mode::Strict
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_mode_falls_back_to_strict() {
        assert_eq!(mode_or_strict("bogus"), Mode::Strict);
        assert_eq!(mode_or_strict(""), Mode::Strict);
    }

    #[test]
    fn a_known_mode_is_taken() {
        assert_eq!(mode_or_strict(" PROJECT "), Mode::Project);
    }
}
