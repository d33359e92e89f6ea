//! What `patch` answers to a script, and that it never leaves its directory.

#![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::thread;

use serde_json::json;

use super::*;
use crate::tools::granted::Granted;

mod links;

fn tool() -> Patch {
    Patch::new(&FileOptions::default())
}

async fn replace(granted: &Granted, path: &str, old: &str, new: &str) -> Value {
    let arguments = json!({"path": path, "old_string": old, "new_string": new});
    granted.value(&tool(), arguments).await
}

#[tokio::test]
async fn an_edit_has_the_documented_answer() {
    let granted = Granted::new();
    granted.put("x.txt", "a\nb\nc\n");
    let arguments = json!({"path": "x.txt", "old_string": "b", "new_string": "B", "replace_all": false, "mode": "replace", "patch": null, "cross_profile": false});
    let shown = granted.shown("x.txt");
    assert_eq!(
        granted.reply(&tool(), arguments).await,
        format!(
            r#"{{"success":true,"diff":"--- a/x.txt\n+++ b/x.txt\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n","files_modified":["{shown}"],"lint":{{"status":"skipped","message":"No linter for .txt files"}},"resolved_path":"{shown}"}}"#
        )
    );
    assert_eq!(granted.get("x.txt"), "a\nB\nc\n");
    // An absolute path keeps its slash in the headers.
    let reply = replace(&granted, &shown, "B", "b").await;
    let diff = reply["diff"].as_str().unwrap();
    assert!(diff.starts_with(&format!("--- a/{shown}\n+++ b/{shown}\n")));
}

#[tokio::test]
async fn bad_arguments_are_told() {
    let granted = Granted::new();
    granted.put("x", "a");
    let rows = [
        (json!({}), "path required"),
        (json!({"path": ""}), "path required"),
        (
            json!({"path": "x", "old_string": "a"}),
            "old_string and new_string required",
        ),
        (
            json!({"path": "x", "new_string": "a"}),
            "old_string and new_string required",
        ),
        (json!({"mode": "edit"}), "Unknown mode: edit"),
        (json!({"mode": "patch"}), "patch content required"),
        (
            json!({"mode": "patch", "patch": ""}),
            "patch content required",
        ),
        (
            json!({"path": 1}),
            "patch: 'path' must be a string, got int.",
        ),
        (
            json!({"path": "x", "old_string": ["a"], "new_string": ""}),
            "patch: 'old_string' must be a string, got list.",
        ),
        (
            json!({"path": "x", "old_string": "a", "new_string": {}}),
            "patch: 'new_string' must be a string, got dict.",
        ),
        (
            json!({"path": "x", "old_string": "a", "new_string": "b", "replace_all": "yes"}),
            "patch: 'replace_all' must be a boolean, got str.",
        ),
        (
            json!({"path": "a\0b", "old_string": "a", "new_string": "b"}),
            "The path contains a NUL character, which no file name can have.",
        ),
        (
            json!({"path": "../x", "old_string": "a", "new_string": "b"}),
            "Access denied: '../x' lies outside the working directory granted to this script.",
        ),
        (
            json!({"mode": "patch", "patch": "*** Add File: /etc/x\n+a"}),
            "Access denied: '/etc/x' lies outside the working directory granted to this script.",
        ),
        (
            json!({"mode": "patch", "patch": "x".repeat(MAX_PATCH_BYTES + 1)}),
            "The patch has 16777217 bytes; at most 16777216 are allowed. Split it, or use write_file.",
        ),
    ];
    for (arguments, expected) in rows {
        let reply = granted.value(&tool(), arguments).await;
        assert_eq!(reply, json!({"error": expected}));
    }
    assert_eq!(granted.get("x"), "a");
}

