//! Nothing is left of kernels that are gone: no process, socket, directory or descriptor.

use std::fs;
use std::path::Path;

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
    // Other tests of this process open and close descriptors meanwhile; a leak would be several for each kernel.
    let grown = descriptors().saturating_sub(before);
    assert!(
        grown < 100,
        "{grown} more descriptors after {kernels} kernels"
    );
}

#[tokio::test]
async fn nothing_is_left_of_a_hundred_kernels() {
    run(100).await;
}

#[tokio::test]
#[ignore = "takes a minute or two"]
async fn nothing_is_left_of_a_thousand_kernels() {
    run(1_000).await;
}
