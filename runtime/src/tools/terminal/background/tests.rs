#![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use std::fs;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::net::unix::pipe::OpenOptions;

use super::super::TerminalOptions;
use super::super::tool::Terminal;
use crate::tools::granted::Granted;

fn tool() -> Terminal {
    Terminal::new(&TerminalOptions::default())
}

fn place() -> Granted {
    let mut place = Granted::new();
    let spill = place.path("spill");
    place.context = place.context.with_spill_dir(Some(spill));
    place
}

/// Starts a command in the background and returns the answer.
async fn start(place: &Granted, command: &str) -> Value {
    place
        .value(&tool(), json!({"command": command, "timeout": 601.5}))
        .await
}

async fn text_of(place: &Granted, answer: &Value) -> String {
    place.context.shell().adopted_have_ended().await;
    fs::read_to_string(answer["full_output_path"].as_str().unwrap()).unwrap()
}

#[tokio::test]
async fn a_command_beyond_the_foreground_limit_is_started_in_the_background() {
    let place = place();
    let answer = start(&place, "echo out; echo err >&2; exit 3").await;
    let id = answer["session_id"].as_str().unwrap();
    assert_eq!(id.len(), "proc_0123456789ab".len(), "{id}");
    let path = place.shown(&format!("spill/terminal-{id}.txt"));
    let note = format!(
        "timeout=601.5 exceeds the foreground limit of 600s, so the command was started in the background; it is ended after 601.5s, or with this session. When it has ended, its output and exit code are in {path}, both ends if it is more than 5,000,000 bytes: look with terminal(\"cat {path}\")."
    );
    let expected = json!({
        "output": "Background process started",
        "exit_code": 0,
        "error": null,
        "session_id": id,
        "full_output_path": path,
        "promoted_from_foreground": note,
    });
    assert_eq!(answer.to_string(), expected.to_string());
    assert_eq!(
        text_of(&place, &answer).await,
        "out\nerr\n[Command exited with code 3]\n"
    );
}

#[tokio::test]
async fn it_begins_with_the_sessions_state_and_changes_nothing_of_it() {
    let place = place();
    let run = async |command: &str| {
        let answer = place.value(&tool(), json!({"command": command})).await;
        answer["output"].as_str().unwrap().to_owned()
    };
    fs::create_dir(place.path("sub")).unwrap();
    run("cd sub; export A=1; f() { echo f; }").await;
    let answer = start(&place, "pwd; echo $A; f; cd /; export A=2").await;
    let expected = format!(
        "{}\n1\nf\n[Command exited with code 0]\n",
        place.shown("sub")
    );
    assert_eq!(text_of(&place, &answer).await, expected);
    assert_eq!(
        run("pwd; echo $A").await,
        format!("{}\n1", place.shown("sub"))
    );
}

#[tokio::test]
async fn secrets_are_masked_in_its_file_which_only_the_user_may_read() {
    use std::os::unix::fs::PermissionsExt as _;

    let place = place();
    let answer = start(&place, "echo ghp_abcdefghijklmnopqrstuvwxyz0123456789").await;
    let text = text_of(&place, &answer).await;
    assert_eq!(text, "ghp_ab...6789\n[Command exited with code 0]\n");
    let file = fs::metadata(answer["full_output_path"].as_str().unwrap()).unwrap();
    assert_eq!(file.permissions().mode() & 0o777, 0o600);
}

#[tokio::test]
async fn its_file_has_room_for_as_much_as_that_of_a_command_in_the_foreground() {
    let place = place();
    let end = "\n[Command exited with code 0]\n";
    for (letter, count, bytes) in [
        // Whole.
        ("x", 4_900_000, 4_900_000),
        ("é", 2_400_000, 4_800_000),
        // Both ends, of what was collected as a whole and of a flood.
        ("x", 5_100_000, 4_900_000),
        ("x", 8_000_000, 4_700_000),
        ("é", 4_000_000, 3_900_000),
        ("漢", 2_500_000, 1_400_000),
    ] {
        let command =
            format!("printf 'first '; printf '{letter}%.0s' $(seq {count}); printf ' last'");
        let text = text_of(&place, &start(&place, &command).await).await;
        let size = text.len();
        assert!(
            (bytes..=5_000_000).contains(&size),
            "{letter} {count} {size}"
        );
        assert!(
            text.starts_with("first ") && text.ends_with(&format!(" last{end}")),
            "{letter} {count}"
        );
        let is_whole = size == letter.len() * count + "first  last".len() + end.len();
        assert_eq!(
            text.contains("OUTPUT TRUNCATED"),
            !is_whole,
            "{letter} {count}"
        );
    }
}

#[tokio::test]
async fn it_is_ended_with_its_session_and_all_that_it_started() {
    let place = place();
    let fifo = place.path("fifo");
    let made = std::process::Command::new("mkfifo").arg(&fifo).status();
    assert!(made.unwrap().success());
    let told = OpenOptions::new().open_receiver(&fifo).unwrap();
    let answer = start(&place, "exec 3>fifo; echo up >&3; (sleep 100000; true)").await;
    assert_eq!(answer["exit_code"], 0, "{answer}");
    let mut told = BufReader::new(told);
    let mut line = String::new();
    told.read_line(&mut line).await.unwrap();
    assert_eq!(line, "up\n");
    place.context.shell().disown();
    // The end of the pipe comes when nobody has it open any more.
    line.clear();
    assert_eq!(told.read_line(&mut line).await.unwrap(), 0);
}

#[tokio::test]
async fn there_is_room_for_sixteen() {
    let place = place();
    for _ in 0..16 {
        let answer = start(&place, "sleep 100000").await;
        assert_eq!(answer["exit_code"], 0, "{answer}");
    }
    let refused = start(&place, "true").await;
    assert_eq!(refused["error"], super::NO_ROOM);
    assert_eq!(refused["status"], "error");
}

#[tokio::test]
async fn a_default_limit_beyond_the_foreground_is_cut_to_it() {
    let place = place();
    let tool = Terminal::new(&TerminalOptions {
        timeout: Duration::from_mins(20),
        max_timeout: Duration::from_millis(500),
        ..TerminalOptions::default()
    });
    let answer = place.value(&tool, json!({"command": "sleep 100000"})).await;
    assert_eq!(answer["output"], "[Command timed out after 0.5s]");
}

#[tokio::test]
async fn without_a_place_for_its_output_it_is_not_started() {
    let place = Granted::new();
    let refused = start(&place, "touch made").await;
    assert_eq!(refused["error"], super::NO_PLACE);
    assert!(!place.path("made").exists());
}
