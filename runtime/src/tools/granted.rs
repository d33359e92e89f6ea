//! A granted directory for the tools' tests, and the answers of a tool that works in it.

#![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use serde_json::Value;
use tempfile::TempDir;

use super::{Tool, ToolContext, ToolReply};
use crate::fs::{Grants, Scope};

/// A temporary directory that a context grants.
pub(crate) struct Granted {
    _place: TempDir,
    root: PathBuf,
    pub(crate) context: ToolContext,
}

impl Granted {
    pub(crate) fn new() -> Self {
        let place = tempfile::tempdir().unwrap();
        let scope = Arc::new(Scope::open(place.path()).unwrap());
        Self {
            root: scope.root().to_owned(),
            _place: place,
            context: ToolContext::new("s").with_grants(Arc::new(Grants::of(scope))),
        }
    }

    /// Returns the absolute path of a name in the directory; an empty name is the directory itself.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        if name.is_empty() {
            self.root.clone()
        } else {
            self.root.join(name)
        }
    }

    /// Returns the absolute path as text.
    pub(crate) fn shown(&self, name: &str) -> String {
        self.path(name).to_str().unwrap().to_owned()
    }

    /// Writes a file, and the directories that lead to it.
    pub(crate) fn put(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    /// Reads a file.
    pub(crate) fn get(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// Returns the JSON text that a tool answers.
    pub(crate) async fn reply(&self, tool: &dyn Tool, arguments: Value) -> String {
        reply(tool, arguments, &self.context).await
    }

    /// Returns what a tool answers.
    pub(crate) async fn value(&self, tool: &dyn Tool, arguments: Value) -> Value {
        serde_json::from_str(&self.reply(tool, arguments).await).unwrap()
    }
}

/// Returns the JSON text that a tool answers in a context; a failure is the error dict that a script sees.
pub(crate) async fn reply(tool: &dyn Tool, arguments: Value, context: &ToolContext) -> String {
    let Value::Object(arguments) = arguments else {
        panic!("not an object: {arguments}")
    };
    match tool.call(arguments, context).await {
        Ok(reply) => reply.into_json(),
        Err(error) => ToolReply::error(&error.to_string()),
    }
}
