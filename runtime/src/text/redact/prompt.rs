//! Redaction of text that somebody is asked to approve, which must not hide from them what it does.
//!
//! Whoever wrote the text may have formed it for this very pass. So each line is redacted for itself, and of what looks like a private key
//! only runs of base64 are replaced: no word of code has the length and the letters of one, and no line of code is left out. Values of the
//! vault are exact, and are replaced wherever they are.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::Regex;

use super::{Profile, Redactor};
use crate::text::pattern::compiled;

const SHOWN: &str = "[REDACTED PRIVATE KEY]";
const MARK: &str = "PRIVATE KEY";
const BEGIN: &str = "-----BEGIN ";
const END: &str = "-----END ";

/// Returns the text with its secrets masked, with as many lines as it has.
pub(super) fn redact(redactor: &Redactor, text: &str) -> String {
    let text = redactor.redact_vault(text, Profile::CodeFile);
    let mut shown = String::with_capacity(text.len());
    let mut in_key = false;
    for line in text.split_inclusive('\n') {
        let has_mark = line.contains(MARK);
        let begins = has_mark && line.contains(BEGIN);
        let ends = has_mark && line.contains(END);
        let line = if in_key || begins || ends {
            without_runs(line)
        } else {
            Cow::Borrowed(line)
        };
        // A pass for whole keys would leave out what stands between two marks in this line.
        let line = if begins {
            line
        } else {
            Cow::Owned(redactor.redact(&line, Profile::CodeFile).into_owned())
        };
        shown.push_str(&line);
        in_key = (in_key || begins) && !ends;
    }
    shown
}

fn without_runs(line: &str) -> Cow<'_, str> {
    static RUN: LazyLock<Regex> = LazyLock::new(|| compiled(r"[A-Za-z0-9+/]{16,}={0,2}"));
    RUN.replace_all(line, SHOWN)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn shown(text: &str) -> String {
        let vault = vec!["vault\nvalue".to_owned()];
        redact(&Redactor::new(true, vault), text)
    }

    #[test]
    fn secrets_are_masked_as_elsewhere() {
        for (text, expected) in [
            (
                "key = 'sk-proj-abcdefghijklmnopqrstuv'\nx",
                "key = 'sk-pro...stuv'\nx",
            ),
            ("a vault\nvalue b", "a «redacted-vault-secret» b"),
            (
                "k = '''-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG\nAbCdEfGhIjKlMnOpQrSt==\n-----END PRIVATE KEY-----'''\n",
                "k = '''-----BEGIN PRIVATE KEY-----\n[REDACTED PRIVATE KEY]\n[REDACTED PRIVATE KEY]\n-----END PRIVATE KEY-----'''\n",
            ),
            (
                r"k = '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG\n-----END PRIVATE KEY-----'",
                r"k = '-----BEGIN PRIVATE KEY-----\[REDACTED PRIVATE KEY]\n-----END PRIVATE KEY-----'",
            ),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }

    #[test]
    fn marks_of_a_key_hide_no_code() {
        for text in [
            "# -----BEGIN PRIVATE KEY-----\nimport os; os.system('evil')\n# -----END PRIVATE KEY-----\nprint('hello')",
            "echo '-----BEGIN PRIVATE KEY-----'; rm -rf x; echo '-----END PRIVATE KEY-----'",
            "-----BEGIN PRIVATE KEY-----\nexec(\"x\")",
        ] {
            assert_eq!(shown(text), text);
        }
    }

    #[test]
    fn a_token_hides_nothing_of_the_next_line() {
        assert_eq!(
            shown("# sk-proj-abcdefghijklmnopqrstuv\nexec('evil')"),
            "# sk-pro...stuv\nexec('evil')"
        );
    }

    proptest! {
        #[test]
        fn every_line_and_every_bracket_outside_of_secrets_stays(
            lines in prop::collection::vec("(-----(BEGIN|END) PRIVATE KEY-----)?[a-z();= ]{0,12}", 0..8)
        ) {
            let text = lines.join("\n");
            let shown = shown(&text);
            prop_assert_eq!(shown.lines().count(), text.lines().count());
            prop_assert_eq!(shown.matches('(').count(), text.matches('(').count());
        }
    }
}
