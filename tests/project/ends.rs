//! An end in order: what an interpreter does at its exit is done, however the kernel comes to its end.

use std::fs;
use std::path::Path;

use hermes_tests::{Case, Cli, Server, Session, builder, within_deadline};
use serde_json::json;

/// Opens a file, writes to it, and leaves it open; registers a function for the exit, which prints more than a pipe holds in every way, and
/// then writes another file.
fn leaves_open(place: &Path) -> String {
    let place = place.to_str().unwrap();
    format!(
        "import atexit, os, sys\nplace = {place:?}\nfile = open(place + '/open', 'w')\nfile.write('written')\ndef at_exit():\n    print('bye' * 100_000, flush=True)\n    print('bye' * 100_000, file=sys.stderr)\n    os.write(1, b'bye' * 1_000_000)\n    os.system('head -c 3000000 /dev/zero >&2')\n    open(place + '/exit', 'w').write('called')\natexit.register(at_exit)\n"
    )
}

/// Waits until the kernel has done what it does at its exit.
async fn is_complete(place: &Path, way: &str) {
    let read = |name| fs::read_to_string(place.join(name)).unwrap_or_default();
    let waiting = async {
        while read("open") != "written" || read("exit") != "called" {
            tokio::task::yield_now().await;
        }
    };
    within_deadline(way, waiting).await;
}

#[tokio::test]
async fn an_exit_is_complete_when_its_result_is_there() {
    for exit in ["sys.exit()", "sys.exit(3)", "raise SystemExit('text')"] {
        let place = tempfile::tempdir().unwrap();
        let code = leaves_open(place.path()) + exit;
        Session::fresh().run(code).await.succeeds().ended(true);
        let read = |name| fs::read_to_string(place.path().join(name)).unwrap();
        assert_eq!(
            [read("open"), read("exit")],
            ["written", "called"],
            "{exit}"
        );
    }
}

#[tokio::test]
async fn what_is_printed_at_the_exit_belongs_to_the_cell() {
    let many = "print('x' * 200_000)";
    for (at_exit, length) in [("print('bye')", 4), (many, 200_001)] {
        let code = format!("import atexit, sys\natexit.register(lambda: {at_exit})\nsys.exit()");
        let finished = Session::fresh().run(code).await;
        finished.succeeds().ended(true);
        assert_eq!(finished.outcome().stdout.bytes_total, length, "{finished}");
    }
}

#[tokio::test]
async fn threads_are_waited_for_at_the_exit_but_not_for_long() {
    let place = tempfile::tempdir().unwrap();
    let code = leaves_open(place.path())
        + "import threading\nready = threading.Event()\nthreading.Thread(target=lambda: (ready.wait(), open(place + '/thread', 'w').write('done'))).start()\nthreading.Timer(0.05, ready.set).start()\nsys.exit()";
    Session::fresh().run(code).await.succeeds().ended(true);
    let written = fs::read_to_string(place.path().join("thread")).unwrap();
    assert_eq!(written, "done");
    // One that never ends does not keep the result.
    Session::fresh()
        .run("import sys, threading\nthreading.Thread(target=threading.Event().wait).start()\nsys.exit()")
        .await
        .succeeds()
        .ended(true);
}

#[tokio::test]
async fn what_a_cell_leaves_ends_before_what_it_needs() {
    let place = tempfile::tempdir().unwrap();
    let code = |end: &str| {
        format!(
            "import json, os, sys\nclass Log:\n    def __init__(self): self.descriptor = os.open({:?} + '/log', os.O_WRONLY | os.O_CREAT | os.O_APPEND)\n    def __del__(self): os.write(self.descriptor, json.dumps([os.sep]).encode())\ndef last():\n    return json, os, Log\nlog = Log()\n{end}",
            place.path()
        )
    };
    let finished = Session::fresh().run(code("sys.exit()")).await;
    finished.succeeds().ended(true).output("");
    let log = || fs::read_to_string(place.path().join("log")).unwrap_or_default();
    assert_eq!(log(), r#"["/"]"#);
    let runtime = builder().build().unwrap();
    let session = Session::on(&runtime);
    session.run(code("")).await.succeeds();
    assert!(runtime.close_session(session.name()));
    let waiting = async {
        while log() != r#"["/"]["/"]"# {
            tokio::task::yield_now().await;
        }
    };
    within_deadline("the end of a session", waiting).await;
}

