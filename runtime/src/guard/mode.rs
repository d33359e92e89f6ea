//! The execution modes and their names.
//!
//! It owns which names there are and how they are read, not what a mode does. An unknown name is never read as a mode.

/// Says where a cell runs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Mode {
    /// In the WebAssembly sandbox.
    #[default]
    Strict,
    /// In a child process of this machine's Python.
    Project,
}

impl Mode {
    /// All names, as a message shows them.
    pub(super) const NAMES: &'static str = "'strict' or 'project'";

    /// Returns the name of the mode.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Strict => "strict",
            Self::Project => "project",
        }
    }

    /// Returns the mode of that name; case and surrounding blanks do not matter.
    pub fn from_name(name: &str) -> Option<Self> {
        match name.trim() {
            name if name.eq_ignore_ascii_case("strict") => Some(Self::Strict),
            name if name.eq_ignore_ascii_case("project") => Some(Self::Project),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_without_regard_to_case_and_blanks() {
        assert_eq!(Mode::from_name("strict"), Some(Mode::Strict));
        assert_eq!(Mode::from_name(" strict "), Some(Mode::Strict));
        assert_eq!(Mode::from_name("PROJECT"), Some(Mode::Project));
    }

    #[test]
    fn other_names_are_no_mode() {
        for name in ["", "bogus", "strict project", "per-call", "null"] {
            assert_eq!(Mode::from_name(name), None, "{name}");
        }
    }
}
