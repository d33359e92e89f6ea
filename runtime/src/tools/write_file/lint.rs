//! The syntax check of a text before it is written, chosen by the extension of the file's name.

use std::path::Path;

use serde::Serialize;
use serde::de::IgnoredAny;

use crate::tools::json_fault::JsonFault;

/// What the check found; struct order is key order.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(in crate::tools) struct Lint {
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
}

impl Lint {
    /// Checks a text; the error is the reason not to write it, to be put after `Refusing to write '…': `.
    pub(in crate::tools) fn check(name: &str, text: &str) -> Result<Self, String> {
        let extension = Path::new(name)
            .extension()
            .and_then(|extension| extension.to_str());
        // The parser for ignored values needs no stack, so that a deep text is not refused for its depth.
        let fault = match extension {
            Some("json") => serde_json::from_str::<IgnoredAny>(text)
                .err()
                .map(|error| JsonFault::new(text.as_bytes(), &error)),
            _ => return Ok(Self::skipped(extension)),
        };
        let Some(fault) = fault else {
            return Ok(Self {
                status: "ok",
                output: Some(""),
                message: None,
            });
        };
        Err(match fault.constant() {
            Some(constant) => {
                format!("candidate content uses {constant}, which is not valid JSON.")
            }
            None => format!(
                "candidate content fails .json syntax validation (JSONDecodeError: {fault})."
            ),
        })
    }

    fn skipped(extension: Option<&str>) -> Self {
        let extension = extension
            .map(|extension| format!(".{extension}"))
            .unwrap_or_default();
        let message = format!("No linter for {extension} files");
        Self {
            status: "skipped",
            output: None,
            message: Some(message),
        }
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use super::*;

    #[test]
    fn json_is_checked_and_other_files_are_skipped() {
        let json = |name, text| serde_json::to_string(&Lint::check(name, text).unwrap()).unwrap();
        assert_eq!(
            json("x.json", "{\"a\": [1]}"),
            r#"{"status":"ok","output":""}"#
        );
        assert_eq!(
            json("x.txt", "{"),
            r#"{"status":"skipped","message":"No linter for .txt files"}"#
        );
        assert_eq!(
            json("a.json.py", "{"),
            r#"{"status":"skipped","message":"No linter for .py files"}"#
        );
    }

    #[test]
    fn faults_are_reasons_not_to_write() {
        let rows = [
            (
                "{x",
                "candidate content fails .json syntax validation (JSONDecodeError: Expecting property name enclosed in double quotes (line 1, column 2)).",
            ),
            (
                "{\"a\": NaN}",
                "candidate content uses NaN, which is not valid JSON.",
            ),
        ];
        for (text, expected) in rows {
            assert_eq!(Lint::check("x.json", text), Err(expected.to_owned()));
        }
    }

    #[test]
    fn depth_is_no_fault() {
        let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(Lint::check("x.json", &deep).unwrap().status, "ok");
    }
}
