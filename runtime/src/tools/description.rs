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
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use super::*;
    use crate::tools::ToolOptions;

    /// Writes a schema as the Python parameters that it stands for.
    fn signature(parameters: &Value) -> String {
        let required = parameters["required"]
            .as_array()
            .cloned()
            .unwrap_or_default();
        let properties = parameters["properties"].as_object().unwrap();
        let parameter = |(name, schema): (&String, &Value)| {
            let json_type = schema["type"]
                .as_str()
                .or_else(|| schema["type"][0].as_str());
            let python_type = match json_type.unwrap() {
                "string" => "str",
                "integer" => "int",
                "boolean" => "bool",
                "array" => "list",
                other => panic!("{name} has the type {other}"),
            };
            let default = schema
                .as_object()
                .unwrap()
                .get("default")
                .map(|default| match default {
                    Value::Null => "None".to_owned(),
                    Value::Bool(false) => "False".to_owned(),
                    other => other.to_string(),
                });
            assert_eq!(
                required.contains(&Value::from(name.as_str())),
                default.is_none(),
                "{name}"
            );
            match default {
                Some(default) => format!("{name}: {python_type} = {default}"),
                None => format!("{name}: {python_type}"),
            }
        };
        properties
            .iter()
            .map(parameter)
            .collect::<Vec<_>>()
            .join(", ")
    }

    #[test]
    fn the_built_in_tools_have_the_signatures_of_the_contract() {
        let tools = ToolSet::builtin(&ToolOptions::default());
        let all: Vec<String> = tools.iter().map(|tool| tool.name().to_owned()).collect();
        let described: Vec<Value> = serde_json::from_str(&describe(&tools, &all)).unwrap();
        let signatures: Vec<_> = described
            .iter()
            .map(|tool| {
                format!(
                    "{}({})",
                    tool["name"].as_str().unwrap(),
                    signature(&tool["parameters"])
                )
            })
            .collect();
        assert_eq!(
            signatures,
            [
                r#"patch(path: str = None, old_string: str = None, new_string: str = None, replace_all: bool = False, mode: str = "replace", patch: str = None, cross_profile: bool = False)"#,
                "read_file(path: str, offset: int = 1, limit: int = 2000)",
                r#"search_files(pattern: str, target: str = "content", path: str = ".", file_glob: str = None, limit: int = 50, offset: int = 0, output_mode: str = "content", context: int = 0, order: str = "discovery")"#,
                "terminal(command: str, timeout: int = None, workdir: str = None)",
                "web_extract(urls: list, char_limit: int = None)",
                "web_search(query: str, limit: int = 5)",
                "write_file(path: str, content: str, cross_profile: bool = False)",
            ]
        );
    }

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
