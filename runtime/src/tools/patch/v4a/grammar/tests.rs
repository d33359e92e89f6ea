//! Every rule of the grammar, and the words for what breaks it.

#![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use proptest::prelude::*;

use super::*;

fn parse(text: &str) -> Vec<Operation<'_>> {
    PatchText::parse(text).unwrap().operations
}

fn fault(text: &str) -> String {
    PatchText::parse(text).unwrap_err().to_string()
}

#[test]
fn all_kinds_of_lines_are_read() {
    let text = "some words\n*** Begin Patch\r\n*** Update File: a b.py\r\n@@ def f(): @@\n context\n-removed\n+added\n\nbare\n\\ No newline at end of file\n@@\n+more\n@@ one-sided\n-x\n***   Add   File:   new.txt  \n+one\nignored\n+\n+two\n*** Delete File: old.txt\n*** Move File: from -> to/there\n*** End Patch\n*** Delete File: after";
    let hunk = |hint, lines: &[Line<'static>]| Hunk {
        hint,
        lines: lines.to_vec(),
    };
    assert_eq!(
        parse(text),
        [
            Operation::Update {
                path: "a b.py",
                hunks: vec![
                    hunk(
                        Some("def f():"),
                        &[
                            Line::Context("context"),
                            Line::Removed("removed"),
                            Line::Added("added"),
                            Line::Empty,
                            Line::Context("bare")
                        ]
                    ),
                    hunk(None, &[Line::Added("more")]),
                    hunk(None, &[Line::Removed("x")]),
                ]
            },
            Operation::Add {
                path: "new.txt",
                lines: vec!["one", "", "two"]
            },
            Operation::Delete { path: "old.txt" },
            Operation::Move {
                from: "from",
                to: "to/there"
            },
        ]
    );
}

#[test]
fn begin_and_end_are_whole_lines_and_may_be_absent() {
    let only = |text| match parse(text).as_slice() {
        [Operation::Delete { path }] => (*path).to_owned(),
        other => panic!("{other:?}"),
    };
    assert_eq!(only("*** Delete File: a"), "a");
    assert_eq!(only("***Begin Patch\n***Delete File: a\n***End Patch"), "a");
    // The last beginning before the end counts.
    assert_eq!(
        only(
            "*** Begin Patch\n*** Delete File: x\n*** Begin Patch\n*** Delete File: a\n*** End Patch"
        ),
        "a"
    );
    assert_eq!(
        parse("*** Add File: a\n+*** End Patch\n+*** Begin Patch"),
        [Operation::Add {
            path: "a",
            lines: vec!["*** End Patch", "*** Begin Patch"]
        }]
    );
    // Hunks need no mark before the first one, and other writers end them with a mark of their own.
    assert_eq!(
        parse("*** Update File: a\n-x\n*** End of File"),
        [Operation::Update {
            path: "a",
            hunks: vec![Hunk {
                hint: None,
                lines: vec![Line::Removed("x")]
            }]
        }]
    );
}

#[test]
fn faults_are_told_together() {
    let rows = [
        ("*** Update File:\n-x", "Operation with empty file path"),
        (
            "*** Update File: a\n@@\n\n@@ x @@",
            "UPDATE 'a': no hunks found",
        ),
        (
            "*** Move File: a",
            "MOVE 'a': missing destination path (expected 'src -> dst')",
        ),
        (
            "*** Move File: a ->",
            "MOVE 'a': missing destination path (expected 'src -> dst')",
        ),
        (
            "*** Delete File:\n*** Update File: b\n*** Move File: c",
            "Operation with empty file path; MOVE 'c': missing destination path (expected 'src -> dst'); UPDATE 'b': no hunks found",
        ),
        ("only words", "no file headers found"),
        ("*** End Patch\n*** Delete File: a", "no file headers found"),
    ];
    for (text, expected) in rows {
        assert_eq!(
            fault(text),
            format!("Failed to parse patch: Parse error: {expected}")
        );
    }
    let many = "*** Delete File: a\n".repeat(MAX_OPERATIONS + 1);
    assert_eq!(
        fault(&many),
        "Failed to parse patch: Parse error: more than 1000 files in one patch"
    );
}

#[test]
fn paths_that_climb_are_refused() {
    let rows = [
        ("*** Update File: ../x\n-a", "../x"),
        ("*** Add File: a/../b\n+a", "a/../b"),
        ("*** Move File: a -> b/..", "b/.."),
        ("*** Move File: .. -> b", ".."),
        (r"*** Delete File: a\..\b", r"a\..\b"),
    ];
    for (text, path) in rows {
        assert_eq!(
            fault(text),
            format!(
                "V4A patch header contains '..' traversal: '{path}'. Use the agent's cwd-relative path (no '..') or an absolute path in '*** Update File:' / '*** Add File:' / '*** Delete File:' / '*** Move File:' headers."
            )
        );
    }
    assert_eq!(
        parse("*** Delete File: a..b"),
        [Operation::Delete { path: "a..b" }]
    );
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(
        lines in prop::collection::vec(prop::sample::select(vec![
            "*** Begin Patch", "*** End Patch", "*** Update File: a", "*** Add File:", "*** Move File: a -> b",
            "*** Delete File: ü", "***", "@@", "@@ ü @@", "+", "-ü", " x", "", "\\", "ü", "*** Move File: ->",
        ]), 0..20),
    ) {
        let _ = PatchText::parse(&lines.join("\n"));
    }
}
