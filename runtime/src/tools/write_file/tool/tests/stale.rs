//! The refusal to overwrite what the session does not know, where the host asks for it.

use std::sync::Arc;

use super::*;
use crate::fs::{FileWriters, SeenFiles};
use crate::tools::read_file::ReadFile;

struct Guarded {
    place: Granted,
    options: FileOptions,
}

impl Guarded {
    fn new() -> Self {
        let options = FileOptions {
            stale_overwrite_guard: true,
            ..FileOptions::default()
        };
        Self {
            place: Granted::new(),
            options,
        }
    }

    async fn write(&self, content: &str) -> Value {
        let tool = WriteFile::new(&self.options);
        self.place
            .value(&tool, json!({"path": "x", "content": content}))
            .await
    }

    async fn read(&self, arguments: Value) -> Value {
        self.place
            .value(&ReadFile::new(&self.options), arguments)
            .await
    }
}

fn is_blocked(reply: &Value) -> bool {
    reply.get("stale_write_blocked") == Some(&json!(true))
}

#[tokio::test]
async fn a_file_that_was_never_read_has_the_documented_answer() {
    let guarded = Guarded::new();
    guarded.place.put("x", "old");
    let path = guarded.place.shown("x");
    let tool = WriteFile::new(&guarded.options);
    let arguments = json!({"path": "x", "content": "new"});
    assert_eq!(
        guarded.place.reply(&tool, arguments).await,
        format!(
            r#"{{"error":"Refusing to overwrite x: it exists, and this session has never fully read it. The file was NOT modified. Reload the current contents with read_file (every page, for a file that needs offset/limit), merge the requested change, then call write_file again. For small edits, prefer patch so existing unrelated changes are preserved.","stale_write_blocked":true,"path":"x","resolved_path":"{path}"}}"#
        )
    );
    assert_eq!(guarded.place.get("x"), "old");
}

#[tokio::test]
async fn a_full_read_or_an_own_write_allows_the_next_write() {
    let guarded = Guarded::new();
    assert!(!is_blocked(&guarded.write("one").await));
    assert!(!is_blocked(&guarded.write("two").await));
    fs::write(guarded.place.path("x"), "of somebody else").unwrap();
    let blocked = guarded.write("three").await;
    assert!(
        blocked["error"]
            .as_str()
            .unwrap()
            .contains("x: it has changed on disk since this session last read it. ")
    );
    guarded.read(json!({"path": "x"})).await;
    assert!(!is_blocked(&guarded.write("four").await));
}

#[tokio::test]
async fn every_page_has_to_be_read() {
    let guarded = Guarded::new();
    guarded.place.put("x", "a\nb\nc\n");
    guarded.read(json!({"path": "x", "limit": 2})).await;
    assert!(is_blocked(&guarded.write("new").await));
    guarded
        .read(json!({"path": "x", "offset": 3, "limit": 2}))
        .await;
    assert!(!is_blocked(&guarded.write("new").await));
}

#[tokio::test]
async fn a_read_that_hides_a_secret_allows_nothing() {
    let guarded = Guarded::new();
    guarded
        .place
        .put("x", format!("token: ghp_{}\n", "a1B2".repeat(9)));
    guarded.read(json!({"path": "x"})).await;
    assert!(is_blocked(&guarded.write("new").await));
}

#[tokio::test]
async fn another_session_that_wrote_is_named() {
    let mut guarded = Guarded::new();
    let writers = Arc::new(FileWriters::default());
    let sessions = [(); 2].map(|()| Arc::new(SeenFiles::new(Arc::clone(&writers))));
    let context = guarded.place.context.clone();
    let [first, second] = sessions.map(|seen| context.clone().with_seen_files(seen));
    guarded.place.context = first.clone();
    guarded.write("one").await;
    guarded.place.context = second;
    guarded.read(json!({"path": "x"})).await;
    guarded.write("two").await;
    guarded.place.context = first;
    let blocked = guarded.write("three").await;
    assert!(
        blocked["error"]
            .as_str()
            .unwrap()
            .contains("x: another session has written it since this session last read it. ")
    );
}

#[tokio::test]
async fn without_the_option_a_file_is_simply_overwritten() {
    let place = Granted::new();
    place.put("x", "old");
    assert_eq!(write(&place, "x", "new").await["bytes_written"], 3);
}
