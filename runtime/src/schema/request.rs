//! What a schema is made for, and its fixed frame.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use super::description::describe;
use crate::guard::Mode;
use crate::tools::ToolSet;

/// Text of the parameter `reset`.
const RESET: &str =
    "Discard the kernel's persistent state and start fresh before running this code.";

/// What the schema of `execute_code` depends on: where code runs, what it may call, its limits.
///
/// It comes from [`Runtime::schema`](crate::Runtime::schema), or without a runtime from
/// [`RuntimeBuilder::schema`](crate::RuntimeBuilder::schema).
#[derive(Debug, Clone)]
#[must_use]
pub struct SchemaRequest {
    pub(super) tools: Arc<ToolSet>,
    pub(super) enabled: Option<Vec<String>>,
    pub(super) mode: Mode,
    pub(super) timeout: Duration,
    pub(super) max_tool_calls: u64,
}

impl SchemaRequest {
    pub(crate) fn new(
        tools: Arc<ToolSet>,
        mode: Mode,
        timeout: Duration,
        max_tool_calls: u64,
    ) -> Self {
        Self {
            tools,
            enabled: None,
            mode,
            timeout,
            max_tool_calls,
        }
    }

    /// Returns the names of all tools that can be enabled, sorted.
    pub fn tools(&self) -> Vec<String> {
        self.tools.names().map(str::to_owned).collect()
    }

    /// Describes cells in this mode.
    pub fn mode(mut self, mode: Mode) -> Self {
        self.mode = mode;
        self
    }

    /// Describes cells with exactly these tools enabled, as [`Request::enabled_tools`](crate::Request::enabled_tools) enables them.
    pub fn enabled_tools(mut self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.enabled = Some(names.into_iter().map(Into::into).collect());
        self
    }

    /// Describes cells with this wall clock.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Describes cells with this many tool calls.
    pub fn max_tool_calls(mut self, calls: u64) -> Self {
        self.max_tool_calls = calls;
        self
    }
}

/// Returns the schema of `execute_code` for a model's list of tools: `name`, `description` and `parameters`.
///
/// ```
/// use hermes_runtime::{Runtime, execute_code_schema};
///
/// let schema = execute_code_schema(&Runtime::builder().schema().enabled_tools(["read_file"]));
/// assert_eq!(schema["name"], "execute_code");
/// assert_eq!(schema["parameters"]["required"][0], "code");
/// ```
pub fn execute_code_schema(request: &SchemaRequest) -> Value {
    let description = describe(request);
    json!({
        "name": "execute_code",
        "description": description.text,
        "parameters": {
            "type": "object",
            "properties": {
                "code": {
                    "type": "string",
                    "description": description.code,
                },
                "reset": {
                    "type": "boolean",
                    "description": RESET,
                },
            },
            "required": ["code"],
        },
    })
}

#[cfg(test)]
mod tests;
