//! A host that is killed leaves nothing behind, whatever its scripts have started and however that hides.

use std::fs;
use std::path::Path;

use hermes_tests::{Server, within_deadline};
use serde_json::json;

use super::processes::is_alive;

/// Waits for a file that is moved into its place, and reads it.
async fn told(path: &Path) -> String {
    let waiting = async {
        while !path.exists() {
            tokio::task::yield_now().await;
        }
    };
    within_deadline("what a script tells", waiting).await;
    fs::read_to_string(path).unwrap()
}

/// Runs a cell that has a process say its number in a file, kills the host, and waits for the end of that process.
async fn ends_with_its_host(code: &str) {
    let place = tempfile::tempdir().unwrap();
    let mut server = Server::start(["--mode", "project"]);
    let code = format!(
        "import os, signal, subprocess\nfrom hermes_tools import terminal\nplace = {:?}\nlasts = f'echo $$ > {{place}}/new; mv {{place}}/new {{place}}/number; sleep 100000'\n{code}",
        place.path().to_str().unwrap()
    );
    server
        .request("execute_code", json!({"code": code, "session": "s"}))
        .await;
    let number = told(&place.path().join("number")).await;
    let number: u32 = number.trim().parse().unwrap();
    assert!(is_alive(number), "{code}");
    server.signal("KILL").await;
    let ending = async {
        while is_alive(number) {
            tokio::task::yield_now().await;
        }
    };
    within_deadline("the end of the process", ending).await;
}

#[tokio::test]
async fn a_command_ends_with_its_host() {
    ends_with_its_host("terminal(lasts)").await;
}

#[tokio::test]
async fn a_command_that_went_to_the_background_ends_with_its_host() {
    ends_with_its_host("terminal(lasts, timeout=700)").await;
}

#[tokio::test]
async fn a_process_without_a_group_and_a_variable_of_the_kernel_ends_with_its_host() {
    ends_with_its_host(
        "subprocess.Popen(['/bin/sh', '-c', lasts], env={}, start_new_session=True)",
    )
    .await;
}

/// Runs a cell in a kernel that tells its number and all private paths of its session, goes on as `code` says, and waits until `is_there`
/// holds of its state; kills the host, and waits until neither the kernel nor a path is left.
async fn leaves_nothing(code: &str, is_there: impl Fn(&str) -> bool) {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("told");
    let file = path.to_str().unwrap();
    let mut server = Server::start(["--mode", "project"]);
    let code = format!(
        "import itertools, os, signal\nfrom hermes_tools import terminal\nshell = terminal('echo $HERMES_SHELL_STATE')['output'].strip()\nwith open({file:?} + '.new', 'w') as told:\n    print(os.getpid(), os.environ['HERMES_KERNEL_SPILL_DIR'], os.environ['HERMES_RPC_SOCKET'], shell, file=told)\nos.rename({file:?} + '.new', {file:?})\n{code}"
    );
    server
        .request("execute_code", json!({"code": code, "session": "s"}))
        .await;
    let told = told(&path).await;
    let [kernel, directory, socket, shell] = told.split_whitespace().collect::<Vec<_>>()[..] else {
        panic!("{told}")
    };
    let paths = [directory, socket, shell].map(Path::new);
    assert!(paths.iter().all(|path| path.exists()), "{paths:?}");
    let reached = async {
        while !is_there(&fs::read_to_string(format!("/proc/{kernel}/stat")).unwrap()) {
            tokio::task::yield_now().await;
        }
    };
    within_deadline("the state of the kernel", reached).await;
    server.signal("KILL").await;
    let number = kernel.parse().unwrap();
    let ending = async {
        while is_alive(number) || paths.iter().any(|path| path.exists()) {
            tokio::task::yield_now().await;
        }
    };
    within_deadline("the end of the kernel and its files", ending).await;
}

#[tokio::test]
async fn a_kernel_that_is_stopped_ends_with_its_host_and_its_files() {
    leaves_nothing("os.kill(os.getpid(), signal.SIGSTOP)", |state| {
        state.contains(") T ")
    })
    .await;
}

#[tokio::test]
async fn a_kernel_whose_other_threads_cannot_run_ends_with_its_host_and_its_files() {
    // The search never lets another thread have the interpreter.
    leaves_nothing("None in itertools.repeat(1)", |state| {
        state.contains(") R ")
    })
    .await;
}
