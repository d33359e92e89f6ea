//! What `search_files` answers, key for key.

#![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use std::fs;
use std::os::unix::fs::symlink;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::SystemTime;

use rustix::fs::{CWD, FileType, Mode, mknodat};
use serde_json::json;

use super::*;
use crate::fs::{NO_SCOPE, Scope};
use crate::tools::granted::{Granted, reply};

const TOKEN: &str = "ghp_abcdefghijklmnopqrst";

async fn answer(place: &Granted, arguments: Value) -> String {
    place.reply(&SearchFiles::new(), arguments).await
}

async fn value(place: &Granted, arguments: Value) -> Value {
    place.value(&SearchFiles::new(), arguments).await
}

/// Returns the rows of an answer as `path:line:text`, whichever form they have.
fn rows(reply: &Value) -> Vec<String> {
    let mut rows = Vec::new();
    let mut path = "";
    for line in reply["matches_text"].as_str().unwrap_or_default().lines() {
        match line.strip_prefix("  ").and_then(|row| row.split_once(": ")) {
            Some((number, text)) => rows.push(format!("{path}:{number}:{text}")),
            None => path = line,
        }
    }
    for found in reply["matches"].as_array().into_iter().flatten() {
        let (path, text) = (
            found["path"].as_str().unwrap(),
            found["content"].as_str().unwrap(),
        );
        rows.push(format!("{path}:{}:{text}", found["line"]));
    }
    rows
}

fn set_modified(place: &Granted, name: &str, seconds: u64) {
    let file = fs::File::options()
        .write(true)
        .open(place.path(name))
        .unwrap();
    file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds))
        .unwrap();
}

#[tokio::test]
async fn few_matches_are_a_list() {
    let place = Granted::new();
    place.put("b/x.txt", "one\ntwo needle\n");
    place.put("a.txt", "needle");
    assert_eq!(
        answer(&place, json!({"pattern": "needle"})).await,
        r#"{"total_count":2,"matches":[{"path":"./a.txt","line":1,"content":"needle"},{"path":"./b/x.txt","line":2,"content":"two needle"}]}"#
    );
    for (path, expected) in [
        (json!("b"), "b/x.txt".to_owned()),
        (json!("./b/"), "./b/x.txt".to_owned()),
        (json!("b/x.txt"), "b/x.txt".to_owned()),
        (json!(place.shown("b")), place.shown("b/x.txt")),
    ] {
        let reply = value(&place, json!({"pattern": "needle", "path": path})).await;
        assert_eq!(
            reply["matches"],
            json!([{"path": expected, "line": 2, "content": "two needle"}])
        );
    }
}

#[tokio::test]
async fn five_matches_are_one_text() {
    let place = Granted::new();
    place.put("a", "x1\nx2\n");
    place.put("b", "x3\nno\nx4\r\nx5");
    assert_eq!(
        answer(&place, json!({"pattern": "x\\d"})).await,
        r#"{"total_count":5,"matches_format":"path-grouped: each file path on its own line, followed by indented '<line>: <content>' rows for matches in that file","matches_text":"./a\n  1: x1\n  2: x2\n./b\n  1: x3\n  3: x4\n  4: x5"}"#
    );
}

#[tokio::test]
async fn a_page_tells_how_to_go_on_until_there_is_no_more() {
    let place = Granted::new();
    for name in ["a", "b", "c"] {
        place.put(name, "x\ny\nx\n");
    }
    assert_eq!(
        answer(&place, json!({"pattern": "x", "limit": 2, "offset": 1})).await,
        r#"{"total_count":3,"matches":[{"path":"./a","line":3,"content":"x"},{"path":"./b","line":1,"content":"x"}],"truncated":true,"total_count_is_lower_bound":true,"_hint":"Results truncated. Use offset=3 to see more, or narrow with a more specific pattern or file_glob."}"#
    );
    assert_eq!(
        answer(&place, json!({"pattern": "x", "limit": 2, "offset": 4})).await,
        r#"{"total_count":6,"matches":[{"path":"./c","line":1,"content":"x"},{"path":"./c","line":3,"content":"x"}]}"#
    );
    assert_eq!(
        answer(
            &place,
            json!({"pattern": "x", "offset": i64::MAX, "limit": i64::MAX})
        )
        .await,
        r#"{"total_count":6}"#
    );
}

