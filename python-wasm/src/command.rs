//! Subprocesses: each runs in a clean environment with its output in the step's log, and says when it fails what it
//! was, how it ended and what it said last.

use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use anyhow::{Context as _, Result, bail};

/// How many lines of the log an error shows.
const TAIL_LINES: usize = 12;

/// Variables of the caller's environment that would change what is built, or make a subprocess talk to the wrong
/// `make` or `cargo`.
const REMOVED: &[&str] = &[
    "AR",
    "CC",
    "CFLAGS",
    "CONFIG_SITE",
    "CPP",
    "CPPFLAGS",
    "CXX",
    "CXXFLAGS",
    "LDFLAGS",
    "LIBS",
    "RANLIB",
    "MAKEFLAGS",
    "MAKELEVEL",
    "MFLAGS",
    "PKG_CONFIG_LIBDIR",
    "PKG_CONFIG_PATH",
    "PYTHONDONTWRITEBYTECODE",
    "PYTHONHOME",
    "PYTHONPATH",
    "PYTHONSAFEPATH",
    "CARGO_BUILD_RUSTFLAGS",
    "CARGO_BUILD_TARGET",
    "CARGO_ENCODED_RUSTFLAGS",
    "CARGO_TARGET_DIR",
    "RUSTFLAGS",
];

/// The moment that is compiled in wherever the C preprocessor asks for the date: that of the `CPython` release.
const SOURCE_DATE_EPOCH: &str = "1749600000";

/// Returns a command with the environment that every build wants. Arguments, directory and output are the caller's.
pub(crate) fn command(program: impl AsRef<std::ffi::OsStr>) -> Command {
    let mut command = Command::new(program);
    for name in REMOVED {
        command.env_remove(name);
    }
    command
        .env("SOURCE_DATE_EPOCH", SOURCE_DATE_EPOCH)
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdio::null());
    command
}

/// Returns what a program says about itself, for the keys of the steps that use it.
pub(crate) fn version(program: &Path, directory: &Path) -> Result<String> {
    let output = command(program)
        .arg("--version")
        .current_dir(directory)
        .output();
    let output = output.with_context(|| format!("cannot run `{}`", program.display()))?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The log of one step, which its commands write to.
#[derive(Debug)]
pub(crate) struct Log {
    path: PathBuf,
}

impl Log {
    /// Returns a new, empty log.
    pub(crate) fn create(path: PathBuf) -> Result<Self> {
        let context = || format!("cannot write `{}`", path.display());
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).with_context(context)?;
        }
        File::create(&path).with_context(context)?;
        Ok(Self { path })
    }

    /// Returns the log's path.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Adds text of our own.
    pub(crate) fn write(&self, text: &str) -> Result<()> {
        writeln!(self.file()?, "{text}")
            .with_context(|| format!("cannot write `{}`", self.path.display()))
    }

    /// Runs a command to its end with both output streams in the log.
    pub(crate) fn run(&self, command: &mut Command) -> Result<()> {
        let file = self.announce(command)?;
        command
            .stdout(file.try_clone().context("cannot share the log")?)
            .stderr(file);
        let status = command
            .status()
            .map_err(|error| cannot_start(command, &error))?;
        self.check(command, status)
    }

    /// Runs a command to its end and returns what it wrote to its standard output; the rest goes to the log.
    pub(crate) fn capture(&self, command: &mut Command) -> Result<Vec<u8>> {
        let file = self.announce(command)?;
        command.stdout(Stdio::piped()).stderr(file);
        let output = command
            .spawn()
            .and_then(std::process::Child::wait_with_output);
        let output = output.map_err(|error| cannot_start(command, &error))?;
        if !output.status.success() {
            // What it printed belongs to the explanation, as some programs report errors there.
            self.write(&String::from_utf8_lossy(&output.stdout))?;
        }
        self.check(command, output.status)?;
        Ok(output.stdout)
    }

    fn announce(&self, command: &Command) -> Result<File> {
        let arguments = command
            .get_args()
            .map(|argument| format!(" {}", argument.to_string_lossy()));
        let line = arguments.fold(format!("$ {}", program(command)), |line, argument| {
            line + &argument
        });
        self.write(&line)?;
        self.file()
    }

    fn file(&self) -> Result<File> {
        let file = OpenOptions::new()
            .append(true)
            .create(true)
            .open(&self.path);
        file.with_context(|| format!("cannot write `{}`", self.path.display()))
    }

    fn check(&self, command: &Command, status: ExitStatus) -> Result<()> {
        if status.success() {
            return Ok(());
        }
        let text = fs::read(&self.path).unwrap_or_default();
        bail!(CommandFailed {
            program: program(command),
            status,
            tail: tail(&String::from_utf8_lossy(&text)),
            log: self.path.clone(),
        });
    }
}

