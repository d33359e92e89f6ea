//! The answers of `web_extract`, in the contract's order of keys.

use serde::Serialize;

use crate::net::PolicyBlock;

/// Answers for all pages.
#[derive(Debug, Serialize)]
pub(super) struct Results {
    pub(super) results: Vec<Entry>,
}

/// Answers for one page.
#[derive(Debug, Default, Serialize)]
pub(super) struct Entry {
    pub(super) url: String,
    pub(super) title: String,
    pub(super) content: String,
    pub(super) error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) blocked_by_policy: Option<Blocked>,
}

/// The rule of the website policy that forbids a page.
#[derive(Debug, Serialize)]
pub(super) struct Blocked {
    host: String,
    rule: String,
    source: String,
}

/// Refuses a whole call.
#[derive(Debug, Serialize)]
pub(super) struct Refused {
    success: bool,
    error: &'static str,
}

impl Entry {
    pub(super) fn failed(url: impl Into<String>, error: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            error: Some(error.into()),
            ..Self::default()
        }
    }

    /// Names the rule that forbids the page.
    pub(super) fn blocked_by(mut self, block: PolicyBlock) -> Self {
        self.blocked_by_policy = Some(Blocked {
            host: block.host,
            rule: block.rule,
            source: block.source,
        });
        self
    }
}

impl Refused {
    pub(super) fn new(error: &'static str) -> Self {
        Self {
            success: false,
            error,
        }
    }
}