#[tokio::test]
async fn pages_put_together_are_all_rows_in_order() {
    let place = Granted::new();
    for directory in 0..30 {
        for file in 0..7 {
            place.put(&format!("d{directory}/f{file}"), "x\n".repeat(file));
        }
    }
    let whole = rows(&value(&place, json!({"pattern": "x", "limit": 10_000})).await);
    assert_eq!(whole.len(), 30 * 21);
    let mut pages = Vec::new();
    for offset in (0..700).step_by(50) {
        pages.extend(rows(
            &value(&place, json!({"pattern": "x", "offset": offset})).await,
        ));
    }
    assert_eq!(pages, whole);
}

#[tokio::test]
async fn files_and_counts_are_paged_by_file() {
    let place = Granted::new();
    for (name, lines) in [("a", 3), ("b", 0), ("c", 2), ("d", 1)] {
        place.put(name, "x\n".repeat(lines));
    }
    let files = |limit, offset| json!({"pattern": "x", "output_mode": "files_only", "limit": limit, "offset": offset});
    assert_eq!(
        answer(&place, files(9, 0)).await,
        r#"{"total_count":3,"files":["./a","./c","./d"]}"#
    );
    assert_eq!(
        answer(&place, files(1, 1)).await,
        r#"{"total_count":2,"files":["./c"],"truncated":true,"total_count_is_lower_bound":true,"_hint":"Results truncated. Use offset=2 to see more, or narrow with a more specific pattern or file_glob."}"#
    );
    let counts = |limit, offset| json!({"pattern": "x", "output_mode": "count", "limit": limit, "offset": offset, "context": 1});
    assert_eq!(
        answer(&place, counts(9, 0)).await,
        r#"{"total_count":6,"counts":{"./a":3,"./c":2,"./d":1}}"#
    );
    assert_eq!(
        answer(&place, counts(1, 1)).await,
        r#"{"total_count":6,"counts":{"./c":2},"truncated":true,"_hint":"Results truncated. Use offset=2 to see more, or narrow with a more specific pattern or file_glob."}"#
    );
}

#[tokio::test]
async fn context_adds_neighbouring_lines() {
    let place = Granted::new();
    place.put("a", "1\n2\nx\n4\n5\n6\nx\n");
    let reply = value(&place, json!({"pattern": "x", "context": 1})).await;
    assert_eq!(
        rows(&reply),
        ["./a:2:2", "./a:3:x", "./a:4:4", "./a:6:6", "./a:7:x"]
    );
    assert_eq!(reply["total_count"], 5);
}

#[tokio::test]
async fn a_pattern_with_a_line_feed_goes_across_lines() {
    let place = Granted::new();
    place.put("a", "one\ntwo\nthree\n");
    assert_eq!(
        answer(&place, json!({"pattern": r"one\ntwo"})).await,
        r#"{"total_count":2,"matches":[{"path":"./a","line":1,"content":"one"},{"path":"./a","line":2,"content":"two"}],"warning":"Pattern contains \\n — multiline mode (-U) was enabled automatically so the regex can match across line boundaries."}"#
    );
}

