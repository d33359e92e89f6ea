//! The Python parameters that a tool's JSON schema stands for.

use serde_json::{Map, Value};

/// Returns the parameters as the script's function has them, such as `path: str, limit: int = 50`: those without a default come first, and
/// those that Python cannot spell are in `**extra`.
pub(super) fn signature(parameters: &Value) -> String {
    let none = Map::new();
    let properties = parameters["properties"].as_object().unwrap_or(&none);
    let required = parameters["required"].as_array();
    let is_required =
        |name: &str| required.is_some_and(|names| names.iter().any(|each| each == name));
    let (needed, optional): (Vec<_>, Vec<_>) = properties
        .iter()
        .filter(|(name, _)| is_identifier(name))
        .partition(|(name, _)| is_required(name));
    let spelled = needed.len() + optional.len();
    let mut all: Vec<String> = needed
        .into_iter()
        .map(|(name, schema)| annotated(name, schema))
        .collect();
    all.extend(optional.into_iter().map(|(name, schema)| {
        let default = schema.get("default").unwrap_or(&Value::Null);
        format!("{} = {}", annotated(name, schema), literal(default))
    }));
    if spelled < properties.len() {
        all.push("**extra".to_owned());
    }
    all.join(", ")
}

fn is_identifier(name: &str) -> bool {
    let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_';
    name.chars().all(is_letter)
        && !name.starts_with(|first: char| first.is_numeric())
        && !name.is_empty()
}

fn annotated(name: &str, schema: &Value) -> String {
    match python_type(schema) {
        Some(python_type) => format!("{name}: {python_type}"),
        None => name.to_owned(),
    }
}

/// Returns the type; that of a parameter with several is the first besides null.
fn python_type(schema: &Value) -> Option<&'static str> {
    let single = schema["type"].as_str();
    let several = || {
        let types = schema["type"].as_array()?.iter();
        types.filter_map(Value::as_str).find(|name| *name != "null")
    };
    match single.or_else(several)? {
        "string" => Some("str"),
        "integer" => Some("int"),
        "number" => Some("float"),
        "boolean" => Some("bool"),
        "array" => Some("list"),
        "object" => Some("dict"),
        _ => None,
    }
}

fn literal(default: &Value) -> String {
    match default {
        Value::Null => "None".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        // Lists and mappings of plain values look alike in both languages.
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::tools::{ToolOptions, ToolSet};

    #[test]
    fn the_built_in_tools_have_the_signatures_of_the_contract() {
        let tools = ToolSet::builtin(&ToolOptions::default());
        let signatures: Vec<_> = tools
            .iter()
            .map(|tool| format!("{}({})", tool.name(), signature(&tool.parameters())))
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
    fn a_schema_of_any_form_has_a_signature() {
        let rows = [
            (json!({}), ""),
            (json!(null), ""),
            (json!({"properties": [1], "required": 5}), ""),
            (
                json!({"properties": {"a": {}, "b": {"type": "number"}, "c": {"type": ["null", "object"]}, "d": 5}, "required": ["a"]}),
                "a, b: float = None, c: dict = None, d = None",
            ),
            (
                json!({"properties": {"a": {"default": [1, "x"]}, "b": {"type": "boolean", "default": true}}}),
                r#"a = [1,"x"], b: bool = True"#,
            ),
            (
                json!({"properties": {"a": {}, "its-name": {}, "b": {"type": "string"}}, "required": ["b"]}),
                "b: str, a = None, **extra",
            ),
        ];
        for (parameters, expected) in rows {
            assert_eq!(signature(&parameters), expected, "{parameters}");
        }
    }
}
