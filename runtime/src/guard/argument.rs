//! The arguments of one `execute_code` call, read from JSON.
//!
//! It owns their names, types and ranges, for every front end alike; defaults are the caller's. `null` is the same as
//! a missing argument, an argument of a wrong type is refused and never converted, and unknown names are ignored.

use std::time::Duration;

use serde_json::{Map, Value};

use super::mode::Mode;
use super::python_type::python_type;
use super::refusal::Refusal;
use crate::text::truncate::first_chars;

const TIMEOUT: &str = "timeout";
const TIMEOUT_EXPECTED: &str = "a positive number of seconds";
/// Longest timeout in seconds, 31 years: a deadline that far away can still be added to any clock.
const MAX_TIMEOUT_SECONDS: f64 = 1e9;
/// How much of an unknown name a refusal quotes, in characters.
const QUOTED_CHARS: usize = 40;

/// Holds the arguments of a call; what was not given is empty or `None`.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Arguments {
    pub(crate) code: String,
    pub(crate) reset: bool,
    pub(crate) session: Option<String>,
    pub(crate) timeout: Option<Duration>,
    pub(crate) max_tool_calls: Option<u64>,
    pub(crate) enabled_tools: Option<Vec<String>>,
    pub(crate) mode: Option<Mode>,
}

impl Arguments {
    /// Reads the arguments; fails with the refusal of the first that is wrong.
    pub(crate) fn from_json(arguments: &Value) -> Result<Self, Refusal> {
        let Value::Object(arguments) = arguments else {
            return Err(Refusal::ArgumentsNotNamed {
                received: described(arguments),
            });
        };
        Ok(Self {
            code: code(arguments)?,
            reset: read(arguments, "reset", "true or false", Value::as_bool)?.unwrap_or_default(),
            session: read(arguments, "session", "a string", owned_text)?,
            timeout: timeout(arguments)?,
            max_tool_calls: max_tool_calls(arguments)?,
            enabled_tools: enabled_tools(arguments)?,
            mode: mode(arguments)?,
        })
    }
}

/// Returns a number of seconds, at most 1,000,000,000, as a timeout; refuses it if it is not positive and finite.
pub fn timeout_from_seconds(seconds: f64) -> Result<Duration, Refusal> {
    let received = if seconds.is_nan() {
        "NaN"
    } else if seconds == 0.0 {
        "zero"
    } else if seconds < 0.0 {
        "a negative number"
    } else if seconds.is_infinite() {
        "infinity"
    } else if seconds > MAX_TIMEOUT_SECONDS {
        "a number above 1000000000"
    } else {
        // Less than a nanosecond is still a limit and not the absence of one.
        return Ok(Duration::from_secs_f64(seconds).max(Duration::from_nanos(1)));
    };
    Err(bad(TIMEOUT, received, TIMEOUT_EXPECTED))
}

fn code(arguments: &Map<String, Value>) -> Result<String, Refusal> {
    match arguments.get("code") {
        None if arguments.contains_key("command") => Err(Refusal::CommandInsteadOfCode),
        None | Some(Value::Null) => Ok(String::new()),
        Some(Value::String(code)) => Ok(code.clone()),
        Some(other) => Err(Refusal::CodeNotText {
            type_name: python_type(other),
        }),
    }
}

fn timeout(arguments: &Map<String, Value>) -> Result<Option<Duration>, Refusal> {
    read(arguments, TIMEOUT, TIMEOUT_EXPECTED, Value::as_f64)?
        .map(timeout_from_seconds)
        .transpose()
}

fn max_tool_calls(arguments: &Map<String, Value>) -> Result<Option<u64>, Refusal> {
    const NAME: &str = "max_tool_calls";
    const EXPECTED: &str = "a non-negative integer";
    if arguments
        .get(NAME)
        .and_then(Value::as_f64)
        .is_some_and(|number| number < 0.0)
    {
        return Err(bad(NAME, "a negative number", EXPECTED));
    }
    read(arguments, NAME, EXPECTED, Value::as_u64)
}

