//! What a script gave to `sys.exit`, as far as a result shows it.

use std::fmt;

use serde::Serialize;

/// Holds the code of an exit, or the message that stood in its place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum ExitStatus {
    /// A number; 0 where the script gave none.
    Code(i64),
    /// A text, or the text of another value.
    Message(String),
}

impl ExitStatus {
    /// Returns whether Python itself would call it a success.
    pub fn is_success(&self) -> bool {
        matches!(self, Self::Code(0))
    }
}

impl fmt::Display for ExitStatus {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(code) => code.fmt(formatter),
            Self::Message(message) => message.fmt(formatter),
        }
    }
}
