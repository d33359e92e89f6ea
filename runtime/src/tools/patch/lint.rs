//! The check of a patched text: what the answer says about it, and whether the file may be written.

use crate::tools::lint::{Lint, Verdict};
use crate::tools::write_guard::WriteGuards;

/// Checks the new text of a file of this name.
///
/// # Errors
/// Why a text is not to be written that is not well-formed where the old one was, in whole sentences.
pub(super) fn check(name: &str, shown: &str, old: Option<&str>, new: &str) -> Result<Lint, String> {
    // A file that was faulty before may be mended in several steps.
    let was_faulty = |is_faulty: &dyn Fn(&str) -> bool| old.is_some_and(is_faulty);
    if let Err(refusal) = WriteGuards::check_text(new)
        && !was_faulty(&|old| WriteGuards::check_text(old).is_err())
    {
        return Err(refusal.to_string());
    }
    let verdict = Verdict::of(name, new);
    match verdict.refusal() {
        Some(reason) if !was_faulty(&|old| Verdict::of(name, old).refusal().is_some()) => {
            Err(format!(
                "Refusing to write '{shown}': {reason} The file was NOT created or modified. Fix the content and retry."
            ))
        }
        _ => Ok(verdict.into_lint()),
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use super::*;

    fn checked(old: Option<&str>, new: &str) -> Result<String, String> {
        check("x.json", "/x.json", old, new).map(|lint| serde_json::to_string(&lint).unwrap())
    }

    #[test]
    fn a_text_that_was_well_formed_must_stay_so() {
        let refusal = "Refusing to write '/x.json': candidate content fails .json syntax validation (JSONDecodeError: Expecting value (line 1, column 2)). The file was NOT created or modified. Fix the content and retry.";
        assert_eq!(checked(Some("{}"), "[?"), Err(refusal.to_owned()));
        assert_eq!(checked(None, "[?"), Err(refusal.to_owned()));
        assert_eq!(
            checked(Some("["), "[?"),
            Ok(r#"{"status":"error","output":"JSONDecodeError: Expecting value (line 1, column 2)"}"#.to_owned())
        );
        assert_eq!(
            checked(Some("["), "[]"),
            Ok(r#"{"status":"ok","output":""}"#.to_owned())
        );
    }

    #[test]
    fn what_read_file_shows_is_no_content() {
        let shown = "1|a\n2|b\n3|c\n";
        let refusal = check("x", "/x", Some("a\nb\nc\n"), shown).unwrap_err();
        assert!(
            refusal.starts_with("Refusing to write internal read_file display text"),
            "{refusal}"
        );
        assert!(check("x", "/x", Some(shown), shown).is_ok());
    }
}
