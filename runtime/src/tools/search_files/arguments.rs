//! The arguments of a search, read leniently, and the two kinds of search that they mean.

use schemars::JsonSchema;
use serde_json::{Map, Value};

use crate::guard::python_type;
use crate::tools::ToolError;
use crate::tools::arguments::{given, whole_number};

/// Rows of an answer without a limit.
const DEFAULT_LIMIT: u64 = 50;
/// Most lines that are shown around a match, on each side.
const MAX_CONTEXT: u64 = 1_000;
/// Longest pattern or glob in bytes; no sensible one comes near it.
const MAX_PATTERN_BYTES: usize = 4 * 1024;

/// Arguments of `search_files`.
#[derive(Debug, Clone, PartialEq, Eq, JsonSchema)]
pub(super) struct Arguments {
    /// Regular expression to find in lines; a glob such as `*.py` for the target 'files'.
    pub(super) pattern: String,
    /// 'content' searches inside files, 'files' finds files and directories by name.
    #[schemars(with = "String", default = "content")]
    pub(super) target: Target,
    /// Directory or file to search in; several are separated by commas or spaces.
    #[schemars(default = "here")]
    pub(super) path: String,
    /// Glob that limits a content search to some files, such as `*.py` or `!*.min.js`.
    #[schemars(default)]
    pub(super) file_glob: Option<String>,
    /// Number of rows to return.
    #[schemars(default = "default_limit")]
    pub(super) limit: u64,
    /// Number of rows to leave out before the first one.
    #[schemars(default)]
    pub(super) offset: u64,
    /// 'content' returns lines, '`files_only`' paths, 'count' the number of matching lines of each file.
    #[schemars(with = "String", default = "content")]
    pub(super) output_mode: OutputMode,
    /// Number of lines to add above and below each match.
    #[schemars(default)]
    pub(super) context: usize,
    /// 'discovery' lists files by path, 'modified' the newest first.
    #[schemars(with = "String", default = "discovery")]
    pub(super) order: Order,
}

/// What is searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    Content,
    Files,
}

/// What is told about the matches in files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OutputMode {
    Content,
    FilesOnly,
    Count,
}

/// How found files are ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    Discovery,
    Modified,
}

impl Arguments {
    /// Reads an arguments object.
    pub(super) fn parse(arguments: &Map<String, Value>) -> Result<Self, ToolError> {
        let pattern = text(arguments, "pattern")?
            .ok_or_else(|| ToolError::new("search_files: missing required field 'pattern'."))?;
        let file_glob = text(arguments, "file_glob")?.filter(|glob| !glob.trim().is_empty());
        let target = match text(arguments, "target")?.as_deref().map(str::trim) {
            None | Some("content" | "grep" | "") => Target::Content,
            Some("files" | "find") => Target::Files,
            Some(other) => return Err(unknown("target", other, "'content' or 'files'")),
        };
        let output_mode = match text(arguments, "output_mode")?.as_deref().map(str::trim) {
            None | Some("content" | "") => OutputMode::Content,
            Some("files_only") => OutputMode::FilesOnly,
            Some("count") => OutputMode::Count,
            Some(other) => {
                let expected = "'content', 'files_only' or 'count'";
                return Err(unknown("output_mode", other, expected));
            }
        };
        let order = match text(arguments, "order")?.as_deref() {
            None | Some("discovery") => Order::Discovery,
            Some("modified") => Order::Modified,
            // The order of lines is always that of the files.
            Some(_) if target == Target::Content => Order::Discovery,
            Some(other) => {
                return Err(ToolError::new(format_args!(
                    "Invalid file search order '{}'; expected 'discovery' or 'modified'.",
                    shown(other)
                )));
            }
        };
        for (name, value) in [
            ("pattern", Some(&pattern)),
            ("file_glob", file_glob.as_ref()),
        ] {
            if value.is_some_and(|value| value.len() > MAX_PATTERN_BYTES) {
                return Err(ToolError::new(format_args!(
                    "Search failed: '{name}' has more than {MAX_PATTERN_BYTES} bytes."
                )));
            }
        }
        let number = |name| whole_number(given(arguments, name));
        let at_least = |name, least: u64, default| {
            number(name).map_or(default, |number| {
                u64::try_from(number).unwrap_or(0).max(least)
            })
        };
        Ok(Self {
            pattern,
            target,
            path: text(arguments, "path")?
                .filter(|path| !path.trim().is_empty())
                .unwrap_or_else(here),
            file_glob,
            limit: at_least("limit", 1, DEFAULT_LIMIT),
            offset: at_least("offset", 0, 0),
            output_mode,
            context: usize::try_from(at_least("context", 0, 0).min(MAX_CONTEXT)).unwrap_or(0),
            order,
        })
    }
}

