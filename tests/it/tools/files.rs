//! The file tools: confined to the directory that the host granted, whatever the path.

use std::fs;
use std::os::unix::fs::symlink;

use hermes_tests::{Case, Session, every_row};
use tempfile::TempDir;

const NOT_GRANTED: &str = "No working directory was granted to this script. Start the runtime with --workdir DIR (or RuntimeBuilder::workdir) to enable file tools.";

/// A granted directory beside a secret, with links that lead out of it.
struct Granted {
    place: TempDir,
}

impl Granted {
    fn new() -> Self {
        let place = tempfile::tempdir().unwrap();
        let granted = place.path().join("granted");
        fs::create_dir_all(granted.join("sub")).unwrap();
        fs::write(place.path().join("secret"), "outside").unwrap();
        fs::write(granted.join("inside.txt"), "a\nb\nc").unwrap();
        symlink("../secret", granted.join("link-to-file")).unwrap();
        symlink("..", granted.join("link-to-directory")).unwrap();
        symlink("/etc", granted.join("link-to-etc")).unwrap();
        symlink("inside.txt", granted.join("link-inside")).unwrap();
        Self { place }
    }

    fn case(&self, code: impl Into<String>) -> Case {
        Case::new(code).workdir(&self.place.path().join("granted"))
    }

    fn secret(&self) -> String {
        fs::read_to_string(self.place.path().join("secret")).unwrap()
    }
}

/// Paths that lead out of the granted directory.
const WAYS_OUT: &[&str] = &[
    "../secret",
    "sub/../../secret",
    "./../secret",
    "..",
    "../",
    "/etc/passwd",
    "/etc/passwd/",
    "//etc/passwd",
    "~/secret",
    "link-to-file",
    "link-to-file/",
    "link-to-directory/secret",
    "link-to-etc/passwd",
    "sub/../link-to-directory/secret",
];

#[tokio::test]
async fn no_path_leads_out_of_the_granted_directory() {
    let granted = Granted::new();
    every_row(WAYS_OUT, async |path| {
        let denied = format!("{{'error': \"Access denied: '{path}' lies outside the working directory granted to this script.\"}}\n");
        granted.case(format!("from hermes_tools import read_file\nprint(read_file({path:?}))")).run().await.succeeds().output(&denied).tool_calls(1);
        let finished = granted.case(format!("from hermes_tools import write_file\nprint(write_file({path:?}, 'overwritten')['error'])")).run().await;
        finished.succeeds().tool_calls(1);
        finished.output(&format!("Access denied: '{path}' lies outside the working directory granted to this script.\n"));
        assert_eq!(granted.secret(), "outside", "{path}");
    })
    .await;
}

#[tokio::test]
async fn dots_after_a_link_are_taken_by_the_text_and_stay_inside() {
    let granted = Granted::new();
    granted
        .case("from hermes_tools import write_file\nprint(write_file('link-to-directory/../secret', 'inside')['dirs_created'])")
        .run()
        .await
        .succeeds()
        .tool_calls(1);
    assert_eq!(granted.secret(), "outside");
    assert_eq!(
        fs::read_to_string(granted.place.path().join("granted/secret")).unwrap(),
        "inside"
    );
}

#[tokio::test]
async fn odd_paths_are_named_as_what_they_are() {
    let granted = Granted::new();
    every_row([
        ("''", "The path is empty. Give the path of a file inside the working directory granted to this script."),
        ("'a\\0b'", "The path contains a NUL character, which no file name can have."),
        ("7", "read_file: 'path' must be a string, got int."),
        ("None", "read_file: missing required field 'path'."),
    ], async |(path, error)| {
        granted.case(format!("from hermes_tools import read_file\nprint(read_file({path})['error'])")).run().await.succeeds().output(&format!("{error}\n"));
    })
    .await;
}

#[tokio::test]
async fn a_file_is_read_as_numbered_lines() {
    let granted = Granted::new();
    every_row(["inside.txt", "./inside.txt", "sub/../inside.txt", "link-inside"], async |path| {
        granted
            .case(format!("from hermes_tools import read_file\nprint(read_file({path:?}))"))
            .run()
            .await
            .succeeds()
            .output("{'content': '1|a\\n2|b\\n3|c', 'total_lines': 3, 'file_size': 5, 'truncated': False, 'is_binary': False, 'is_image': False, 'not_found': False}\n");
    })
    .await;
}

#[tokio::test]
async fn an_absolute_path_inside_is_as_good_as_a_relative_one() {
    let granted = Granted::new();
    let path = granted.place.path().join("granted/inside.txt");
    granted
        .case(format!(
            "from hermes_tools import read_file\nprint(read_file({path:?})['content'])"
        ))
        .run()
        .await
        .succeeds()
        .output("1|a\n2|b\n3|c\n");
}

