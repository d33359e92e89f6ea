//! What kinds of programs wrote the text that another program gets.

use std::ops::{BitOr, BitOrAssign};

/// A set of kinds of programs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Sources(u8);

impl Sources {
    /// Programs that fetch something from the network.
    pub(super) const FETCHES: Self = Self(1);
    /// Programs that turn text into other text that nobody has read.
    pub(super) const DECODES: Self = Self(2);
    /// Programs that look up the numbers of processes.
    pub(super) const FINDS_PROCESSES: Self = Self(4);
    /// Programs that write what does not stand in the command.
    pub(super) const UNREAD: Self = Self(8);
    /// Programs that write secrets of the user or of a project.
    pub(super) const SECRETS: Self = Self(16);

    /// Tells whether a kind is in the set.
    pub(super) fn has(self, kind: Self) -> bool {
        self.0 & kind.0 != 0
    }
}

impl BitOr for Sources {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for Sources {
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}
