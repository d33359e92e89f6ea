//! How Python names the types of JSON values, for every message that says what came instead of what was due.

use serde_json::Value;

/// Returns the name of the Python type that a JSON value has in a script.
pub(crate) fn python_type(value: &Value) -> &'static str {
    match value {
        Value::Null => "NoneType",
        Value::Bool(_) => "bool",
        Value::Number(number) if number.is_f64() => "float",
        Value::Number(_) => "int",
        Value::String(_) => "str",
        Value::Array(_) => "list",
        Value::Object(_) => "dict",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn types_have_their_python_names() {
        let rows = [
            (json!(null), "NoneType"),
            (json!(true), "bool"),
            (json!(1), "int"),
            (json!(1.0), "float"),
            (json!(""), "str"),
            (json!([]), "list"),
            (json!({}), "dict"),
        ];
        for (value, expected) in rows {
            assert_eq!(python_type(&value), expected);
        }
    }
}
