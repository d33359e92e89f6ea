//! The tools that a runtime has, by name, and which of them a cell may call.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use thiserror::Error;

use super::patch::Patch;
use super::read_file::ReadFile;
use super::search_files::SearchFiles;
use super::terminal::Terminal;
use super::web_extract::WebExtract;
use super::web_search::WebSearch;
use super::write_file::WriteFile;
use super::{Tool, ToolOptions};
use crate::guard::Mode;

/// The tool that leaves the sandbox, and that a caller therefore has to enable by name.
pub(crate) const TERMINAL: &str = "terminal";

/// Names that mean something else to a script, or that no script may ever reach.
const RESERVED_NAMES: [&str; 5] = [
    "delegate_task",
    "execute_code",
    "json_parse",
    "retry",
    "shell_quote",
];

const PYTHON_KEYWORDS: [&str; 35] = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue",
    "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import",
    "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while",
    "with", "yield",
];

/// Holds the tools that scripts of a runtime can be allowed to call.
#[derive(Clone, Default)]
pub(crate) struct ToolSet {
    tools: BTreeMap<String, Arc<dyn Tool>>,
}

impl ToolSet {
    /// Returns the seven built-in tools.
    pub(crate) fn builtin(options: &ToolOptions) -> Self {
        let tools: [Arc<dyn Tool>; 7] = [
            Arc::new(ReadFile::new(&options.files)),
            Arc::new(WriteFile::new(&options.files).keeping(&options.terminal.init_files)),
            Arc::new(Terminal::new(&options.terminal)),
            Arc::new(SearchFiles::new()),
            Arc::new(Patch::new(&options.files).keeping(&options.terminal.init_files)),
            Arc::new(WebSearch::new(&options.web)),
            Arc::new(WebExtract::new(&options.web)),
        ];
        Self {
            tools: tools
                .into_iter()
                .map(|tool| (tool.name().to_owned(), tool))
                .collect(),
        }
    }

    /// Adds a tool; it takes the place of one of the same name.
    ///
    /// # Errors
    /// Fails if the tool's name cannot be the name of a function in `hermes_tools`.
    pub(crate) fn with(mut self, tool: impl Tool + 'static) -> Result<Self, ToolSetError> {
        let name = tool.name().to_owned();
        check_name(&name)?;
        self.tools.insert(name, Arc::new(tool));
        Ok(self)
    }

    /// Adds the tools of another set, which take the places of those with the same names.
    #[must_use]
    pub(crate) fn replaced_by(mut self, other: Self) -> Self {
        self.tools.extend(other.tools);
        self
    }

    /// Leaves a tool out.
    #[must_use]
    pub(crate) fn without(mut self, name: &str) -> Self {
        self.tools.remove(name);
        self
    }

    /// Returns the names of the tools that a cell may call, sorted.
    ///
    /// Without a list of enabled tools these are all, in strict mode all but `terminal`. With a list they are the tools
    /// of the set that the list names. A list that names none of them leaves none in strict mode; in project mode it
    /// stands for all unless it is empty, for there the list is that of the whole agent.
    ///
    /// A name that no tool has is no error, for it may be a tool of another host; it is logged as a warning.
    pub(crate) fn allowed(&self, enabled: Option<&[String]>, mode: Mode) -> Vec<String> {
        let unknown = self.unknown(enabled.unwrap_or_default());
        if !unknown.is_empty() {
            let known: Vec<&str> = self.names().collect();
            tracing::warn!(
                "'enabled_tools' has unknown tool names: {}. This runtime has: {}.",
                unknown.join(", ").escape_debug(),
                known.join(", ")
            );
        }
        let overlaps =
            |enabled: &[String]| enabled.iter().any(|name| self.tools.contains_key(name));
        let is_allowed = |name: &&String| match (enabled, mode) {
            (Some(enabled), Mode::Project) if !enabled.is_empty() && !overlaps(enabled) => true,
            (Some(enabled), _) => enabled.contains(name),
            (None, Mode::Project) => true,
            (None, Mode::Strict) => *name != TERMINAL,
        };
        self.tools.keys().filter(is_allowed).cloned().collect()
    }

