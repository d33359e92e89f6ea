//! What `read_file` answers, key for key, and which files it never opens.

#![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use std::fs;
use std::os::unix::fs::symlink;

use rustix::fs::{CWD, FileType, Mode, mknodat};
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

    fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.place.path().join(name), content).unwrap();
    }

    fn root(&self) -> String {
        self.context.workdir().unwrap().to_str().unwrap().to_owned()
    }

    async fn reply(&self, arguments: Value) -> String {
        call(arguments, &self.context).await
    }

    async fn value(&self, arguments: Value) -> Value {
        serde_json::from_str(&self.reply(arguments).await).unwrap()
    }
}

async fn call(arguments: Value, context: &ToolContext) -> String {
    let Value::Object(arguments) = arguments else {
        panic!("not an object")
    };
    match ReadFile::new(&FileOptions::default())
        .call(arguments, context)
        .await
    {
        Ok(reply) => reply.into_json(),
        Err(error) => ToolReply::error(&error.to_string()),
    }
}

#[tokio::test]
async fn a_small_file_has_the_documented_answer() {
    let place = Place::new();
    place.write("x", "a\nb\nc\n");
    let expected = r#"{"content":"1|a\n2|b\n3|c","total_lines":3,"file_size":6,"truncated":false,"is_binary":false,"is_image":false,"not_found":false}"#;
    assert_eq!(place.reply(json!({"path": "x"})).await, expected);
    // A second read is a read: nothing is held back from a script.
    let absolute = format!("{}/x", place.root());
    assert_eq!(
        place.reply(json!({"path": absolute, "offset": null})).await,
        expected
    );
}

#[tokio::test]
async fn a_page_tells_how_to_go_on() {
    let place = Place::new();
    place.write("x", "a\nb\nc\nd");
    let reply = place
        .reply(json!({"path": "x", "offset": "2", "limit": 2}))
        .await;
    assert_eq!(
        reply,
        r#"{"content":"2|b\n3|c","total_lines":4,"file_size":7,"truncated":true,"hint":"Use offset=4 to continue reading (showing 2-3 of 4 lines)","is_binary":false,"is_image":false,"not_found":false}"#
    );
    let last = place
        .value(json!({"path": "x", "offset": 4, "limit": -3}))
        .await;
    assert_eq!(
        (&last["content"], &last["truncated"]),
        (&json!("4|d"), &json!(false))
    );
}

#[tokio::test]
async fn an_empty_file_and_an_offset_past_the_end_have_hints() {
    let place = Place::new();
    place.write("empty", "");
    place.write("short", "a\nb\n");
    let empty = place.value(json!({"path": "empty"})).await;
    assert_eq!(empty["hint"], "File is empty (0 bytes).");
    let past = place.value(json!({"path": "short", "offset": 10})).await;
    assert_eq!(
        past["hint"],
        "Note: offset 10 is beyond the end of the file (2 lines total). Retry with offset <= 2."
    );
    assert_eq!(
        (&past["content"], &past["truncated"]),
        (&json!(""), &json!(false))
    );
}

#[tokio::test]
async fn a_full_page_of_a_large_file_has_budget_and_size_hints() {
    let place = Place::new();
    place.write("x", format!("{}\n", "x".repeat(1_000)).repeat(1_000));
    let reply = place.value(json!({"path": "x"})).await;
    assert_eq!(
        reply["hint"],
        "Output truncated at the 100,000-char read budget after 99 line(s) (showing lines 1-99 of 1000). Use offset=100 to continue."
    );
    assert_eq!(
        (&reply["truncated_by"], &reply["next_offset"]),
        (&json!("bytes"), &json!(100))
    );
    assert_eq!(
        reply["_hint"],
        "This file is large (1,001,000 bytes). Consider reading only the section you need with offset and limit to keep context usage efficient."
    );
    let keys: Vec<&str> = reply
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    assert_eq!(
        keys,
        [
            "content",
            "total_lines",
            "file_size",
            "truncated",
            "hint",
            "is_binary",
            "is_image",
            "not_found",
            "truncated_by",
            "next_offset",
            "_hint"
        ]
    );
    let small = place
        .value(json!({"path": "x", "offset": 500, "limit": 10}))
        .await;
    assert_eq!(
        small["hint"],
        "Use offset=510 to continue reading (showing 500-509 of 1000 lines)"
    );
    assert_eq!(small.get("_hint"), None);
}

#[tokio::test]
async fn a_long_line_is_marked() {
    let place = Place::new();
    place.write("x", "y".repeat(2_001));
    let reply = place.value(json!({"path": "x"})).await;
    assert_eq!(reply["truncated_lines"], true);
    assert_eq!(
        reply["content"],
        format!("1|{}... [truncated]", "y".repeat(2_000))
    );
}