#[tokio::test]
async fn files_that_cannot_be_patched_are_told_and_left() {
    let granted = Granted::new();
    granted.put("latin", b"caf\xe9\n");
    granted.put("utf16", b"\xff\xfec\0a\0f\0\n\0");
    granted.put("utf16-unmarked", b"c\0a\0f\0\n\0");
    granted.put("large", vec![b'a'; (16 << 20) + 1]);
    granted.put("d/x", "");
    granted.put("x.json", "{\"a\": 1}\n");
    symlink("nowhere", granted.path("dangling")).unwrap();
    let shown = granted.shown("x.json");
    let rows = [
        ("missing", "a", "b", "Failed to read file: missing".to_owned()),
        ("d/x/y", "a", "b", "Failed to read 'd/x/y': Not a directory (os error 20)".to_owned()),
        ("dangling", "a", "b", "Failed to read file: dangling".to_owned()),
        ("d", "a", "b", format!("Cannot write '{}': it is not a regular file.", granted.shown("d"))),
        ("latin", "caf", "tea", "Refusing to overwrite existing binary file 'latin': it is not UTF-8 text, and an edit as text would destroy its bytes. The file was NOT modified.".to_owned()),
        ("utf16", "caf", "tea", "Refusing to overwrite existing binary file 'utf16': it is not UTF-8 text, and an edit as text would destroy its bytes. The file was NOT modified.".to_owned()),
        ("utf16-unmarked", "c\0a", "tea", "Refusing to overwrite existing binary file 'utf16-unmarked': it is not UTF-8 text, and an edit as text would destroy its bytes. The file was NOT modified.".to_owned()),
        ("large", "b", "c", "Cannot patch 'large': the file has more than 16777216 bytes. Use terminal utilities, or rewrite the part that changes in a script.".to_owned()),
        ("x.json", "1}", "1", format!("Refusing to write '{shown}': candidate content fails .json syntax validation (JSONDecodeError: Expecting ',' delimiter (line 2, column 0)). The file was NOT created or modified. Fix the content and retry.")),
    ];
    for (path, old, new, expected) in rows {
        let reply = replace(&granted, path, old, new).await;
        // The column of the parser's end of text is its own.
        let told = reply["error"].as_str().unwrap();
        let until = expected.find(" (line").unwrap_or(expected.len());
        assert_eq!(told.get(..until), expected.get(..until), "{path}");
        assert_eq!(reply["success"], false);
    }
    assert_eq!(fs::read(granted.path("latin")).unwrap(), b"caf\xe9\n");
    assert_eq!(granted.get("x.json"), "{\"a\": 1}\n");
}

#[tokio::test]
async fn an_edit_that_was_made_before_is_no_failure() {
    let granted = Granted::new();
    granted.put("x", "value = old\n");
    replace(&granted, "x", "value = old", "value = brand_new").await;
    let reply = replace(&granted, "x", "value = old", "value = brand_new").await;
    assert_eq!(
        reply,
        json!({"success": true, "no_change": true, "note": "File already contains the target text — the edit appears to be already applied to x. No write performed; do not re-send this patch."})
    );
    let reply = replace(&granted, "x", "@@@@", "zz").await;
    assert_eq!(
        reply,
        json!({"success": false, "error": "Could not find a match for old_string in the file", "_hint": "old_string not found. Use read_file to verify the current content, or search_files to locate the text."})
    );
}

#[tokio::test]
async fn a_similar_block_is_noted() {
    let granted = Granted::new();
    granted.put("x", "begin\nalpha = 1\nend\n");
    let reply = replace(&granted, "x", "begin\nalpha = 2\nend", "begin\nbeta\nend").await;
    assert_eq!(
        reply["note"],
        "Non-exact match (strategy: block_anchor). The edit span was located approximately, not matched to old_string's literal boundaries — review the diff below to confirm the change landed exactly where intended (a shifted boundary can duplicate or drop a line just outside the edited region)."
    );
    assert_eq!(granted.get("x"), "begin\nbeta\nend\n");
}

