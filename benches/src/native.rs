//! The native interpreter that everything is compared with.
//!
//! It is the interpreter itself, never a shim that starts one, and it runs without the caller's `PYTHON…` variables:
//! one of them may keep it from caching compiled modules, which would make its start look slow.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use anyhow::{Context as _, Result, ensure};

/// Where the build of the artifact leaves its own interpreter, below Cargo's target directory. It is of the same
/// version as the one in the sandbox.
const BUILT_WITH_ARTIFACT: &str = "python-wasm/native/python";

/// Prints the real path of the interpreter and its version.
const ABOUT: &str = "import os, platform, sys; print(os.path.realpath(sys.executable)); print(platform.python_version())";

/// A native interpreter.
#[derive(Debug)]
pub(crate) struct Interpreter {
    path: PathBuf,
    version: String,
}

impl Interpreter {
    /// Finds the interpreter: the given one, else the one built with the artifact, else the `python3` of `PATH`.
    pub(crate) fn find(given: Option<&Path>, target_directory: &Path) -> Result<Self> {
        let built = target_directory.join(BUILT_WITH_ARTIFACT);
        let candidate = match given {
            Some(path) => path.to_path_buf(),
            None if built.is_file() => built,
            None => PathBuf::from("python3"),
        };
        let about = read(command(&candidate).args(["-c", ABOUT]))?;
        let (path, version) = about
            .trim_end()
            .split_once('\n')
            .context("the interpreter does not say what it is")?;
        Ok(Self {
            path: path.into(),
            version: version.to_owned(),
        })
    }

    /// Returns the path of the interpreter.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the version, such as `3.13.5`.
    pub(crate) fn version(&self) -> &str {
        &self.version
    }

    /// Returns a command that starts the interpreter.
    pub(crate) fn command(&self) -> Command {
        command(&self.path)
    }
}

fn command(interpreter: &Path) -> Command {
    let mut command = Command::new(interpreter);
    for name in python_variables(env::vars_os()) {
        command.env_remove(name);
    }
    command
}

fn python_variables(environment: impl Iterator<Item = (OsString, OsString)>) -> Vec<OsString> {
    let names = environment.map(|(name, _)| name);
    names
        .filter(|name| name.to_string_lossy().starts_with("PYTHON"))
        .collect()
}

/// Runs a command to its end and returns what it printed; a command that fails is an error with its complaint.
pub(crate) fn read(command: &mut Command) -> Result<String> {
    let name = command.get_program().to_os_string();
    let Output {
        status,
        stdout,
        stderr,
    } = command
        .output()
        .with_context(|| format!("cannot start `{}`", name.display()))?;
    ensure!(
        status.success(),
        "`{}` failed: {status}: {}",
        name.display(),
        String::from_utf8_lossy(&stderr)
    );
    String::from_utf8(stdout).with_context(|| format!("`{}` did not print text", name.display()))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use super::*;

    #[test]
    fn the_interpreter_runs_without_the_callers_settings() {
        let environment = ["PYTHONPATH", "PATH", "PYTHONDONTWRITEBYTECODE"];
        let variables = environment.map(|name| (name.into(), "1".into()));
        assert_eq!(
            python_variables(variables.into_iter()),
            ["PYTHONPATH", "PYTHONDONTWRITEBYTECODE"]
        );
    }

    #[test]
    fn an_interpreter_that_is_not_there_is_named() {
        let error = Interpreter::find(Some(Path::new("/no/python")), Path::new("/")).unwrap_err();
        assert_eq!(error.to_string(), "cannot start `/no/python`");
    }

    #[test]
    fn a_command_that_fails_gives_its_complaint() {
        let error = read(Command::new("sh").args(["-c", "echo broken >&2; exit 3"])).unwrap_err();
        assert_eq!(error.to_string(), "`sh` failed: exit status: 3: broken\n");
    }
}
