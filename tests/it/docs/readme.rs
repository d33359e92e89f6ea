//! The README's examples: its scripts, the result that it shows, and its conversation with a server.
//!
//! Its Rust example is compiled as a documentation test of the harness.

use hermes_tests::{Case, Cli, Server, workspace};
use serde_json::{Value, json};

use super::markdown::{blocks, document};

#[tokio::test]
async fn the_python_examples_of_the_readme_run() {
    let place = workspace();
    let examples = blocks(&document("README.md"), "python");
    assert!(!examples.is_empty(), "README.md has no Python example");
    for example in examples {
        Case::new(example).workdir(place).run().await.succeeds();
    }
}

#[test]
fn the_first_script_has_the_result_that_is_shown() {
    let text = document("README.md");
    let script = &blocks(&text, "python")[0];
    let consoles = blocks(&text, "console");
    let shown = consoles
        .iter()
        .find_map(|console| {
            console.strip_prefix("$ target/release/hermes-exec run --json --workdir . first.py\n")
        })
        .unwrap();
    let ended = Cli::new(["run", "--json", "--workdir", ".", "-c", script])
        .current_dir(workspace())
        .run();
    ended.exits(0).reports("");
    assert_eq!(timeless(&ended.stdout), timeless(shown));
}

#[tokio::test]
async fn the_conversation_with_a_server_is_a_real_one() {
    let conversations = blocks(&document("README.md"), "text");
    let conversation = conversations
        .iter()
        .find(|block| block.starts_with("> {"))
        .unwrap();
    let mut server = Server::start([]);
    for line in conversation.lines() {
        if let Some(message) = line.strip_prefix("> ") {
            if message.contains("\"method\": \"interrupt\"") {
                // The endless script prints a line first; it takes far less than this to come there.
                server.works_for(50).await;
            }
            server.send_line(message).await;
        } else if let Some(expected) = line.strip_prefix("< ") {
            let expected: Value = serde_json::from_str(expected).unwrap();
            let answer = server.answer(expected["id"].clone()).await;
            assert_eq!(
                timeless(&answer.to_string()),
                timeless(&expected.to_string())
            );
        } else {
            panic!("the line is neither sent nor received: {line}");
        }
    }
    server.close_input();
    assert_eq!(server.next_answer().await, None);
    assert_eq!(server.end().await, (Some(0), String::new()));
}

/// Returns a JSON text with its duration replaced, wherever it stands.
fn timeless(text: &str) -> String {
    let mut value: Value = serde_json::from_str(text).unwrap();
    for path in ["/duration_seconds", "/result/duration_seconds"] {
        if let Some(duration) = value.pointer_mut(path) {
            assert!(duration.is_f64(), "{duration} in {text}");
            *duration = json!("masked");
        }
    }
    value.to_string()
}
