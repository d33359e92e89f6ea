//! Whole patches in memory and on disk: operations that build on each other, and that a patch is applied or leaves everything.

#![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use std::cell::Cell;
use std::fmt::Write as _;

use proptest::prelude::*;

use super::super::v4a::Operation;
use super::*;
use crate::fs::{Access, Grants, Scope};
use crate::tools::granted::Granted;

fn job(granted: &Granted, text: &str) -> Job {
    let scope = Scope::open(granted.path("")).unwrap();
    let grants = Grants::of(Arc::new(scope));
    let operations = PatchText::parse(text).unwrap().operations;
    let paths = operations.iter().flat_map(Operation::paths);
    Job {
        places: paths
            .map(|path| (path.to_owned(), grants.place(path, Access::Write).unwrap()))
            .collect(),
        request: Request::Patch {
            text: text.to_owned(),
        },
        unreachable: BTreeMap::new(),
        denials: Arc::default(),
        redactor: Arc::default(),
        seen: None,
        cell: CancellationToken::new(),
    }
}

fn patched(granted: &Granted, text: &str) -> PatchReply {
    job(granted, text).run()
}

fn refusal(granted: &Granted, text: &str) -> String {
    let reply = patched(granted, text);
    assert!(!reply.success && reply.diff.is_none());
    reply.error.unwrap()
}

#[test]
fn later_operations_see_earlier_ones() {
    let granted = Granted::new();
    granted.put("a", "1\n2\n3\n");
    granted.put("b", "b\n");
    granted.put("gone", "x");
    let reply = patched(
        &granted,
        "*** Begin Patch\n*** Update File: a\n 1\n-2\n+two\n*** Update File: a\n two\n-3\n+three\n*** Move File: a -> d/c\n*** Update File: d/c\n+four\n*** Add File: a\n+new\n*** Delete File: gone\n*** Move File: b -> tmp\n*** Move File: tmp -> b2\n*** End Patch",
    );
    assert_eq!(reply.error, None);
    assert_eq!(granted.get("d/c"), "1\ntwo\nthree\nfour\n");
    assert_eq!(granted.get("a"), "new");
    assert_eq!(granted.get("b2"), "b\n");
    assert!(
        !granted.path("b").exists()
            && !granted.path("gone").exists()
            && !granted.path("tmp").exists()
    );
    let shown = |names: &[&str]| {
        names
            .iter()
            .map(|name| granted.shown(name))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        reply.files_modified,
        shown(&["a", "d/c", "gone", "b", "tmp", "b2"])
    );
    assert_eq!(reply.files_created, shown(&["a"]));
    assert_eq!(reply.files_deleted, shown(&["gone"]));
    assert_eq!(
        reply.diff.unwrap(),
        "--- /dev/null\n+++ b/a\n@@ -0,0 +1 @@\n+new\n\\ No newline at end of file\n# Moved: a -> d/c\n--- a/a\n+++ b/d/c\n@@ -1,3 +1,4 @@\n 1\n-2\n-3\n+two\n+three\n+four\n# Deleted: gone\n# Moved: b -> b2\n"
    );
    assert_eq!(
        reply.lint.unwrap()[granted.shown("d/c")]["status"],
        "skipped"
    );
}

#[test]
fn a_file_that_is_deleted_and_added_again_is_changed_and_not_created() {
    let granted = Granted::new();
    granted.put("a", "1\n2\n");
    let reply = patched(&granted, "*** Delete File: a\n*** Add File: a\n+1\n+two");
    assert_eq!(reply.error, None);
    assert_eq!(granted.get("a"), "1\ntwo");
    assert_eq!(reply.files_created, Vec::<String>::new());
    assert_eq!(
        reply.diff.unwrap(),
        "--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n 1\n-2\n+two\n\\ No newline at end of file\n"
    );
}

#[test]
fn two_files_change_places() {
    let granted = Granted::new();
    granted.put("a", "1");
    granted.put("b", "2");
    let reply = patched(
        &granted,
        "*** Move File: a -> t\n*** Move File: b -> a\n*** Move File: t -> b",
    );
    assert_eq!(reply.error, None);
    assert_eq!(
        (granted.get("a"), granted.get("b")),
        ("2".into(), "1".into())
    );
    assert!(!granted.path("t").exists());
}

