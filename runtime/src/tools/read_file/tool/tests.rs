//! What `read_file` answers, key for key.

#![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use std::fs;
use std::os::unix::fs::symlink;
use std::time::{Duration, SystemTime};

use serde_json::json;

use super::*;
use crate::fs::{Grants, Scope};
use crate::tools::granted::{Granted, reply};

mod races;
mod refusals;

fn tool() -> ReadFile {
    ReadFile::new(&FileOptions::default())
}

async fn answer(granted: &Granted, arguments: Value) -> String {
    granted.reply(&tool(), arguments).await
}

async fn value(granted: &Granted, arguments: Value) -> Value {
    granted.value(&tool(), arguments).await
}

/// A context in which everything on the host may be read; relative paths begin in the directory.
fn on_host(granted: &Granted) -> ToolContext {
    let workdir = Arc::new(Scope::open(granted.path("")).unwrap());
    ToolContext::new("s").with_grants(Arc::new(Grants::whole_host(workdir).unwrap()))
}

#[tokio::test]
async fn a_small_file_has_the_documented_answer() {
    let granted = Granted::new();
    granted.put("x", "a\nb\nc\n");
    let expected = r#"{"content":"1|a\n2|b\n3|c","total_lines":3,"file_size":6,"truncated":false,"is_binary":false,"is_image":false,"not_found":false}"#;
    assert_eq!(answer(&granted, json!({"path": "x"})).await, expected);
    // A second read is a read: nothing is held back from a script.
    let absolute = format!("{}/x", granted.shown(""));
    assert_eq!(
        answer(&granted, json!({"path": absolute, "offset": null})).await,
        expected
    );
}

#[tokio::test]
async fn a_page_tells_how_to_go_on() {
    let granted = Granted::new();
    granted.put("x", "a\nb\nc\nd");
    let reply = answer(&granted, json!({"path": "x", "offset": "2", "limit": 2})).await;
    assert_eq!(
        reply,
        r#"{"content":"2|b\n3|c","total_lines":4,"file_size":7,"truncated":true,"hint":"Use offset=4 to continue reading (showing 2-3 of 4 lines)","is_binary":false,"is_image":false,"not_found":false}"#
    );
    let last = value(&granted, json!({"path": "x", "offset": 4, "limit": -3})).await;
    assert_eq!(
        (&last["content"], &last["truncated"]),
        (&json!("4|d"), &json!(false))
    );
}

#[tokio::test]
async fn an_empty_file_and_an_offset_past_the_end_have_hints() {
    let granted = Granted::new();
    granted.put("empty", "");
    granted.put("short", "a\nb\n");
    let empty = value(&granted, json!({"path": "empty"})).await;
    assert_eq!(empty["hint"], "File is empty (0 bytes).");
    let past = value(&granted, json!({"path": "short", "offset": 10})).await;
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
    let granted = Granted::new();
    granted.put("x", format!("{}\n", "x".repeat(1_000)).repeat(1_000));
    let reply = value(&granted, json!({"path": "x"})).await;
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
    let small = value(&granted, json!({"path": "x", "offset": 500, "limit": 10})).await;
    assert_eq!(
        small["hint"],
        "Use offset=510 to continue reading (showing 500-509 of 1000 lines)"
    );
    assert_eq!(small.get("_hint"), None);
}

#[tokio::test]
async fn a_long_line_is_marked() {
    let granted = Granted::new();
    granted.put("x", "y".repeat(2_001));
    let reply = value(&granted, json!({"path": "x"})).await;
    assert_eq!(reply["truncated_lines"], true);
    assert_eq!(
        reply["content"],
        format!("1|{}... [truncated]", "y".repeat(2_000))
    );
}

#[tokio::test]
async fn a_byte_order_mark_is_hidden_and_secrets_are_masked() {
    let granted = Granted::new();
    granted.put("x", "\u{feff}ghp_abcdefghijklmnopqrst\n");
    let reply = value(&granted, json!({"path": "x"})).await;
    assert_eq!(reply["content"], "1|«redacted:ghp_…»");
    assert_eq!(reply["file_size"], 28);
}

#[tokio::test]
async fn a_key_above_the_page_and_a_token_at_the_cut_are_masked() {
    let granted = Granted::new();
    let body = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7\n".repeat(30);
    let key = format!("-----BEGIN PRIVATE KEY-----\n{body}-----END PRIVATE KEY-----\n");
    let token = format!("{} ghp_abcdefghijklmnopqrst", ".".repeat(1_990));
    for (name, before) in [("small", 10), ("large", 300_000)] {
        granted.put(name, format!("{}{key}{token}\nend\n", "x\n".repeat(before)));
        let at = |line| json!({"path": name, "offset": before + line, "limit": 1});
        for line in 1..=32 {
            let reply = value(&granted, at(line)).await;
            let expected = format!("{}|«redacted-secret»", before + line);
            assert_eq!(reply["content"], expected);
        }
        let reply = value(&granted, at(33)).await;
        let content = reply["content"].as_str().unwrap();
        assert!(content.ends_with(". «redacted... [truncated]"), "{content}");
        let reply = value(&granted, at(34)).await;
        assert_eq!(reply["content"], format!("{}|end", before + 34));
    }
}

