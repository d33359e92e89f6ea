//! The versions that matter to a run: this program, the engine, and the interpreter inside the artifact.

use hermes_runtime::{Artifact, WASMTIME_VERSION};

use crate::exit::Exit;
use crate::failure::Failure;
use crate::streams;

/// Prints the versions on one line.
pub(super) fn print() -> Result<Exit, Failure> {
    let artifact = Artifact::find(None).ok();
    let line = line(
        artifact
            .as_ref()
            .map(|artifact| artifact.manifest().cpython.as_str()),
    );
    streams::print(&line).map_err(Failure::to("write the output"))?;
    Ok(Exit::Success)
}

fn line(cpython: Option<&str>) -> String {
    let cpython = match cpython {
        Some(version) => format!("CPython {version}"),
        None => "CPython: no artifact found".to_owned(),
    };
    format!(
        "hermes-exec {} (wasmtime {WASMTIME_VERSION}, {cpython})\n",
        env!("CARGO_PKG_VERSION")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_three_versions_are_named() {
        let own = env!("CARGO_PKG_VERSION");
        assert_eq!(
            line(Some("3.13.5")),
            format!("hermes-exec {own} (wasmtime {WASMTIME_VERSION}, CPython 3.13.5)\n")
        );
    }

    #[test]
    fn a_missing_artifact_is_said_in_place_of_the_version() {
        assert!(line(None).ends_with(", CPython: no artifact found)\n"));
    }
}