#[test]
fn every_fault_of_a_patch_is_told_and_nothing_is_touched() {
    let granted = Granted::new();
    granted.put("a", "x\nhint\nhint\n");
    granted.put("binary", "a\0b");
    granted.put("d/e", "");
    granted.put("o.json", "{}");
    let told = refusal(
        &granted,
        "*** Update File: missing\n-x\n*** Update File: a\n@@ some @@\n-zzzz\n@@\n-qqqq\n@@\n-hint\n@@ none @@\n+1\n@@ hint @@\n+2\n*** Update File: binary\n-a\n*** Delete File: nothing\n*** Move File: no -> where\n*** Move File: a -> binary\n*** Add File: a\n+x\n*** Add File: a/b\n+x\n*** Delete File: d\n",
    );
    let rows = [
        "missing: Failed to read file: missing",
        "a: hunk 1 'some' not found — Could not find a match for old_string in the file",
        "a: hunk 2 (no hint) not found — Could not find a match for old_string in the file",
        "a: hunk 3 (no hint) not found — Found 2 matches for old_string. Provide more context to make it unique, or use replace_all=True. Matches:\n  L2: hint\n  L3: hint",
        "a: addition-only hunk context hint 'none' not found",
        "a: addition-only hunk context hint 'hint' is ambiguous (2 occurrences)",
        "binary: Refusing to overwrite existing binary file 'binary': it is not UTF-8 text, and an edit as text would destroy its bytes. The file was NOT modified.",
        "nothing: file not found for deletion",
        "no: source file not found for move",
        "binary: destination already exists — move would overwrite",
        "a: file already exists — use Update File, not Add File",
        "a/b: could not confirm the path is free — Failed to read 'a/b': Not a directory (os error 20)",
        "d: 'd' is not a regular file",
    ];
    let expected = rows.map(|row| format!("\n  • {row}")).concat();
    assert_eq!(
        told,
        format!("Patch validation failed (no files were modified):{expected}")
    );
    assert_eq!(granted.get("a"), "x\nhint\nhint\n");
    assert_eq!(
        refusal(&granted, "*** Update File: a\n x\n"),
        "Patch validation failed (no files were modified):\n  • Patch contains no changes (only context lines were provided)"
    );
    assert_eq!(
        refusal(
            &granted,
            "*** Add File: n\n+x\n*** Update File: o.json\n-{}\n+{"
        ),
        "Patch validation failed (no files were modified):\n  • o.json: Refusing to write 'o.json': candidate content fails .json syntax validation (JSONDecodeError: Expecting property name enclosed in double quotes (line 1, column 2)). The file was NOT created or modified. Fix the content and retry."
    );
    assert!(!granted.path("n").exists());
    let many: Vec<String> = (0..30)
        .map(|number| format!("*** Delete File: {number}"))
        .collect();
    let told = refusal(&granted, &many.join("\n"));
    assert_eq!(told.matches("  • ").count(), 21);
    assert!(told.ends_with("\n  • ... and 10 more"));
}

#[test]
fn hunks_find_their_places() {
    let far = "filler\n".repeat(400);
    let rows: [(String, &str, String); 12] = [
        // The hint decides where a text is that occurs more than once.
        (
            format!("class A:\n    x = 1\n{far}class B:\n    x = 1\n"),
            "@@ class B: @@\n-    x = 1\n+    x = 2",
            format!("class A:\n    x = 1\n{far}class B:\n    x = 2\n"),
        ),
        ("a\nb\n".into(), "@@ a @@\n+x\n+y", "a\nx\ny\nb\n".into()),
        ("a\nb".into(), "@@ b @@\n+x", "a\nb\nx".into()),
        ("a\n".into(), "+x", "a\nx\n".into()),
        ("a".into(), "+x", "a\nx".into()),
        (String::new(), "+x", "x\n".into()),
        // A line that is removed is gone with its newline.
        ("a\nb\nc\n".into(), "-b", "a\nc\n".into()),
        ("a\nb".into(), "-b", "a".into()),
        // Whole lines come before parts of lines.
        ("foobar\nfoo\n".into(), "-foo\n+x", "foobar\nx\n".into()),
        // Context between changes is no change, and an empty line can only be a blank line.
        (
            "a\n\nb\nc\n".into(),
            "@@\n-a\n+A\n\n b\n@@\n b\n@@\n-c\n+C",
            "A\n\nb\nC\n".into(),
        ),
        (
            "a\r\nb\r\n".into(),
            " a\n-b\n+c\n+d",
            "a\r\nc\r\nd\r\n".into(),
        ),
        (
            "    def f():\n        return 1\n".into(),
            " def f():\n-    return 1\n+    return 2",
            "    def f():\n        return 2\n".into(),
        ),
    ];
    for (text, hunks, expected) in rows {
        let granted = Granted::new();
        granted.put("f", &text);
        let reply = patched(&granted, &format!("*** Update File: f\n{hunks}\n"));
        assert_eq!(reply.error, None, "{hunks}");
        assert_eq!(granted.get("f"), expected, "{hunks}");
    }
}

