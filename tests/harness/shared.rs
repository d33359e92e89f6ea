//! The runtime that most tests share, and the builder for those that need one of their own.

use std::sync::LazyLock;

use hermes_runtime::{ByteSize, Mode, Runtime, RuntimeBuilder};

use crate::binary::artifact_dir;
use crate::engine::{mode, project_options};

static SHARED: LazyLock<Runtime> =
    LazyLock::new(|| builder().max_sessions(10_000).build().unwrap());

/// Returns the one runtime of the test binary. It grants no directory; every session in it belongs to one test.
pub fn shared() -> &'static Runtime {
    &SHARED
}

/// Returns a builder on the artifact under test that leaves nothing in the user's own directories.
pub fn builder() -> RuntimeBuilder {
    let builder = Runtime::builder();
    let builder = match mode() {
        Mode::Project => builder.mode(Mode::Project).project(project_options()),
        // Project mode is off, as it is for a host that never asked for it. What passes with less stack than users have will pass for them.
        mode => builder.mode(mode).stack_limit(ByteSize::mebibytes(5)),
    };
    builder
        .artifact_dir(artifact_dir())
        .spill_dir(None)
        .redact_secrets(true)
}
