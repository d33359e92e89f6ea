//! Advice for a cell that raised: the mistakes that scripts make again and again, and what to do about each.
//!
//! It reads a traceback and the names of the enabled tools, nothing else. The rules are tried in their order, and the
//! first that matches anywhere in the scanned part wins.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use crate::text::pattern::compiled;
use crate::text::truncate::first_chars;

/// How much of a traceback is read, in characters: the text is the script's own and may be of any size.
const SCANNED_CHARS: usize = 4_000;

const RESULTS_ARE_DICTS: &str = "Tool functions in the sandbox return DICTS (already parsed) — do not json.loads() \
                                 them or index them like strings. Example: read_file(path)['content'].";

/// Functions of `hermes_tools` that exist whichever tools are enabled.
const HELPERS: [&str; 3] = ["json_parse", "shell_quote", "retry"];

static FAILED_IMPORT: LazyLock<Regex> =
    LazyLock::new(|| compiled(r"cannot import name '(\w+)' from 'hermes_tools'"));
static MISSING_HELPER: LazyLock<Regex> =
    LazyLock::new(|| compiled(r"NameError: name '(json_parse|shell_quote|retry)' is not defined"));
static MISSING_MODULE: LazyLock<Regex> =
    LazyLock::new(|| compiled(r"ModuleNotFoundError: No module named '([\w.]+)'"));
static RESULT_AS_TEXT: LazyLock<Regex> = LazyLock::new(|| {
    compiled(
        "TypeError: string indices must be integers|AttributeError: 'str' object has no attribute 'get'",
    )
});

/// Returns the advice for a traceback, if it shows a mistake that is known.
pub(super) fn for_traceback(traceback: &str, tools: &[String]) -> Option<String> {
    let scanned = first_chars(traceback, SCANNED_CHARS);
    if let Some(captures) = FAILED_IMPORT.captures(scanned) {
        return Some(failed_import(name_in(&captures), tools));
    }
    if let Some(captures) = MISSING_HELPER.captures(scanned) {
        let name = name_in(&captures);
        return Some(format!(
            "Import {name} before calling it: from hermes_tools import {name}"
        ));
    }
    if let Some(captures) = MISSING_MODULE.captures(scanned) {
        let name = name_in(&captures);
        return Some(format!(
            "'{name}' is not installed in the sandbox interpreter. Use Python stdlib inside execute_code, or run the \
             code via terminal() with the project venv's python instead."
        ));
    }
    RESULT_AS_TEXT
        .is_match(scanned)
        .then(|| RESULTS_ARE_DICTS.to_owned())
}

fn failed_import(name: &str, tools: &[String]) -> String {
    if HELPERS.contains(&name) {
        return format!(
            "Import helpers with `from hermes_tools import {name}`. If that import failed, the generated module may be \
             stale or another hermes_tools may be first on sys.path. Check hermes_tools.__file__ and retry with \
             reset=true."
        );
    }
    let mut importable: Vec<&str> = tools.iter().map(String::as_str).collect();
    importable.sort_unstable();
    let importable = if importable.is_empty() {
        "none".to_owned()
    } else {
        importable.join(", ")
    };
    format!(
        "'{name}' is not available inside the execute_code sandbox. Importable tools here: {importable}. For anything \
         else, use the normal tool call instead of execute_code."
    )
}

/// Returns what the only group of a rule matched.
fn name_in<'a>(captures: &Captures<'a>) -> &'a str {
    captures.get(1).map_or("", |group| group.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hint(traceback: &str) -> Option<String> {
        for_traceback(
            traceback,
            &["web_search".to_owned(), "read_file".to_owned()],
        )
    }

    #[test]
    fn unknown_import_lists_the_enabled_tools_in_sorted_order() {
        let traceback =
            "ImportError: cannot import name 'json_pars' from 'hermes_tools' (unknown location)";
        let expected = "'json_pars' is not available inside the execute_code sandbox. Importable tools here: \
                        read_file, web_search. For anything else, use the normal tool call instead of execute_code.";
        assert_eq!(hint(traceback).as_deref(), Some(expected));
    }

    #[test]
    fn unknown_import_without_any_tool_says_none() {
        let expected = "'terminal' is not available inside the execute_code sandbox. Importable tools here: none. For \
                        anything else, use the normal tool call instead of execute_code.";
        let found = for_traceback(
            "ImportError: cannot import name 'terminal' from 'hermes_tools'",
            &[],
        );
        assert_eq!(found.as_deref(), Some(expected));
    }

    #[test]
    fn failed_import_of_a_helper_points_at_the_module() {
        for helper in HELPERS {
            let traceback =
                format!("ImportError: cannot import name '{helper}' from 'hermes_tools'");
            let expected = format!(
                "Import helpers with `from hermes_tools import {helper}`. If that import failed, the generated module \
                 may be stale or another hermes_tools may be first on sys.path. Check hermes_tools.__file__ and retry \
                 with reset=true."
            );
            assert_eq!(hint(&traceback), Some(expected));
        }
    }

    #[test]
    fn helper_used_without_import_is_named() {
        for helper in HELPERS {
            let found = hint(&format!("NameError: name '{helper}' is not defined"));
            let expected =
                format!("Import {helper} before calling it: from hermes_tools import {helper}");
            assert_eq!(found, Some(expected));
        }
        assert_eq!(hint("NameError: name 'json' is not defined"), None);
    }

    #[test]
    fn missing_module_is_named_with_its_dots() {
        let expected = "'yaml.cyaml' is not installed in the sandbox interpreter. Use Python stdlib inside \
                        execute_code, or run the code via terminal() with the project venv's python instead.";
        assert_eq!(
            hint("ModuleNotFoundError: No module named 'yaml.cyaml'").as_deref(),
            Some(expected)
        );
    }

    #[test]
    fn result_used_as_text_gets_the_advice_on_dicts() {
        let expected = "Tool functions in the sandbox return DICTS (already parsed) — do not json.loads() them or \
                        index them like strings. Example: read_file(path)['content'].";
        for traceback in [
            "TypeError: string indices must be integers, not 'str'",
            "AttributeError: 'str' object has no attribute 'get'",
        ] {
            assert_eq!(hint(traceback).as_deref(), Some(expected), "{traceback}");
        }
        assert_eq!(
            hint("AttributeError: 'str' object has no attribute 'gut'"),
            None
        );
    }

    #[test]
    fn earlier_rule_wins_over_earlier_text() {
        let traceback = "TypeError: string indices must be integers\n\
                         ModuleNotFoundError: No module named 'x'\n\
                         NameError: name 'retry' is not defined\n";
        assert_eq!(
            hint(traceback).as_deref(),
            Some("Import retry before calling it: from hermes_tools import retry")
        );
        let with_import = format!("{traceback}cannot import name 'y' from 'hermes_tools'");
        assert!(hint(&with_import).is_some_and(|hint| hint.starts_with("'y' is not available")));
        let without_helper = traceback.replace("retry", "other");
        assert!(hint(&without_helper).is_some_and(|hint| hint.starts_with("'x' is not installed")));
    }

    #[test]
    fn only_the_first_four_thousand_characters_are_read() {
        let mistake = "NameError: name 'retry' is not defined";
        let room = 4_000 - mistake.len();
        assert!(hint(&format!("{}{mistake}", "é".repeat(room))).is_some());
        assert_eq!(hint(&format!("{}{mistake}", "é".repeat(room + 1))), None);
    }
}