#[tokio::test]
async fn mode_and_link_stay_and_secrets_are_masked() {
    let granted = Granted::new();
    granted.put(
        "d/target",
        "key = ghp_abcdefghijklmnopqrstuvwxyz0123456789\nx\n",
    );
    fs::set_permissions(granted.path("d/target"), fs::Permissions::from_mode(0o750)).unwrap();
    symlink("d/target", granted.path("link")).unwrap();
    let reply = replace(&granted, "link", "x\n", "y\n").await;
    assert_eq!(reply["success"], true);
    assert_eq!(reply["resolved_path"], granted.shown("d/target"));
    assert!(!reply["diff"].as_str().unwrap().contains("klmnopqrstuv"));
    assert!(granted.get("d/target").ends_with("0123456789\ny\n"));
    assert!(granted.path("link").is_symlink());
    let mode = fs::metadata(granted.path("d/target"))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o750);
    // A link that is deleted or moved is the link and not its target.
    let patch = json!({"mode": "patch", "patch": "*** Move File: link -> other\n"});
    assert_eq!(granted.value(&tool(), patch).await["success"], true);
    assert!(granted.path("other").is_symlink() && granted.path("d/target").exists());
}

#[tokio::test]
async fn a_link_to_a_directory_is_no_file_to_delete_or_move() {
    let granted = Granted::new();
    granted.put("d/x", "x");
    symlink("d", granted.path("link")).unwrap();
    symlink("link", granted.path("twice")).unwrap();
    for path in ["link", "twice"] {
        for operation in [
            format!("*** Delete File: {path}"),
            format!("*** Move File: {path} -> other"),
            format!("*** Move File: d/x -> {path}"),
        ] {
            let patch = json!({"mode": "patch", "patch": operation});
            let reply = granted.value(&tool(), patch).await;
            let error = reply["error"].as_str().unwrap();
            let expected = format!("'{path}' is not a regular file");
            assert!(error.contains(&expected), "{operation}: {error}");
        }
    }
    assert!(granted.path("link").is_symlink() && granted.path("twice").is_symlink());
    assert_eq!(granted.get("twice/x"), "x");
}

#[tokio::test]
async fn nothing_is_changed_for_a_cell_that_has_ended() {
    let granted = Granted::new();
    granted.put("x", "a");
    granted.context.cancellation().cancel();
    let reply = replace(&granted, "x", "a", "b").await;
    assert_eq!(reply["error"], "The cell has ended; no file was modified.");
    assert_eq!(granted.get("x"), "a");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_edits_of_one_file_are_all_made() {
    let granted = Arc::new(Granted::new());
    let lines = |word| -> Vec<String> {
        (0..8)
            .map(|number| format!("line-{number}-{word}"))
            .collect()
    };
    granted.put(
        "x",
        lines("old").join(
            "
",
        ),
    );
    let edits = (0..8).map(|number| {
        let granted = Arc::clone(&granted);
        tokio::spawn(async move {
            let (old, new) = (format!("line-{number}-old"), format!("line-{number}-new"));
            replace(&granted, "x", &old, &new).await
        })
    });
    for edit in edits.collect::<Vec<_>>() {
        let reply = edit.await.unwrap();
        assert_eq!(reply["success"], true, "{reply}");
    }
    assert_eq!(
        granted.get("x"),
        lines("new").join(
            "
"
        )
    );
}

#[tokio::test]
async fn a_file_swapped_for_a_link_during_patches_never_leads_out() {
    let granted = Granted::new();
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("x"), "old").unwrap();
    fs::write(outside.path().join("secret"), "old").unwrap();
    granted.put("real", "old");
    fs::create_dir(granted.path("inner")).unwrap();
    symlink(outside.path().join("x"), granted.path("link")).unwrap();
    symlink(outside.path(), granted.path("way")).unwrap();
    let [real, link, x, inner, way, d] =
        ["real", "link", "x", "inner", "way", "d"].map(|name| granted.path(name));
    let swapper = thread::spawn(move || {
        for _ in 0..1_000 {
            for (name, at) in [(&real, &x), (&inner, &d), (&link, &x), (&way, &d)] {
                // A patch may have put a file in the way; it is removed below.
                if fs::rename(name, at).is_ok() && fs::rename(at, name).is_err() {
                    return;
                }
            }
        }
    });
    while !swapper.is_finished() {
        replace(&granted, "x", "old", "new").await;
        let patch = "*** Update File: x\n-old\n+new\n*** Add File: d/new\n+new\n*** Move File: x -> d/moved\n";
        granted
            .value(&tool(), json!({"mode": "patch", "patch": patch}))
            .await;
        let patch = "*** Delete File: d/secret\n";
        granted
            .value(&tool(), json!({"mode": "patch", "patch": patch}))
            .await;
    }
    swapper.join().unwrap();
    assert_eq!(fs::read_to_string(outside.path().join("x")).unwrap(), "old");
    assert_eq!(
        fs::read_to_string(outside.path().join("secret")).unwrap(),
        "old"
    );
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 2);
}