#[tokio::test]
async fn a_missing_file_names_its_neighbours() {
    let granted = Granted::new();
    granted.put("config.yaml", "");
    fs::create_dir(granted.path("confg")).unwrap();
    let root = granted.shown("");
    assert_eq!(
        answer(&granted, json!({"path": "confg.yaml"})).await,
        format!(
            r#"{{"content":"","total_lines":0,"file_size":0,"truncated":false,"is_binary":false,"is_image":false,"error":"File not found: {root}/confg.yaml","not_found":true,"similar_files":["{root}/config.yaml"]}}"#
        )
    );
    let below_file = value(&granted, json!({"path": "config.yaml/x"})).await;
    assert_eq!(
        below_file["error"],
        format!("File not found: {root}/config.yaml/x")
    );
}

#[tokio::test]
async fn reading_a_large_file_ends_with_its_cell() {
    let granted = Granted::new();
    granted.put("x", "y\n".repeat(300_000));
    granted.context.cancellation().cancel();
    assert_eq!(
        answer(&granted, json!({"path": "x"})).await,
        ToolReply::error("Failed to read 'x': the cell has ended")
    );
}

#[tokio::test]
async fn the_settings_of_the_host_count() {
    let granted = Granted::new();
    granted.put("x", "abcdef\nb\nc\nd\n");
    let ask = async |options: &FileOptions, arguments| {
        granted.value(&ReadFile::new(options), arguments).await
    };
    let options = FileOptions {
        max_lines: 2,
        max_line_length: 3,
        ..FileOptions::default()
    };
    let reply = ask(&options, json!({"path": "x", "limit": 9})).await;
    assert_eq!(reply["content"], "1|abc... [truncated]\n2|b");
    assert_eq!(reply["truncated_lines"], true);
    let options = FileOptions {
        max_read_chars: 6,
        ..FileOptions::default()
    };
    let reply = ask(&options, json!({"path": "x"})).await;
    assert_eq!(reply["content"], "1|abcd");
    assert_eq!(
        reply["hint"],
        "Output truncated at the 6-char read budget after 1 line(s) (showing lines 1-1 of 4). Use offset=2 to continue. Note: the first line alone exceeded the budget and was clamped mid-line; its remainder is not retrievable via offset."
    );
    assert_eq!(
        (
            &reply["truncated"],
            &reply["truncated_by"],
            &reply["next_offset"]
        ),
        (&json!(true), &json!("bytes"), &json!(2))
    );
}

#[tokio::test]
async fn utf_16_is_transcoded_with_a_hint() {
    let granted = Granted::new();
    let units =
        |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_be_bytes).collect() };
    granted.put("x", units("\u{feff}a\nü\nc\n"));
    assert_eq!(
        answer(&granted, json!({"path": "x", "limit": 2})).await,
        r#"{"content":"1|a\n2|ü","total_lines":3,"file_size":14,"truncated":true,"hint":"Transcoded from UTF-16-BE to UTF-8 for display. patch refuses a file in this encoding, and write_file would replace it by one in UTF-8. Use offset=3 to continue reading (showing 1-2 of 3 lines)","is_binary":false,"is_image":false,"not_found":false}"#
    );
    granted.put("large", units(&"line\n".repeat(200_000)));
    let reply = value(&granted, json!({"path": "large", "offset": 200_000})).await;
    assert_eq!(
        (&reply["content"], &reply["total_lines"]),
        (&json!("200000|line"), &json!(200_000))
    );
    assert_eq!(
        reply["hint"],
        "Transcoded from UTF-16-BE to UTF-8 for display. patch refuses a file in this encoding, and write_file would replace it by one in UTF-8."
    );
    let secret = "\u{feff}key ghp_abcdefghijklmnopqrst";
    granted.put("secret", units(secret));
    let reply = value(&granted, json!({"path": "secret"})).await;
    assert_eq!(reply["content"], "1|key «redacted:ghp_…»");
}

#[tokio::test]
async fn bytes_that_are_no_utf_8_are_replaced_behind_the_start() {
    let granted = Granted::new();
    for lines in [1_000, 200_000] {
        let mut bytes = "x\n".repeat(lines).into_bytes();
        bytes.extend_from_slice(b"caf\xe9 \0!\n");
        granted.put("x", bytes);
        let reply = value(&granted, json!({"path": "x", "offset": lines + 1})).await;
        assert_eq!(reply["content"], format!("{}|caf\u{fffd} \0!", lines + 1));
    }
}