#[tokio::test]
async fn a_byte_order_mark_is_hidden_and_secrets_are_masked() {
    let place = Place::new();
    place.write("x", "\u{feff}ghp_abcdefghijklmnopqrst\n");
    let reply = place.value(json!({"path": "x"})).await;
    assert_eq!(reply["content"], "1|«redacted:ghp_…»");
    assert_eq!(reply["file_size"], 28);
}

#[tokio::test]
async fn a_key_above_the_page_and_a_token_at_the_cut_are_masked() {
    let place = Place::new();
    let body = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7\n".repeat(30);
    let key = format!("-----BEGIN PRIVATE KEY-----\n{body}-----END PRIVATE KEY-----\n");
    let token = format!("{} ghp_abcdefghijklmnopqrst", ".".repeat(1_990));
    for (name, before) in [("small", 10), ("large", 300_000)] {
        place.write(name, format!("{}{key}{token}\nend\n", "x\n".repeat(before)));
        let at = |line| json!({"path": name, "offset": before + line, "limit": 1});
        for line in 1..=32 {
            let reply = place.value(at(line)).await;
            let expected = format!("{}|«redacted-secret»", before + line);
            assert_eq!(reply["content"], expected);
        }
        let reply = place.value(at(33)).await;
        let content = reply["content"].as_str().unwrap();
        assert!(content.ends_with(". «redacted... [truncated]"), "{content}");
        let reply = place.value(at(34)).await;
        assert_eq!(reply["content"], format!("{}|end", before + 34));
    }
}

#[tokio::test]
async fn a_missing_file_names_its_neighbours() {
    let place = Place::new();
    place.write("config.yaml", "");
    fs::create_dir(place.place.path().join("confg")).unwrap();
    let root = place.root();
    assert_eq!(
        place.reply(json!({"path": "confg.yaml"})).await,
        format!(
            r#"{{"content":"","total_lines":0,"file_size":0,"truncated":false,"is_binary":false,"is_image":false,"error":"File not found: {root}/confg.yaml","not_found":true,"similar_files":["{root}/config.yaml"]}}"#
        )
    );
    let below_file = place.value(json!({"path": "config.yaml/x"})).await;
    assert_eq!(
        below_file["error"],
        format!("File not found: {root}/config.yaml/x")
    );
}

#[tokio::test]
async fn binary_data_is_named_and_not_shown() {
    let place = Place::new();
    place.write("x.png", b"\x89PNG\r\n\x1a\n\0\0");
    assert_eq!(
        place.reply(json!({"path": "x.png"})).await,
        r#"{"content":"","total_lines":0,"file_size":10,"truncated":false,"is_binary":true,"is_image":true,"error":"Binary file (PNG, 10 bytes) — cannot display as text.","not_found":false}"#
    );
}

#[tokio::test]
async fn what_is_no_file_is_never_opened() {
    let place = Place::new();
    mknodat(
        CWD,
        place.place.path().join("pipe"),
        FileType::Fifo,
        Mode::RUSR,
        0,
    )
    .unwrap();
    symlink("nowhere", place.place.path().join("dangling")).unwrap();
    assert_eq!(
        place.reply(json!({"path": "pipe"})).await,
        r#"{"success":false,"note":"'pipe' is a FIFO (named pipe), not a regular file — reading it would block indefinitely, so no read was attempted. Use terminal utilities if you need to interact with it."}"#
    );
    for (path, shown) in [(".", String::new()), ("dangling", "/dangling".to_owned())] {
        let reply = place.value(json!({"path": path})).await;
        assert_eq!(
            reply["error"],
            format!(
                "Cannot read '{}{shown}': not a regular file (directory, dangling symlink, FIFO, socket, or device). Reading it could block indefinitely.",
                place.root()
            )
        );
    }
}

#[tokio::test]
async fn bad_arguments_and_paths_outside_are_errors() {
    let place = Place::new();
    symlink("/etc", place.place.path().join("etc")).unwrap();
    let outside = |path| {
        format!(
            "Access denied: '{path}' lies outside the working directory granted to this script."
        )
    };
    let rows = [
        (
            json!({}),
            "read_file: missing required field 'path'.".to_owned(),
        ),
        (
            json!({"path": 3}),
            "read_file: 'path' must be a string, got int.".to_owned(),
        ),
        (json!({"path": "/etc/passwd"}), outside("/etc/passwd")),
        (json!({"path": "etc/passwd"}), outside("etc/passwd")),
        (json!({"path": "../x"}), outside("../x")),
    ];
    for (arguments, expected) in rows {
        assert_eq!(place.reply(arguments).await, ToolReply::error(&expected));
    }
    let ungranted = call(json!({"path": "x"}), &ToolContext::new("s")).await;
    assert_eq!(ungranted, ToolReply::error(NO_SCOPE));
}

#[tokio::test]
async fn reading_a_large_file_ends_with_its_cell() {
    let place = Place::new();
    place.write("x", "y\n".repeat(300_000));
    place.context.cancellation().cancel();
    assert_eq!(
        place.reply(json!({"path": "x"})).await,
        ToolReply::error("Failed to read 'x': the cell has ended")
    );
}
