//! Which files `read_file` never opens or never shows, and what it says instead.

use rustix::fs::{CWD, FileType, Mode, mknodat};
use std::os::unix::net::UnixListener;
use std::path::PathBuf;

use super::*;
use crate::fs::NO_SCOPE;

const NOT_REGULAR: &str = "not a regular file (directory, dangling symlink, FIFO, socket, or device). Reading it could block indefinitely.";
const ENVIRONMENT: &str = "is an environment file, which usually holds secrets. A file such as .env.example shows the names without them. (Defense-in-depth — not a security boundary; the terminal tool can still bypass.)";

pub(super) fn make_pipe(path: &std::path::Path) {
    mknodat(CWD, path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
}

async fn error(tool: &ReadFile, path: &str, context: &ToolContext) -> String {
    let reply = reply(tool, json!({"path": path}), context).await;
    let reply: Value = serde_json::from_str(&reply).unwrap();
    reply["error"].as_str().unwrap_or("none").to_owned()
}

#[tokio::test]
async fn binary_data_is_named_and_not_shown() {
    let granted = Granted::new();
    granted.put("x", b"\x89PNG\r\n\x1a\n\0\0");
    assert_eq!(
        answer(&granted, json!({"path": "x"})).await,
        r#"{"content":"","total_lines":0,"file_size":10,"truncated":false,"is_binary":true,"is_image":true,"error":"Binary file (PNG, 10 bytes) — cannot display as text.","not_found":false}"#
    );
}

#[tokio::test]
async fn what_is_no_file_is_never_opened() {
    let granted = Granted::new();
    mknodat(CWD, granted.path("pipe"), FileType::Fifo, Mode::RUSR, 0).unwrap();
    symlink("nowhere", granted.path("dangling")).unwrap();
    assert_eq!(
        answer(&granted, json!({"path": "pipe"})).await,
        r#"{"success":false,"note":"'pipe' is a FIFO (named pipe), not a regular file — reading it would block indefinitely, so no read was attempted. Use terminal utilities if you need to interact with it."}"#
    );
    for (path, shown) in [(".", String::new()), ("dangling", "/dangling".to_owned())] {
        let reply = value(&granted, json!({"path": path})).await;
        assert_eq!(
            reply["error"],
            format!(
                "Cannot read '{}{shown}': not a regular file (directory, dangling symlink, FIFO, socket, or device). Reading it could block indefinitely.",
                granted.shown("")
            )
        );
    }
}

#[tokio::test]
async fn bad_arguments_and_paths_outside_are_errors() {
    let granted = Granted::new();
    symlink("/etc", granted.path("etc")).unwrap();
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
        assert_eq!(
            answer(&granted, arguments).await,
            ToolReply::error(&expected)
        );
    }
    let ungranted = reply(&tool(), json!({"path": "x"}), &ToolContext::new("s")).await;
    assert_eq!(ungranted, ToolReply::error(NO_SCOPE));
}

#[tokio::test]
async fn a_name_that_no_text_has_is_refused_unread() {
    let granted = Granted::new();
    granted.put("d/x.PDF", "%PDF-1.7 is text so far");
    assert_eq!(
        answer(&granted, json!({"path": "d/x.PDF"})).await,
        r#"{"content":"","total_lines":0,"file_size":23,"truncated":false,"is_binary":true,"is_image":false,"error":"Cannot read binary file 'd/x.PDF' (.pdf). Use vision_analyze for images, or terminal to inspect binary files.","not_found":false}"#
    );
    let missing = value(&granted, json!({"path": "y.pdf"})).await;
    assert_eq!(missing["not_found"], true);
    granted.put("x.ipynb", "{}\n");
    assert_eq!(
        value(&granted, json!({"path": "x.ipynb"})).await["content"],
        "1|{}"
    );
}

#[tokio::test]
async fn environment_files_are_denied_by_their_name_and_behind_links() {
    let granted = Granted::new();
    for name in [".env", "d/.Env.Local", ".envrc"] {
        granted.put(name, "KEY=secret-value\n");
    }
    granted.put(".env.example", "KEY=\n");
    granted.put("plain", "plain\n");
    symlink(".env", granted.path("notes.txt")).unwrap();
    symlink("notes.txt", granted.path("twice.txt")).unwrap();
    symlink("d", granted.path("e")).unwrap();
    fs::create_dir(granted.path("f")).unwrap();
    symlink("../plain", granted.path("f/.env")).unwrap();
    for context in [&granted.context, &on_host(&granted)] {
        for path in [
            ".env",
            "./d/../.env",
            ".env/.",
            "d/.Env.Local",
            ".envrc",
            "notes.txt",
            "twice.txt",
            "e/.Env.Local",
            "f/.env",
            "missing/.env",
            &granted.shown(".env"),
        ] {
            let expected = format!("Access denied: {path} {ENVIRONMENT}");
            assert_eq!(error(&tool(), path, context).await, expected);
        }
        for path in [".env.example", "plain"] {
            assert_eq!(error(&tool(), path, context).await, "none");
        }
    }
}

