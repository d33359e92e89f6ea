//! Reads the values of an arguments object the way the tools' Python signatures promise.
//!
//! Numbers are taken leniently, as Python's `int()` would.

use std::num::{IntErrorKind, ParseIntError};

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

/// Returns a whole number, also of a fraction or a numeric text; `None` for anything else. One that is too large to be
/// held is the largest, as no limit or offset can tell them apart.
pub(super) fn whole_number(value: Option<&Value>) -> Option<i64> {
    match value? {
        Value::Number(number) => number.as_i64().or_else(|| {
            let truncated = number.as_f64()?.trunc();
            // Text is the one conversion of a float that cannot lose anything silently.
            saturating(&format!("{truncated:.0}"))
        }),
        Value::Bool(flag) => Some(i64::from(*flag)),
        Value::String(text) => saturating(text.trim()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

fn saturating(text: &str) -> Option<i64> {
    text.parse().map_or_else(
        |error: ParseIntError| match error.kind() {
            IntErrorKind::PosOverflow => Some(i64::MAX),
            IntErrorKind::NegOverflow => Some(i64::MIN),
            _ => None,
        },
        Some,
    )
}

/// Returns the value of a parameter that was given; a `null` is one that was not.
pub(super) fn given<'a>(arguments: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    arguments.get(name).filter(|value| !value.is_null())
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
            (json!(1e300), Some(i64::MAX)),
            (json!(-1e300), Some(i64::MIN)),
            (json!("9".repeat(40)), Some(i64::MAX)),
            (json!("x"), None),
            (json!([1]), None),
            (json!(null), None),
        ];
        for (value, expected) in rows {
            assert_eq!(whole_number(Some(&value)), expected, "{value}");
        }
        assert_eq!(whole_number(None), None);
    }
}
