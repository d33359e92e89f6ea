//! What `write_file` answers, what it keeps of an old file, and that it never leaves its directory.

#![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::thread;

use std::sync::Arc;

use serde_json::json;
use tempfile::TempDir;

use super::*;
use crate::fs::{Grants, NO_SCOPE, Scope};

struct Place {
    place: TempDir,
    context: ToolContext,
}

impl Place {
    fn new() -> Self {
        let place = tempfile::tempdir().unwrap();
        let scope = Arc::new(Scope::open(place.path()).unwrap());
        Self {
            place,
            context: ToolContext::new("s").with_grants(Arc::new(Grants::of(scope))),
        }
    }

    fn root(&self) -> String {
        self.context.workdir().unwrap().to_str().unwrap().to_owned()
    }

    fn put(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.place.path().join(name), content).unwrap();
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.place.path().join(name)).unwrap()
    }

    async fn write(&self, path: &str, content: &str) -> Value {
        let reply = self.reply(json!({"path": path, "content": content})).await;
        serde_json::from_str(&reply).unwrap()
    }

    async fn reply(&self, arguments: Value) -> String {
        call(arguments, &self.context).await
    }
}

async fn call(arguments: Value, context: &ToolContext) -> String {
    let Value::Object(arguments) = arguments else {
        panic!("not an object")
    };
    match WriteFile::new(&FileOptions::default())
        .call(arguments, context)
        .await
    {
        Ok(reply) => reply.into_json(),
        Err(error) => ToolReply::error(&error.to_string()),
    }
}

#[tokio::test]
async fn a_new_file_has_the_documented_answer() {
    let place = Place::new();
    let root = place.root();
    let arguments = json!({"path": "a/b/x.txt", "content": "hällo", "cross_profile": false});
    assert_eq!(
        place.reply(arguments).await,
        format!(
            r#"{{"bytes_written":6,"dirs_created":true,"verified":true,"lint":{{"status":"skipped","message":"No linter for .txt files"}},"resolved_path":"{root}/a/b/x.txt","files_modified":["{root}/a/b/x.txt"]}}"#
        )
    );
    assert_eq!(place.read("a/b/x.txt"), "hällo");
    assert_eq!(place.write("plain.txt", "").await["dirs_created"], false);
}

#[tokio::test]
async fn an_existing_file_is_replaced_in_its_own_form() {
    let place = Place::new();
    place.put("x", "\u{feff}old\r\nlines\r\n");
    let path = place.place.path().join("x");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    let reply = place.write("x", "new\ntext\n").await;
    assert_eq!(place.read("x"), "\u{feff}new\r\ntext\r\n");
    assert_eq!(
        (&reply["bytes_written"], &reply["verified"]),
        (&json!(14), &json!(true))
    );
    assert_eq!(
        fs::metadata(&path).unwrap().permissions().mode() & 0o777,
        0o640
    );
}

#[tokio::test]
async fn a_link_stays_and_its_target_is_written() {
    let place = Place::new();
    fs::create_dir(place.place.path().join("d")).unwrap();
    place.put("d/target", "old");
    symlink("d/target", place.place.path().join("link")).unwrap();
    place.write("link", "new").await;
    assert_eq!(place.read("d/target"), "new");
    assert!(
        fs::symlink_metadata(place.place.path().join("link"))
            .unwrap()
            .is_symlink()
    );
}

#[tokio::test]
async fn links_that_lead_out_are_refused_and_nothing_is_written() {
    let place = Place::new();
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("x"), "old").unwrap();
    symlink(outside.path().join("x"), place.place.path().join("file")).unwrap();
    symlink(outside.path(), place.place.path().join("directory")).unwrap();
    for path in ["file", "directory/x", "directory/new/y"] {
        let reply = place.write(path, "new").await;
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
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 1);
}

#[tokio::test]
async fn a_directory_swapped_for_a_link_during_writes_never_leads_out() {
    let place = Place::new();
    let outside = tempfile::tempdir().unwrap();
    let at = |name: &str| place.place.path().join(name);
    fs::create_dir(at("real")).unwrap();
    symlink(outside.path(), at("link")).unwrap();
    let (real, link, d) = (at("real"), at("link"), at("d"));
    let swapper = thread::spawn(move || {
        for name in [&real, &link].into_iter().cycle().take(2_000) {
            // A write that finds no directory makes one, which is in the way until it is removed.
            if fs::rename(name, &d).is_err() || fs::rename(&d, name).is_err() {
                let _ = fs::remove_dir_all(&d);
            }
        }
    });
    while !swapper.is_finished() {
        place.write("d/x", "new").await;
    }
    swapper.join().unwrap();
    assert_eq!(place.write("d/x", "new").await["bytes_written"], 3);
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 0);
}

#[tokio::test]
async fn invalid_json_is_refused_and_leaves_the_file_alone() {
    let place = Place::new();
    place.put("x.json", "{}");
    let root = place.root();
    assert_eq!(
        place
            .reply(json!({"path": "x.json", "content": "{x"}))
            .await,
        format!(
            r#"{{"bytes_written":0,"dirs_created":false,"error":"Refusing to write '{root}/x.json': candidate content fails .json syntax validation (JSONDecodeError: Expecting property name enclosed in double quotes (line 1, column 2)). The file was NOT created or modified. Fix the content and retry.","resolved_path":"{root}/x.json"}}"#
        )
    );
    assert_eq!(place.read("x.json"), "{}");
    assert_eq!(
        place.write("x.json", "[1]").await["lint"],
        json!({"status": "ok", "output": ""})
    );
}

#[tokio::test]
async fn what_is_no_file_is_not_replaced() {
    let place = Place::new();
    fs::create_dir(place.place.path().join("d")).unwrap();
    symlink("nowhere", place.place.path().join("dangling")).unwrap();
    for (path, shown) in [("d", "/d"), (".", "")] {
        let reply = place.write(path, "x").await;
        let expected = format!(
            "Cannot write '{}{shown}': it is not a regular file.",
            place.root()
        );
        assert_eq!(reply["error"], expected);
    }
    let dangling = place.write("dangling", "x").await;
    let error = dangling["error"].as_str().unwrap();
    assert!(
        error.starts_with("Failed to write 'dangling': No such file"),
        "{error}"
    );
    place.put("file", "old");
    let below = place.write("file/x", "new").await;
    let error = below["error"].as_str().unwrap();
    assert!(error.starts_with("Failed to write 'file/x': "), "{error}");
    assert_eq!(place.read("file"), "old");
}

#[tokio::test]
async fn a_long_text_is_written_as_well() {
    let place = Place::new();
    let text = "zeile\n".repeat(100_000);
    assert_eq!(place.write("x", &text).await["bytes_written"], 600_000);
    assert_eq!(place.read("x"), text);
}

#[tokio::test]
async fn bad_arguments_are_named() {
    let place = Place::new();
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
        assert_eq!(place.reply(arguments).await, ToolReply::error(expected));
    }
    let ungranted = call(json!({"path": "x", "content": "x"}), &ToolContext::new("s")).await;
    assert_eq!(ungranted, ToolReply::error(NO_SCOPE));
}
