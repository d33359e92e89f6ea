//! What an answer says about a check: the value of its key `lint`.

use serde::Serialize;

/// Holds the value; struct order is key order.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(in crate::tools) struct Lint {
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
}

impl Lint {
    pub(super) fn ok() -> Self {
        Self {
            status: "ok",
            output: Some(String::new()),
            message: None,
        }
    }

    pub(super) fn error(fault: String) -> Self {
        Self {
            status: "error",
            output: Some(fault),
            message: None,
        }
    }

    pub(super) fn skipped(message: String) -> Self {
        Self {
            status: "skipped",
            output: None,
            message: Some(message),
        }
    }
}
