//! The built-in tools that this build does not implement: scripts can import them, and a call says so.
//!
//! Their signatures are those of the contract, so that a script keeps its shape when they arrive.

use async_trait::async_trait;
use serde_json::{Map, Value, json};

use super::{Tool, ToolContext, ToolError, ToolReply};

/// A tool that can be imported and called, and answers that it is not there.
#[derive(Debug)]
pub(super) struct Unavailable {
    name: &'static str,
    description: &'static str,
    parameters: Value,
}

impl Unavailable {
    /// Returns `web_search`.
    pub(super) fn web_search() -> Self {
        Self {
            name: "web_search",
            description: "Searches the web.",
            parameters: json!({
                "type": "object",
                "properties": {
                    "query": {"type": "string"},
                    "limit": {"type": "integer", "default": 5},
                },
                "required": ["query"],
            }),
        }
    }

    /// Returns `web_extract`.
    pub(super) fn web_extract() -> Self {
        Self {
            name: "web_extract",
            description: "Reads web pages as Markdown.",
            parameters: json!({
                "type": "object",
                "properties": {
                    "urls": {"type": "array"},
                    "char_limit": {"type": ["integer", "null"], "default": null},
                },
                "required": ["urls"],
            }),
        }
    }
}

#[async_trait]
impl Tool for Unavailable {
    fn name(&self) -> &str {
        self.name
    }

    fn description(&self) -> &str {
        self.description
    }

    fn parameters(&self) -> Value {
        self.parameters.clone()
    }

    async fn call(&self, _: Map<String, Value>, _: &ToolContext) -> Result<ToolReply, ToolError> {
        Err(ToolError::new(format_args!(
            "{} is not implemented in this build of the runtime.",
            self.name
        )))
    }
}
