//! Reads the values of an arguments object the way the tools' Python signatures promise.
//!
//! Numbers are taken leniently, as Python's `int()` would; types are named as Python names them.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};

/// Returns the JSON schema of an arguments struct, without the parts that only name the Rust type.
pub(super) fn schema_of<T: JsonSchema>() -> Value {
    let mut schema = SchemaSettings::draft2020_12()
        .into_generator()
        .into_root_schema_for::<T>();
    for key in ["$schema", "title", "description"] {
        schema.remove(key);
    }
    schema.to_value()
}

/// Returns a whole number, also of a fraction or a numeric text; `None` for anything else.
pub(super) fn whole_number(value: Option<&Value>) -> Option<i64> {
    match value? {
        Value::Number(number) => number.as_i64().or_else(|| {
            let truncated = number.as_f64()?.trunc();
            // Text is the one conversion of a float that cannot lose anything silently.
            format!("{truncated:.0}").parse().ok()
        }),
        Value::Bool(flag) => Some(i64::from(*flag)),
        Value::String(text) => text.trim().parse().ok(),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// Returns the value of a parameter that was given; a `null` is one that was not.
pub(super) fn given<'a>(arguments: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    arguments.get(name).filter(|value| !value.is_null())
}

/// Returns the name of the Python type that a value has in a script.
pub(super) fn python_type(value: Option<&Value>) -> &'static str {
    match value {
        None | Some(Value::Null) => "NoneType",
        Some(Value::Bool(_)) => "bool",
        Some(Value::Number(number)) if number.is_f64() => "float",
        Some(Value::Number(_)) => "int",
        Some(Value::String(_)) => "str",
        Some(Value::Array(_)) => "list",
        Some(Value::Object(_)) => "dict",
    }
}

/// Writes a number with a comma between groups of three digits.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn whole_numbers_are_read_leniently() {
        let rows = [
            (json!(7), Some(7)),
            (json!(-7.9), Some(-7)),
            (json!(" 12 "), Some(12)),
            (json!(true), Some(1)),
            (json!(1e300), None),
            (json!("x"), None),
            (json!([1]), None),
            (json!(null), None),
        ];
        for (value, expected) in rows {
            assert_eq!(whole_number(Some(&value)), expected, "{value}");
        }
        assert_eq!(whole_number(None), None);
    }

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
            assert_eq!(python_type(Some(&value)), expected);
        }
    }
}
