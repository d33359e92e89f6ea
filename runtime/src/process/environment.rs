//! The environment that shell commands start with: a short list of harmless variables and nothing else.
//!
//! Keys and tokens in the host's environment never reach a command, because what is not on the list is dropped.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fmt;

const KEPT_NAMES: [&str; 6] = ["HOME", "LANG", "PATH", "TERM", "TMPDIR", "USER"];
const KEPT_PREFIX: &str = "LC_";
const PATH_NAME: &str = "PATH";
/// Where to look for programs if the host itself has no search path.
const DEFAULT_PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/// What no program starts without on Windows, in capitals: names are not told by case there.
pub(crate) const WINDOWS_ESSENTIALS: [&str; 21] = [
    "ALLUSERSPROFILE",
    "APPDATA",
    "COMMONPROGRAMFILES",
    "COMMONPROGRAMFILES(X86)",
    "COMMONPROGRAMW6432",
    "COMPUTERNAME",
    "COMSPEC",
    "HOMEDRIVE",
    "HOMEPATH",
    "LOCALAPPDATA",
    "NUMBER_OF_PROCESSORS",
    "OS",
    "PATHEXT",
    "PROCESSOR_ARCHITECTURE",
    "PROGRAMDATA",
    "PROGRAMFILES",
    "PROGRAMFILES(X86)",
    "SYSTEMDRIVE",
    "SYSTEMROOT",
    "USERPROFILE",
    "WINDIR",
];

/// Holds the variables that a session's first shell command sees.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Environment {
    variables: Vec<(OsString, OsString)>,
}

impl Environment {
    /// Takes the harmless variables of this process.
    pub(crate) fn inherited() -> Self {
        Self::scrubbed(env::vars_os())
    }

    /// Takes the harmless ones of the given variables: `PATH`, `HOME`, `LANG`, `TERM`, `TMPDIR`, `USER` and `LC_*`.
    pub(crate) fn scrubbed(variables: impl IntoIterator<Item = (OsString, OsString)>) -> Self {
        let mut variables: Vec<_> = variables
            .into_iter()
            .filter(|(name, _)| is_kept(name))
            .collect();
        if !variables.iter().any(|(name, _)| is_path(name)) {
            variables.push((PATH_NAME.into(), DEFAULT_PATH.into()));
        }
        Self { variables }
    }

    /// Returns the directories in which programs are looked for.
    pub(super) fn path(&self) -> &OsStr {
        let mut variables = self.variables();
        let found = variables.find(|(name, _)| is_path(name));
        found.map_or(OsStr::new(DEFAULT_PATH), |(_, value)| value)
    }

    /// Returns the variables by name and value.
    pub(super) fn variables(&self) -> impl Iterator<Item = (&OsStr, &OsStr)> {
        self.variables
            .iter()
            .map(|(name, value)| (name.as_os_str(), value.as_os_str()))
    }
}

impl fmt::Debug for Environment {
    /// Shows the names only.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_list()
            .entries(self.variables().map(|(name, _)| name))
            .finish()
    }
}

/// Tells whether a name is that of the search path, which Windows spells `Path`.
fn is_path(name: &OsStr) -> bool {
    name == PATH_NAME || cfg!(windows) && name.eq_ignore_ascii_case(PATH_NAME)
}

fn is_kept(name: &OsStr) -> bool {
    name.to_str().is_some_and(|name| {
        KEPT_NAMES.contains(&name) || name.starts_with(KEPT_PREFIX) || is_kept_on_windows(name)
    })
}

fn is_kept_on_windows(name: &str) -> bool {
    let capitals = name.to_uppercase();
    cfg!(windows) && (capitals == PATH_NAME || WINDOWS_ESSENTIALS.contains(&capitals.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scrub(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        let pairs = pairs
            .iter()
            .map(|(name, value)| (name.into(), value.into()));
        Environment::scrubbed(pairs)
            .variables()
            .map(|(name, value)| {
                (
                    name.to_string_lossy().into_owned(),
                    value.to_string_lossy().into_owned(),
                )
            })
            .collect()
    }

    #[test]
    fn only_listed_variables_are_kept() {
        let kept = scrub(&[
            ("PATH", "/bin"),
            ("OPENAI_API_KEY", "k"),
            ("GITHUB_TOKEN", "t"),
            ("LC_ALL", "C"),
            ("HOME", "/home/u"),
            ("HERMES_DB_URL", "postgres://"),
            ("BASH_ENV", "/tmp/evil"),
            ("LD_PRELOAD", "/tmp/evil.so"),
            ("PATHOLOGICAL", "x"),
        ]);
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(
            kept,
            [
                pair("PATH", "/bin"),
                pair("LC_ALL", "C"),
                pair("HOME", "/home/u")
            ]
        );
    }

    #[test]
    fn a_search_path_is_always_there() {
        assert_eq!(
            scrub(&[]),
            [(PATH_NAME.to_owned(), DEFAULT_PATH.to_owned())]
        );
    }

    #[test]
    fn values_are_never_shown() {
        let environment = Environment::scrubbed([("HOME".into(), "hidden".into())]);
        assert_eq!(format!("{environment:?}"), r#"["HOME", "PATH"]"#);
    }
}