#[tokio::test]
async fn a_file_is_written_and_read_back() {
    let granted = Granted::new();
    let root = granted.place.path().join("granted").canonicalize().unwrap();
    let path = root.join("new/deep/file.txt");
    let path = path.to_str().unwrap();
    granted
        .case("from hermes_tools import read_file, write_file\nprint(write_file('new/deep/file.txt', 'one\\ntwo\\n'))\nprint(read_file('new/deep/file.txt')['content'])")
        .run()
        .await
        .succeeds()
        .output(&format!(
            "{{'bytes_written': 8, 'dirs_created': True, 'verified': True, 'lint': {{'status': 'skipped', 'message': 'No linter for .txt files'}}, \
             'resolved_path': '{path}', 'files_modified': ['{path}']}}\n1|one\n2|two\n"
        ));
    assert_eq!(fs::read_to_string(path).unwrap(), "one\ntwo\n");
}

#[tokio::test]
async fn a_file_that_is_missing_is_named_and_so_are_its_neighbours() {
    let granted = Granted::new();
    let finished = granted.case("from hermes_tools import read_file\nanswer = read_file('insides.txt')\nprint(answer['not_found'], answer['similar_files'])").run().await;
    let shown = granted
        .place
        .path()
        .join("granted")
        .canonicalize()
        .unwrap()
        .join("inside.txt");
    finished
        .succeeds()
        .output(&format!("True ['{}']\n", shown.display()));
    assert_eq!(finished.outcome().tool_errors.len(), 1, "{finished}");
}

#[tokio::test]
async fn without_a_grant_there_is_no_file() {
    let finished = Case::new("from hermes_tools import read_file, write_file\nprint(read_file('x'))\nprint(write_file('x', 'y'))").run().await;
    finished
        .succeeds()
        .output(&format!(
            "{{'error': '{NOT_GRANTED}'}}\n{{'error': '{NOT_GRANTED}'}}\n"
        ))
        .tool_calls(2);
}

#[tokio::test]
async fn the_granted_directory_is_no_part_of_the_sandboxs_own_files() {
    let granted = Granted::new();
    granted
        .case("import os\nprint(os.listdir('.'), os.path.exists('inside.txt'))")
        .run()
        .await
        .succeeds()
        .output("[] False\n");
}

#[tokio::test]
async fn a_directory_that_cannot_be_opened_refuses_the_call() {
    let place = tempfile::tempdir().unwrap();
    let missing = place.path().join("missing");
    let error = Case::new("print(1)").workdir(&missing).refused().await;
    assert!(error.is_refusal());
    assert_eq!(
        error.to_string(),
        format!(
            "cannot open the working directory '{}'; give the path of an existing directory that this user may read",
            missing.display()
        )
    );
}

#[tokio::test]
async fn two_grants_are_two_kernels() {
    let (first, second, session) = (Granted::new(), Granted::new(), Session::fresh());
    let name = session.name();
    first
        .case("x = 1")
        .session(name)
        .run()
        .await
        .succeeds()
        .kernel(false, 1);
    second
        .case("print('x' in globals())")
        .session(name)
        .run()
        .await
        .succeeds()
        .output("False\n")
        .kernel(false, 1);
    first
        .case("print(x)")
        .session(name)
        .run()
        .await
        .succeeds()
        .output("1\n")
        .kernel(true, 2);
}

#[tokio::test]
async fn secrets_in_a_file_are_masked_so_that_they_are_not_written_back() {
    let granted = Granted::new();
    fs::write(
        granted.place.path().join("granted/env"),
        "key = ghp_abcdefghijklmnopqrst\n",
    )
    .unwrap();
    granted
        .case("from hermes_tools import read_file\nprint(read_file('env')['content'])")
        .run()
        .await
        .succeeds()
        .output("1|key = «redacted:ghp_…»\n");
}

#[tokio::test]
async fn a_file_is_patched_and_a_path_that_leads_out_is_not() {
    let granted = Granted::new();
    granted
        .case(
            "from hermes_tools import patch\n\
             print(patch('inside.txt', 'b', 'B')['success'])\n\
             print(patch(mode='patch', patch='*** Move File: inside.txt -> sub/moved.txt')['diff'], end='')\n\
             print(patch('link-to-file', 'outside', 'x')['error'])",
        )
        .run()
        .await
        .succeeds()
        .output(
            "True\n# Moved: inside.txt -> sub/moved.txt\nAccess denied: 'link-to-file' lies outside the working directory granted to this script.\n",
        )
        .tool_calls(3);
    let moved = granted.place.path().join("granted/sub/moved.txt");
    assert_eq!(fs::read_to_string(moved).unwrap(), "a\nB\nc");
    assert_eq!(granted.secret(), "outside");
}
