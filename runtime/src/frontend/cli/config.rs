//! `hermes-exec config`: the effective values of the configuration, and where each came from.

use std::fmt::Write;

use clap::Args;
use hermes_runtime::{Config, EffectiveSetting};
use serde_json::{Value, json};

use crate::exit::Exit;
use crate::failure::Failure;
use crate::options::CellOptions;
use crate::session_options::SessionOptions;
use crate::streams;

/// Longest value for which the column makes room; a longer one pushes its origin aside.
const WIDEST_VALUE: usize = 40;

/// Arguments of `config`.
#[derive(Debug, Args)]
pub(super) struct ConfigArguments {
    /// Print one line of JSON: `path`, `settings` with key, value and origin, and `warnings`
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    options: CellOptions,

    #[command(flatten)]
    sessions: SessionOptions,
}

/// Prints the values that `run` or `serve` would use with the same options.
pub(super) fn run(arguments: &ConfigArguments) -> Result<Exit, Failure> {
    let config = arguments.sessions.over(arguments.options.config());
    let config = match arguments.options.project_directory(&config) {
        Some(directory) => config.with_project_directory(directory),
        None => config,
    };
    let text = if arguments.json {
        line(&config)
    } else {
        table(&config.settings())
    };
    streams::print(&text).map_err(Failure::to("write the output"))?;
    Ok(Exit::Success)
}

fn line(config: &Config) -> String {
    let row = |setting: EffectiveSetting| {
        json!({
            "key": setting.key,
            "value": setting.value,
            "origin": setting.origin.to_string(),
        })
    };
    let settings: Vec<_> = config.settings().into_iter().map(row).collect();
    let path = config.path().map(|path| path.display().to_string());
    let all = json!({ "path": path, "settings": settings, "warnings": config.warnings() });
    format!("{all}\n")
}

/// Lays the values out in three columns: key, value, origin.
fn table(settings: &[EffectiveSetting]) -> String {
    let rows: Vec<_> = settings
        .iter()
        .map(|setting| {
            (
                setting.key,
                shown(&setting.value),
                setting.origin.to_string(),
            )
        })
        .collect();
    let width = |length: &dyn Fn(&(&str, String, String)) -> usize| {
        rows.iter().map(length).max().unwrap_or_default()
    };
    let keys = width(&|row| row.0.chars().count());
    let values = width(&|row| row.1.chars().count()).min(WIDEST_VALUE);
    let mut text = String::new();
    for (key, value, origin) in &rows {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{key:keys$}  {value:values$}  {origin}");
    }
    text
}

/// Writes a value as JSON, but for plain words and what is not set. No letter of it can move a terminal's cursor.
fn shown(value: &Value) -> String {
    match value {
        Value::Null => "-".to_owned(),
        Value::String(text) if is_word(text) => text.clone(),
        other => {
            let json = other.to_string();
            // JSON escapes the control characters of ASCII; those above and the marks that turn text are left.
            let visible = json.chars().map(|letter| match letter {
                ' '..='~' => letter.to_string(),
                letter => letter.escape_debug().to_string(),
            });
            visible.collect()
        }
    }
}

fn is_word(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphanumeric())
        && text
            .chars()
            .all(|letter| letter.is_ascii_alphanumeric() || "/_-.+".contains(letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned() {
        let config = Config::from_yaml(
            "code_execution: {timeout: 60}\napprovals: {deny: ['git push *', \"a\\u202eb\"]}\n",
        );
        let text = table(&config.settings());
        let row = |key: &str| {
            let row = text.lines().find(|line| line.starts_with(key));
            row.unwrap_or_else(|| panic!("{key} is missing in\n{text}"))
        };
        let origin = row("code_execution.mode").find("default");
        assert!(origin.is_some());
        assert_eq!(row("code_execution.timeout").find("config.yaml"), origin);
        assert_eq!(row("timezone").find("default"), origin);
        assert!(row("timezone").contains("  -  "));
        assert!(row("approvals.deny").contains(r#"["git push *","a\u{202e}b"]"#));
    }

    #[test]
    fn json_holds_the_same_values() {
        let config = Config::from_yaml("code_execution: {timeout: sixty}\n");
        let read: Value = serde_json::from_str(&line(&config)).unwrap_or_default();
        assert_eq!(read["path"], Value::Null);
        assert_eq!(
            read["settings"][1],
            json!({"key": "code_execution.timeout", "value": 300, "origin": "default"})
        );
        assert_eq!(read["warnings"].as_array().map(Vec::len), Some(1));
    }
}