fn enabled_tools(arguments: &Map<String, Value>) -> Result<Option<Vec<String>>, Refusal> {
    const NAME: &str = "enabled_tools";
    const EXPECTED: &str = "a list of strings";
    let Some(names) = read(arguments, NAME, EXPECTED, Value::as_array)? else {
        return Ok(None);
    };
    let text_of = |name| {
        owned_text(name)
            .ok_or_else(|| bad(NAME, &format!("a list with {}", described(name)), EXPECTED))
    };
    names
        .iter()
        .map(text_of)
        .collect::<Result<_, _>>()
        .map(Some)
}

fn mode(arguments: &Map<String, Value>) -> Result<Option<Mode>, Refusal> {
    const NAME: &str = "mode";
    let Some(name) = read(arguments, NAME, Mode::NAMES, Value::as_str)? else {
        return Ok(None);
    };
    let unknown = || {
        let quoted = first_chars(name, QUOTED_CHARS);
        bad(NAME, &format!("the unknown name '{quoted}'"), Mode::NAMES)
    };
    Mode::from_name(name).map(Some).ok_or_else(unknown)
}

/// Reads an argument with `take`, which returns `None` for a value of the wrong type.
fn read<'a, T>(
    arguments: &'a Map<String, Value>,
    name: &'static str,
    expected: &'static str,
    take: impl FnOnce(&'a Value) -> Option<T>,
) -> Result<Option<T>, Refusal> {
    match arguments.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(value) => take(value)
            .map(Some)
            .ok_or_else(|| bad(name, described(value), expected)),
    }
}

