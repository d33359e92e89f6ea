//! The compiled module itself: what it imports is all that a script can ever reach.

use hermes_tests::{artifact_dir, imports};
use serde_json::Value;

/// Four functions of WASI and its exit, and the module of our own.
const ALLOWED: [&str; 9] = [
    "hermes.call",
    "hermes.output",
    "hermes.take",
    "hermes.tools",
    "wasi_snapshot_preview1.clock_res_get",
    "wasi_snapshot_preview1.clock_time_get",
    "wasi_snapshot_preview1.poll_oneoff",
    "wasi_snapshot_preview1.proc_exit",
    "wasi_snapshot_preview1.random_get",
];

#[test]
fn the_module_imports_exactly_what_is_allowed() {
    let place = artifact_dir();
    let manifest: Value =
        serde_json::from_slice(&std::fs::read(place.join("manifest.json")).unwrap()).unwrap();
    let module = std::fs::read(place.join(manifest["module"].as_str().unwrap())).unwrap();
    let mut found = imports(&module);
    found.sort();
    assert_eq!(found, ALLOWED);
}

#[test]
fn the_module_holds_no_path_of_the_machine_that_built_it() {
    let place = artifact_dir();
    let manifest: Value =
        serde_json::from_slice(&std::fs::read(place.join("manifest.json")).unwrap()).unwrap();
    let module = std::fs::read(place.join(manifest["module"].as_str().unwrap())).unwrap();
    let own = hermes_tests::workspace().join("target");
    let own = own.to_str().unwrap().as_bytes();
    assert!(!module.windows(own.len()).any(|window| window == own));
}
