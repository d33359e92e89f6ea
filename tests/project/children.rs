//! Whatever ends a kernel ends every process that it started, wherever that process went.

use std::path::{Path, PathBuf};

use hermes_tests::{Server, Session, builder, within_deadline};
use serde_json::json;

use super::processes::{is_alive, with};

/// Starts processes that would never end, one in the group, one in a session of its own, one without a parent, and waits until each has
/// said its number in a file.
fn starts_children(place: &Path) -> String {
    format!(
        r#"
import os, subprocess, sys, time
place = {place:?}
say = "echo $$ > " + place + "/$0.new; mv " + place + "/$0.new " + place + "/$0; exec sleep 100000"
subprocess.Popen(["sh", "-c", say, "plain"])
subprocess.Popen(["sh", "-c", say, "session"], start_new_session=True)
subprocess.Popen(["sh", "-c", "setsid sh -c '" + say + "' orphan & exit"]).wait()
subprocess.Popen(["sh", "-c", "trap '' TERM INT HUP; " + say.replace("exec ", ""), "deaf"])
while len([each for each in os.listdir(place) if not each.endswith(".new")]) < 4:
    time.sleep(0.005)
print("started", flush=True)
"#,
        place = place.display().to_string()
    )
}

/// Returns the numbers that the processes have said.
fn said(place: &Path) -> Vec<u32> {
    let names = ["plain", "session", "orphan", "deaf"];
    let read = |name| std::fs::read_to_string(place.join(name)).unwrap();
    names
        .map(|name| read(name).trim().parse().unwrap())
        .to_vec()
}

async fn all_end(numbers: &[u32]) {
    let ending = async {
        while numbers.iter().any(|number| is_alive(*number)) {
            tokio::task::yield_now().await;
        }
    };
    within_deadline("the end of the processes", ending).await;
}

#[tokio::test]
async fn a_timeout_ends_every_process_before_the_result_is_there() {
    let place = tempfile::tempdir().unwrap();
    let session = Session::fresh();
    let code = starts_children(place.path()) + "while True: pass";
    session
        .case(code)
        .timeout_ms(3_000)
        .run()
        .await
        .times_out("3", "started\n");
    let left: Vec<_> = said(place.path())
        .into_iter()
        .filter(|number| is_alive(*number))
        .collect();
    assert_eq!(left, [0_u32; 0]);
    session.is_healthy().await;
}

#[tokio::test]
async fn closing_a_session_ends_the_processes_of_earlier_cells() {
    let place = tempfile::tempdir().unwrap();
    let session = Session::fresh();
    session
        .run(starts_children(place.path()))
        .await
        .succeeds()
        .output("started\n");
    let numbers = said(place.path());
    assert!(numbers.iter().all(|number| is_alive(*number)));
    drop(session);
    all_end(&numbers).await;
}

#[tokio::test]
async fn dropping_the_runtime_ends_its_kernels() {
    let place = tempfile::tempdir().unwrap();
    let runtime = builder().build().unwrap();
    let session = Session::on(&runtime);
    session.run(starts_children(place.path())).await.succeeds();
    let numbers = said(place.path());
    drop((session, runtime));
    all_end(&numbers).await;
}

#[tokio::test]
async fn a_cell_that_asks_to_exit_leaves_nothing_behind() {
    let place = tempfile::tempdir().unwrap();
    let code = starts_children(place.path()) + "sys.exit()";
    Session::fresh().run(code).await.succeeds().ended(true);
    let numbers = said(place.path());
    assert!(!numbers.iter().any(|number| is_alive(*number)));
}

#[tokio::test]
async fn a_host_that_is_killed_leaves_no_process_socket_or_directory() {
    let place = tempfile::tempdir().unwrap();
    let mut server = Server::start(["--mode", "project"]);
    let code = starts_children(place.path())
        + "print(os.getpid())\nprint(os.environ['HERMES_KERNEL_SPILL_DIR'])\nprint(os.environ['HERMES_RPC_SOCKET'])";
    let result = server
        .call("execute_code", json!({"code": code, "session": "s"}))
        .await;
    let output = result["output"].as_str().unwrap();
    let lines: Vec<&str> = output.lines().collect();
    let [_, kernel, directory, socket] = lines[..] else {
        panic!("{result}")
    };
    let mut numbers = said(place.path());
    numbers.push(kernel.parse().unwrap());
    // A cell sleeps while the host dies.
    server
        .request(
            "execute_code",
            json!({"code": "import time; time.sleep(1000)", "session": "s"}),
        )
        .await;
    server.signal("KILL").await;
    all_end(&numbers).await;
    let paths = [PathBuf::from(directory), PathBuf::from(socket)];
    assert!(!paths.iter().any(|path| path.exists()), "{paths:?}");
}

#[tokio::test]
async fn the_end_of_a_serving_host_ends_its_kernels() {
    let mark = "hermes-marks-this-process-with-a-text";
    let mut server = Server::start(["--mode", "project"]);
    let code = format!(
        "import subprocess, sys\nsubprocess.Popen([sys.executable, '-c', 'import time; time.sleep(100000)', '{mark}'])"
    );
    let result = server
        .call("execute_code", json!({"code": code, "session": "s"}))
        .await;
    assert_eq!(result["status"], "success", "{result}");
    assert_eq!(with(mark).len(), 1);
    server.close_input();
    assert_eq!(server.end().await.0, Some(0));
    let ending = async {
        while !with(mark).is_empty() {
            tokio::task::yield_now().await;
        }
    };
    within_deadline("the end of the process", ending).await;
}
