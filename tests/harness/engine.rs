//! Which engine the cases of this test binary run on.
//!
//! A case is written once. The binary `it` runs it in the sandbox, the binary `project`, which is made of the same files, in a child
//! process of this machine's Python. A case that holds for one engine only says so, with its reason, in its first line.

use std::env;
use std::path::PathBuf;
use std::process::Command;
use std::sync::LazyLock;

use hermes_runtime::{ByteSize, Mode, ProjectOptions};
use tempfile::TempDir;

/// Names the interpreter of project mode for tests; without it, it is the one that a user would get.
const PYTHON: &str = "HERMES_TEST_PYTHON";
/// Name of the test binary that runs the cases in project mode.
const PROJECT: &str = "project-";

static MODE: LazyLock<Mode> = LazyLock::new(|| {
    let binary = env::current_exe().unwrap();
    let name = binary.file_name().unwrap_or_default().to_string_lossy();
    if name.starts_with(PROJECT) {
        Mode::Project
    } else {
        Mode::Strict
    }
});

/// Returns the mode in which the cases of this binary run.
pub fn mode() -> Mode {
    *MODE
}

/// Returns whether a case does not apply to project mode and is not to run there; the reason is for its reader.
pub fn is_for_strict_only(reason: &str) -> bool {
    assert!(!reason.is_empty(), "an exemption has a reason");
    mode() == Mode::Project
}

/// Returns whether a case shows what Python 3.13 says in its own words, and the interpreter of this binary is older.
pub fn is_for_newer_python(reason: &str) -> bool {
    assert!(!reason.is_empty(), "an exemption has a reason");
    mode() == Mode::Project && *IS_OLDER
}

static IS_OLDER: LazyLock<bool> = LazyLock::new(|| {
    let python = env::var_os(PYTHON).unwrap_or_else(|| "python3".into());
    let code = "import sys; sys.exit(sys.version_info < (3, 13))";
    let status = Command::new(python).args(["-c", code]).status().unwrap();
    !status.success()
});

/// Returns the text that belongs to the engine of this binary.
pub fn by_engine<T>(strict: T, project: T) -> T {
    match mode() {
        Mode::Project => project,
        _ => strict,
    }
}

/// Returns the settings of project mode under test. A script runs with the rights of whoever tests: it starts in a directory that holds
/// nothing, never in the workspace, and has bounded memory.
pub fn project_options() -> ProjectOptions {
    let mut options = ProjectOptions::default();
    options.interpreter = env::var_os(PYTHON).map(PathBuf::from);
    options.cwd = Some(EMPTY.path().to_owned());
    options.memory_limit = Some(ByteSize::mebibytes(4096));
    options
}

/// Where scripts start. The whole process moves there, so that no rung of the ladder below is anything else.
static EMPTY: LazyLock<TempDir> = LazyLock::new(|| {
    let directory = tempfile::tempdir().unwrap();
    env::set_current_dir(&directory).unwrap();
    directory
});
