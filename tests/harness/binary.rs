//! Where the things under test lie: the binary, the artifact, the workspace.

use std::path::{Path, PathBuf};

/// Returns the path of `hermes-exec`, built by the same profile as the running test.
pub fn hermes_exec() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    // `target/<profile>/deps/it-<hash>` stands beside `target/<profile>/hermes-exec`.
    let profile = test
        .parent()
        .and_then(Path::parent)
        .expect("a test binary lies in `deps` of its profile");
    let binary = profile.join("hermes-exec");
    assert!(
        binary.is_file(),
        "`{}` is missing; build it with `cargo build --release --bin hermes-exec`",
        binary.display()
    );
    binary
}

/// Returns the root of the workspace.
pub fn workspace() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the tests are a member of the workspace")
}

/// Returns the directory of the artifact that the tests run on.
pub fn artifact_dir() -> PathBuf {
    let place = std::env::var_os("HERMES_ARTIFACT_DIR")
        .map_or_else(|| workspace().join("target/artifact"), PathBuf::from);
    assert!(
        place.join("manifest.json").is_file(),
        "no artifact in `{}`; build it with `make artifact`",
        place.display()
    );
    place
}
