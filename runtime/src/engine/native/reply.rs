//! What the runner says of a cell that has ended.

use serde::Deserialize;
use serde_json::Value;

use crate::contract::ExitStatus;

/// A reply; its text comes from the child and may be anything.
#[derive(Debug, Deserialize)]
pub(super) struct Reply {
    pub(super) id: String,
    pub(super) status: Status,
    #[serde(default)]
    pub(super) traceback: String,
    #[serde(default)]
    exit_status: Value,
}

/// How the code ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Status {
    Ok,
    Exit,
    Error,
}

impl Reply {
    /// Returns what the code gave to `sys.exit`.
    pub(super) fn exit_status(&self) -> Option<ExitStatus> {
        match &self.exit_status {
            Value::Number(code) => code.as_i64().map(ExitStatus::Code),
            Value::String(message) => Some(ExitStatus::Message(message.clone())),
            _ => None,
        }
    }
}
