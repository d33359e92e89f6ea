//! Which check a file gets, and what came of it.

use std::path::Path;

use serde::de::IgnoredAny;

use super::fault::Fault;
use super::reply::Lint;
use super::{python, toml, yaml};
use crate::tools::json_fault::JsonFault;

/// Longest Python, TOML or YAML text that is checked, in bytes. A parser cannot be stopped half-way, and the worst texts of this
/// length take it a quarter of a second and some 120 MB.
const MAX_BYTES: usize = 512 << 10;

const BOM: char = '\u{feff}';

/// What a check says about a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::tools) enum Verdict {
    /// The text was not checked, for this reason.
    Skipped(String),
    /// The text is well-formed.
    Valid,
    /// The text is not well-formed.
    Invalid {
        /// Why the text is not to be written at all; `None` where a faulty file is still of use, as with Python.
        refusal: Option<String>,
        /// The fault, as Python would show it.
        fault: String,
    },
}

impl Verdict {
    /// Checks a text that is going to be in a file of this name.
    pub(in crate::tools) fn of(name: &str, text: &str) -> Self {
        let extension = Path::new(name)
            .extension()
            .and_then(|extension| extension.to_str())
            .map(|extension| format!(".{}", extension.to_lowercase()))
            .unwrap_or_default();
        let text = text.strip_prefix(BOM).unwrap_or(text);
        let check: fn(&str) -> Result<(), Fault> = match extension.as_str() {
            ".json" => return Self::of_json(text),
            ".py" => python::check,
            ".toml" => toml::check,
            ".yaml" | ".yml" => yaml::check,
            _ => return Self::Skipped(format!("No linter for {extension} files")),
        };
        if text.len() > MAX_BYTES {
            return Self::Skipped(format!(
                "The text is longer than {MAX_BYTES} bytes and was not checked"
            ));
        }
        match check(text) {
            Ok(()) => Self::Valid,
            Err(Fault::Uncheckable(reason)) => Self::Skipped(reason.to_owned()),
            Err(Fault::Syntax(fault)) => {
                let refusal = (extension != ".py").then(|| syntax_refusal(&extension, &fault));
                Self::Invalid { refusal, fault }
            }
        }
    }

    /// Returns why the text is not to be written, to be put after `Refusing to write '…': `.
    pub(in crate::tools) fn refusal(&self) -> Option<&str> {
        match self {
            Self::Invalid { refusal, .. } => refusal.as_deref(),
            Self::Skipped(_) | Self::Valid => None,
        }
    }

    /// Passes what a parser says through a filter, for it may repeat parts of the text.
    #[must_use]
    pub(in crate::tools) fn cleaned(self, clean: impl Fn(&str) -> String) -> Self {
        match self {
            Self::Invalid { refusal, fault } => Self::Invalid {
                refusal: refusal.map(|refusal| clean(&refusal)),
                fault: clean(&fault),
            },
            Self::Skipped(_) | Self::Valid => self,
        }
    }

    /// Returns what an answer says about the check.
    pub(in crate::tools) fn into_lint(self) -> Lint {
        match self {
            Self::Skipped(message) => Lint::skipped(message),
            Self::Valid => Lint::ok(),
            Self::Invalid { fault, .. } => Lint::error(fault),
        }
    }

    fn of_json(text: &str) -> Self {
        // The parser for ignored values needs no stack, so that a deep text is not refused for its depth.
        let Err(error) = serde_json::from_str::<IgnoredAny>(text) else {
            return Self::Valid;
        };
        let fault = JsonFault::new(text.as_bytes(), &error);
        let shown = format!("JSONDecodeError: {fault}");
        let refusal = match fault.constant() {
            Some(constant) => {
                format!("candidate content uses {constant}, which is not valid JSON.")
            }
            None => syntax_refusal(".json", &shown),
        };
        Self::Invalid {
            refusal: Some(refusal),
            fault: shown,
        }
    }
}

fn syntax_refusal(extension: &str, fault: &str) -> String {
    format!("candidate content fails {extension} syntax validation ({fault}).")
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use super::*;

    fn json(name: &str, text: &str) -> String {
        serde_json::to_string(&Verdict::of(name, text).into_lint()).unwrap()
    }

    #[test]
    fn the_extension_chooses_the_check() {
        for (name, text) in [
            ("x.json", "{\"a\": [1]}"),
            ("x.JSON", "\u{feff}[]"),
            ("x.py", "\u{feff}x = 1\r\n"),
            ("x.toml", "a = 1\n"),
            ("x.yaml", "a: 1\n"),
            ("x.yml", "- a\n"),
        ] {
            assert_eq!(json(name, text), r#"{"status":"ok","output":""}"#, "{name}");
        }
        for (name, extension) in [
            ("x.txt", ".txt"),
            ("a.json.rs", ".rs"),
            ("Makefile", ""),
            (".py", ""),
        ] {
            let expected =
                format!(r#"{{"status":"skipped","message":"No linter for {extension} files"}}"#);
            assert_eq!(json(name, "{"), expected);
        }
    }

    #[test]
    fn faults_of_data_files_are_reasons_not_to_write_and_those_of_python_are_not() {
        let rows = [
            (
                "x.json",
                "{x",
                Some(
                    "candidate content fails .json syntax validation (JSONDecodeError: Expecting property name enclosed in double quotes (line 1, column 2)).",
                ),
            ),
            (
                "x.json",
                "{\"a\": NaN}",
                Some("candidate content uses NaN, which is not valid JSON."),
            ),
            (
                "x.yml",
                "a: [1",
                Some(
                    "candidate content fails .yml syntax validation (YAMLError: while parsing a flow sequence, expected ',' or ']' (line 2, column 1)).",
                ),
            ),
            (
                "x.toml",
                "a =",
                Some(
                    "candidate content fails .toml syntax validation (TOMLDecodeError: string values must be quoted, expected literal string (line 1, column 4)).",
                ),
            ),
            ("x.py", "x = (", None),
        ];
        for (name, text, expected) in rows {
            let verdict = Verdict::of(name, text);
            assert_eq!(verdict.refusal(), expected, "{name}: {text}");
            let lint = serde_json::to_value(verdict.into_lint()).unwrap();
            assert_eq!(lint["status"], "error", "{name}: {text}");
        }
    }

    #[test]
    fn a_deep_json_text_is_not_refused_for_its_depth() {
        let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(Verdict::of("x.json", &deep), Verdict::Valid);
    }

    #[test]
    fn a_text_beyond_the_bound_is_not_checked() {
        let long = "=".repeat(MAX_BYTES + 1);
        for name in ["x.py", "x.toml", "x.yaml"] {
            assert_eq!(
                json(name, &long),
                r#"{"status":"skipped","message":"The text is longer than 524288 bytes and was not checked"}"#
            );
        }
    }
}
