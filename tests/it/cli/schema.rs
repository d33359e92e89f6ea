//! `hermes-exec schema`: what a model is told of `execute_code`.

use hermes_tests::Cli;
use serde_json::{Value, json};

fn schema(options: &[&str], yaml: &str) -> Value {
    let ended = Cli::new(["schema"].iter().chain(options))
        .config(yaml)
        .run();
    ended.exits(0).reports("");
    serde_json::from_str(&ended.stdout).unwrap()
}

#[test]
fn the_schema_has_the_frame_of_the_contract() {
    let schema = schema(&[], "");
    assert_eq!(schema["name"], "execute_code");
    let parameters = &schema["parameters"];
    assert_eq!(parameters["required"], json!(["code"]));
    assert_eq!(parameters["properties"]["code"]["type"], "string");
    assert_eq!(
        parameters["properties"]["reset"],
        json!({"type": "boolean", "description": "Discard the kernel's persistent state and start fresh before running this code."})
    );
}

#[test]
fn options_and_configuration_are_in_the_description() {
    let description = |options: &[&str], yaml: &str| {
        let schema = schema(options, yaml);
        schema["description"].as_str().unwrap().to_owned()
    };
    let strict = description(
        &["--tools", "read_file,terminal"],
        "code_execution: {timeout: 60}",
    );
    assert!(
        strict.contains("\n  read_file(path: str, offset: int = 1, limit: int = 2000)\n"),
        "{strict}"
    );
    assert!(
        strict.contains("`from hermes_tools import terminal, ...`"),
        "{strict}"
    );
    assert!(!strict.contains("web_search"), "{strict}");
    assert!(
        strict.contains("Limits: 1-minute timeout, max 50 tool calls per call."),
        "{strict}"
    );
    let project = description(
        &["--mode", "project", "--timeout", "90"],
        "code_execution: {timeout: 60}",
    );
    assert!(project.contains("Limits: 90-second timeout"), "{project}");
    assert!(
        project.contains("Code runs in the session's working directory"),
        "{project}"
    );
    assert!(project.contains("\n  terminal(command: str, "), "{project}");
    for word in ["sandbox", "isolated", "cloud"] {
        assert!(
            !project.to_lowercase().contains(word),
            "{word} in {project}"
        );
        assert!(!strict.to_lowercase().contains(word), "{word} in {strict}");
    }
}

#[test]
fn a_tool_that_does_not_exist_is_wrong_usage() {
    Cli::new(["schema", "--tools", "browser"])
        .run()
        .exits(2)
        .prints("")
        .reports_line_with("unknown tool `browser`");
}
