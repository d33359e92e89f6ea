//! The runtime that most tests share, and the builder for those that need one of their own.

use std::sync::LazyLock;

use hermes_runtime::{Runtime, RuntimeBuilder};

use crate::binary::artifact_dir;

static SHARED: LazyLock<Runtime> =
    LazyLock::new(|| builder().max_sessions(10_000).build().unwrap());

/// Returns the one runtime of the test binary. It grants no directory; every session in it belongs to one test.
pub fn shared() -> &'static Runtime {
    &SHARED
}

/// Returns a builder on the artifact under test that leaves nothing in the user's own directories.
pub fn builder() -> RuntimeBuilder {
    Runtime::builder()
        .artifact_dir(artifact_dir())
        .spill_dir(None)
        .redact_secrets(true)
}