#[tokio::test]
async fn a_denied_file_is_neither_shown_nor_changed_through_a_link() {
    let granted = Granted::new();
    granted.put(".env", "KEY=abc\n");
    symlink(".env", granted.path("l")).unwrap();
    let patch = |text: &str| json!({"mode": "patch", "patch": text});
    let denied = "Access denied: l is an environment file, which usually holds secrets. A file such as .env.example shows the names without them. (Defense-in-depth — not a security boundary; the terminal tool can still bypass.)";
    for arguments in [
        json!({"path": "l", "old_string": "KEY=abc", "new_string": "KEY=x"}),
        json!({"path": "l", "old_string": "KEY=abd_efg", "new_string": "KEY=x"}),
        patch("*** Update File: l\n-KEY=abc\n+KEY=x"),
        patch("*** Delete File: l"),
        patch("*** Move File: l -> m"),
    ] {
        let reply = granted.value(&tool(), arguments.clone()).await;
        assert_eq!(reply, json!({"error": denied}), "{arguments}");
    }
    assert_eq!(granted.get(".env"), "KEY=abc\n");
    assert!(granted.path("l").is_symlink());
}

#[tokio::test]
async fn no_part_of_a_private_key_is_in_an_answer() {
    let granted = Granted::new();
    let body: Vec<String> = (0..15)
        .map(|line| format!("MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcw{line:02}ggSjAgEAAoIB"))
        .collect();
    let key = format!(
        "-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----\n",
        body.join("\n")
    );
    granted.put("key", &key);
    let is_clean = |reply: &Value| !reply.to_string().contains("hkiG9w0B");
    let near = format!("{}x", body[7]);
    let told = [
        replace(&granted, "key", &near, "short").await,
        replace(&granted, "key", "hkiG9w0B", "short").await,
        replace(&granted, "key", &body[7], &body[7].replace("07", "99")).await,
    ];
    for reply in &told {
        assert!(is_clean(reply), "{reply}");
    }
    let [missed, ambiguous, edited] = told;
    assert_eq!(
        (&missed["success"], &ambiguous["success"]),
        (&json!(false), &json!(false))
    );
    assert_eq!(edited["success"], true);
    assert_eq!(granted.get("key"), key.replace("cw07gg", "cw99gg"));
}

#[tokio::test]
async fn a_password_at_the_cut_of_a_line_is_in_no_answer() {
    let granted = Granted::new();
    for width in [80, 500] {
        for back in 0..40 {
            let filler = "x".repeat(width - back);
            let line = format!("{filler} postgres://user:hunter2secret@host/db");
            granted.put("f", format!("{line}\n{line}\n"));
            for old in ["postgres://user", &format!("{}yyy", &filler[..20])] {
                let reply = replace(&granted, "f", old, "z").await;
                assert_eq!(reply["success"], false);
                assert!(
                    !reply.to_string().contains("hunter"),
                    "{width} {back} {reply}"
                );
            }
        }
    }
}

#[tokio::test]
async fn a_path_of_a_patch_that_leads_nowhere_is_one_of_its_faults() {
    let granted = Granted::new();
    granted.put("a", "x");
    let patch = json!({"mode": "patch", "patch": "*** Add File: a/b\n+x\n*** Delete File: none"});
    let reply = granted.value(&tool(), patch).await;
    assert_eq!(
        reply["error"],
        "Patch validation failed (no files were modified):\n  • a/b: could not confirm the path is free — Failed to read 'a/b': Not a directory (os error 20)\n  • none: file not found for deletion"
    );
}
