//! The private directory of a kernel: the runner, and what the script's side of the tools is made of.
//!
//! The child needs the runner to start at all, and nothing else before its first cell. What is written in between costs the start
//! nothing: an interpreter that starts is busy for longer than that takes.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::program::{Programs, RUNNER};
use crate::process::{KERNEL_PREFIX, PrivateDirectory};

const TOOLS: &str = "tools.json";

/// A directory that is removed when it is dropped.
#[derive(Debug)]
pub(super) struct Directory(PrivateDirectory);

impl Directory {
    /// Makes the directory of a kernel (mode 0700) with the program of the child.
    pub(super) fn new(programs: &Programs) -> io::Result<Self> {
        let place = PrivateDirectory::new(KERNEL_PREFIX)?;
        programs.write_runner(place.path())?;
        Ok(Self(place))
    }

    /// Returns its path.
    pub(super) fn path(&self) -> &Path {
        self.0.path()
    }

    /// Returns the path of the child's program.
    pub(super) fn runner(&self) -> PathBuf {
        self.path().join(RUNNER)
    }
}

/// Adds to a directory what its cells read: before the first one, and no earlier than it has to be.
pub(super) fn fill(directory: &Path, tools: &str, programs: &Programs) -> io::Result<()> {
    programs.write_modules(directory)?;
    fs::write(directory.join(TOOLS), tools)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use super::super::interpreter::Interpreters;
    use super::*;

    #[tokio::test]
    async fn a_directory_holds_the_programs_and_goes_with_its_owner() {
        let interpreter = Interpreters::default().find(None).await;
        let interpreter = interpreter.unwrap().unwrap();
        let directory = Directory::new(&interpreter.programs).unwrap();
        let path = directory.path().to_owned();
        let names = || {
            let entries = fs::read_dir(&path).unwrap();
            let mut names: Vec<_> = entries
                .map(|entry| entry.unwrap().file_name().into_string().unwrap())
                .collect();
            names.sort();
            names
        };
        assert!(directory.runner().is_file());
        assert_eq!(names(), ["hermes_kernel_runner.pyc", "host.lock"]);
        fill(&path, "[]", &interpreter.programs).unwrap();
        assert_eq!(
            names(),
            [
                "__pycache__",
                "_hermes.py",
                "_hermes_functions.py",
                "hermes_kernel_runner.pyc",
                "hermes_tools.py",
                "host.lock",
                "tools.json"
            ]
        );
        assert_eq!(fs::read_to_string(path.join(TOOLS)).unwrap(), "[]");
        drop(directory);
        assert!(!path.exists());
    }
}
