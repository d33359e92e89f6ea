//! Where a cell runs: nobody has to wait until it is found, what it lacks is said, and a closed session leaves nothing of it behind.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use hermes_runtime::{Request, Runtime, Status};
use hermes_tests::{
    Cli, NOT_RUN, Server, Session, Stuck, builder, project_options, within_deadline,
};
use serde_json::json;

use super::processes::is_alive;

const CWD: &str = "import os; print(os.getcwd())";
const HINT: &str = "set TMPDIR to a directory that exists, has room and can be written to";

/// An environment with an interpreter that says its number in a file, and never what it is.
struct Silent {
    place: tempfile::TempDir,
}

impl Silent {
    fn new() -> Self {
        let silent = Self {
            place: tempfile::tempdir().unwrap(),
        };
        let (program, file) = (silent.program(), silent.file());
        let file = file.display();
        let script =
            format!("#!/bin/sh\necho $$ > {file}.new\nmv {file}.new {file}\nexec sleep 100000\n");
        fs::create_dir(program.parent().unwrap()).unwrap();
        fs::write(&program, script).unwrap();
        fs::set_permissions(&program, Permissions::from_mode(0o755)).unwrap();
        silent
    }

    fn program(&self) -> PathBuf {
        self.place.path().join("bin/python")
    }

    fn file(&self) -> PathBuf {
        self.place.path().join("told")
    }

    /// Waits until it is asked; returns its number.
    async fn is_asked(&self) -> u32 {
        let asked = async {
            while !self.file().exists() {
                tokio::task::yield_now().await;
            }
        };
        within_deadline("the start of the interpreter", asked).await;
        let number = fs::read_to_string(self.file()).unwrap();
        number.trim().parse().unwrap()
    }
}

async fn ends(number: u32) {
    let ending = async {
        while is_alive(number) {
            tokio::task::yield_now().await;
        }
    };
    within_deadline("the end of the interpreter", ending).await;
}

#[tokio::test]
async fn whoever_waits_for_an_interpreter_can_be_interrupted() {
    for by_name in [false, true] {
        let silent = Silent::new();
        let mut options = project_options();
        options.interpreter = Some(silent.program());
        let runtime = builder().project(options).build().unwrap();
        let request = Request::new("print(1)").session("s");
        let handle = request.interrupt_handle();
        let (outcome, number) = tokio::join!(runtime.execute(request), async {
            let number = silent.is_asked().await;
            if by_name {
                assert!(!runtime.interrupt("another", None));
                assert!(runtime.interrupt("s", Some("enough")));
            } else {
                handle.interrupt(Some("enough"));
            }
            number
        });
        let outcome = outcome.unwrap();
        assert_eq!(outcome.status, Status::Interrupted);
        assert_eq!(outcome.error.as_deref(), Some(NOT_RUN));
        assert_eq!(outcome.output, "[execution interrupted — enough]");
        assert_eq!(runtime.sessions(), 0);
        assert!(!runtime.interrupt("s", None));
        ends(number).await;
    }
}

#[tokio::test]
async fn an_interrupt_of_the_program_ends_a_search_and_what_it_has_started() {
    let silent = Silent::new();
    let started = Cli::new(["run", "--mode", "project", "-c", "print(1)"])
        .env("VIRTUAL_ENV", silent.place.path())
        .start();
    let number = silent.is_asked().await;
    started.signal("INT");
    started
        .end()
        .exits(130)
        .prints("")
        .reports(&format!("error: {NOT_RUN}\n"));
    ends(number).await;
}

#[test]
fn a_missing_directory_for_temporary_files_is_named() {
    let ended = Cli::new(["run", "--mode", "project", "-c", "print(1)"])
        .env("TMPDIR", "/no/such/directory")
        .run();
    ended.exits(125).prints("").reports(&format!(
        "error: cannot look for a Python interpreter\n  caused by: cannot make temporary files in '/no/such/directory'\n  caused by: No such file or directory (os error 2)\nhint: {HINT}\n"
    ));
}

#[tokio::test]
async fn a_directory_for_temporary_files_that_has_gone_is_named() {
    let place = tempfile::tempdir().unwrap();
    let gone = place.path().join("gone");
    fs::create_dir(&gone).unwrap();
    let variable = format!("TMPDIR={}", gone.display());
    let mut server = Server::start_by(&["env", &variable], &["--mode", "project"]);
    let call = |session| json!({"code": "print(1)", "session": session});
    let result = server.call("execute_code", call("before")).await;
    assert_eq!(result["output"], "1\n", "{result}");
    fs::remove_dir_all(&gone).unwrap();
    let id = server.request("execute_code", call("after")).await;
    let answer = server.answer(id).await;
    let expected = format!(
        ": cannot make temporary files in '{}'; hint: {HINT}: ",
        gone.display()
    );
    let message = answer["error"]["message"].as_str().unwrap();
    assert!(message.contains(&expected), "{answer}");
}

/// Runs a cell for a child of the session `parent` and returns what it prints.
async fn for_child(runtime: &Runtime, code: &str) -> String {
    let request = Request::new(code).session("parent").child("child");
    let outcome = runtime.execute(request).await.unwrap();
    assert_eq!(outcome.status, Status::Success, "{}", outcome.to_json());
    outcome.output
}

/// A cell whose shell stays in that directory.
fn moves_to(place: &Path) -> String {
    format!(
        "from hermes_tools import terminal\nterminal({:?})",
        format!("cd {}; export MARK=1", place.display())
    )
}

#[tokio::test]
async fn a_closed_session_leaves_no_shell_of_its_children() {
    let place = tempfile::tempdir().unwrap();
    let root = place.path().canonicalize().unwrap();
    let runtime = builder().build().unwrap();
    let start = for_child(&runtime, CWD).await;
    for_child(&runtime, &moves_to(&root)).await;
    assert_eq!(
        for_child(&runtime, CWD).await,
        format!("{}\n", root.display())
    );
    assert!(runtime.close_session("parent"));
    assert_eq!(for_child(&runtime, CWD).await, start);
    let mark =
        "from hermes_tools import terminal\nprint(terminal('echo ${MARK-none}')['output'].strip())";
    assert_eq!(for_child(&runtime, mark).await, "none\n");
}

#[tokio::test]
async fn a_cell_that_waits_in_a_session_that_is_closed_starts_where_a_fresh_one_does() {
    let place = tempfile::tempdir().unwrap();
    let root = place.path().canonicalize().unwrap();
    let stuck = Stuck::default();
    let runtime = builder().tool(stuck.clone()).build().unwrap();
    let session = Session::on(&runtime);
    let start = session.run(CWD).await.outcome().output.clone();
    session.run(moves_to(&root)).await.succeeds();
    let holds = session.run("from hermes_tools import stuck\nstuck()");
    let (held, ()) = tokio::join!(holds, async {
        stuck.begun.notified().await;
        // The waiting one is asked first, and then waits for the other.
        let (waited, ()) = tokio::join!(session.run(CWD), async {
            assert!(runtime.close_session(session.name()));
        });
        waited.succeeds().output(&start).kernel(false, 1);
    });
    held.is_interrupted(Some("session closed"), "");
}
