//! What `write_file` does where the system says no: every failure is an error dict, and the old file stays as it was.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::Command;

use hermes_tests::{Case, artifact_dir, hermes_exec};
use tempfile::TempDir;

/// A user that owns nothing.
const NOBODY: u32 = 65_534;

const WRITE: &str = r"
from hermes_tools import write_file
for path in PATHS:
    reply = write_file(path, CONTENT)
    print(reply.get('error', reply['bytes_written']))
";

fn script(paths: &[&str], content: &str) -> String {
    format!("PATHS = {paths:?}\nCONTENT = {content}\n{WRITE}")
}

/// Runs a script in a directory by way of a command that gets the program and its arguments.
fn run(mut command: Command, directory: &Path, code: &str) -> String {
    // Who owns nothing may not enter the directory in which the program was built.
    let public = place();
    let program = public.path().join("hermes-exec");
    fs::copy(hermes_exec(), &program).unwrap();
    for entry in fs::read_dir(artifact_dir()).unwrap() {
        let entry = entry.unwrap();
        let copy = public.path().join(entry.file_name());
        if entry.path().is_file() {
            fs::copy(entry.path(), &copy).unwrap();
        }
    }
    let output = command
        .arg(program)
        .args(["run", "--workdir"])
        .arg(directory)
        .arg("--code")
        .arg(code)
        .env("HERMES_ARTIFACT_DIR", public.path())
        .output()
        .unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{errors}");
    String::from_utf8(output.stdout).unwrap()
}

fn place() -> TempDir {
    let place = tempfile::tempdir().unwrap();
    fs::set_permissions(place.path(), fs::Permissions::from_mode(0o777)).unwrap();
    place
}

fn names(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).unwrap();
    let mut names: Vec<_> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// Returns a command that runs its arguments as a user who owns nothing, as far as this user may do so.
fn as_nobody() -> Command {
    let mut command = Command::new("env");
    if fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0) {
        command.uid(NOBODY).gid(NOBODY);
    }
    command
}

#[test]
fn forbidden_files_and_directories_are_told_and_stay() {
    let place = place();
    let at = |name: &str| place.path().join(name);
    fs::write(at("file"), "old").unwrap();
    fs::set_permissions(at("file"), fs::Permissions::from_mode(0o444)).unwrap();
    fs::create_dir(at("closed")).unwrap();
    fs::write(at("closed/file"), "old").unwrap();
    fs::set_permissions(at("closed/file"), fs::Permissions::from_mode(0o666)).unwrap();
    fs::set_permissions(at("closed"), fs::Permissions::from_mode(0o555)).unwrap();
    let paths = ["file", "closed/file", "closed/new", "closed/new/x", "free"];
    let output = run(as_nobody(), place.path(), &script(&paths, "'new'"));
    assert_eq!(
        output,
        "Permission denied: file\nPermission denied: closed/file\nPermission denied: closed/new\nPermission denied: closed/new/x\n3\n"
    );
    assert_eq!(names(place.path()), ["closed", "file", "free"]);
    assert_eq!(names(&at("closed")), ["file"]);
    for name in ["file", "closed/file"] {
        assert_eq!(fs::read_to_string(at(name)).unwrap(), "old");
    }
    fs::set_permissions(at("closed"), fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn a_write_that_the_disk_has_no_room_for_leaves_the_old_file_and_no_directory() {
    // A limit on the length of files stands for a full disk: the write fails half-way, with bytes in the temporary file.
    // The signal that comes with it is handled here, or was ignored by whoever started the program.
    for ignored in ["", "trap '' XFSZ; "] {
        let place = place();
        fs::write(place.path().join("old"), "old").unwrap();
        let mut command = Command::new("sh");
        let limited = format!("{ignored}ulimit -f 64; exec \"$@\"");
        command.args(["-c", &limited, "sh"]);
        let output = run(
            command,
            place.path(),
            &script(&["old", "d/new"], "'x' * 3_000_000"),
        );
        assert_eq!(
            output,
            "Failed to write 'old': File too large (os error 27)\nFailed to write 'd/new': File too large (os error 27)\n"
        );
        assert_eq!(fs::read_to_string(place.path().join("old")).unwrap(), "old");
        assert_eq!(names(place.path()), ["old"]);
    }
}

#[tokio::test]
async fn texts_that_are_no_unicode_are_refused_in_the_tools_words() {
    let place = place();
    fs::write(place.path().join("x"), "old").unwrap();
    let path = place.path().canonicalize().unwrap().join("x");
    let path = path.display();
    let code = script(&["x"], r"'a\ud800b'");
    Case::new(code).workdir(place.path()).run().await.succeeds().output(&format!(
        "Refusing to write '{path}': content contains a lone surrogate character ('\\ud800') that cannot be encoded as UTF-8. The file was NOT created or modified.\n"
    ));
    assert_eq!(fs::read_to_string(place.path().join("x")).unwrap(), "old");
    let whole = script(&["x"], r"'\U0001f600'");
    Case::new(whole)
        .workdir(place.path())
        .run()
        .await
        .succeeds()
        .output("4\n");
}