fn text(arguments: &Map<String, Value>, name: &str) -> Result<Option<String>, ToolError> {
    match given(arguments, name) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(other) => {
            let got = python_type(other);
            Err(ToolError::new(format_args!(
                "search_files: '{name}' must be a string, got {got}."
            )))
        }
    }
}

fn unknown(name: &str, value: &str, expected: &str) -> ToolError {
    ToolError::new(format_args!(
        "Invalid {name} '{}'; expected {expected}.",
        shown(value)
    ))
}

/// Keeps an absurdly long word from filling the answer.
fn shown(value: &str) -> &str {
    crate::text::truncate::first_chars(value, 100)
}

fn content() -> String {
    "content".to_owned()
}

fn discovery() -> String {
    "discovery".to_owned()
}

fn here() -> String {
    ".".to_owned()
}

fn default_limit() -> u64 {
    DEFAULT_LIMIT
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use serde_json::json;

    use super::*;

    fn parse(arguments: Value) -> Result<Arguments, String> {
        let Value::Object(arguments) = arguments else {
            panic!("not an object: {arguments}")
        };
        Arguments::parse(&arguments).map_err(|error| error.to_string())
    }

    #[test]
    fn what_is_not_given_has_its_default() {
        let expected = Arguments {
            pattern: "x".to_owned(),
            target: Target::Content,
            path: ".".to_owned(),
            file_glob: None,
            limit: 50,
            offset: 0,
            output_mode: OutputMode::Content,
            context: 0,
            order: Order::Discovery,
        };
        let rows = [
            json!({"pattern": "x"}),
            json!({"pattern": "x", "target": null, "path": null, "file_glob": null, "limit": null, "offset": null, "output_mode": null, "context": null, "order": null}),
            json!({"pattern": "x", "target": "grep", "path": " ", "file_glob": "", "limit": "many", "offset": -3, "context": -1, "order": "size"}),
        ];
        for row in rows {
            assert_eq!(parse(row).unwrap(), expected);
        }
    }

    #[test]
    fn numbers_of_any_size_are_taken_to_their_bounds() {
        let huge =
            parse(json!({"pattern": "", "limit": 0, "offset": "7", "context": 1e12})).unwrap();
        assert_eq!((huge.limit, huge.offset, huge.context), (1, 7, 1_000));
        let huge = parse(json!({"pattern": "", "limit": i64::MAX, "offset": 2.9})).unwrap();
        assert_eq!((huge.limit, huge.offset), (i64::MAX.unsigned_abs(), 2));
    }

    #[test]
    fn words_have_aliases() {
        for (word, expected) in [
            ("content", Target::Content),
            ("grep", Target::Content),
            ("files", Target::Files),
            ("find", Target::Files),
        ] {
            assert_eq!(
                parse(json!({"pattern": "x", "target": word}))
                    .unwrap()
                    .target,
                expected
            );
        }
    }

    #[test]
    fn bad_arguments_are_named() {
        let rows = [
            (json!({}), "search_files: missing required field 'pattern'."),
            (
                json!({"pattern": 1}),
                "search_files: 'pattern' must be a string, got int.",
            ),
            (
                json!({"pattern": "x", "path": ["a"]}),
                "search_files: 'path' must be a string, got list.",
            ),
            (
                json!({"pattern": "x", "target": "names"}),
                "Invalid target 'names'; expected 'content' or 'files'.",
            ),
            (
                json!({"pattern": "x", "output_mode": "json"}),
                "Invalid output_mode 'json'; expected 'content', 'files_only' or 'count'.",
            ),
            (
                json!({"pattern": "x", "target": "files", "order": "size"}),
                "Invalid file search order 'size'; expected 'discovery' or 'modified'.",
            ),
            (
                json!({"pattern": "x".repeat(4_097)}),
                "Search failed: 'pattern' has more than 4096 bytes.",
            ),
        ];
        for (arguments, expected) in rows {
            assert_eq!(parse(arguments).unwrap_err(), expected);
        }
    }
}