fn owned_text(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

fn bad(argument: &'static str, received: &str, expected: &'static str) -> Refusal {
    Refusal::BadArgument {
        argument,
        received: received.to_owned(),
        expected,
    }
}

/// Returns Python's name for the type with its article; the refusal of `code` has always said "a int".
fn described(value: &Value) -> &'static str {
    match python_type(value) {
        "NoneType" => "None",
        "bool" => "a bool",
        "float" => "a float",
        "int" => "an int",
        "str" => "a string",
        "list" => "a list",
        _ => "a dict",
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use serde_json::json;

    use super::*;

    fn refusal(arguments: &Value) -> String {
        Arguments::from_json(arguments).unwrap_err().to_string()
    }

    #[test]
    fn every_argument_is_read() {
        let arguments = json!({
            "code": "x = 1", "reset": true, "session": "s", "timeout": 2.5, "max_tool_calls": 0,
            "enabled_tools": ["read_file"], "mode": "project", "unknown": 1,
        });
        let expected = Arguments {
            code: "x = 1".to_owned(),
            reset: true,
            session: Some("s".to_owned()),
            timeout: Some(Duration::from_millis(2_500)),
            max_tool_calls: Some(0),
            enabled_tools: Some(vec!["read_file".to_owned()]),
            mode: Some(Mode::Project),
        };
        assert_eq!(Arguments::from_json(&arguments), Ok(expected));
    }

    #[test]
    fn null_is_the_same_as_missing() {
        let nulls = json!({
            "code": null, "reset": null, "session": null, "timeout": null, "max_tool_calls": null,
            "enabled_tools": null, "mode": null,
        });
        assert_eq!(Arguments::from_json(&nulls), Ok(Arguments::default()));
        assert_eq!(Arguments::from_json(&json!({})), Ok(Arguments::default()));
    }

    #[test]
    fn command_without_code_is_redirected_to_the_terminal() {
        let expected = "execute_code received a 'command' parameter, but it requires Python source in 'code'. Use \
                        terminal(command=...) for shell commands; for Python, retry as execute_code(code=...).";
        assert_eq!(refusal(&json!({"command": "ls"})), expected);
        let both = Arguments::from_json(&json!({"command": "ls", "code": "1"})).unwrap();
        assert_eq!(both.code, "1");
    }

    #[test]
    fn code_of_another_type_is_refused_with_the_python_name_of_the_type() {
        for (code, type_name) in [
            (json!(["a"]), "list"),
            (json!({}), "dict"),
            (json!(3), "int"),
            (json!(true), "bool"),
            (json!(1.0), "float"),
        ] {
            let expected = format!(
                "execute_code received a {type_name} in 'code', but it requires Python source as a string. Retry as \
                 execute_code(code=\"...\")."
            );
            assert_eq!(refusal(&json!({ "code": code })), expected);
        }
    }

    #[test]
    fn arguments_without_names_are_refused() {
        for (arguments, received) in [
            (json!(["print(1)"]), "a list"),
            (json!("print(1)"), "a string"),
            (json!(null), "None"),
        ] {
            let expected = format!(
                "execute_code received {received} instead of named arguments, but it requires an object. Retry as \
                 execute_code(code=\"...\")."
            );
            assert_eq!(refusal(&arguments), expected);
        }
    }

    #[test]
    fn wrong_types_and_ranges_name_argument_and_need() {
        let seconds = "'timeout', but it requires a positive number of seconds.";
        let count = "'max_tool_calls', but it requires a non-negative integer.";
        let tools = "'enabled_tools', but it requires a list of strings.";
        let mode = "'mode', but it requires 'strict' or 'project'.";
        for (arguments, received, rest) in [
            (
                json!({"reset": 1}),
                "an int",
                "'reset', but it requires true or false.",
            ),
            (
                json!({"reset": "true"}),
                "a string",
                "'reset', but it requires true or false.",
            ),
            (
                json!({"session": 7.5}),
                "a float",
                "'session', but it requires a string.",
            ),
            (json!({"timeout": "5"}), "a string", seconds),
            (json!({"timeout": true}), "a bool", seconds),
            (json!({"timeout": -1}), "a negative number", seconds),
            (json!({"timeout": 0}), "zero", seconds),
            (json!({"timeout": -0.0}), "zero", seconds),
            (
                json!({"timeout": 1e300}),
                "a number above 1000000000",
                seconds,
            ),
            (json!({"max_tool_calls": -1}), "a negative number", count),
            (json!({"max_tool_calls": -0.5}), "a negative number", count),
            (json!({"max_tool_calls": 5.0}), "a float", count),
            (json!({"max_tool_calls": [5]}), "a list", count),
            (json!({"enabled_tools": "terminal"}), "a string", tools),
            (
                json!({"enabled_tools": ["terminal", 1]}),
                "a list with an int",
                tools,
            ),
            (json!({"enabled_tools": [null]}), "a list with None", tools),
            (json!({"mode": {}}), "a dict", mode),
            (json!({"mode": "bogus"}), "the unknown name 'bogus'", mode),
        ] {
            assert_eq!(
                refusal(&arguments),
                format!("execute_code received {received} in {rest}")
            );
        }
    }

    #[test]
    fn unknown_mode_is_quoted_only_in_part() {
        let expected = format!(
            "execute_code received the unknown name '{}' in 'mode', but it requires 'strict' or 'project'.",
            "é".repeat(40)
        );
        assert_eq!(refusal(&json!({"mode": "é".repeat(1_000)})), expected);
    }

    #[test]
    fn numbers_that_json_cannot_carry_are_refused_as_timeouts() {
        for (seconds, received) in [
            (f64::NAN, "NaN"),
            (f64::INFINITY, "infinity"),
            (f64::NEG_INFINITY, "a negative number"),
        ] {
            let message = timeout_from_seconds(seconds).unwrap_err().to_string();
            let expected = format!(
                "execute_code received {received} in 'timeout', but it requires a positive number of seconds."
            );
            assert_eq!(message, expected);
        }
    }

    #[test]
    fn timeouts_keep_their_length_within_the_bounds() {
        assert_eq!(timeout_from_seconds(0.25), Ok(Duration::from_millis(250)));
        assert_eq!(
            timeout_from_seconds(1e9),
            Ok(Duration::from_secs(1_000_000_000))
        );
        assert_eq!(timeout_from_seconds(1e-12), Ok(Duration::from_nanos(1)));
    }
}
