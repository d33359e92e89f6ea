//! One run of the real binary: arguments, standard input, environment; what it printed and its exit code.

use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc;
use std::thread;

use serde_json::Value;
use tempfile::TempDir;

use crate::binary;
use crate::deadline::DEADLINE;

/// A command line to be run. It sees the artifact under test, and a home directory of its own.
#[derive(Debug)]
#[must_use]
pub struct Cli {
    command: Command,
    stdin: Vec<u8>,
    home: TempDir,
}

impl Cli {
    /// Makes a command line of these arguments.
    pub fn new(arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Self {
        let home = tempfile::tempdir().unwrap();
        let mut command = binary::command(home.path());
        command.args(arguments);
        Self {
            command,
            stdin: Vec::new(),
            home,
        }
    }

    /// Returns its home directory.
    pub fn home(&self) -> &Path {
        self.home.path()
    }

    /// Sets what it reads from standard input.
    pub fn stdin(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.stdin = bytes.into();
        self
    }

    /// Sets a variable of its environment.
    pub fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    /// Removes a variable from its environment.
    pub fn env_remove(mut self, name: &str) -> Self {
        self.command.env_remove(name);
        self
    }

    /// Puts a configuration into its home directory.
    pub fn config(self, yaml: &str) -> Self {
        std::fs::write(self.home.path().join("config.yaml"), yaml).unwrap();
        self
    }

    /// Has it started by a program that is given the command line, such as `env`.
    pub fn started_by(mut self, launcher: &[&str]) -> Self {
        self.command = binary::started_by(launcher, &self.command);
        self
    }

    /// Sets its working directory.
    pub fn current_dir(mut self, directory: &Path) -> Self {
        self.command.current_dir(directory);
        self
    }

    /// Runs it to its end.
    pub fn run(self) -> Ended {
        self.start().end()
    }

    /// Starts it.
    pub fn start(mut self) -> Started {
        let shown = shown(&self.command);
        let child = self
            .command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        let mut child = child.unwrap_or_else(|error| panic!("{shown} cannot be started: {error}"));
        let mut stdin = child.stdin.take().unwrap();
        let bytes = self.stdin;
        // A program that ends without reading its input closes the pipe, which is no fault of this thread.
        thread::spawn(move || drop(stdin.write_all(&bytes)));
        Started {
            shown,
            child,
            _home: self.home,
        }
    }
}

/// A run that has not ended yet.
#[derive(Debug)]
pub struct Started {
    shown: String,
    child: Child,
    _home: TempDir,
}

impl Started {
    /// Sends it a signal, by name.
    pub fn signal(&self, name: &str) {
        let status = Command::new("kill")
            .args([format!("-{name}"), self.child.id().to_string()])
            .status()
            .unwrap();
        assert!(status.success(), "kill -{name} failed");
    }

    /// Closes the reading end of its standard output.
    pub fn close_stdout(&mut self) {
        drop(self.child.stdout.take());
    }

    /// Waits for its end.
    pub fn end(self) -> Ended {
        let Self {
            shown,
            child,
            _home: home,
        } = self;
        let pid = child.id();
        let (sender, receiver) = mpsc::channel();
        thread::spawn(move || sender.send(child.wait_with_output()));
        if let Ok(output) = receiver.recv_timeout(DEADLINE) {
            return Ended::new(shown, output.unwrap(), home);
        }
        let _killed = Command::new("kill")
            .args(["-KILL", &pid.to_string()])
            .status();
        panic!("{shown} did not end within {} s", DEADLINE.as_secs())
    }
}

/// What a run left.
#[derive(Debug)]
pub struct Ended {
    shown: String,
    /// What it printed.
    pub stdout: String,
    /// What it reported.
    pub stderr: String,
    code: Option<i32>,
    home: TempDir,
}

impl Ended {
    fn new(shown: String, output: Output, home: TempDir) -> Self {
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        Self {
            shown,
            stdout: text(output.stdout),
            stderr: text(output.stderr),
            code: output.status.code(),
            home,
        }
    }

    /// Returns the home directory that the run had.
    pub fn home(&self) -> &Path {
        self.home.path()
    }

    /// Asserts the exit code.
    #[track_caller]
    pub fn exits(&self, code: i32) -> &Self {
        self.has("exit code", &self.code, &Some(code))
    }

    /// Asserts the whole standard output.
    #[track_caller]
    pub fn prints(&self, expected: &str) -> &Self {
        self.has("stdout", &self.stdout.as_str(), &expected)
    }

    /// Asserts the whole standard error.
    #[track_caller]
    pub fn reports(&self, expected: &str) -> &Self {
        self.has("stderr", &self.stderr.as_str(), &expected)
    }

    /// Asserts that a line of standard error contains a text.
    #[track_caller]
    pub fn reports_line_with(&self, part: &str) -> &Self {
        assert!(
            self.stderr.lines().any(|line| line.contains(part)),
            "no line of stderr contains {part:?}\n{self:?}"
        );
        self
    }

    /// Returns the JSON object that it printed as its one line.
    #[track_caller]
    pub fn json(&self) -> Value {
        let lines: Vec<_> = self.stdout.lines().collect();
        assert_eq!(lines.len(), 1, "stdout is not one line\n{self:?}");
        serde_json::from_str(lines[0])
            .unwrap_or_else(|error| panic!("stdout is not JSON: {error}\n{self:?}"))
    }

    #[track_caller]
    fn has<T: PartialEq + std::fmt::Debug>(&self, what: &str, found: &T, expected: &T) -> &Self {
        assert!(
            found == expected,
            "{what} of {} differs\nexpected: {expected:?}\nfound:    {found:?}\n{self:?}",
            self.shown
        );
        self
    }
}

fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program())
        .chain(command.get_args())
        .map(OsStr::to_os_string);
    words
        .map(|word: OsString| word.to_string_lossy().chars().take(200).collect::<String>())
        .collect::<Vec<_>>()
        .join(" ")
}
