//! Tells a test that a script in another process has come to a certain line, without a clock: a named pipe that both open.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::mpsc;
use std::thread;

use tempfile::TempDir;

use crate::deadline::DEADLINE;

/// A working directory with a named pipe in it. The script needs the tool `terminal`.
#[derive(Debug)]
pub struct Signpost(TempDir);

impl Signpost {
    /// Python that tells the test that it was reached.
    pub const REACHED: &str = "__import__('hermes_tools').terminal('echo reached > signpost')\n";

    /// Makes the directory and the pipe.
    pub fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let status = Command::new("mkfifo")
            .arg(directory.path().join("signpost"))
            .status()
            .unwrap();
        assert!(status.success(), "mkfifo failed");
        Self(directory)
    }

    /// Returns the directory.
    pub fn directory(&self) -> &Path {
        self.0.path()
    }

    /// Returns the directory as text.
    pub fn workdir(&self) -> &str {
        self.0.path().to_str().unwrap()
    }

    /// Waits until the script is there.
    pub fn wait(&self) {
        let path = self.0.path().join("signpost");
        let (sender, receiver) = mpsc::channel();
        // Opening the pipe waits for the script; a script that never comes leaves this thread behind, and fails the test.
        thread::spawn(move || sender.send(fs::read_to_string(path)));
        let text = receiver
            .recv_timeout(DEADLINE)
            .expect("the script reaches the signpost")
            .unwrap();
        assert_eq!(text, "reached\n");
    }
}

impl Default for Signpost {
    fn default() -> Self {
        Self::new()
    }
}
