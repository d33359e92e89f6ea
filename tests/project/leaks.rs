//! Nothing is left of kernels that are gone: no process, socket, directory or descriptor.

use std::fs;
use std::path::Path;
use std::process::Command;

use hermes_tests::{Session, builder};

async fn run(kernels: u32) {
    let runtime = builder().build().unwrap();
    let descriptors = || fs::read_dir("/proc/self/fd").unwrap().count();
    let mut places = Vec::new();
    let mut before = 0;
    for number in 0..kernels {
        let session = Session::on(&runtime);
        let finished = session
            .run("import os, sys\nprint(os.getpid())\nprint(os.environ['HERMES_KERNEL_SPILL_DIR'])\nprint(os.environ['HERMES_RPC_SOCKET'])\nsys.exit()")
            .await;
        finished.succeeds();
        let lines = finished.outcome().output.lines();
        places.push(lines.map(str::to_owned).collect::<Vec<_>>());
        if number == 20 {
            before = descriptors();
        }
    }
    for place in &places {
        let [pid, directory, socket] = place.as_slice() else {
            panic!("{place:?}")
        };
        // A zombie has an entry, too.
        let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
        let is_own = status.contains(&format!("PPid:\t{}\n", std::process::id()));
        assert!(!is_own, "{place:?} {status}");
        assert!(!Path::new(directory).exists(), "{place:?}");
        assert!(!Path::new(socket).exists(), "{place:?}");
    }
    // A leak would be several for each kernel; what is just being closed is fewer.
    let grown = descriptors().saturating_sub(before);
    assert!(
        grown < 20,
        "{grown} more descriptors after {kernels} kernels"
    );
}

/// Runs a test of this file in a process of its own, in which no other test opens descriptors.
fn alone(name: &str) {
    let program = std::env::current_exe().unwrap();
    let ended = Command::new(program)
        .args(["--exact", "--ignored", "--nocapture", name])
        .output()
        .unwrap();
    let printed = String::from_utf8_lossy(&ended.stdout);
    assert!(printed.contains("1 passed"), "{printed}{ended:?}");
}

#[test]
fn nothing_is_left_of_a_hundred_kernels() {
    alone("leaks::a_hundred_kernels");
}

#[test]
#[ignore = "takes a minute or two"]
fn nothing_is_left_of_a_thousand_kernels() {
    alone("leaks::a_thousand_kernels");
}

#[tokio::test]
#[ignore = "is run in a process of its own"]
async fn a_hundred_kernels() {
    run(100).await;
}

#[tokio::test]
#[ignore = "is run in a process of its own"]
async fn a_thousand_kernels() {
    run(1_000).await;
}
