//! What comes of an old and a new text, and the exact words for everything that goes wrong.

#![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use proptest::prelude::*;

use super::*;

fn replaced(text: &str, old: &str, new: &str, replace_all: bool) -> Result<String, String> {
    let mut document = Document::decode(text.as_bytes().to_vec()).unwrap();
    let wanted = Wanted {
        old,
        new,
        replace_all,
    };
    let found = wanted.apply(&mut document, &Effort::new(&|| false));
    match found {
        Ok(_) => Ok(String::from_utf8(document.encode()).unwrap()),
        Err(mismatch) => {
            assert!(!document.is_changed());
            Err(mismatch.to_string())
        }
    }
}

#[test]
fn texts_are_replaced_as_the_file_needs_it() {
    let rows = [
        ("a b c", "b", "x", "a x c"),
        ("a b c", "b ", "", "a c"),
        // Relative indentation is repaired.
        (
            "def g():\n    return 1\n",
            "def g():\nreturn 1",
            "def g():\nreturn 3",
            "def g():\n    return 3\n",
        ),
        // The base indentation is missing on every line.
        (
            "class A:\n    def f(self):\n        return 1\n",
            "def f(self):\n    return 1\n",
            "def f(self):\n    x = 2\n    return x\n",
            "class A:\n    def f(self):\n        x = 2\n        return x\n",
        ),
        // Whitespace inside of a line, behind the indentation.
        (
            "    f(a,  b)\n    g()\n",
            "f(a, b)\ng()",
            "f(a, c)\nh()",
            "    f(a, c)\n    h()\n",
        ),
        // The same in the middle of a line.
        ("x = f(a,  b)  # c", "f(a, b)", "f(b)", "x = f(b)  # c"),
        // Controls that were escaped once more.
        ("a\tb", "a\\tb", "c\\td", "c\td"),
        ("a\nb", "a\\nb", "a\\nc", "a\\nc"),
        // Quotes that were escaped once more.
        (
            r#"say("x")"#,
            r#"say(\"x\")"#,
            r#"say(\"y\")"#,
            r#"say("y")"#,
        ),
        (r"C:\dir", r"C:\\dir", r"D:\\dir", r"D:\dir"),
        // Typography outside of the change stays.
        (
            "“It’s” — one…",
            "\"It's\" -- one...",
            "\"It's\" -- two...",
            "“It’s” — two…",
        ),
        // A final newline that the file does not have.
        ("  a\n  b", "a\nb\n", "a\nc\n", "  a\n  c"),
        // Ends of lines and mark.
        (
            "\u{feff}a\r\nb\r\n",
            "a\nb\n",
            "a\nx\nb\n",
            "\u{feff}a\r\nx\r\nb\r\n",
        ),
        ("\u{feff}a\r\nb\r\n", "a\r\nb", "a\nb", "\u{feff}a\nb\r\n"),
        ("a\nb\n", "a\r\nb", "a\r\nc", "a\nc\n"),
        (
            "a\r\n\tb\r\nc\n",
            "a\nb",
            "a\nd\ne",
            "a\r\n\td\r\n\te\r\nc\n",
        ),
        // Blocks that are only similar.
        (
            "def f():\n    total = 0\n    return total\n",
            "def f():\n    totals = 1\n    return total",
            "def f():\n    return 7",
            "def f():\n    return 7\n",
        ),
    ];
    for (text, old, new, expected) in rows {
        assert_eq!(
            replaced(text, old, new, false),
            Ok(expected.to_owned()),
            "{old:?} -> {new:?} in {text:?}"
        );
    }
}

#[test]
fn every_match_is_replaced_only_on_demand() {
    assert_eq!(replaced("a a\na", "a", "b", true), Ok("b b\nb".to_owned()));
    assert_eq!(
        replaced(" x\n y\n\n  x\n  y\n", "x\ny", "x\nz", true),
        Ok(" x\n z\n\n  x\n  z\n".to_owned())
    );
    // Matches of lines that overlap: each line is replaced once.
    assert_eq!(
        replaced(" x\n x\n x", "x\nx\n", "y\n", true),
        Ok(" y\n x".to_owned())
    );
}

