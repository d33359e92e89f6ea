//! The trait that a host implements to give scripts a function of its own, and what such a function answers.

use std::error::Error;
use std::fmt;

use async_trait::async_trait;
use serde::Serialize;
use serde_json::{Map, Value};

use super::ToolContext;

/// A function of the host that scripts import from `hermes_tools`.
#[async_trait]
pub trait Tool: Send + Sync {
    /// Returns the name of the Python function.
    fn name(&self) -> &str;

    /// Returns the text of the Python function's docstring.
    fn description(&self) -> &str;

    /// Returns the JSON schema of the arguments object.
    ///
    /// The order of `properties` is the order of the Python parameters, `default` is a parameter's default, and what
    /// is in `required` has none. A script's call sends every property, `null` for one that was not given.
    fn parameters(&self) -> Value;

    /// Answers one call.
    ///
    /// The future is dropped when the cell ends, times out or is interrupted: what has to be undone then belongs into
    /// a `Drop`. Work on other threads can watch [`ToolContext::cancellation`].
    ///
    /// # Errors
    /// An error reaches the script as the dict `{"error": text}`, never as an exception.
    async fn call(
        &self,
        arguments: Map<String, Value>,
        context: &ToolContext,
    ) -> Result<ToolReply, ToolError>;
}

const NO_JSON_FORM: &str = "the answer of the tool has no JSON form";

/// The answer of a tool: one JSON text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolReply {
    json: String,
}

impl ToolReply {
    /// Makes an answer of a value.
    ///
    /// # Errors
    /// Fails if the value has no JSON form, such as a map whose keys are not strings.
    pub fn json(value: &impl Serialize) -> Result<Self, ToolError> {
        match serde_json::to_string(value) {
            Ok(json) => Ok(Self { json }),
            Err(error) => Err(ToolError::caused_by(NO_JSON_FORM, error)),
        }
    }

    /// Makes an answer of a value, indented by two spaces; for the tools whose answers the contract shows so.
    pub(super) fn pretty(value: &impl Serialize) -> Result<Self, ToolError> {
        match serde_json::to_string_pretty(value) {
            Ok(json) => Ok(Self { json }),
            Err(error) => Err(ToolError::caused_by(NO_JSON_FORM, error)),
        }
    }

    /// Makes an answer of a text that is JSON already; a script gets a text that is not JSON as a `str`.
    pub fn raw(json: impl Into<String>) -> Self {
        Self { json: json.into() }
    }

    /// Returns the JSON text of `{"error": message}`.
    pub(super) fn error(message: &str) -> String {
        /// The shape in which a script sees that a call failed.
        #[derive(Serialize)]
        struct Failure<'a> {
            error: &'a str,
        }
        // A struct of one string always has a JSON form, and an empty object would only lose the message.
        serde_json::to_string(&Failure { error: message }).unwrap_or_else(|_| "{}".to_owned())
    }

    /// Returns the JSON text.
    pub(super) fn into_json(self) -> String {
        self.json
    }
}

/// Says why a tool could not do what a script asked for.
#[derive(Debug)]
pub struct ToolError {
    message: String,
    source: Option<Box<dyn Error + Send + Sync>>,
}

impl ToolError {
    /// Makes an error of a message for the script.
    pub fn new(message: impl fmt::Display) -> Self {
        Self {
            message: message.to_string(),
            source: None,
        }
    }

    /// Makes an error of a message for the script and its cause, which the script does not see.
    pub fn caused_by(
        message: impl fmt::Display,
        source: impl Into<Box<dyn Error + Send + Sync>>,
    ) -> Self {
        Self {
            message: message.to_string(),
            source: Some(source.into()),
        }
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl Error for ToolError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_deref().map(|source| source as _)
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn an_answer_keeps_field_order_and_letters() {
        #[derive(Serialize)]
        struct Answer {
            z: &'static str,
            a: u8,
        }
        let reply = ToolReply::json(&Answer { z: "ü", a: 1 }).unwrap();
        assert_eq!(reply.into_json(), r#"{"z":"ü","a":1}"#);
        assert_eq!(ToolReply::error("no \"x\""), r#"{"error":"no \"x\""}"#);
    }

    #[test]
    fn a_value_without_json_form_is_an_error_with_its_cause() {
        let error = ToolReply::json(&BTreeMap::from([(vec![1], 2)])).unwrap_err();
        assert_eq!(error.to_string(), "the answer of the tool has no JSON form");
        assert_eq!(error.source().unwrap().to_string(), "key must be a string");
    }
}