#[test]
fn a_patch_that_was_applied_before_changes_nothing() {
    let granted = Granted::new();
    granted.put("f", "value = old\nother\n");
    let text = "*** Update File: f\n-value = old\n+value = brand_new\n other";
    assert!(!patched(&granted, text).no_change);
    let reply = patched(&granted, text);
    let shown = granted.shown("f");
    assert_eq!(
        serde_json::to_string(&reply).unwrap(),
        format!(
            r#"{{"success":true,"no_change":true,"note":"File already contains the target text — the edit appears to be already applied to {shown}. No write performed; do not re-send this patch."}}"#
        )
    );
    // With a hunk that is new, the one that was applied is passed over.
    let reply = patched(&granted, &format!("{text}\n@@\n-other\n+another"));
    assert_eq!((reply.error, reply.no_change), (None, false));
    assert_eq!(granted.get("f"), "value = brand_new\nanother\n");
}

#[test]
fn a_hundred_thousand_hunks_end_in_bounded_work() {
    let granted = Granted::new();
    granted.put("f", "line of text\n".repeat(200_000));
    let mut text = String::from("*** Update File: f\n");
    for number in 0..100_000 {
        let _ = writeln!(text, "@@\n+{number}");
    }
    assert_eq!(
        refusal(&granted, &text),
        "Gave up looking for matches: the texts are too large to compare, or match in too many places. No file was modified. Provide a shorter text that occurs exactly as given, or rewrite the file with write_file."
    );
}

/// Writes the patch that makes `new` of `old`, with one hunk for each run of changed lines and one line of context.
fn patch_of(
    old: &[String],
    keeps: &[Option<String>],
    inserts: &[Vec<String>],
) -> (String, Vec<String>) {
    let (mut text, mut new) = (String::from("*** Update File: f\n@@\n"), Vec::new());
    for (index, line) in old.iter().enumerate() {
        for inserted in &inserts[index] {
            let _ = writeln!(text, "+{inserted}");
            new.push(inserted.clone());
        }
        match &keeps[index] {
            Some(replacement) if replacement == line => {
                let _ = writeln!(text, " {line}");
                // Every unchanged line may end a hunk and begin the next one.
                let _ = writeln!(text, "@@\n {line}");
                new.push(line.clone());
            }
            Some(replacement) => {
                let _ = writeln!(text, "-{line}\n+{replacement}");
                new.push(replacement.clone());
            }
            None => {
                let _ = writeln!(text, "-{line}");
            }
        }
    }
    (text, new)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn a_patch_of_random_edits_makes_the_new_file(
        edits in prop::collection::vec((0_u8..4, prop::collection::vec("[x-z]{1,3}", 0..2)), 1..12),
        crlf in any::<bool>(), has_end in any::<bool>(),
    ) {
        let old: Vec<String> = (0..edits.len()).map(|index| format!("line {index};")).collect();
        let keeps: Vec<Option<String>> = old.iter().zip(&edits).map(|(line, (kind, _))| match kind {
            0 => None,
            1 => Some(format!("{line} changed")),
            _ => Some(line.clone()),
        }).collect();
        let mut serial = 0;
        let inserts: Vec<Vec<String>> = edits.iter().map(|(_, lines)| lines.iter().map(|line| {
            serial += 1;
            format!("{line} {serial}")
        }).collect()).collect();
        let (text, new) = patch_of(&old, &keeps, &inserts);
        prop_assume!(old != new && keeps.iter().any(Option::is_some));
        // What comes before the first kept line must not be an addition alone, which goes to the end of the file.
        prop_assume!(keeps[0].is_some() || inserts[0].is_empty());
        let newline = if crlf && old.len() > 1 { "\r\n" } else { "\n" };
        let end = if has_end || crlf { newline } else { "" };
        let granted = Granted::new();
        granted.put("f", old.join(newline) + end);
        let reply = patched(&granted, &text);
        prop_assert_eq!(reply.error, None, "{}", text);
        prop_assert_eq!(granted.get("f"), new.join(newline) + end, "{}", text);
    }

    #[test]
    fn a_patch_is_applied_or_leaves_every_file(allowed_looks in 0_usize..16, fails in any::<bool>()) {
        let granted = Granted::new();
        granted.put("a", "1\n");
        granted.put("b", "2\n");
        granted.put("c", "3\n");
        let last = if fails { "-nothing like it" } else { "-2\n+two" };
        let text = format!("*** Update File: a\n-1\n+one\n*** Add File: n/m\n+new\n*** Move File: c -> e\n*** Update File: b\n{last}");
        let looks = Cell::new(0);
        let reply = job(&granted, &text).run_while(&|| {
            looks.set(looks.get() + 1);
            looks.get() > allowed_looks
        });
        let exists = |name: &str| granted.path(name).exists();
        if reply.success {
            prop_assert_eq!((granted.get("a"), granted.get("b"), granted.get("e")), ("one\n".into(), "two\n".into(), "3\n".into()));
            prop_assert_eq!(granted.get("n/m"), "new");
        } else {
            prop_assert_eq!((granted.get("a"), granted.get("b"), granted.get("c")), ("1\n".into(), "2\n".into(), "3\n".into()));
            prop_assert!(!exists("n") && !exists("e"));
        }
        prop_assert!(!exists("c") || !exists("e"));
    }
}
