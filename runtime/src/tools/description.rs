//! What the sandbox needs to know about the tools in order to make Python functions of them.

use serde::Serialize;
use serde_json::Value;

use super::ToolSet;

/// Describes the allowed tools, sorted by name, as the JSON list `[{"name", "description", "parameters"}]`.
///
/// `parameters` is a JSON schema whose properties stand in the order of the Python parameters.
pub(crate) fn describe(tools: &ToolSet, allowed: &[String]) -> String {
    let entries: Vec<Entry<'_>> = tools
        .iter()
        .filter(|tool| allowed.iter().any(|name| name == tool.name()))
        .map(|tool| Entry {
            name: tool.name(),
            description: tool.description(),
            parameters: tool.parameters(),
        })
        .collect();
    // Strings and JSON values always have a JSON form; without tools a script still runs.
    serde_json::to_string(&entries).unwrap_or_else(|_| "[]".to_owned())
}

#[derive(Serialize)]
struct Entry<'a> {
    name: &'a str,
    description: &'a str,
    parameters: Value,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::ToolOptions;

    #[test]
    fn only_allowed_tools_are_described() {
        let tools = ToolSet::builtin(&ToolOptions::default());
        let described = describe(&tools, &["web_search".to_owned(), "unknown".to_owned()]);
        assert_eq!(
            described,
            r#"[{"name":"web_search","description":"Searches the web and returns a dict whose 'data' has the hits in 'web', each with title, url, description and position. The search service sees the query.","parameters":{"type":"object","properties":{"query":{"type":"string","description":"What to search for."},"limit":{"type":"integer","format":"uint","minimum":0,"description":"Number of hits, from 1 to 100.","default":5}},"required":["query"]}}]"#
        );
        assert_eq!(describe(&tools, &[]), "[]");
    }
}