#[tokio::test]
async fn a_kernel_that_is_given_up_ends_in_order() {
    let place = tempfile::tempdir().unwrap();
    let runtime = builder().build().unwrap();
    let session = Session::on(&runtime);
    session.run(leaves_open(place.path())).await.succeeds();
    assert!(runtime.close_session(session.name()));
    is_complete(place.path(), "the end of a session").await;

    let place = tempfile::tempdir().unwrap();
    session.run(leaves_open(place.path())).await.succeeds();
    session.case("pass").reset().run().await.succeeds();
    is_complete(place.path(), "a reset").await;

    let place = tempfile::tempdir().unwrap();
    let runtime = builder().max_sessions(1).build().unwrap();
    Session::on(&runtime)
        .run(leaves_open(place.path()))
        .await
        .succeeds();
    Session::on(&runtime).run("pass").await.succeeds();
    is_complete(place.path(), "an eviction").await;

    let place = tempfile::tempdir().unwrap();
    Case::new(leaves_open(place.path())).run().await.succeeds();
    is_complete(place.path(), "a call without a session").await;
}

#[test]
fn the_program_ends_its_kernel_in_order() {
    let place = tempfile::tempdir().unwrap();
    let code = leaves_open(place.path());
    Cli::new(["run", "--mode", "project", "-c", &code])
        .run()
        .exits(0)
        .reports("");
    let read = |name| fs::read_to_string(place.path().join(name)).unwrap();
    assert_eq!([read("open"), read("exit")], ["written", "called"]);
}

#[tokio::test]
async fn the_server_ends_its_kernels_in_order() {
    for (signal, code) in [(None, 0), (Some("TERM"), 130)] {
        let places = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let mut server = Server::start(["--mode", "project"]);
        for (number, place) in places.iter().enumerate() {
            let params = json!({"code": leaves_open(place.path()), "session": number.to_string()});
            let result = server.call("execute_code", params).await;
            assert_eq!(result["status"], "success", "{result}");
        }
        match signal {
            Some(signal) => server.signal(signal).await,
            None => server.close_input(),
        }
        assert_eq!(server.end().await.0, Some(code));
        for place in &places {
            let read = |name| fs::read_to_string(place.path().join(name)).unwrap();
            assert_eq!([read("open"), read("exit")], ["written", "called"]);
        }
    }
}

#[test]
fn a_host_ends_its_kernels_in_order_without_an_executor_that_works() {
    let executor = || {
        let mut builder = tokio::runtime::Builder::new_current_thread();
        builder.enable_all().build().unwrap()
    };
    for way in [
        "the executor goes first",
        "it stays",
        "the kernel goes first",
    ] {
        let place = tempfile::tempdir().unwrap();
        let runtime = builder().build().unwrap();
        let running = executor();
        let session = Case::new(leaves_open(place.path()))
            .on(&runtime)
            .session("s");
        running.block_on(session.run()).succeeds();
        match way {
            "the executor goes first" => {
                drop(running);
                drop(runtime);
            }
            "it stays" => {
                drop(runtime);
                executor().block_on(is_complete(place.path(), way));
                drop(running);
            }
            _ => {
                running.block_on(async { drop(runtime) });
                drop(running);
            }
        }
        executor().block_on(is_complete(place.path(), way));
    }
}

#[tokio::test]
async fn a_process_that_a_cell_forks_ends_in_order() {
    let place = tempfile::tempdir().unwrap();
    let code = format!(
        "import os, threading\npid = os.fork()\nif pid == 0:\n    {}threading.Thread(target=lambda: open(place + '/thread', 'w').write('done')).start()\nelse:\n    os.waitpid(pid, 0)",
        leaves_open(place.path()).replace('\n', "\n    ")
    );
    let session = Session::fresh();
    session.run(code).await.succeeds();
    let read = |name| fs::read_to_string(place.path().join(name)).unwrap();
    assert_eq!(
        [read("open"), read("exit"), read("thread")],
        ["written", "called", "done"]
    );
}

#[tokio::test]
async fn an_exit_that_prints_without_end_is_cut_short() {
    let code = "import atexit, sys\ndef at_exit():\n    while True: print('x' * 1000)\natexit.register(at_exit)\nprint('first')\nsys.exit(3)";
    let finished = Case::new(code).timeout_ms(5_000).run().await;
    finished.succeeds().ended(true);
    let output = &finished.outcome().output;
    assert!(output.starts_with("first\nxxx"), "{finished}");
}
