//! Owns the choice of passes per kind of text.
//!
//! The kind decides two things only: how a secret is shown, and whether `name = value` is looked at.

use super::command;
use super::mask::Mask;

/// The kind of text that is redacted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub(crate) enum Profile {
    /// Output of a script and source code: assignments stay, because they are mostly code.
    CodeFile,
    /// The content of a file that may be written back: secrets become sentinels, and assignments are looked at.
    /// The number of lines stays the same.
    FileRead,
    /// Output of a shell command.
    Terminal {
        /// Whether the command prints the environment or a file that holds secrets; set by [`Profile::for_command`].
        dump: bool,
    },
}

impl Profile {
    /// Returns the profile for the output of a shell command line.
    pub(crate) fn for_command(command: &str) -> Self {
        Self::Terminal {
            dump: command::dumps_secrets(command),
        }
    }

    /// Returns how secrets of this kind of text are shown.
    pub(super) fn mask(self) -> Mask {
        match self {
            Self::FileRead => Mask::Sentinel,
            Self::CodeFile | Self::Terminal { .. } => Mask::Shortened,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_line_chooses_the_terminal_variant() {
        assert_eq!(
            Profile::for_command("printenv"),
            Profile::Terminal { dump: true }
        );
        assert_eq!(
            Profile::for_command("cargo build"),
            Profile::Terminal { dump: false }
        );
    }
}