#[tokio::test]
async fn hidden_and_ignored_files_are_left_out() {
    let place = Granted::new();
    fs::create_dir(place.path(".git")).unwrap();
    place.put(".git/info/exclude", "excluded\n");
    place.put(".git/config", "x");
    place.put(".gitignore", "*.log\n/build/\n!kept.log\n");
    place.put("sub/.gitignore", "secret*\n!.shown\n");
    place.put(".ignore", "plain\n");
    for name in [
        "a.log",
        "kept.log",
        "build/a",
        "sub/build/a",
        "sub/secret1",
        "sub/b.log",
        "sub/.shown",
        "sub/.hidden",
        "secret2",
        "plain",
        "excluded",
        "sub/excluded",
    ] {
        place.put(name, "x");
    }
    let reply = value(&place, json!({"pattern": "x", "output_mode": "files_only"})).await;
    let visible = ["./kept.log", "./secret2", "./sub/.shown", "./sub/build/a"];
    assert_eq!(reply["files"], json!(visible));
    // The rules above the root of a search count, and do not hide the root itself.
    let reply = value(
        &place,
        json!({"pattern": "x", "output_mode": "files_only", "path": "sub"}),
    )
    .await;
    assert_eq!(reply["files"], json!(["sub/.shown", "sub/build/a"]));
    for root in ["build", ".git", "a.log", "sub/.hidden"] {
        let reply = value(
            &place,
            json!({"pattern": "^x$", "output_mode": "files_only", "path": root}),
        )
        .await;
        assert_eq!(reply["total_count"], 1, "{root}");
    }
}

#[tokio::test]
async fn rules_of_git_count_only_in_a_repository() {
    let place = Granted::new();
    place.put(".gitignore", "a\n");
    place.put("repository/.git/HEAD", "");
    place.put("repository/.gitignore", "b\n");
    for name in ["a", "b", "repository/a", "repository/b"] {
        place.put(name, "x");
    }
    let reply = value(&place, json!({"pattern": "x", "output_mode": "files_only"})).await;
    assert_eq!(reply["files"], json!(["./a", "./b", "./repository/a"]));
}

#[tokio::test]
async fn a_glob_limits_the_files() {
    let place = Granted::new();
    for name in ["a.py", "b.rs", "lib/c.py", "lib/c.min.py", "node/d.py"] {
        place.put(name, "x");
    }
    let rows = [
        (
            "*.py",
            json!(["./a.py", "./lib/c.min.py", "./lib/c.py", "./node/d.py"]),
        ),
        ("*.{rs,min.py}", json!(["./b.rs", "./lib/c.min.py"])),
        ("lib/*.py", json!(["./lib/c.min.py", "./lib/c.py"])),
        ("!*.py", json!(["./b.rs"])),
        ("!lib", json!(["./a.py", "./b.rs", "./node/d.py"])),
    ];
    for (glob, expected) in rows {
        let reply = value(
            &place,
            json!({"pattern": "x", "output_mode": "files_only", "file_glob": glob}),
        )
        .await;
        assert_eq!(reply["files"], expected, "{glob}");
    }
    assert_eq!(
        answer(&place, json!({"pattern": "x", "file_glob": "{a"})).await,
        r#"{"total_count":0,"error":"Search failed: error parsing glob '{a': unclosed alternate group; missing '}' (maybe escape '{' with '[{]'?)"}"#
    );
}

#[tokio::test]
async fn a_search_without_a_match_says_what_may_have_been_meant() {
    let place = Granted::new();
    place.put("a", "Hello f(x)\nhello\n");
    place.put("b", "HELLO\n");
    place.put(".hidden/sub/f", "unseen\n");
    place.put("visible/.f", "unseen\nunseen\n");
    let rows = [
        (
            "hELLO",
            Some(
                "0 exact matches, but 3 case-insensitive match(es) in 2 file(s): ./a, ./b — the pattern's casing may be wrong.",
            ),
        ),
        (
            "unseen",
            Some(
                "0 matches in visible files, but 3 match(es) in 2 hidden or gitignored file(s): ./.hidden/sub/f, ./visible/.f — these are excluded by default.",
            ),
        ),
        (
            "f(x)",
            Some(
                "0 regex matches, but 1 literal match(es) in 1 file(s): ./a — the pattern contains regex metacharacters that likely need escaping (or pass a simpler substring).",
            ),
        ),
        (
            r"hELLO f\Wx",
            Some(
                "0 exact matches, but 1 case-insensitive match(es) in 1 file(s): ./a — the pattern's casing may be wrong.",
            ),
        ),
        ("nowhere", None),
    ];
    for (pattern, warning) in rows {
        let expected = match warning {
            Some(warning) => json!({"total_count": 0, "warning": warning}),
            None => json!({"total_count": 0}),
        };
        assert_eq!(
            value(&place, json!({"pattern": pattern})).await,
            expected,
            "{pattern}"
        );
    }
    // A page behind the last row is no search without a match.
    assert_eq!(
        value(&place, json!({"pattern": "Hello", "offset": 5})).await,
        json!({"total_count": 1})
    );
}

