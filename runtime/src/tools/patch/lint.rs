//! The syntax check of a patched file: what the answer says about it, and whether the file may be written.

use serde::Serialize;

use crate::tools::write_file::Lint;

/// Longest text that is checked, in bytes.
const MAX_BYTES: usize = 4 << 20;

/// What an answer says about the check of a file.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum Linted {
    Checked(Lint),
    /// There was no check, or one that could not be met before either.
    Note {
        status: &'static str,
        #[serde(skip_serializing_if = "Option::is_none")]
        output: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        message: Option<String>,
    },
}

impl Linted {
    /// Checks the new text of a file of this name.
    ///
    /// # Errors
    /// The reason not to write a text that is not well-formed where the old one was, to be put after `Refusing to write '…': `.
    pub(super) fn check(name: &str, old: Option<&str>, new: &str) -> Result<Self, String> {
        if new.len() > MAX_BYTES {
            return Ok(Self::Note {
                status: "skipped",
                output: None,
                message: Some(format!(
                    "The text is longer than {MAX_BYTES} bytes and was not checked"
                )),
            });
        }
        match Lint::check(name, new) {
            Ok(lint) => Ok(Self::Checked(lint)),
            // A file that was faulty before may be mended in several steps.
            Err(reason) if old.is_some_and(|old| Lint::check(name, old).is_err()) => {
                Ok(Self::Note {
                    status: "error",
                    output: Some(reason),
                    message: None,
                })
            }
            Err(reason) => Err(reason),
        }
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use super::*;

    fn checked(old: Option<&str>, new: &str) -> Result<String, String> {
        Linted::check("x.json", old, new).map(|lint| serde_json::to_string(&lint).unwrap())
    }

    #[test]
    fn a_text_that_was_well_formed_must_stay_so() {
        let reason = "candidate content fails .json syntax validation (JSONDecodeError: Expecting value (line 1, column 2)).";
        assert_eq!(checked(Some("{}"), "[?"), Err(reason.to_owned()));
        assert_eq!(checked(None, "[?"), Err(reason.to_owned()));
        assert_eq!(
            checked(Some("["), "[?"),
            Ok(format!(r#"{{"status":"error","output":"{reason}"}}"#))
        );
        assert_eq!(
            checked(Some("["), "[]"),
            Ok(r#"{"status":"ok","output":""}"#.to_owned())
        );
    }

    #[test]
    fn a_long_text_is_not_checked() {
        assert_eq!(
            checked(None, &"?".repeat(MAX_BYTES + 1)),
            Ok(r#"{"status":"skipped","message":"The text is longer than 4194304 bytes and was not checked"}"#.to_owned())
        );
    }
}
