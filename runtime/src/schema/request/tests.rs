#![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use async_trait::async_trait;
use serde_json::Map;

use super::*;
use crate::runtime::RuntimeBuilder;
use crate::tools::{Tool, ToolContext, ToolError, ToolReply};

/// A tool of a host.
struct Weather;

#[async_trait]
impl Tool for Weather {
    fn name(&self) -> &'static str {
        "weather"
    }
    fn description(&self) -> &'static str {
        "Tells the weather.\nIn a dict with 'sky'."
    }
    fn parameters(&self) -> Value {
        json!({"type": "object", "properties": {"day": {"type": "string"}, "town": {"type": "string"}}, "required": ["town"]})
    }
    async fn call(&self, _: Map<String, Value>, _: &ToolContext) -> Result<ToolReply, ToolError> {
        Err(ToolError::new("no sky"))
    }
}

fn builder() -> RuntimeBuilder {
    RuntimeBuilder::default()
}

fn description(request: &SchemaRequest) -> String {
    let schema = execute_code_schema(request);
    schema["description"].as_str().unwrap().to_owned()
}

#[test]
fn the_frame_is_that_of_the_contract() {
    let schema = execute_code_schema(&builder().schema().enabled_tools(["web_search"]));
    let description = schema["description"].clone();
    let code = "Python source to run. Import tools with `from hermes_tools import web_search, ...`. Print what you need.";
    let expected = json!({
        "name": "execute_code",
        "description": description,
        "parameters": {
            "type": "object",
            "properties": {
                "code": {"type": "string", "description": code},
                "reset": {
                    "type": "boolean",
                    "description": "Discard the kernel's persistent state and start fresh before running this code.",
                },
            },
            "required": ["code"],
        },
    });
    assert_eq!(schema.to_string(), expected.to_string());
}

#[test]
fn a_description_is_whole() {
    let request = builder().tool(Weather).schema();
    let expected = include_str!("strict.txt");
    let names = ["terminal", "weather", "read_file", "browser"];
    assert_eq!(
        description(&request.enabled_tools(names)),
        expected.trim_end()
    );
}

#[test]
fn only_enabled_tools_are_listed_in_the_order_of_display() {
    let listed = |request: &SchemaRequest| -> Vec<String> {
        let text = description(request);
        let lines = text
            .lines()
            .filter(|line| line.starts_with("  ") && !line.starts_with("   "));
        lines
            .map(|line| line.trim().split('(').next().unwrap().to_owned())
            .collect()
    };
    let strict = builder().tool(Weather).schema();
    let all = [
        "web_search",
        "web_extract",
        "read_file",
        "write_file",
        "search_files",
        "patch",
        "terminal",
        "weather",
    ];
    assert_eq!(listed(&strict.clone().mode(Mode::Project)), all);
    let without_terminal = all.map(|name| (name != "terminal").then_some(name));
    assert_eq!(
        listed(&strict),
        without_terminal.into_iter().flatten().collect::<Vec<_>>()
    );
    assert_eq!(
        listed(&strict.clone().enabled_tools(["patch", "web_search"])),
        ["web_search", "patch"]
    );
    assert_eq!(
        listed(
            &builder()
                .without_tool("patch")
                .enabled_tools(["patch", "read_file"])
                .schema()
        ),
        ["read_file"]
    );
    let overlap = strict.enabled_tools(["browser"]);
    assert_eq!(listed(&overlap), Vec::<String>::new());
    assert_eq!(listed(&overlap.mode(Mode::Project)), all);
}

#[test]
fn no_tool_is_said_and_only_helpers_are_imported() {
    let text = description(&builder().schema().enabled_tools(Vec::<String>::new()));
    assert!(
        text.contains("No tools are enabled for this session."),
        "{text}"
    );
    assert!(
        text.contains("`from hermes_tools import json_parse, ...`"),
        "{text}"
    );
    assert!(
        !text.contains("Available tools") && !text.contains("file tools"),
        "{text}"
    );
}

#[test]
fn the_import_example_shows_tools_that_are_enabled() {
    let rows: [(&[&str], &str); 5] = [
        (
            &["terminal", "read_file", "web_search"],
            "web_search, terminal, ...`",
        ),
        (&["terminal", "read_file"], "terminal, ...`"),
        (
            &["write_file", "patch", "read_file"],
            "patch, read_file, ...`",
        ),
        (&["write_file"], "write_file, ...`"),
        (&["weather", "patch"], "patch, weather, ...`"),
    ];
    for (enabled, expected) in rows {
        let request = builder().tool(Weather).schema();
        let text = description(&request.enabled_tools(enabled.iter().copied()));
        let import = format!("`from hermes_tools import {expected}");
        assert!(text.contains(&import), "{enabled:?}\n{text}");
    }
}

#[test]
fn the_limits_are_those_that_hold() {
    let rows = [
        (
            Duration::from_mins(5),
            50,
            "Limits: 5-minute timeout, max 50 tool calls per call. Stdout over 50KB shows head/tail inline; the FULL text is auto-saved to a file whose path rides in the result.",
        ),
        (
            Duration::from_mins(1),
            1,
            "Limits: 1-minute timeout, max 1 tool call per call. ",
        ),
        (
            Duration::from_secs(90),
            0,
            "Limits: 90-second timeout, max 0 tool calls per call. ",
        ),
        (
            Duration::from_millis(2_500),
            7,
            "Limits: 2.5-second timeout, max 7 tool calls per call. ",
        ),
    ];
    for (timeout, calls, expected) in rows {
        let builder = builder().timeout(timeout).max_tool_calls(calls);
        let text = description(&builder.schema());
        assert!(text.contains(expected), "{text}");
    }
}

#[test]
fn the_mode_decides_what_is_said_of_the_directory() {
    let strict = "Code starts in a private temporary directory";
    let project = "Code runs in the session's working directory";
    let text = description(&builder().schema());
    assert!(text.contains(strict) && !text.contains(project), "{text}");
    let text = description(&builder().mode(Mode::Project).schema());
    assert!(text.contains(project) && !text.contains(strict), "{text}");
}

#[test]
fn no_description_speaks_of_walls() {
    for mode in [Mode::Strict, Mode::Project] {
        let names = builder().schema().tools();
        for enabled in [names, Vec::new()] {
            let schema = execute_code_schema(&builder().schema().mode(mode).enabled_tools(enabled));
            let text = schema.to_string().to_lowercase();
            for word in ["sandbox", "isolated", "cloud"] {
                assert!(!text.contains(word), "{word}: {text}");
            }
        }
    }
}