#[tokio::test]
async fn names_are_found_by_glob_with_their_directories() {
    let place = Granted::new();
    for name in [
        "main.py",
        "src/old_main.py",
        "src/main.pyc",
        ".x_main.py",
        "pkg_main.py/inner.txt",
    ] {
        place.put(name, "");
    }
    symlink("main.py", place.path("link_main.py")).unwrap();
    let find = |pattern: &str| json!({"pattern": pattern, "target": "find"});
    assert_eq!(
        answer(&place, find("main.py")).await,
        r#"{"total_count":3,"files":["./main.py","./pkg_main.py","./src/old_main.py"]}"#
    );
    assert_eq!(
        answer(&place, find("**/main.py")).await,
        r#"{"total_count":1,"files":["./main.py"]}"#
    );
    assert_eq!(
        answer(&place, find("nothing")).await,
        r#"{"total_count":0}"#
    );
    assert_eq!(
        answer(
            &place,
            json!({"pattern": "*", "target": "files", "limit": 2, "offset": 1, "path": "src"})
        )
        .await,
        r#"{"total_count":2,"files":["src/old_main.py"]}"#
    );
    let page = value(
        &place,
        json!({"pattern": "*", "target": "files", "limit": 1}),
    )
    .await;
    assert_eq!(
        page["_hint"],
        "Results truncated. Use offset=1 to see more, or narrow with a more specific pattern or file_glob."
    );
}

#[tokio::test]
async fn modified_files_come_newest_first() {
    let place = Granted::new();
    for (name, seconds) in [("a", 10), ("sub/b", 30), ("c", 20), ("d", 20)] {
        place.put(name, "");
        set_modified(&place, name, seconds);
    }
    let find = |limit, offset| json!({"pattern": "[a-d]", "target": "files", "order": "modified", "limit": limit, "offset": offset});
    // Its own entry makes the directory the newest.
    let reply = value(&place, find(50, 0)).await;
    assert_eq!(
        reply,
        json!({"total_count": 5, "files": ["./sub", "./sub/b", "./c", "./d", "./a"]})
    );
    let reply = value(&place, find(2, 1)).await;
    assert_eq!(
        reply,
        json!({
            "total_count": 5,
            "files": ["./sub/b", "./c"],
            "truncated": true,
            "_hint": "Results truncated. Use offset=3 to see more, or narrow with a more specific pattern or file_glob.",
        })
    );
}

#[tokio::test]
async fn a_missing_root_names_its_neighbours() {
    let place = Granted::new();
    place.put("lib/config.yaml", "x");
    assert_eq!(
        answer(&place, json!({"pattern": "x", "path": "lib/confg.yaml"})).await,
        r#"{"total_count":0,"error":"Path not found: lib/confg.yaml. Similar paths: lib/config.yaml"}"#
    );
    assert_eq!(
        answer(&place, json!({"pattern": "x", "path": "qqqqqqqq"})).await,
        r#"{"total_count":0,"error":"Path not found: qqqqqqqq"}"#
    );
}

#[tokio::test]
async fn several_paths_in_one_text_are_searched_together() {
    let place = Granted::new();
    for name in ["a/f", "b/f", "with space, and comma/f"] {
        place.put(name, "x");
    }
    let search = |path: &str| json!({"pattern": "x", "path": path});
    let reply = value(&place, search("b, a")).await;
    assert_eq!(rows(&reply), ["b/f:1:x", "a/f:1:x"]);
    assert_eq!(
        reply["warning"],
        "path contained 2 entries; searched 2 that exist"
    );
    let reply = value(&place, search("a nowhere,/etc/passwd ../x")).await;
    assert_eq!(rows(&reply), ["a/f:1:x"]);
    assert_eq!(
        reply["warning"],
        "path contained 4 entries; searched 1 that exist; skipped missing: nowhere, /etc/passwd, ../x"
    );
    let reply = value(&place, search("with space, and comma")).await;
    assert_eq!(rows(&reply), ["with space, and comma/f:1:x"]);
    let reply = value(&place, search("no such")).await;
    assert_eq!(reply["error"], "Path not found: no such");
}

