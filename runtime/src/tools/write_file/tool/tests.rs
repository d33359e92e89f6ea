//! What `write_file` answers, what it keeps of an old file, and that it never leaves its directory.

#![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;

use serde_json::json;

use super::*;
use crate::fs::{Grants, NO_SCOPE};
use crate::tools::granted::{Granted, reply};

mod races;
mod stale;

fn tool() -> WriteFile {
    WriteFile::new(&FileOptions::default())
}

async fn write(place: &Granted, path: &str, content: &str) -> Value {
    let arguments = json!({"path": path, "content": content});
    place.value(&tool(), arguments).await
}

fn names(directory: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[tokio::test]
async fn a_new_file_has_the_documented_answer() {
    let place = Granted::new();
    let path = place.shown("a/b/x.txt");
    let arguments = json!({"path": "a/b/x.txt", "content": "hällo", "cross_profile": false});
    assert_eq!(
        place.reply(&tool(), arguments).await,
        format!(
            r#"{{"bytes_written":6,"dirs_created":true,"verified":true,"lint":{{"status":"skipped","message":"No linter for .txt files"}},"resolved_path":"{path}","files_modified":["{path}"]}}"#
        )
    );
    assert_eq!(place.get("a/b/x.txt"), "hällo");
    assert_eq!(write(&place, "plain.txt", "").await["dirs_created"], false);
    assert_eq!(names(&place.path("")), ["a", "plain.txt"]);
}

#[tokio::test]
async fn an_existing_file_is_replaced_in_its_own_form() {
    let place = Granted::new();
    place.put("x", "\u{feff}old\r\nlines\r\n");
    let path = place.path("x");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    let reply = write(&place, "x", "new\ntext\n").await;
    assert_eq!(place.get("x"), "\u{feff}new\r\ntext\r\n");
    assert_eq!(
        (&reply["bytes_written"], &reply["verified"]),
        (&json!(14), &json!(true))
    );
    assert_eq!(
        fs::metadata(&path).unwrap().permissions().mode() & 0o777,
        0o640
    );
    assert_eq!(names(&place.path("")), ["x"]);
}

#[tokio::test]
async fn a_link_stays_and_its_target_is_written() {
    let place = Granted::new();
    place.put("d/target", "old");
    symlink("d/target", place.path("link")).unwrap();
    symlink("d", place.path("directory")).unwrap();
    write(&place, "link", "new").await;
    assert_eq!(place.get("d/target"), "new");
    write(&place, "directory/fresh", "new").await;
    assert_eq!(place.get("d/fresh"), "new");
    for link in ["link", "directory"] {
        assert!(fs::symlink_metadata(place.path(link)).unwrap().is_symlink());
    }
}

/// Returns a context for everything that the user reaches, with the directory as the working one.
fn whole_host(place: &Granted) -> ToolContext {
    let workdir = Arc::clone(place.context.grants().workdir().unwrap());
    ToolContext::new("s").with_grants(Arc::new(Grants::whole_host(workdir).unwrap()))
}

#[tokio::test]
async fn a_link_to_a_missing_file_stays_and_the_file_is_made() {
    let place = Granted::new();
    fs::create_dir_all(place.path("d/inner")).unwrap();
    symlink("d", place.path("directory")).unwrap();
    let links = [
        ("link", "target", "target"),
        ("chain", "chain2", "far"),
        ("chain2", "d/../far", "far"),
        ("d/up", "../above", "above"),
        ("d/inner/beside", "fresh/deep", "d/inner/fresh/deep"),
    ];
    for (link, target, _) in links {
        symlink(target, place.path(link)).unwrap();
    }
    for (link, _, lands) in links.into_iter().chain([("directory/up", "", "above")]) {
        let host = whole_host(&place);
        for context in [&place.context, &host] {
            let arguments = json!({"path": link, "content": link});
            let answer = reply(&tool(), arguments, context).await;
            let answer: Value = serde_json::from_str(&answer).unwrap();
            assert_eq!(answer["error"], Value::Null, "{link}");
            assert_eq!(place.get(lands), link);
            assert!(
                !fs::symlink_metadata(place.path(lands))
                    .unwrap()
                    .is_symlink()
            );
            fs::remove_file(place.path(lands)).unwrap();
            assert!(fs::symlink_metadata(place.path(link)).unwrap().is_symlink());
        }
    }
}

#[tokio::test]
async fn a_link_to_a_missing_file_outside_is_written_on_the_whole_host_only() {
    let place = Granted::new();
    let outside = tempfile::tempdir().unwrap();
    let absolute = outside.path().canonicalize().unwrap().join("absolute");
    symlink(outside.path(), place.path("way")).unwrap();
    symlink(place.path("way/absolute"), place.path("absolute")).unwrap();
    symlink("../escaped", place.path("relative")).unwrap();
    for path in ["absolute", "relative"] {
        let answer = write(&place, path, "x").await;
        assert_eq!(
            answer["error"],
            format!(
                "Access denied: '{path}' lies outside the working directory granted to this script."
            )
        );
    }
    assert!(!absolute.exists() && !place.path("../escaped").exists());
    let arguments = json!({"path": "absolute", "content": "x"});
    reply(&tool(), arguments, &whole_host(&place)).await;
    assert_eq!(fs::read_to_string(&absolute).unwrap(), "x");
}

#[tokio::test]
async fn a_link_to_a_missing_file_is_judged_by_that_file() {
    let place = Granted::new();
    symlink("AGENTS.md", place.path("notes")).unwrap();
    symlink("data.json", place.path("data")).unwrap();
    for context in [&place.context, &whole_host(&place)] {
        let answer = reply(&tool(), json!({"path": "notes", "content": "x"}), context).await;
        assert!(
            answer.starts_with(r#"{"error":"BLOCKED: write to protected"#),
            "{answer}"
        );
        let answer = reply(&tool(), json!({"path": "data", "content": "{x"}), context).await;
        assert!(answer.contains("fails .json syntax validation"), "{answer}");
    }
    assert_eq!(names(&place.path("")), ["data", "notes"]);
}

#[tokio::test]
async fn the_file_and_not_the_name_of_a_link_says_what_it_holds() {
    let place = Granted::new();
    for (link, target, old) in [
        ("cfg", "c.json", "{}"),
        ("cfg2", "c.yaml", "a: 1"),
        ("cfg3", "c.toml", "a = 1"),
        ("t.json", "t.txt", "text"),
    ] {
        place.put(target, old);
        symlink(target, place.path(link)).unwrap();
    }
    for (link, target, old) in [
        ("cfg", "c.json", "{}"),
        ("cfg2", "c.yaml", "a: 1"),
        ("cfg3", "c.toml", "a = 1"),
    ] {
        let extension = target.trim_start_matches('c');
        let error = write(&place, link, "{bad: [").await["error"].to_string();
        let expected = format!("candidate content fails {extension} syntax validation");
        assert!(error.contains(&expected), "{error}");
        assert_eq!(place.get(target), old);
    }
    let answer = write(&place, "t.json", "{plain text").await;
    assert_eq!(
        answer["lint"],
        json!({"status": "skipped", "message": "No linter for .txt files"})
    );
    assert_eq!(place.get("t.txt"), "{plain text");
}

#[tokio::test]
async fn a_write_that_fails_leaves_no_directory_that_it_made() {
    let place = Granted::new();
    fs::create_dir(place.path("kept")).unwrap();
    let long = format!("kept/new/deep/{}", "n".repeat(256));
    let answer = write(&place, &long, "x").await;
    assert_eq!(
        answer["error"],
        format!("Failed to write '{long}': File name too long (os error 36)")
    );
    assert_eq!(answer["dirs_created"], false);
    place.context.cancellation().cancel();
    let answer = write(&place, "other/deep/x", "x").await;
    assert_eq!(
        answer["error"],
        "Failed to write 'other/deep/x': the cell has ended"
    );
    assert_eq!(names(&place.path("")), ["kept"]);
    assert_eq!(names(&place.path("kept")), Vec::<String>::new());
}

#[tokio::test]
async fn another_hard_link_keeps_the_old_content() {
    let place = Granted::new();
    place.put("x", "old");
    fs::hard_link(place.path("x"), place.path("other")).unwrap();
    write(&place, "x", "new").await;
    assert_eq!(
        (place.get("x"), place.get("other")),
        ("new".to_owned(), "old".to_owned())
    );
}

#[tokio::test]
async fn links_that_lead_out_are_refused_and_nothing_is_written() {
    let place = Granted::new();
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("x"), "old").unwrap();
    symlink(outside.path().join("x"), place.path("file")).unwrap();
    symlink(outside.path(), place.path("directory")).unwrap();
    for path in ["file", "directory/x", "directory/new/y"] {
        let reply = write(&place, path, "new").await;
        assert_eq!(
            reply["error"],
            format!(
                "Access denied: '{path}' lies outside the working directory granted to this script."
            )
        );
        assert_eq!(
            (&reply["bytes_written"], reply.get("files_modified")),
            (&json!(0), None)
        );
    }
    assert_eq!(fs::read_to_string(outside.path().join("x")).unwrap(), "old");
    assert_eq!(names(outside.path()), ["x"]);
}

#[tokio::test]
async fn faulty_data_is_refused_and_leaves_the_file_alone() {
    let place = Granted::new();
    let path = place.shown("x.json");
    place.put("x.json", "{}");
    assert_eq!(
        place
            .reply(&tool(), json!({"path": "x.json", "content": "{x"}))
            .await,
        format!(
            r#"{{"bytes_written":0,"dirs_created":false,"error":"Refusing to write '{path}': candidate content fails .json syntax validation (JSONDecodeError: Expecting property name enclosed in double quotes (line 1, column 2)). The file was NOT created or modified. Fix the content and retry.","resolved_path":"{path}"}}"#
        )
    );
    assert_eq!(place.get("x.json"), "{}");
    let yaml = write(&place, "new/x.yaml", "a: [").await;
    assert_eq!(yaml["bytes_written"], 0);
    assert_eq!(names(&place.path("")), ["x.json"]);
    assert_eq!(
        write(&place, "x.json", "[1]").await["lint"],
        json!({"status": "ok", "output": ""})
    );
}

#[tokio::test]
async fn faulty_python_is_written_and_its_fault_told() {
    let place = Granted::new();
    let reply = write(&place, "x.py", "def f(:\n    pass\n").await;
    assert_eq!(reply["verified"], true);
    assert_eq!(reply["lint"]["status"], "error");
    assert_eq!(place.get("x.py"), "def f(:\n    pass\n");
}

#[tokio::test]
async fn a_secret_in_a_faulty_text_is_not_repeated() {
    let place = Granted::new();
    let secret = format!("ghp_{}", "a1B2".repeat(9));
    let reply = write(&place, "x.yaml", &format!("a: *{secret}\n")).await;
    assert_eq!(reply["bytes_written"], 0);
    assert!(!reply.to_string().contains(&secret), "{reply}");
}

#[tokio::test]
async fn a_lone_surrogate_is_refused_in_the_tools_own_words() {
    let mut place = Granted::new();
    place.put("x", "old");
    let path = place.shown("x");
    let (surrogate, json) =
        LoneSurrogate::replace_all(br#"{"path": "x", "content": "a\udcffb"}"#).unwrap();
    place.context = place.context.clone().with_lone_surrogate(surrogate);
    let arguments = serde_json::from_slice(&json).unwrap();
    let reply: Value = place.value(&tool(), arguments).await;
    let expected = format!(
        r"Refusing to write '{path}': content contains a lone surrogate character ('\udcff') that cannot be encoded as UTF-8. The file was NOT created or modified."
    );
    assert_eq!(reply["error"], expected);
    assert_eq!(place.get("x"), "old");
    let in_path = json!({"path": "a\u{fdd0}", "content": ""});
    assert_eq!(
        place.value(&tool(), in_path).await["error"],
        "write_file: 'path' contains a lone surrogate character, which no file name can have."
    );
}

#[tokio::test]
async fn guards_answer_before_anything_is_looked_at() {
    let place = Granted::new();
    let display = json!({"path": "new/x.txt", "content": "1|a\n2|b\n"});
    assert_eq!(
        place.reply(&tool(), display).await,
        r#"{"error":"Refusing to write internal read_file display text as file content. Strip read_file line-number prefixes or reconstruct the intended file contents before writing."}"#
    );
    let instructions = write(&place, "AGENTS.md", "x").await;
    let error = instructions["error"].as_str().unwrap();
    assert!(
        error.starts_with("BLOCKED: write to protected agent-instruction file(s) (AGENTS.md) ")
    );
    assert_eq!(names(&place.path("")), Vec::<String>::new());
}

#[tokio::test]
async fn a_small_change_of_a_large_file_gets_a_hint() {
    let place = Granted::new();
    let text = "line of text\n".repeat(2_000);
    place.put("x", &text);
    let reply = write(&place, "x", &format!("{text}more\n")).await;
    assert_eq!(
        reply["hint"],
        "99% of the lines are as they were. For a small change of a large file use patch: it takes only the lines that change."
    );
    assert_eq!(
        write(&place, "x", &"other\n".repeat(4_000))
            .await
            .get("hint"),
        None
    );
}

#[tokio::test]
async fn what_is_no_file_is_not_replaced() {
    let place = Granted::new();
    fs::create_dir(place.path("d")).unwrap();
    symlink("loop", place.path("loop")).unwrap();
    symlink("nowhere", place.path("dangling")).unwrap();
    place.put("file", "old");
    for (path, shown) in [("d", "d"), ("d/", "d"), (".", "")] {
        let reply = write(&place, path, "x").await;
        let expected = format!(
            "Cannot write '{}': it is not a regular file.",
            place.shown(shown)
        );
        assert_eq!(reply["error"], expected);
    }
    let long = "n".repeat(300);
    let deep = "d/".repeat(3_000) + "x";
    for (path, why) in [
        ("loop", "Too many levels of symbolic links (os error 40)"),
        ("dangling/x", "No such file or directory (os error 2)"),
        ("file/x", "Not a directory (os error 20)"),
        ("file/d/x", "Not a directory (os error 20)"),
        (&long, "File name too long (os error 36)"),
        (&deep, "File name too long (os error 36)"),
    ] {
        let reply = write(&place, path, "new").await;
        let shown: String = path.chars().take(500).collect();
        assert_eq!(reply["error"], format!("Failed to write '{shown}': {why}"));
        assert_eq!(reply["bytes_written"], 0);
    }
    assert_eq!(place.get("file"), "old");
    assert_eq!(names(&place.path("")), ["d", "dangling", "file", "loop"]);
    assert_eq!(names(&place.path("d")), Vec::<String>::new());
}

#[tokio::test]
async fn the_longest_path_is_written() {
    let place = Granted::new();
    let deep = "d/".repeat(1_500) + "x";
    assert_eq!(write(&place, &deep, "new").await["bytes_written"], 3);
}

#[tokio::test]
async fn a_long_text_is_written_as_well() {
    let place = Granted::new();
    let text = "zeile\n".repeat(100_000);
    assert_eq!(write(&place, "x", &text).await["bytes_written"], 600_000);
    assert_eq!(place.get("x"), text);
}

#[tokio::test]
async fn a_write_whose_cell_has_ended_leaves_the_old_file() {
    let place = Granted::new();
    place.put("x", "old");
    place.context.cancellation().cancel();
    let reply = write(&place, "x", "new").await;
    assert_eq!(reply["error"], "Failed to write 'x': the cell has ended");
    assert_eq!(place.get("x"), "old");
    assert_eq!(names(&place.path("")), ["x"]);
}

#[tokio::test]
async fn a_file_without_read_permission_is_not_replaced_unseen() {
    let place = Granted::new();
    place.put("x", "old");
    fs::set_permissions(place.path("x"), fs::Permissions::from_mode(0o000)).unwrap();
    if fs::read(place.path("x")).is_ok() {
        // Nothing is forbidden to this user; the tests of the program run this case as another one.
        return;
    }
    let reply = write(&place, "x", "new").await;
    assert_eq!(reply["error"], "Permission denied: x");
    fs::set_permissions(place.path("x"), fs::Permissions::from_mode(0o600)).unwrap();
    assert_eq!(place.get("x"), "old");
}

#[tokio::test]
async fn bad_arguments_are_named() {
    let place = Granted::new();
    let rows = [
        (
            json!({"content": "x"}),
            "write_file: missing required field 'path'. Re-emit the tool call with both 'path' and 'content' set.",
        ),
        (
            json!({"path": [], "content": "x"}),
            "write_file: 'path' must be a string, got list.",
        ),
        (
            json!({"path": "x", "content": {}}),
            "write_file: 'content' must be a string, got dict.",
        ),
        (
            json!({"path": "x", "content": null}),
            "write_file: missing required field 'content'. The tool call included a path but no content argument — this is almost always a dropped-arg bug under context pressure. Re-emit the tool call with the full content payload, or use execute_code with hermes_tools.write_file() for very large files.",
        ),
        (
            json!({"path": "../x", "content": "x"}),
            "Access denied: '../x' lies outside the working directory granted to this script.",
        ),
    ];
    for (arguments, expected) in rows {
        assert_eq!(
            place.reply(&tool(), arguments).await,
            ToolReply::error(expected)
        );
    }
    let ungranted = reply(
        &tool(),
        json!({"path": "x", "content": "x"}),
        &ToolContext::new("s"),
    )
    .await;
    assert_eq!(ungranted, ToolReply::error(NO_SCOPE));
}

mod round_trip {
    use proptest::prelude::*;

    use super::*;

    fn runtime() -> tokio::runtime::Runtime {
        tokio::runtime::Builder::new_current_thread()
            .build()
            .unwrap()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn any_text_is_written_exactly_in_the_form_of_the_old_file(
            text in "(?s)(\u{feff})?([^|]|\r\n|\n){0,60}",
            old in prop::option::of(("(\u{feff})?", "[a-z]{0,4}", prop::sample::select(vec!["", "\n", "\r\n"]))),
        ) {
            let place = Granted::new();
            let (mark, ending) = match &old {
                Some((mark, word, ending)) => {
                    place.put("x", format!("{mark}{word}{ending}"));
                    (mark.as_str(), *ending)
                }
                None => ("", ""),
            };
            runtime().block_on(write(&place, "x", &text));
            let mut expected = text;
            if ending == "\r\n" {
                expected = expected.split("\r\n").collect::<Vec<_>>().join("\n");
                expected = expected.split('\n').collect::<Vec<_>>().join("\r\n");
            }
            if !mark.is_empty() && !expected.starts_with(mark) {
                expected.insert_str(0, mark);
            }
            prop_assert_eq!(place.get("x"), expected);
            prop_assert_eq!(names(&place.path("")), ["x"]);
        }

        #[test]
        fn no_path_writes_outside(
            parts in prop::collection::vec(prop::sample::select(vec!["..", ".", "in", "out", "up", "x", "", "~", "//", "\0", "a b", "ü"]), 1..8),
            is_absolute: bool,
        ) {
            let whole = tempfile::tempdir().unwrap();
            fs::create_dir_all(whole.path().join("granted/in")).unwrap();
            symlink(whole.path(), whole.path().join("granted/out")).unwrap();
            symlink("..", whole.path().join("granted/up")).unwrap();
            let scope = std::sync::Arc::new(crate::fs::Scope::open(whole.path().join("granted")).unwrap());
            let grants = std::sync::Arc::new(crate::fs::Grants::of(scope));
            let context = ToolContext::new("s").with_grants(grants);
            let mut path = parts.join("/");
            if is_absolute {
                path = format!("{}/{path}", whole.path().join("granted").display());
            }
            let answer = runtime().block_on(reply(&tool(), json!({"path": path, "content": "x"}), &context));
            prop_assert!(serde_json::from_str::<Value>(&answer).unwrap().is_object());
            prop_assert_eq!(names(whole.path()), ["granted"]);
        }
    }
}
