//! The arguments of a call, checked one by one before anything of it is judged or run.

use std::path::PathBuf;
use std::time::Duration;

use schemars::JsonSchema;
use serde_json::{Map, Value};

use super::TerminalOptions;
use super::reply::NotRun;
use crate::guard::{MAX_COMMAND_BYTES, python_type};
use crate::tools::arguments::given;

pub(super) const CODE_INSTEAD_OF_COMMAND: &str = "terminal received a 'code' parameter, but it requires a shell command in 'command'. Use execute_code(code=...) for Python; for shell, retry as terminal(command=...).";
/// Characters of a working directory's path besides letters and digits.
const WORKDIR_PUNCTUATION: &str = "/\\:_-.~ +@=,";

/// Longest time limit of any command: a day.
const LONGEST_SECONDS: f64 = 86_400.0;

/// Arguments of `terminal`.
#[derive(Debug, JsonSchema)]
#[expect(
    dead_code,
    reason = "the struct is the signature; values are checked one by one"
)]
pub(super) struct Arguments {
    /// The shell command.
    command: String,
    /// Time limit in seconds; 180 if not given. With more than 600 the command is started in the background.
    #[schemars(default)]
    timeout: Option<u64>,
    /// Directory for this command only.
    #[schemars(default)]
    workdir: Option<String>,
}

/// A call whose arguments are sound.
#[derive(Debug)]
pub(super) struct Call<'a> {
    pub(super) command: &'a str,
    pub(super) workdir: Option<PathBuf>,
    pub(super) timeout: Duration,
    /// Whether it may take longer than a command in the foreground.
    pub(super) is_long: bool,
}

impl<'a> Call<'a> {
    pub(super) fn read(
        arguments: &'a Map<String, Value>,
        options: &TerminalOptions,
    ) -> Result<Self, NotRun> {
        let command = read_command(arguments)?;
        let named = given(arguments, "timeout").map(read_timeout).transpose()?;
        // Only who asks for it has a command that goes on: a default is cut to what the foreground allows.
        let default = options.timeout.min(options.max_timeout);
        Ok(Self {
            command,
            timeout: named.unwrap_or(default),
            is_long: named.is_some_and(|timeout| timeout > options.max_timeout),
            workdir: given(arguments, "workdir").map(read_workdir).transpose()?,
        })
    }
}

fn read_command(arguments: &Map<String, Value>) -> Result<&str, NotRun> {
    let command = match given(arguments, "command") {
        Some(Value::String(command)) => command,
        None if given(arguments, "code").is_some() => {
            return Err(NotRun::error(CODE_INSTEAD_OF_COMMAND));
        }
        other => {
            let got = python_type(other.unwrap_or(&Value::Null));
            return Err(NotRun::error(format!(
                "Invalid command: expected string, got {got}"
            )));
        }
    };
    if command.contains('\0') {
        return Err(NotRun::error(
            "Invalid command: it contains a NUL character, which no shell accepts.",
        ));
    }
    if command.len() > MAX_COMMAND_BYTES {
        return Err(NotRun::error(format!(
            "Invalid command: it has {} bytes; at most {MAX_COMMAND_BYTES} are allowed. Write long texts with write_file.",
            command.len()
        )));
    }
    Ok(command)
}

fn read_timeout(value: &Value) -> Result<Duration, NotRun> {
    let seconds = value
        .as_f64()
        .filter(|seconds| *seconds > 0.0)
        .ok_or_else(|| {
            NotRun::error(format!(
                "timeout must be a positive number of seconds (got {value})."
            ))
        })?;
    if seconds > LONGEST_SECONDS {
        return Err(NotRun::error(format!(
            "timeout must be at most {LONGEST_SECONDS} seconds (got {value})."
        )));
    }
    // The number is positive, finite and small here; one that is too small to count gives the shortest time.
    Ok(Duration::try_from_secs_f64(seconds).unwrap_or_default())
}

fn read_workdir(value: &Value) -> Result<PathBuf, NotRun> {
    let Some(path) = value.as_str() else {
        let got = python_type(value);
        return Err(NotRun::error(format!(
            "Invalid workdir: expected string, got {got}"
        )));
    };
    let is_allowed =
        |letter: &char| letter.is_alphanumeric() || WORKDIR_PUNCTUATION.contains(*letter);
    match path.chars().find(|letter| !is_allowed(letter)) {
        Some(letter) => Err(NotRun::blocked(format!(
            "Blocked: workdir contains disallowed character {}. Use a simple filesystem path without shell metacharacters.",
            python_repr(letter)
        ))),
        None => Ok(home_expanded(path)),
    }
}

/// Shows a character as Python's `repr` does.
fn python_repr(letter: char) -> String {
    match letter {
        '\'' => "\"'\"".to_owned(),
        '"' => "'\"'".to_owned(),
        '\n' | '\r' | '\t' => format!("'{}'", letter.escape_default()),
        '\0'..='\x1f' | '\x7f' => format!("'\\x{:02x}'", u32::from(letter)),
        _ => format!("'{letter}'"),
    }
}

/// Puts the user's directory in the place of a leading `~`, as a shell would.
fn home_expanded(path: &str) -> PathBuf {
    let rest = match path.strip_prefix('~') {
        Some("") => Some(""),
        Some(rest) => rest.strip_prefix('/'),
        None => None,
    };
    match (rest, std::env::home_dir()) {
        (Some(rest), Some(home)) => home.join(rest),
        _ => PathBuf::from(path),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn characters_are_shown_as_python_does() {
        let rows = [
            (';', "';'"),
            ('\'', "\"'\""),
            ('"', "'\"'"),
            ('\n', "'\\n'"),
            ('\x1b', "'\\x1b'"),
            ('€', "'€'"),
        ];
        for (letter, expected) in rows {
            let blocked = format!(
                "Blocked: workdir contains disallowed character {expected}. Use a simple filesystem path without shell metacharacters."
            );
            let refusal = read_workdir(&json!(format!("/tmp{letter}x")));
            assert_eq!(refusal, Err(NotRun::blocked(blocked)));
        }
    }

    #[test]
    fn plain_paths_of_any_script_are_taken() {
        for path in ["/tmp/a b", "C:\\x", "a-b_c.d+e@f=g,h", "/été/漢", "..", ""] {
            assert_eq!(read_workdir(&json!(path)), Ok(PathBuf::from(path)));
        }
        let home = std::env::home_dir().unwrap_or_default();
        assert_eq!(read_workdir(&json!("~/x")), Ok(home.join("x")));
        assert_eq!(read_workdir(&json!("~x")), Ok(PathBuf::from("~x")));
    }
}