/// A command that ended with another code than zero.
#[derive(Debug)]
struct CommandFailed {
    program: String,
    status: ExitStatus,
    tail: String,
    log: PathBuf,
}

impl fmt::Display for CommandFailed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` failed ({})\n{}\nwhole log: {}",
            self.program,
            self.status,
            self.tail,
            self.log.display()
        )
    }
}

impl std::error::Error for CommandFailed {}

fn cannot_start(command: &Command, error: &std::io::Error) -> anyhow::Error {
    let program = program(command);
    if error.kind() == ErrorKind::NotFound {
        anyhow::anyhow!(
            "`{program}` is not installed\nhint: run `cargo run --release --bin python-wasm -- setup`"
        )
    } else {
        anyhow::anyhow!("cannot start `{program}`: {error}")
    }
}

fn program(command: &Command) -> String {
    command.get_program().to_string_lossy().into_owned()
}

fn tail(text: &str) -> String {
    let lines: Vec<&str> = text.trim_end().lines().collect();
    let shown = lines
        .get(lines.len().saturating_sub(TAIL_LINES)..)
        .unwrap_or_default();
    shown
        .iter()
        .map(|line| format!("  | {line}"))
        .collect::<Vec<_>>()
        .join("\n")
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    fn log() -> (tempfile::TempDir, Log) {
        let directory = tempfile::tempdir().unwrap();
        let log = Log::create(directory.path().join("logs/step.log")).unwrap();
        (directory, log)
    }

    #[test]
    fn what_a_program_says_about_itself_is_kept_whole_and_a_missing_one_is_named() {
        let (directory, _log) = log();
        let program = directory.path().join("tool");
        fs::write(&program, "#!/bin/sh\necho tool $1\nexit 0\n").unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(
            version(&program, directory.path()).unwrap(),
            "tool --version\n"
        );
        let missing = directory.path().join("missing");
        assert_eq!(
            version(&missing, directory.path()).unwrap_err().to_string(),
            format!("cannot run `{}`", missing.display())
        );
    }

    #[test]
    fn a_failed_command_shows_its_code_its_last_lines_and_its_log() {
        let (_directory, log) = log();
        let error = log
            .run(command("sh").args(["-c", "seq 1 30; exit 3"]))
            .unwrap_err()
            .to_string();
        let tail: Vec<String> = (19..=30).map(|n| format!("  | {n}")).collect();
        assert_eq!(
            error,
            format!(
                "`sh` failed (exit status: 3)\n{}\nwhole log: {}",
                tail.join("\n"),
                log.path().display()
            )
        );
    }

    #[test]
    fn a_missing_program_is_named_with_the_command_that_installs_it() {
        let (_directory, log) = log();
        let error = log
            .run(&mut command("no-such-program-here"))
            .unwrap_err()
            .to_string();
        assert_eq!(
            error,
            "`no-such-program-here` is not installed\nhint: run `cargo run --release --bin python-wasm -- setup`"
        );
    }

    #[test]
    fn captured_output_is_returned_and_errors_go_to_the_log() {
        let (_directory, log) = log();
        let output = log
            .capture(command("sh").args(["-c", "echo out; echo err >&2"]))
            .unwrap();
        assert_eq!(output, b"out\n");
        assert!(fs::read_to_string(log.path()).unwrap().ends_with("\nerr\n"));
    }

    #[test]
    fn commands_run_without_the_callers_build_flags() {
        let command = command("true");
        let removed: Vec<_> = command
            .get_envs()
            .filter(|(_, value)| value.is_none())
            .map(|(name, _)| name)
            .collect();
        assert!(
            removed.contains(&"MAKEFLAGS".as_ref()) && removed.contains(&"CFLAGS".as_ref()),
            "{removed:?}"
        );
    }
}
