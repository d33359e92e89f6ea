//! The words of the schema. They never say what the runtime is made of: a model that reads of walls argues with them.

use std::time::Duration;

use super::request::SchemaRequest;
use super::signature::signature;
use crate::guard::Mode;
use crate::tools::Tool;

/// The order in which the built-in tools are shown; those of the host follow by name.
const DISPLAY_ORDER: [&str; 7] = [
    "web_search",
    "web_extract",
    "read_file",
    "write_file",
    "search_files",
    "patch",
    "terminal",
];

/// The tools that an example shows where they are enabled.
const EXAMPLES: [&str; 2] = ["web_search", "terminal"];

/// The tools that reach the user's files.
const FILE_TOOLS: [&str; 4] = ["read_file", "write_file", "search_files", "patch"];

/// The texts of a schema.
pub(super) struct Description {
    /// What the tool is.
    pub(super) text: String,
    /// What goes into `code`.
    pub(super) code: String,
}

pub(super) fn describe(request: &SchemaRequest) -> Description {
    let allowed = request
        .tools
        .allowed(request.enabled.as_deref(), request.mode);
    let import = import(&allowed);
    let text = [
        format!(
            "Run Python that can call tools as functions. Use it where several tool calls depend on each other, where large results \
             have to be filtered before you see them, or for loops and branches; for a single call, call the tool itself.\n\n\
             Only what the code prints comes back, so print what you need. {import}"
        ),
        tools(request, &allowed),
        "State persists: variables, imports and functions of one call are there in the next. It is lost when a call times out or is \
         interrupted, and when you pass reset=true. An exception does not lose it."
            .to_owned(),
        limits(request.timeout, request.max_tool_calls),
        place(request.mode, &allowed),
        "json_parse(text), shell_quote(s) and retry(fn, max_attempts=3, delay=2) are in hermes_tools too and must be imported before use: \
         JSON with raw control characters, a safely quoted shell word, repeated attempts with growing pauses."
            .to_owned(),
    ]
    .join("\n\n");
    let code = format!("Python source to run. {import} Print what you need.");
    Description { text, code }
}

/// Says how tools are imported, by an example.
fn import(allowed: &[String]) -> String {
    let is_enabled = |name: &&str| allowed.iter().any(|each| each == name);
    let mut names: Vec<&str> = EXAMPLES.into_iter().filter(is_enabled).collect();
    if names.is_empty() {
        names = allowed.iter().map(String::as_str).collect();
        names.sort_unstable();
        names.truncate(2);
    }
    if names.is_empty() {
        return "Only the helpers below can be imported: `from hermes_tools import json_parse, ...`."
            .to_owned();
    }
    format!(
        "Import tools with `from hermes_tools import {}, ...`.",
        names.join(", ")
    )
}

/// Lists the tools with their parameters.
fn tools(request: &SchemaRequest, allowed: &[String]) -> String {
    let is_allowed = |tool: &&dyn Tool| allowed.iter().any(|name| name == tool.name());
    let mut tools: Vec<&dyn Tool> = request.tools.iter().filter(is_allowed).collect();
    if tools.is_empty() {
        return "No tools are enabled for this session.".to_owned();
    }
    // The sort is stable: what has no place of its own stays in the order of names.
    tools.sort_by_key(|tool| {
        let place = DISPLAY_ORDER.iter().position(|name| *name == tool.name());
        place.unwrap_or(DISPLAY_ORDER.len())
    });
    let lines = tools.into_iter().map(|tool| {
        let parameters = signature(&tool.parameters());
        let description = indented(tool.description());
        format!("\n  {}({parameters})\n    {description}", tool.name())
    });
    let opening = "Tools return parsed JSON, most of them a dict; a failure is a dict with 'error' and raises nothing. Available tools:";
    std::iter::once(opening.to_owned()).chain(lines).collect()
}

/// Keeps a description of several lines below its tool.
fn indented(description: &str) -> String {
    let lines: Vec<_> = description.trim().lines().map(str::trim_end).collect();
    lines.join("\n    ")
}

fn limits(timeout: Duration, max_tool_calls: u64) -> String {
    let timeout = shown(timeout);
    let calls = if max_tool_calls == 1 { "call" } else { "calls" };
    format!(
        "Limits: {timeout} timeout, max {max_tool_calls} tool {calls} per call. Stdout over 50KB shows head/tail inline; the FULL text is \
         auto-saved to a file whose path rides in the result."
    )
}

/// Writes a time limit as an adjective: in minutes where they are whole.
fn shown(timeout: Duration) -> String {
    let seconds = timeout.as_secs();
    match (timeout.subsec_nanos(), seconds % 60) {
        (0, 0) if seconds > 0 => format!("{}-minute", seconds / 60),
        (0, _) => format!("{seconds}-second"),
        _ => format!("{}-second", timeout.as_secs_f64()),
    }
}

/// Says where code runs, as far as it matters to what is written.
fn place(mode: Mode, allowed: &[String]) -> String {
    match mode {
        Mode::Strict => {
            let has_files = allowed.iter().any(|name| FILE_TOOLS.contains(&name.as_str()));
            let files = if has_files {
                " Reach those through the file tools, whose relative paths begin in the session's working directory."
            } else {
                ""
            };
            format!(
                "Code starts in a private temporary directory: open() and the os module see nothing of the user's files.{files} Only the \
                 standard library can be imported."
            )
        }
        Mode::Project => "Code runs in the session's working directory with the project's own Python, so that relative paths are the \
             project's and the packages of its active environment can be imported."
            .to_owned(),
    }
}
