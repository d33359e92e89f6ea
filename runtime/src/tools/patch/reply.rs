//! The answer of `patch`: its keys in their order.

use serde::Serialize;
use serde_json::Value;

use super::replace::NOT_FOUND;
use crate::contract::is_false;
use crate::text::redact::{Profile, Redactor};

const HINT: &str = "old_string not found. Use read_file to verify the current content, or search_files to locate the text.";
const SUGGESTION: &str = "Did you mean";

/// Holds the answer; struct order is key order.
#[derive(Debug, Default, Serialize)]
pub(super) struct PatchReply {
    pub(super) success: bool,
    #[serde(skip_serializing_if = "is_false")]
    pub(super) no_change: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) note: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) diff: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) files_modified: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) files_created: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) files_deleted: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) lint: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) resolved_path: Option<String>,
    #[serde(rename = "_hint", skip_serializing_if = "Option::is_none")]
    pub(super) hint: Option<&'static str>,
}

impl PatchReply {
    /// Answers that nothing was changed, and why.
    pub(super) fn failed(error: impl Into<String>) -> Self {
        let error = error.into();
        let is_lost = error.contains(NOT_FOUND) && !error.contains(SUGGESTION);
        Self {
            hint: is_lost.then_some(HINT),
            error: Some(error),
            ..Self::default()
        }
    }

    /// Answers that nothing had to be changed; `path` names the file or the files.
    pub(super) fn unchanged(path: &str) -> Self {
        Self {
            success: true,
            no_change: true,
            note: Some(format!(
                "File already contains the target text — the edit appears to be already applied to {path}. No write performed; do not re-send this patch."
            )),
            ..Self::default()
        }
    }

    /// Masks the secrets in what the answer shows of files.
    pub(super) fn redacted(mut self, redactor: &Redactor) -> Self {
        for text in [&mut self.diff, &mut self.error].into_iter().flatten() {
            *text = redactor.redact(text, Profile::FileRead).into_owned();
        }
        self
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use super::*;

    #[test]
    fn the_hint_comes_only_without_a_suggestion() {
        let json = |error: &str| serde_json::to_string(&PatchReply::failed(error)).unwrap();
        assert_eq!(
            json(NOT_FOUND),
            r#"{"success":false,"error":"Could not find a match for old_string in the file","_hint":"old_string not found. Use read_file to verify the current content, or search_files to locate the text."}"#
        );
        let suggested = format!("{NOT_FOUND}\n\nDid you mean one of these sections?");
        assert!(!json(&suggested).contains("_hint"));
        assert_eq!(json("x"), r#"{"success":false,"error":"x"}"#);
    }

    #[test]
    fn all_keys_stand_in_the_order_of_the_contract() {
        let list = || vec!["x".to_owned()];
        let reply = PatchReply {
            success: true,
            no_change: true,
            note: Some(String::new()),
            diff: Some(String::new()),
            files_modified: list(),
            files_created: list(),
            files_deleted: list(),
            lint: Some(Value::Null),
            error: Some(String::new()),
            resolved_path: Some(String::new()),
            hint: Some(""),
        };
        assert_eq!(
            serde_json::to_string(&reply).unwrap(),
            r#"{"success":true,"no_change":true,"note":"","diff":"","files_modified":["x"],"files_created":["x"],"files_deleted":["x"],"lint":null,"error":"","resolved_path":"","_hint":""}"#
        );
    }
}
