//! Owns the question whether the value of a field with a secret's name is a secret, or code, a reference or prose.
//!
//! How much doubt is allowed depends on where the value stands: a line of `env` is data, an argument of a call is not.

use super::super::mask::is_masked;
use super::super::url::is_placeholder;

/// Shorter literals are fixtures and examples (`apiKey: "x"`).
const SHORTEST_LITERAL: usize = 6;
/// Beginnings of a path that is no secret itself.
const PATH_STARTS: [&str; 8] = [
    "~/", "./", "../", "/home/", "/etc/", "/run/", "/var/", "/usr/",
];
/// Values that say something about a secret, in lower case.
const WORDS: [&str; 24] = [
    "true",
    "false",
    "yes",
    "no",
    "on",
    "off",
    "none",
    "null",
    "nil",
    "undefined",
    "required",
    "optional",
    "str",
    "string",
    "bytes",
    "bool",
    "boolean",
    "int",
    "number",
    "any",
    "object",
    "dict",
    "self",
    "unset",
];
/// Objects of programs whose attributes are read under their own names.
const OBJECTS: [&str; 18] = [
    "os", "process", "self", "this", "config", "settings", "args", "env", "environ", "options",
    "opts", "ctx", "request", "params", "secrets", "System", "Deno", "ENV",
];

/// Returns whether a name is that of an object that programs read settings from.
pub(super) fn is_object(name: &str) -> bool {
    OBJECTS.contains(&name)
}

/// Returns whether the value of a line of the environment is a secret.
pub(super) fn in_environment(value: &str) -> bool {
    !says_nothing(value)
        && !value.starts_with(['$', '{', '<', '%', '`', '(', '['])
        && !is_call(value)
        && !is_attribute(value)
}

/// Returns whether a quoted string of a program or of a data file is a secret.
pub(super) fn in_quotes(name: &str, value: &str) -> bool {
    let templated =
        (value.contains('{') && value.contains('}')) || value.starts_with(['{', '<', '%', '$']);
    let prose = value.contains(char::is_whitespace);
    value.len() >= SHORTEST_LITERAL
        && !says_nothing(value)
        && !templated
        && !prose
        && !repeats(name, value)
}

/// Returns whether an unquoted word of a program is a secret: an identifier, a number and an expression are not.
pub(super) fn in_code(name: &str, value: &str) -> bool {
    let mixed = value.contains(|c: char| c.is_ascii_digit())
        && value.contains(|c: char| c.is_ascii_alphabetic());
    mixed && in_quotes(name, value) && !value.contains(['|', '*']) && !is_path_of_names(value)
}

/// Returns whether the rest of a line of a configuration file (YAML, dotted keys) is a secret.
pub(super) fn in_line(name: &str, value: &str) -> bool {
    let syntax = value.starts_with(['{', '[', '&', '*', '!', '|', '>', '%', '@', '('])
        || value.ends_with([',', ';', '{', '(', '[']);
    let type_name = value.starts_with(|c: char| c.is_ascii_uppercase())
        && value.bytes().all(|b| b.is_ascii_alphabetic());
    let expression = value.contains(['(', '[']) || is_path_of_names(value);
    in_quotes(name, value) && !syntax && !type_name && !expression
}

/// Returns whether a value is nothing, a word about secrets, a reference, or the work of a mask.
fn says_nothing(value: &str) -> bool {
    // A form as a whole was looked at before: `token=***&x=1`.
    let first = value.split('&').next().unwrap_or_default();
    value.is_empty()
        || is_masked(first)
        || is_placeholder(value)
        || value.contains("://")
        || PATH_STARTS.iter().any(|start| value.starts_with(start))
        || WORDS.contains(&value.to_ascii_lowercase().as_str())
}

/// Returns whether a value of words only repeats a word of its own name: `password: my_password`.
fn repeats(name: &str, value: &str) -> bool {
    let words = value
        .bytes()
        .all(|b| b.is_ascii_alphabetic() || b"_-. ".contains(&b));
    let value = value.to_ascii_lowercase();
    let mut parts = name.split(['_', '-', '.']).filter(|part| part.len() > 2);
    words && parts.any(|part| value.contains(&part.to_ascii_lowercase()))
}

/// Returns whether a value is a call or an element: `os.getenv("KEY")`, `environ["KEY"]`.
fn is_call(value: &str) -> bool {
    let name =
        value.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.');
    name.len() < value.len() && name.starts_with(['(', '[']) && name.ends_with([')', ']', ',', ';'])
}

/// Returns whether a value is an attribute of an object that programs read settings from: `process.env.X`.
fn is_attribute(value: &str) -> bool {
    value
        .split_once('.')
        .is_some_and(|(object, _)| is_object(object))
        && is_path_of_names(value)
}

/// Returns whether a value is a row of names with dots between them.
fn is_path_of_names(value: &str) -> bool {
    let is_name = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && part.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
    };
    value.contains('.') && value.split('.').all(is_name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_of_the_environment_is_a_secret_unless_it_refers_to_one() {
        for value in [
            "hunter2",
            "1234",
            "correct horse",
            "abc.def",
            "/base64+/text=",
            "a(b",
        ] {
            assert!(in_environment(value), "{value}");
        }
        for value in [
            "",
            "true",
            "None",
            "***",
            "***&x=1",
            "abcdef...wxyz",
            "«redacted-secret»",
            "$OTHER",
            "${OTHER}",
            "$(pass show x)",
            "<token>",
            "os.getenv(\"OPENAI_API_KEY\")",
            "os.environ[\"X\"]",
            "process.env.X",
            "/run/secrets/x",
            "https://h/token",
        ] {
            assert!(!in_environment(value), "{value}");
        }
    }

    #[test]
    fn a_literal_is_a_secret_unless_it_is_short_or_speaks() {
        for value in ["hunter2", "abcdef", "p@ss/word1"] {
            assert!(in_quotes("password", value), "{value}");
        }
        for value in [
            "x",
            "abcde",
            "your password",
            "Enter it now",
            "my-password",
            "{value}",
            "a${B}c",
            "{{ vault }}",
        ] {
            assert!(!in_quotes("password", value), "{value}");
        }
    }

    #[test]
    fn a_word_of_a_program_is_a_secret_only_when_it_mixes_letters_and_digits() {
        for value in ["hunter2", "a1b2c3d4-e5"] {
            assert!(in_code("password", value), "{value}");
        }
        for value in ["hunter", "12345678", "resp2.json", "a1*items", "args.v2"] {
            assert!(!in_code("password", value), "{value}");
        }
    }

    #[test]
    fn a_yaml_value_is_a_secret_unless_it_is_a_type_or_syntax() {
        for value in ["hunter2", "hunter", "abc-def", "12345678"] {
            assert_eq!(
                in_line("password", value),
                value.len() >= SHORTEST_LITERAL,
                "{value}"
            );
        }
        for value in [
            "SecretStr",
            "Optional[str]",
            "string",
            "!vault |",
            "*anchor1",
            "settings.password",
            "hunter2,",
        ] {
            assert!(!in_line("password", value), "{value}");
        }
    }
}
