//! Escapes that a model's text has and the file has not, because the text was escaped once more on its way here.

use std::borrow::Cow;

/// What is written by mistake, and for what.
const QUOTES: [(&str, &str); 2] = [("\\\"", "\""), ("\\'", "'")];
const BACKSLASHES: [(&str, &str); 1] = [("\\\\", "\\")];

/// Takes the escapes from both texts, if the old one occurs in the file without them and not with them.
pub(in crate::tools::patch) fn corrected(
    old: &str,
    new: &str,
    occurs: impl Fn(&str) -> bool,
) -> Option<(String, String)> {
    let kinds: [&[(&str, &str)]; 2] = [&QUOTES, &BACKSLASHES];
    if kinds
        .concat()
        .iter()
        .all(|(escape, _)| !old.contains(escape))
        || occurs(old)
    {
        return None;
    }
    kinds.into_iter().find_map(|kind| {
        // An escape that only the new text has was meant.
        let mistaken = kind.iter().filter(|(escape, _)| old.contains(escape));
        let (mut plain_old, mut plain_new) = (old.to_owned(), new.to_owned());
        for (escape, plain) in mistaken {
            plain_old = plain_old.replace(escape, plain);
            plain_new = plain_new.replace(escape, plain);
        }
        (plain_old != old && occurs(&plain_old)).then_some((plain_old, plain_new))
    })
}

/// Returns the error for escapes that both texts have, and none of the places where the new one would go.
pub(in crate::tools::patch) fn detected(old: &str, new: &str, regions: &[&str]) -> Option<String> {
    let mut escapes = QUOTES.iter().chain(&BACKSLASHES);
    let (escape, plain) = escapes.find(|(escape, _)| {
        let has_it = |text: &str| text.contains(escape);
        has_it(old) && has_it(new) && !regions.iter().any(|region| has_it(region))
    })?;
    Some(format!(
        "Escape-drift detected: old_string and new_string both contain {escape} where the file has no such escape. The text was probably escaped twice on its way here. Send both strings again with {plain} in place of {escape}, as the file has it (use read_file to see the exact text). The file was NOT modified."
    ))
}

/// Makes controls of `\t` and `\r` in letters, where the place of the text has such controls.
pub(super) fn with_controls<'n>(new: &'n str, region: &str) -> Cow<'n, str> {
    let mut text = Cow::Borrowed(new);
    for (letters, control) in [("\\t", "\t"), ("\\r", "\r")] {
        if text.contains(letters) && region.contains(control) {
            text = Cow::Owned(text.replace(letters, control));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_taken_away_only_where_the_text_then_occurs() {
        let file = r#"say("it's") and C:\dir"#;
        let rows = [
            (
                r#"say(\"it's\")"#,
                r#"tell(\"it's\")"#,
                Some((r#"say("it's")"#, r#"tell("it's")"#)),
            ),
            (
                r#"say(\"it\'s\")"#,
                r#"\'\""#,
                Some((r#"say("it's")"#, r#"'""#)),
            ),
            (r"C:\\dir", r"D:\\dir", Some((r"C:\dir", r"D:\dir"))),
            // The new text's own escape was not in the old one.
            (r#"\"it's\""#, r"it\'s", Some((r#""it's""#, r"it\'s"))),
            (r#"\"its\""#, r#"\"x\""#, None),
            ("say", r#"\"x\""#, None),
        ];
        for (old, new, expected) in rows {
            let corrected = corrected(old, new, |text| file.contains(text));
            let expected = expected.map(|(old, new)| (old.to_owned(), new.to_owned()));
            assert_eq!(corrected, expected, "{old}");
        }
        assert_eq!(corrected(r"\\", "x", |_| true), None);
    }

    #[test]
    fn escapes_that_the_file_lacks_are_an_error() {
        let expected = r"Escape-drift detected: old_string and new_string both contain \' where the file has no such escape. The text was probably escaped twice on its way here. Send both strings again with ' in place of \', as the file has it (use read_file to see the exact text). The file was NOT modified.";
        assert_eq!(
            detected(r"it\'s", r"that\'s", &["it's"]).as_deref(),
            Some(expected)
        );
        assert_eq!(detected(r"it\'s", r"that\'s", &[r"it\'s"]), None);
        assert_eq!(detected("it's", r"that\'s", &["it's"]), None);
        assert_eq!(detected(r"it\'s", "that's", &["it's"]), None);
        let doubled = detected(r"a\\b", r"c\\d", &["a b"]);
        assert!(doubled.is_some_and(|error| error.contains(r"with \ in place of \\")));
    }

    #[test]
    fn controls_are_made_only_where_the_place_has_them() {
        assert_eq!(with_controls(r"a\tb\nc", "x\ty"), "a\tb\\nc");
        assert_eq!(with_controls(r"a\tb", "x y"), r"a\tb");
        assert_eq!(with_controls(r"a\r", "x\ry"), "a\r");
    }
}
