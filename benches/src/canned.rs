//! A host tool that does no work: what is measured is the way there and back.

use std::sync::Arc;

use async_trait::async_trait;
use hermes_runtime::{Tool, ToolContext, ToolError, ToolReply};
use serde_json::{Map, Value, json};

/// Answers every call with the same text, or never.
#[derive(Debug, Clone)]
pub(crate) struct Canned {
    answer: Option<Arc<str>>,
}

impl Canned {
    /// The name under which scripts import the tool.
    pub(crate) const NAME: &str = "answer";

    /// Makes a tool that answers with a JSON text.
    pub(crate) fn answer(json: &str) -> Self {
        Self {
            answer: Some(json.into()),
        }
    }

    /// Makes a tool whose call never ends by itself.
    pub(crate) fn silence() -> Self {
        Self { answer: None }
    }
}

#[async_trait]
impl Tool for Canned {
    fn name(&self) -> &'static str {
        Self::NAME
    }

    fn description(&self) -> &'static str {
        "Returns what it always returns."
    }

    fn parameters(&self) -> Value {
        json!({"type": "object", "properties": {}})
    }

    async fn call(&self, _: Map<String, Value>, _: &ToolContext) -> Result<ToolReply, ToolError> {
        match &self.answer {
            Some(answer) => Ok(ToolReply::raw(&**answer)),
            None => std::future::pending().await,
        }
    }
}
