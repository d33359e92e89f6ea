//! The arguments of `read_file`.

use schemars::JsonSchema;
use serde_json::{Map, Value};

use crate::guard::python_type;
use crate::tools::ToolError;
use crate::tools::arguments::{given, whole_number};

/// Default of the Python parameter `limit`.
const DEFAULT_LIMIT: u64 = 2_000;

/// Arguments of `read_file`.
#[derive(Debug, PartialEq, Eq, JsonSchema)]
pub(super) struct Arguments {
    /// Path of the file, relative to the working directory or absolute inside it.
    pub(super) path: String,
    /// First line to read, from 1.
    #[schemars(default = "first_line")]
    pub(super) offset: u64,
    /// Number of lines to read, at most 2000.
    #[schemars(default = "default_limit")]
    pub(super) limit: u64,
}

impl Arguments {
    /// Takes the arguments of a call; a page has at most `max_lines` lines.
    pub(super) fn parse(
        arguments: &mut Map<String, Value>,
        max_lines: u64,
    ) -> Result<Self, ToolError> {
        let number = |name| {
            whole_number(given(arguments, name)).map(|number| u64::try_from(number).unwrap_or(1))
        };
        let max_lines = max_lines.max(1);
        let offset = number("offset").unwrap_or(first_line()).max(1);
        let limit = number("limit").unwrap_or(max_lines).clamp(1, max_lines);
        match arguments.get_mut("path").map(Value::take) {
            Some(Value::String(path)) => Ok(Self {
                path,
                offset,
                limit,
            }),
            None | Some(Value::Null) => {
                Err(ToolError::new("read_file: missing required field 'path'."))
            }
            Some(other) => Err(ToolError::new(format_args!(
                "read_file: 'path' must be a string, got {}.",
                python_type(&other)
            ))),
        }
    }
}

fn first_line() -> u64 {
    1
}

fn default_limit() -> u64 {
    DEFAULT_LIMIT
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use serde_json::json;

    use super::*;

    #[test]
    fn numbers_are_brought_into_their_ranges() {
        let rows = [
            (json!({}), (1, 50)),
            (json!({"offset": null, "limit": null}), (1, 50)),
            (json!({"offset": 7, "limit": 9}), (7, 9)),
            (json!({"offset": "7", "limit": 9.9}), (7, 9)),
            (json!({"offset": 0, "limit": 0}), (1, 1)),
            (json!({"offset": -3, "limit": -3}), (1, 1)),
            (json!({"offset": "x", "limit": []}), (1, 50)),
            (json!({"offset": {}, "limit": 1e300}), (1, 50)),
            (
                json!({"offset": i64::MAX, "limit": i64::MAX}),
                (i64::MAX as u64, 50),
            ),
        ];
        for (value, expected) in rows {
            let mut arguments = value.as_object().unwrap().clone();
            arguments.insert("path".to_owned(), json!("x"));
            let parsed = Arguments::parse(&mut arguments, 50).unwrap();
            assert_eq!((parsed.offset, parsed.limit), expected, "{value}");
        }
    }
}
