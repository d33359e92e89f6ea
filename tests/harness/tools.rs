//! Tools of a host that tests give to scripts.

use std::sync::Arc;

use async_trait::async_trait;
use hermes_runtime::{Tool, ToolContext, ToolError, ToolReply};
use serde_json::{Map, Value, json};
use tokio::sync::{Barrier, Notify};

/// Answers the arguments of one call.
pub type Answer = fn(Map<String, Value>, &ToolContext) -> Result<ToolReply, ToolError>;

/// A tool that is one function.
#[derive(Debug, Clone)]
pub struct Scripted {
    name: &'static str,
    description: &'static str,
    parameters: Value,
    answer: Answer,
}

impl Scripted {
    /// Makes a tool without parameters.
    pub fn new(name: &'static str, answer: Answer) -> Self {
        Self {
            name,
            description: "A tool of a test.",
            parameters: json!({"type": "object", "properties": {}}),
            answer,
        }
    }

    /// Sets the docstring.
    #[must_use]
    pub fn described(mut self, description: &'static str) -> Self {
        self.description = description;
        self
    }

    /// Sets the JSON schema of the arguments.
    #[must_use]
    pub fn taking(mut self, parameters: Value) -> Self {
        self.parameters = parameters;
        self
    }

    /// Makes a tool that answers with what it got: `echo(text: str)`.
    pub fn echo() -> Self {
        let schema = json!({"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]});
        Self::new("echo", |arguments, _| ToolReply::json(&arguments)).taking(schema)
    }
}

#[async_trait]
impl Tool for Scripted {
    fn name(&self) -> &str {
        self.name
    }

    fn description(&self) -> &str {
        self.description
    }

    fn parameters(&self) -> Value {
        self.parameters.clone()
    }

    async fn call(
        &self,
        arguments: Map<String, Value>,
        context: &ToolContext,
    ) -> Result<ToolReply, ToolError> {
        (self.answer)(arguments, context)
    }
}

/// A tool, `stuck()`, that never answers; it tells when a call began and when the call was given up.
#[derive(Debug, Clone, Default)]
pub struct Stuck {
    /// Told when a call has reached the tool.
    pub begun: Arc<Notify>,
    /// Told when the call's future is dropped.
    pub dropped: Arc<Notify>,
}

#[async_trait]
impl Tool for Stuck {
    fn name(&self) -> &'static str {
        "stuck"
    }

    fn description(&self) -> &'static str {
        "Never answers."
    }

    fn parameters(&self) -> Value {
        json!({"type": "object", "properties": {}})
    }

    async fn call(&self, _: Map<String, Value>, _: &ToolContext) -> Result<ToolReply, ToolError> {
        let _told = OnDrop(Arc::clone(&self.dropped));
        self.begun.notify_one();
        std::future::pending().await
    }
}

struct OnDrop(Arc<Notify>);

impl Drop for OnDrop {
    fn drop(&mut self) {
        self.0.notify_one();
    }
}

/// A tool, `ready()`, that tells the test that the cell has come this far, and answers at once.
#[derive(Debug, Clone, Default)]
pub struct Ready {
    /// Told at each call.
    pub told: Arc<Notify>,
}

#[async_trait]
impl Tool for Ready {
    fn name(&self) -> &'static str {
        "ready"
    }

    fn description(&self) -> &'static str {
        "Tells the host that the cell has come this far."
    }

    fn parameters(&self) -> Value {
        json!({"type": "object", "properties": {}})
    }

    async fn call(&self, _: Map<String, Value>, _: &ToolContext) -> Result<ToolReply, ToolError> {
        self.told.notify_one();
        ToolReply::json(&json!({}))
    }
}

/// A tool, `meet()`, that answers only when as many cells have called it as the meeting has members: they ran at the same time.
#[derive(Debug, Clone)]
pub struct Meeting(Arc<Barrier>);

impl Meeting {
    /// Makes a meeting of this many cells.
    pub fn of(members: usize) -> Self {
        Self(Arc::new(Barrier::new(members)))
    }
}

#[async_trait]
impl Tool for Meeting {
    fn name(&self) -> &'static str {
        "meet"
    }

    fn description(&self) -> &'static str {
        "Waits for the others."
    }

    fn parameters(&self) -> Value {
        json!({"type": "object", "properties": {}})
    }

    async fn call(&self, _: Map<String, Value>, _: &ToolContext) -> Result<ToolReply, ToolError> {
        self.0.wait().await;
        ToolReply::json(&"met")
    }
}