#[tokio::test]
async fn what_is_no_pattern_is_explained() {
    let place = Granted::new();
    assert_eq!(
        answer(&place, json!({"pattern": "a(b"})).await,
        r#"{"total_count":0,"error":"Search failed: regex parse error:\n    (?:a(b)\n    ^\nerror: unclosed group"}"#
    );
}

#[tokio::test]
async fn paths_outside_and_bad_paths_are_errors() {
    let place = Granted::new();
    symlink("/etc", place.path("etc")).unwrap();
    mknodat(CWD, place.path("pipe"), FileType::Fifo, Mode::RUSR, 0).unwrap();
    let outside = |path| {
        format!(
            "Access denied: '{path}' lies outside the working directory granted to this script."
        )
    };
    let rows = [
        ("/etc", outside("/etc")),
        ("../x", outside("../x")),
        ("etc", outside("etc")),
        (
            "a\0b",
            "The path contains a NUL character, which no file name can have.".to_owned(),
        ),
        (
            "pipe",
            "Failed to search 'pipe': neither a regular file nor a directory".to_owned(),
        ),
    ];
    for (path, expected) in rows {
        for target in ["content", "files"] {
            let reply = answer(
                &place,
                json!({"pattern": "x", "path": path, "target": target}),
            )
            .await;
            assert_eq!(reply, ToolReply::error(&expected));
        }
    }
    let ungranted = reply(
        &SearchFiles::new(),
        json!({"pattern": "x"}),
        &ToolContext::new("s"),
    )
    .await;
    assert_eq!(ungranted, ToolReply::error(NO_SCOPE));
}

#[tokio::test]
async fn files_that_scripts_may_not_read_are_counted_and_not_searched() {
    let place = Granted::new();
    place.put(".env", "KEY=x");
    place.put(".ignore", "!.env\n");
    place.put("home/.hermes/auth.json", "x");
    place.put("a", "x");
    symlink(".env", place.path("link")).unwrap();
    let tool = SearchFiles {
        timeout: TIMEOUT,
        denials: Arc::new(ReadDenials::with_homes([place.path("home/.hermes")])),
    };
    let reply = place.value(&tool, json!({"pattern": "x"})).await;
    assert_eq!(
        reply,
        json!({"total_count": 1, "matches": [{"path": "./a", "line": 1, "content": "x"}], "_omitted": 1})
    );
    for path in [".env", "link", "home/.hermes/auth.json"] {
        let arguments = json!({"pattern": "x", "path": path});
        let reply = place.value(&tool, arguments).await;
        assert_eq!(reply, json!({"total_count": 0, "_omitted": 1}));
    }
}

#[tokio::test]
async fn secrets_in_lines_are_hidden() {
    let place = Granted::new();
    let body = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7";
    let key =
        format!("-----BEGIN RSA PRIVATE KEY-----\n{body}\n{body}\n-----END RSA PRIVATE KEY-----\n");
    place.put("a", format!("token {TOKEN} end\n"));
    place.put("b", &key);
    place.put("large", format!("{}{key}", "filler\n".repeat(60_000)));
    let utf16: Vec<u8> = [0xff, 0xfe]
        .into_iter()
        .chain(key.encode_utf16().flat_map(u16::to_le_bytes))
        .collect();
    place.put("utf16", utf16);
    let reply = value(&place, json!({"pattern": "token"})).await;
    assert_eq!(rows(&reply), ["./a:1:token «redacted:ghp_…» end"]);
    for arguments in [
        json!({"pattern": "MIIE", "limit": 100}),
        json!({"pattern": "BEGIN", "context": 3}),
        json!({"pattern": "END", "context": 3}),
        json!({"pattern": "MIIE", "limit": 1, "offset": 1}),
    ] {
        let reply = answer(&place, arguments).await;
        assert!(
            !reply.contains("MIIE") && reply.contains("«redacted-secret»"),
            "{reply}"
        );
    }
    // A token that the cut of a line goes through, at every place.
    for before in (500 - TOKEN.len())..=500 {
        place.put(
            "a",
            format!("{} {TOKEN} {}", ".".repeat(before - 1), "z".repeat(10_000)),
        );
        let reply = answer(&place, json!({"pattern": "ghp", "path": "a"})).await;
        assert!(!reply.contains("ghp_a"), "{reply}");
    }
}