    /// Returns those of the enabled names that no tool has, in their order.
    pub(crate) fn unknown(&self, enabled: &[String]) -> Vec<String> {
        let is_unknown = |name: &&String| !self.tools.contains_key(*name);
        enabled.iter().filter(is_unknown).cloned().collect()
    }

    /// Returns the names of all tools, sorted.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.tools.keys().map(String::as_str)
    }

    /// Returns a tool by its name.
    pub(super) fn get(&self, name: &str) -> Option<&dyn Tool> {
        self.tools.get(name).map(AsRef::as_ref)
    }

    /// Returns the tools in the order of their names.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &dyn Tool> {
        self.tools.values().map(AsRef::as_ref)
    }
}

impl fmt::Debug for ToolSet {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_set().entries(self.tools.keys()).finish()
    }
}

/// Says why a tool cannot be added to a set.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ToolSetError {
    /// The name cannot be the name of a Python function.
    #[error(
        "tool name '{0}' is not a Python identifier; use ASCII letters, digits and underscores, start with a letter, and avoid Python's keywords"
    )]
    NotAnIdentifier(String),
    /// The name belongs to `hermes_tools` itself or must never be callable.
    #[error("tool name '{0}' is reserved; choose another name")]
    Reserved(String),
}

fn check_name(name: &str) -> Result<(), ToolSetError> {
    // A leading underscore marks what belongs to the Python module itself.
    let is_identifier = name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name
            .chars()
            .all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
        && !PYTHON_KEYWORDS.contains(&name);
    if !is_identifier {
        return Err(ToolSetError::NotAnIdentifier(name.to_owned()));
    }
    if RESERVED_NAMES.contains(&name) {
        return Err(ToolSetError::Reserved(name.to_owned()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use async_trait::async_trait;
    use serde_json::{Map, Value, json};

    use super::super::events::Events;
    use super::super::granted::Granted;
    use super::super::{ToolContext, ToolError, ToolReply};
    use super::*;

    struct Named(&'static str);

    #[async_trait]
    impl Tool for Named {
        fn name(&self) -> &str {
            self.0
        }
        fn description(&self) -> &'static str {
            "A tool of a test."
        }
        fn parameters(&self) -> Value {
            json!({"type": "object", "properties": {}})
        }
        async fn call(
            &self,
            _: Map<String, Value>,
            _: &ToolContext,
        ) -> Result<ToolReply, ToolError> {
            Ok(ToolReply::raw("null"))
        }
    }

    fn names(list: &[&str]) -> Vec<String> {
        list.iter().map(|&name| name.to_owned()).collect()
    }

    #[tokio::test]
    async fn no_tool_changes_a_file_that_shells_read_first() {
        let place = Granted::new();
        place.put("rc", "whole");
        let mut options = ToolOptions::default();
        options.terminal.init_files = vec![place.path("rc")];
        let tools = ToolSet::builtin(&options);
        let patch = "*** Begin Patch\n*** Delete File: rc\n*** End Patch";
        for (name, arguments) in [
            ("write_file", json!({"path": "rc", "content": "other"})),
            (
                "patch",
                json!({"path": "rc", "old_string": "whole", "new_string": "other"}),
            ),
            ("patch", json!({"mode": "patch", "patch": patch})),
        ] {
            let tool = tools.get(name).unwrap();
            let reply = place.reply(tool, arguments).await;
            let told = "Write denied: 'rc' is a protected system/credential file.";
            assert!(reply.contains(told), "{reply}");
            assert_eq!(place.get("rc"), "whole");
        }
    }

    #[test]
    fn terminal_has_to_be_enabled_by_name() {
        let tools = ToolSet::builtin(&ToolOptions::default());
        let all = [
            "patch",
            "read_file",
            "search_files",
            "web_extract",
            "web_search",
            "write_file",
        ];
        assert_eq!(tools.allowed(None, Mode::Strict), all);
        let enabled = names(&["write_file", "terminal", "browser", "read_file", "terminal"]);
        assert_eq!(
            tools.allowed(Some(&enabled), Mode::Strict),
            ["read_file", "terminal", "write_file"]
        );
    }

    #[test]
    fn a_list_without_overlap_allows_nothing() {
        let tools = ToolSet::builtin(&ToolOptions::default());
        assert_eq!(
            tools.allowed(Some(&names(&["browser"])), Mode::Strict),
            Vec::<String>::new()
        );
        assert_eq!(tools.allowed(Some(&[]), Mode::Strict), Vec::<String>::new());
    }

    #[test]
    fn in_project_mode_terminal_is_there_and_a_list_without_overlap_stands_for_all() {
        let tools = ToolSet::builtin(&ToolOptions::default());
        let all: Vec<String> = tools.names().map(str::to_owned).collect();
        assert_eq!(all.len(), 7);
        let project = |enabled: &[&str]| tools.allowed(Some(&names(enabled)), Mode::Project);
        assert_eq!(tools.allowed(None, Mode::Project), all);
        assert_eq!(project(&["browser"]), all);
        assert_eq!(project(&["browser", "patch"]), ["patch"]);
        assert_eq!(project(&[]), Vec::<String>::new());
    }

    #[test]
    fn unknown_names_are_told_once_for_each_list() {
        let tools = ToolSet::builtin(&ToolOptions::default());
        let events = Events::listen();
        tools.allowed(None, Mode::Strict);
        tools.allowed(Some(&names(&["read_file", "terminal"])), Mode::Strict);
        assert_eq!(events.lines(), Vec::<String>::new());
        let enabled = names(&["raed_file", "patch", "browser\n"]);
        assert_eq!(tools.unknown(&enabled), ["raed_file", "browser\n"]);
        tools.allowed(Some(&enabled), Mode::Strict);
        let lines = events.lines();
        let [line] = lines.as_slice() else {
            panic!("{lines:?}");
        };
        let told = "'enabled_tools' has unknown tool names: raed_file, browser\\n. This runtime has: patch, read_file, search_files, terminal, web_extract, web_search, write_file.";
        assert!(line.contains("WARN") && line.ends_with(told), "{line}");
    }

    #[test]
    fn a_host_adds_replaces_and_leaves_out_tools() {
        let tools = ToolSet::default()
            .with(Named("weather"))
            .unwrap()
            .with(Named("news_2"))
            .unwrap();
        assert_eq!(tools.allowed(None, Mode::Strict), ["news_2", "weather"]);
        let replaced = ToolSet::builtin(&ToolOptions::default())
            .with(Named("patch"))
            .unwrap();
        assert_eq!(
            replaced.get("patch").unwrap().description(),
            "A tool of a test."
        );
        let fewer = ToolSet::builtin(&ToolOptions::default())
            .without("patch")
            .without("unknown");
        assert!(fewer.get("patch").is_none() && fewer.get("read_file").is_some());
    }

    #[test]
    fn names_that_a_script_cannot_use_are_refused() {
        for name in ["", "1st", "a-b", "naïve", "_hidden", "class", "None", "a b"] {
            let error = ToolSet::default().with(Named(name)).unwrap_err();
            assert_eq!(error, ToolSetError::NotAnIdentifier(name.to_owned()));
        }
        for name in RESERVED_NAMES {
            let error = ToolSet::default().with(Named(name)).unwrap_err();
            assert_eq!(error, ToolSetError::Reserved(name.to_owned()));
            assert_eq!(
                error.to_string(),
                format!("tool name '{name}' is reserved; choose another name")
            );
        }
    }
}