#[tokio::test]
async fn credentials_in_the_home_of_hermes_are_denied_and_the_rest_is_not() {
    let granted = Granted::new();
    granted.put("home/auth.json", "{}");
    granted.put("home/vault/deep/x", "x");
    granted.put("home/profiles/p/mcp-tokens/x.json", "{}");
    granted.put("home/skills/.hub/index", "x");
    granted.put("home/cache/exec/stdout-0.txt", "x");
    granted.put("elsewhere/auth.json", "{}");
    symlink("home", granted.path("link")).unwrap();
    symlink("../home/auth.json", granted.path("elsewhere/notes.txt")).unwrap();
    let denials = ReadDenials::with_homes([PathBuf::from(granted.shown("link"))]);
    let tool = ReadFile::with_denials(&FileOptions::default(), denials);
    for context in [&granted.context, &on_host(&granted)] {
        for path in [
            "home/auth.json",
            "link/auth.json",
            "elsewhere/notes.txt",
            "home/vault/deep/x",
            "home/vault/nothing",
            "link/profiles/p/mcp-tokens/x.json",
        ] {
            let expected = format!(
                "Access denied: {path} holds credentials of Hermes, which only its own tools use. (Defense-in-depth — not a security boundary; the terminal tool can still bypass.)"
            );
            assert_eq!(error(&tool, path, context).await, expected);
        }
        assert!(
            error(&tool, "home/skills/.hub/index", context)
                .await
                .starts_with("Access denied: home/skills/.hub/index is a cache")
        );
        for path in ["home/cache/exec/stdout-0.txt", "elsewhere/auth.json"] {
            assert_eq!(error(&tool, path, context).await, "none", "{path}");
        }
    }
}

#[tokio::test]
async fn devices_and_process_files_are_refused_through_links_and_under_any_grant() {
    let granted = Granted::new();
    for (name, target) in [
        ("zero", "/dev/zero"),
        ("input", "/dev/stdin"),
        ("environment", "/proc/self/environ"),
        ("again", "environment"),
    ] {
        symlink(target, granted.path(name)).unwrap();
    }
    let host = on_host(&granted);
    for path in [
        "/dev/zero",
        "/dev/stdin",
        "/dev/fd/0",
        "/dev/../dev/random",
        "/proc/self/environ",
        "/proc/self/fd/1",
        "/proc/thread-self/maps",
        "/proc/self/root/proc/self/environ",
        "/proc/self/task/../environ",
        "zero",
        "input",
        "environment",
        "again",
    ] {
        let expected = format!(
            "Cannot read '{path}': this is a device file that would block or produce infinite output."
        );
        assert_eq!(error(&tool(), path, &host).await, expected);
    }
    let processes = Arc::new(Scope::open("/proc").unwrap());
    let confined = ToolContext::new("s").with_grants(Arc::new(Grants::of(processes)));
    for path in ["self/environ", "/proc/self/mem", "thread-self/environ"] {
        let expected = format!(
            "Cannot read '{path}': this is a device file that would block or produce infinite output."
        );
        assert_eq!(error(&tool(), path, &confined).await, expected);
    }
    for path in ["zero", "input", "environment"] {
        let expected = format!(
            "Access denied: '{path}' lies outside the working directory granted to this script."
        );
        assert_eq!(error(&tool(), path, &granted.context).await, expected);
    }
}

#[tokio::test]
async fn what_would_block_is_named_through_links_on_the_whole_host() {
    let granted = Granted::new();
    make_pipe(&granted.path("pipe"));
    let _listener = UnixListener::bind(granted.path("socket")).unwrap();
    symlink(granted.path("pipe"), granted.path("to_pipe")).unwrap();
    symlink("/no/such/file", granted.path("dangling")).unwrap();
    symlink("loop", granted.path("loop")).unwrap();
    let host = on_host(&granted);
    for (path, kind) in [
        ("pipe", "a FIFO (named pipe)"),
        ("to_pipe", "a FIFO (named pipe)"),
        ("socket", "a socket"),
        ("/dev/null", "a character device"),
    ] {
        let expected = format!(
            r#"{{"success":false,"note":"'{path}' is {kind}, not a regular file — reading it would block indefinitely, so no read was attempted. Use terminal utilities if you need to interact with it."}}"#
        );
        assert_eq!(reply(&tool(), json!({"path": path}), &host).await, expected);
    }
    for path in ["dangling", "loop"] {
        let expected = format!("Cannot read '{}': {NOT_REGULAR}", granted.shown(path));
        assert_eq!(error(&tool(), path, &host).await, expected);
    }
    assert_eq!(
        error(&tool(), "/etc", &host).await,
        format!("Cannot read '/etc': {NOT_REGULAR}")
    );
}

#[tokio::test]
async fn paths_with_tricks_are_errors() {
    let granted = Granted::new();
    let long = "x".repeat(5_000);
    let nt = |path: &str| {
        format!(
            "Access denied: {path} is a path of the Windows NT namespace, which can name devices and network shares."
        )
    };
    let rows = [
        (r"\\.\PhysicalDrive0", nt(r"\\.\PhysicalDrive0")),
        (r"\\?\unc\host\share", nt(r"\\?\unc\host\share")),
        (r"\??\C:\x", nt(r"\??\C:\x")),
        ("a\0b", "The path contains a NUL character, which no file name can have.".to_owned()),
        ("", "The path is empty. Give the path of a file inside the working directory granted to this script.".to_owned()),
        (&long, format!("Failed to read '{}': File name too long (os error 36)", "x".repeat(500))),
    ];
    for (path, expected) in rows {
        assert_eq!(error(&tool(), path, &granted.context).await, expected);
        if !path.is_empty() && path != long {
            assert_eq!(error(&tool(), path, &on_host(&granted)).await, expected);
        }
    }
}