#[tokio::test]
async fn a_line_shows_its_first_500_characters() {
    let place = Granted::new();
    place.put("a", format!("{}needle", "ü".repeat(9_000)));
    let reply = value(&place, json!({"pattern": "needle"})).await;
    assert_eq!(reply["matches"][0]["content"], "ü".repeat(500));
}

#[tokio::test]
async fn encodings_are_understood_and_binary_data_is_left_out() {
    let place = Granted::new();
    let text = "Grüße\nzwei\n";
    let utf16 = |bom: [u8; 2], bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
        bom.into_iter()
            .chain(text.encode_utf16().flat_map(bytes))
            .collect()
    };
    place.put("be", utf16([0xfe, 0xff], u16::to_be_bytes));
    place.put("bom", format!("\u{feff}{text}"));
    place.put("latin", b"Gr\xfc\xdfe\nzwei\n");
    place.put("le", utf16([0xff, 0xfe], u16::to_le_bytes));
    place.put("nul", b"zwei\0\nzwei\n");
    place.put("utf8", text);
    let reply = value(&place, json!({"pattern": "^zwei$"})).await;
    assert_eq!(
        rows(&reply),
        [
            "./be:2:zwei",
            "./bom:2:zwei",
            "./latin:2:zwei",
            "./le:2:zwei",
            "./utf8:2:zwei"
        ]
    );
    let reply = value(
        &place,
        json!({"pattern": "^Grüße", "output_mode": "files_only"}),
    )
    .await;
    assert_eq!(reply["files"], json!(["./be", "./bom", "./le", "./utf8"]));
}

#[tokio::test]
async fn a_large_file_is_searched_to_its_end_or_to_its_first_nul() {
    let place = Granted::new();
    let lines = "filler\n".repeat(100_000);
    place.put("a", format!("{lines}needle\n{lines}needle"));
    place.put("b", format!("needle\n{lines}needle\0\nneedle\n"));
    let reply = value(&place, json!({"pattern": "needle"})).await;
    assert_eq!(
        rows(&reply),
        ["./a:100001:needle", "./a:200002:needle", "./b:1:needle"]
    );
}

#[tokio::test]
async fn lines_of_any_length_are_searched_by_their_beginnings() {
    let place = Granted::new();
    let long = "x".repeat(crate::tools::search_files::long_lines::MAX_LINE_BYTES);
    place.put("a", format!("needle{long}needle2\nneedle3\n"));
    let reply = value(&place, json!({"pattern": "needle\\d"})).await;
    assert_eq!(rows(&reply), ["./a:2:needle3"]);
    assert_eq!(
        reply["warning"],
        "1 file(s) have lines of more than 4 MB; only the beginnings of those lines were searched."
    );
}

#[tokio::test]
async fn what_cannot_be_read_is_told() {
    let place = Granted::new();
    let mut path = String::from("d");
    for _ in 0..crate::tools::search_files::walk::MAX_DEPTH + 3 {
        path.push_str("/d");
    }
    place.put(&format!("{path}/f"), "x");
    place.put("a", "x");
    let reply = value(&place, json!({"pattern": "x"})).await;
    assert_eq!(rows(&reply), ["./a:1:x"]);
    assert_eq!(
        reply["warning"],
        "1 directories nested deeper than 200 levels were skipped."
    );
}