#[tokio::test]
async fn conflicts_in_the_page_are_counted() {
    let granted = Granted::new();
    granted.put("x", "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\nend\n");
    assert_eq!(
        answer(&granted, json!({"path": "x"})).await,
        r#"{"content":"1|<<<<<<< HEAD\n2|a\n3|=======\n4|b\n5|>>>>>>> other\n6|end","total_lines":6,"file_size":43,"truncated":false,"is_binary":false,"is_image":false,"not_found":false,"conflict_blocks":1,"_hint":"This page contains 1 unresolved merge conflict block(s), marked by '<<<<<<<' and '>>>>>>>'. Resolve them before you rely on the content."}"#
    );
    let part = value(&granted, json!({"path": "x", "offset": 2})).await;
    assert_eq!(
        (part.get("conflict_blocks"), part.get("_hint")),
        (None, None)
    );
}

#[tokio::test]
async fn an_equivalent_path_is_read_with_a_note() {
    let granted = Granted::new();
    granted.put("it\u{2019}s 1.00\u{202f}PM.txt", "x\n");
    let reply = value(&granted, json!({"path": "it's 1.00 PM.txt"})).await;
    assert_eq!(reply["content"], "1|x");
    assert_eq!(
        reply["hint"],
        format!(
            "Note: there is no file of exactly the given name. Read '{}' instead, whose name differs from it only in its Unicode form (normalization, spaces or quotes).",
            granted.shown("it\u{2019}s 1.00\u{202f}PM.txt")
        )
    );
    granted.put("it's 1.00 PM.txt", "exact\n");
    let exact = value(&granted, json!({"path": "it's 1.00 PM.txt"})).await;
    assert_eq!(
        (&exact["content"], exact.get("hint")),
        (&json!("1|exact"), None)
    );
}

/// Makes a file so long that its lines are not counted, sparse but for its start, and as old as an index needs it.
fn put_huge(granted: &Granted, len: u64) {
    granted.put("huge", "line\n".repeat(100_000));
    let file = fs::File::options()
        .write(true)
        .open(granted.path("huge"))
        .unwrap();
    file.set_len(len).unwrap();
    file.set_modified(SystemTime::now() - Duration::from_mins(1))
        .unwrap();
}

#[tokio::test]
async fn a_page_of_a_huge_file_says_that_nobody_counted_its_lines() {
    let granted = Granted::new();
    put_huge(&granted, 2 << 30);
    let arguments = json!({"path": "huge", "limit": 100});
    let reply = value(&granted, arguments).await;
    let total = reply["total_lines"].as_u64().unwrap();
    assert!((101..100_001).contains(&total), "{total}");
    assert_eq!(reply["total_lines_is_lower_bound"], true);
    assert_eq!(
        reply["hint"],
        format!("Use offset=101 to continue reading (showing 1-100 of at least {total} lines)")
    );
    assert_eq!(reply["file_size"], 2_147_483_648_u64);
}

#[tokio::test]
async fn what_was_read_of_a_huge_file_is_known_to_later_calls_until_it_changes() {
    let granted = Granted::new();
    put_huge(&granted, 40 << 20);
    let tool = tool();
    let total = async || {
        let reply = granted
            .value(&tool, json!({"path": "huge", "limit": 1}))
            .await;
        (
            reply["total_lines"].as_u64().unwrap(),
            reply.get("total_lines_is_lower_bound").is_some(),
        )
    };
    let (seen, is_lower_bound) = total().await;
    assert!(seen < 100_001 && is_lower_bound);
    let deep = granted
        .value(&tool, json!({"path": "huge", "offset": 99_999, "limit": 1}))
        .await;
    assert_eq!(deep["content"], "99999|line");
    let past = granted
        .value(&tool, json!({"path": "huge", "offset": 1_000_000}))
        .await;
    assert_eq!(
        past["hint"],
        "Note: offset 1000000 is beyond the end of the file (100001 lines total). Retry with offset <= 100001."
    );
    assert_eq!(total().await, (100_001, false));
    granted.put("huge", "");
    put_huge(&granted, (40 << 20) + 1);
    assert_eq!(total().await, (seen, true));
}

#[tokio::test]
async fn the_whole_host_is_read_through_absolute_links() {
    let (granted, outside) = (Granted::new(), Granted::new());
    outside.put("x", "outside\n");
    symlink(outside.path("x"), granted.path("link")).unwrap();
    let context = on_host(&granted);
    let read = reply(&tool(), json!({"path": "link"}), &context).await;
    assert_eq!(
        serde_json::from_str::<Value>(&read).unwrap()["content"],
        "1|outside"
    );
}

#[tokio::test]
async fn a_file_that_the_kernel_makes_up_is_read_though_it_has_no_length() {
    let granted = Granted::new();
    let read = reply(
        &tool(),
        json!({"path": "/proc/self/status", "limit": 1}),
        &on_host(&granted),
    )
    .await;
    let read: Value = serde_json::from_str(&read).unwrap();
    assert!(
        read["content"].as_str().unwrap().starts_with("1|Name:\t"),
        "{read}"
    );
    assert_eq!(
        (&read["truncated"], &read["file_size"]),
        (&json!(true), &json!(0))
    );
}
