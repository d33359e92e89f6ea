//! The examples, run as `make run` runs them.

use std::fs;

use hermes_tests::{Cli, Ended, workspace};

/// All that `limits.py` prints: none of it depends on the project.
const LIMITS: &str = r"what is the host's
a file of the host           FileNotFoundError: [Errno 44] No such file or directory: '/etc/passwd'
a place outside of /scratch  OSError: [Errno 69] Read-only file system: '/lib/mine'
a process                    OSError: processes are not available in the sandbox; use terminal() from hermes_tools if it is enabled
the network                  OSError: the network is not available in the sandbox; use web_extract() or web_search() from hermes_tools, or terminal(), if enabled
standard input               EOFError: EOF when reading a line
environment                  HOME, LANG, LOGNAME, TMPDIR, USER
working directory            /scratch

what a tool refuses is a returned dict, never an exception
an absolute path outside     Access denied: '/etc/passwd' lies outside the working directory granted to this script.
a path that climbs out       Access denied: '../escaped.txt' lies outside the working directory granted to this script.

what is too much
1 GiB of memory              MemoryError
endless recursion            RecursionError: maximum recursion depth exceeded
memory after that            120,000,000

threads run one after another, and give what they give elsewhere
  a pool keeps the order: [0, 1, 4, 9, 16, 25, 36, 49]
  a lock protects a list: [('a', 0), ('b', 1), ('c', 2)]

a failure in the middle leaves the rest
  README.md        begins with '# hermes-runtime'
  NO-SUCH-FILE.md  missing
  SECURITY.md      begins with '# Security'

Three tool calls failed on purpose. The script went on, but the result lists them as `tool_errors`,
and the command line prints them as warnings.
";

fn run(name: &str) -> Ended {
    let script = format!("examples/{name}");
    Cli::new(["run", &script, "--workdir", ".", "--max-tool-calls", "500"])
        .current_dir(workspace())
        .run()
}

/// Asserts that these lines are printed, in this order; others may stand between them.
#[track_caller]
fn prints_lines(ended: &Ended, expected: &[&str]) {
    let mut lines = ended.stdout.lines();
    for line in expected {
        assert!(
            lines.any(|found| found == *line),
            "no line {line:?} in its place in {ended:?}"
        );
    }
}

#[test]
fn every_example_is_tested_here() {
    let mut names: Vec<_> = fs::read_dir(workspace().join("examples"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["dependencies.py", "limits.py", "rooms.py"]);
}

#[test]
fn limits_prints_what_a_script_sees_of_its_sandbox() {
    let missing = workspace().join("NO-SUCH-FILE.md");
    run("limits.py").exits(0).prints(LIMITS).reports(&format!(
        "warning: tool `read_file` failed: Access denied: '/etc/passwd' lies outside the working directory granted to this script.\n\
         warning: tool `write_file` failed: Access denied: '../escaped.txt' lies outside the working directory granted to this script.\n\
         warning: tool `read_file` failed: File not found: {}\n",
        missing.display()
    ));
}

#[test]
fn rooms_finds_every_folder_in_the_architecture_document() {
    let ended = run("rooms.py");
    ended.exits(0).reports("");
    let rooms = ended
        .stdout
        .lines()
        .filter(|line| {
            line.split(' ')
                .next()
                .is_some_and(|name| name.ends_with('/'))
        })
        .count();
    prints_lines(
        &ended,
        &[
            "room                 files  lines  docs  longest file",
            "",
            &format!("ARCHITECTURE.md names all {rooms} folders."),
        ],
    );
}

#[test]
fn dependencies_writes_a_table_and_reads_it_back() {
    let ended = run("dependencies.py");
    ended.exits(0).reports("");
    let table = fs::read_to_string(workspace().join("target/report/dependencies.csv")).unwrap();
    let written = format!(
        "wrote {} bytes to target/report/dependencies.csv and read the same rows back",
        table.len()
    );
    prints_lines(
        &ended,
        &[
            "needed by most packages:",
            "in more than one version:",
            "packages below each of our own:",
            &written,
        ],
    );
    let mut rows = table.lines();
    assert_eq!(rows.next(), Some("package,version,direct,all"));
    let names: Vec<_> = rows.map(|row| row.split(',').next().unwrap()).collect();
    assert_eq!(
        names,
        [
            "hermes-benches",
            "hermes-clibs",
            "hermes-guest",
            "hermes-runtime",
            "hermes-tests",
            "python-wasm"
        ]
    );
}