#[tokio::test]
async fn a_search_that_takes_too_long_says_so() {
    let place = Granted::new();
    place.put("a", "x");
    let tool = SearchFiles {
        timeout: Duration::ZERO,
        denials: Arc::default(),
    };
    for target in ["content", "files"] {
        assert_eq!(
            place
                .reply(&tool, json!({"pattern": "a", "target": target}))
                .await,
            r#"{"total_count":0,"truncated":true,"total_count_is_lower_bound":true,"limit_reason":"search_timeout"}"#
        );
    }
}

#[tokio::test]
async fn a_search_ends_with_its_cell() {
    let place = Granted::new();
    place.put("a", "x");
    place.context.cancellation().cancel();
    assert_eq!(
        answer(&place, json!({"pattern": "x"})).await,
        ToolReply::error("Search failed: the cell has ended")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn links_that_are_swapped_in_do_not_lead_out() {
    let outside = tempfile::tempdir().unwrap();
    fs::create_dir(outside.path().join("inner")).unwrap();
    for name in ["f", "inner/f"] {
        fs::write(outside.path().join(name), "outside\n").unwrap();
    }
    let place = Granted::new();
    for name in ["top/d/inner/f", "top/d/f", "top/f"] {
        place.put(name, "inside\n");
    }
    let ended = Arc::new(AtomicBool::new(false));
    let swapper = {
        let (ended, root, target) = (
            Arc::clone(&ended),
            place.path("top"),
            outside.path().to_owned(),
        );
        thread::spawn(move || {
            let mut swaps = 0;
            while !ended.load(Ordering::Relaxed) {
                for (name, target) in [("d", target.clone()), ("f", target.join("f"))] {
                    let (real, aside) = (root.join(name), root.join(format!("{name}.aside")));
                    fs::rename(&real, &aside).unwrap();
                    symlink(target, &real).unwrap();
                    fs::remove_file(&real).unwrap();
                    fs::rename(&aside, &real).unwrap();
                    swaps += 1;
                }
            }
            swaps
        })
    };
    let mut inside = 0;
    for round in 0..1_500 {
        let root = ["top", "top/d", "top/f", "."][round % 4];
        let reply = answer(&place, json!({"pattern": "side", "path": root})).await;
        assert!(!reply.contains("outside\""), "{reply}");
        inside += usize::from(reply.contains("inside"));
    }
    ended.store(true, Ordering::Relaxed);
    let swaps: u32 = swapper.join().unwrap();
    assert!(inside > 0 && swaps > 100, "{inside} {swaps}");
}

#[tokio::test]
async fn links_are_not_followed_but_a_root_may_be_one() {
    let place = Granted::new();
    place.put("real/f", "x");
    symlink("real", place.path("link")).unwrap();
    symlink("f", place.path("real/to_f")).unwrap();
    symlink("..", place.path("real/loop")).unwrap();
    let reply = value(&place, json!({"pattern": "x"})).await;
    assert_eq!(rows(&reply), ["./real/f:1:x"]);
    let reply = value(&place, json!({"pattern": "x", "path": "link"})).await;
    assert_eq!(rows(&reply), ["link/f:1:x"]);
}

#[tokio::test]
async fn the_whole_host_is_searched_where_scripts_are_not_confined() {
    let place = Granted::new();
    place.put("w/a", "x");
    place.put("other/.gitignore", "hidden\n");
    place.put("other/.git/HEAD", "");
    place.put("other/sub/hidden", "x");
    place.put("other/sub/b", "x");
    let scope = Arc::new(Scope::open(place.path("w")).unwrap());
    let context = ToolContext::new("s").with_grants(Arc::new(Grants::whole_host(scope).unwrap()));
    let path = place.shown("other/sub");
    let answer = reply(
        &SearchFiles::new(),
        json!({"pattern": "x", "path": path}),
        &context,
    )
    .await;
    assert_eq!(
        answer,
        format!(r#"{{"total_count":1,"matches":[{{"path":"{path}/b","line":1,"content":"x"}}]}}"#)
    );
    let answer = reply(
        &SearchFiles::new(),
        json!({"pattern": "x", "path": "../w"}),
        &context,
    )
    .await;
    assert_eq!(
        answer,
        r#"{"total_count":1,"matches":[{"path":"../w/a","line":1,"content":"x"}]}"#
    );
}