#[test]
fn faults_are_told_in_the_words_of_the_contract() {
    let long = "x".repeat(81);
    let rows: [(&str, &str, &str, bool, &str); 9] = [
        (
            "a",
            "",
            "b",
            false,
            "old_string is empty — nothing to match. Set old_string to the exact existing text the replacement should replace (read the file first if unsure). To create a new file or fully rewrite one, use write_file instead. Do not re-send this call unchanged.",
        ),
        (
            "a",
            " \n\t",
            "b",
            false,
            "old_string is only whitespace — provide non-blank text to match. Set old_string to the exact existing text the replacement should replace (read the file first if unsure). Do not re-send this call unchanged.",
        ),
        (
            "a",
            "a",
            "a",
            false,
            "No edit was applied because old_string and new_string are identical. Provide the existing text to replace in old_string and the changed replacement text in new_string.",
        ),
        (
            r#""a""#,
            r#"\"a\""#,
            r#""a""#,
            false,
            "No edit was applied because old_string and new_string are identical. Provide the existing text to replace in old_string and the changed replacement text in new_string.",
        ),
        (
            "a\n  a b\nc",
            "a",
            "b",
            false,
            "Found 2 matches for old_string. Provide more context to make it unique, or use replace_all=True. Matches:\n  L1: a\n  L2: a b",
        ),
        (
            "a\na\na\na\na\na\na",
            "a",
            "b",
            false,
            "Found 7 matches for old_string. Provide more context to make it unique, or use replace_all=True. Matches:\n  L1: a\n  L2: a\n  L3: a\n  L4: a\n  L5: a\n  ... and 2 more",
        ),
        (
            "0123456789\n0123456780",
            "01234567xx",
            "b",
            true,
            "Found 2 approximate matches via the 'context_aware' strategy; replace_all only applies to exact matches. Provide the precise text (whitespace included) so an exact/line-trimmed match can be made.",
        ),
        (
            " say('x')\nend",
            "say(\\'x\\')\nends",
            "say(\\'y\\')\nend",
            false,
            "Escape-drift detected: old_string and new_string both contain \\' where the file has no such escape. The text was probably escaped twice on its way here. Send both strings again with ' in place of \\', as the file has it (use read_file to see the exact text). The file was NOT modified.",
        ),
        (
            "a",
            "zzzzzzzz",
            "b",
            false,
            "Could not find a match for old_string in the file",
        ),
    ];
    for (text, old, new, replace_all, expected) in rows {
        let told = replaced(text, old, new, replace_all);
        assert_eq!(told, Err(expected.to_owned()), "{old:?} in {text:?}");
    }
    let listed = replaced(&format!("{long}\n{long}"), &long, "y", false).unwrap_err();
    let row = format!("{}...", "x".repeat(77));
    assert!(listed.ends_with(&format!("Matches:\n  L1: {row}\n  L2: {row}")));
    assert_eq!(
        replaced("alpha = 1\nbeta = 2\n", "alpha = 1; gamma", "x", false),
        Err("Could not find a match for old_string in the file\n\nDid you mean one of these sections?\n   1| alpha = 1\n   2| beta = 2".to_owned())
    );
}

#[test]
fn an_edit_that_was_made_before_is_told_from_one_that_cannot_be_made() {
    let is_applied = |text: &str, old: &str, new: &str| is_applied(text, old, new);
    assert!(is_applied(
        "x = new_value\n",
        "x = old_value",
        "x = new_value"
    ));
    assert!(
        !is_applied("x = new", "gone", "x = new"),
        "seven characters tell too little"
    );
    assert!(!is_applied(
        "x = new_value; x = old",
        "x = old",
        "x = new_value"
    ));
    assert!(!is_applied("nothing of it", "x = old", "x = new_value"));
}

#[test]
fn a_result_that_would_be_too_large_is_refused_before_it_is_made() {
    let text = "a".repeat(100);
    let new = "b".repeat(1 << 20);
    let told = replaced(&text, "a", &new, true).unwrap_err();
    assert_eq!(
        told,
        "The patched file would have 34603008 bytes; at most 16777216 are allowed. No file was modified."
    );
}

#[test]
fn hostile_texts_end_the_search_and_not_the_patience() {
    // A pattern of many similar lines in a file of many similar lines, and two long lines.
    let lines = |count: usize, word: &str| format!("{word} = value_of({word})\n").repeat(count);
    let rows = [
        (lines(60_000, "alpha_beta"), lines(20_000, "alpha_bet")),
        ("ab".repeat(1 << 20), "ba".repeat(1 << 20) + "x"),
        (lines(100_000, "x"), lines(50_000, "x") + "y"),
        ("a".repeat(4 << 20), "a".to_owned()),
    ];
    for (text, old) in rows {
        let told = replaced(&text, &old, "new", false).unwrap_err();
        assert!(
            told.starts_with("Gave up looking for matches") || told.starts_with("Could not find"),
            "{}",
            &told[..60]
        );
    }
}

proptest! {
    #[test]
    fn an_exact_replacement_is_that_of_the_standard_library(
        text in "[ab“\n\t ]{0,20}", start in 0_usize..20, len in 1_usize..6, new in "[abc\n ]{0,5}", all in any::<bool>(),
    ) {
        let letters: Vec<char> = text.chars().collect();
        let start = start.min(letters.len());
        let old: String = letters[start..(start + len).min(letters.len())].iter().collect();
        prop_assume!(!old.trim().is_empty() && old != new);
        let told = replaced(&text, &old, &new, all);
        let count = text.matches(&old).count();
        if all {
            prop_assert_eq!(told, Ok(text.replace(&old, &new)));
        } else if count == 1 {
            prop_assert_eq!(told, Ok(text.replacen(&old, &new, 1)));
        } else {
            let expected = format!("Found {count} matches for old_string.");
            prop_assert!(told.is_err_and(|error| error.starts_with(&expected)));
        }
    }

    #[test]
    fn any_texts_are_replaced_or_left(text in "(?s).{0,40}", old in "(?s).{0,10}", new in "(?s).{0,10}") {
        prop_assume!(!text.contains('\0'));
        let _ = replaced(&text, &old, &new, false);
    }
}
