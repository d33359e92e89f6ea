//! Cargo: how it is called, and what it says about packages and their build scripts.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result};
use serde::Deserialize;

use crate::command::{Log, command};
use crate::toolchain::TARGET;
use crate::workspace::Workspace;

/// Returns a call of the cargo that runs this program, for the workspace.
pub(crate) fn cargo(subcommand: &str, workspace: &Workspace) -> Command {
    let mut cargo = command(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo
        .arg(subcommand)
        .arg("--manifest-path")
        .arg(workspace.root().join("Cargo.toml"))
        .current_dir(workspace.root());
    cargo
}

/// Returns where a package's build script put its results, read from the messages of `cargo build
/// --message-format=json`, one object a line.
pub(crate) fn build_directory(messages: &str, package: &str) -> Result<PathBuf> {
    #[derive(Deserialize)]
    struct Message {
        reason: String,
        #[serde(default)]
        package_id: String,
        out_dir: Option<PathBuf>,
    }
    for line in messages.lines().filter(|line| line.starts_with('{')) {
        let message: Message =
            serde_json::from_str(line).context("cargo's message is not what it documents")?;
        // The identifier ends in `#name@version`, or in `/name#version` when the path has the name.
        let id = message.package_id.split('@').next().unwrap_or_default();
        if message.reason == "build-script-executed"
            && id.rsplit(['#', '/']).next() == Some(package)
        {
            return message
                .out_dir
                .context("cargo's message on a build script names no directory");
        }
    }
    anyhow::bail!("cargo did not say where it built `{package}`")
}

/// Returns the directory of a package's source.
pub(crate) fn source_directory(package: &str, workspace: &Workspace, log: &Log) -> Result<PathBuf> {
    #[derive(Deserialize)]
    struct Metadata {
        packages: Vec<Package>,
    }
    #[derive(Deserialize)]
    struct Package {
        name: String,
        manifest_path: PathBuf,
    }
    let mut metadata = cargo("metadata", workspace);
    let text =
        log.capture(metadata.args(["--format-version", "1", "--filter-platform", TARGET]))?;
    let metadata: Metadata =
        serde_json::from_slice(&text).context("cargo's metadata is not what it documents")?;
    let found = metadata
        .packages
        .iter()
        .find(|candidate| candidate.name == package);
    let manifest = found
        .map(|found| found.manifest_path.as_path())
        .and_then(Path::parent);
    manifest
        .map(Path::to_path_buf)
        .with_context(|| format!("cargo knows no package `{package}`"))
}

/// Returns a package's entry in the text of the lock file.
pub(crate) fn locked<'a>(lock: &'a str, package: &str) -> Option<&'a str> {
    let line = format!("name = \"{package}\"");
    lock.split("[[package]]")
        .find(|entry| entry.trim_start().lines().next() == Some(&line))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use super::*;

    #[test]
    fn a_locked_package_is_found_by_its_whole_name() {
        let lock = "version = 4\n\n[[package]]\nname = \"libz-sys-x\"\nversion = \"1\"\n\n\
                    [[package]]\nname = \"libz-sys\"\nversion = \"2\"\n";
        assert_eq!(
            locked(lock, "libz-sys"),
            Some("\nname = \"libz-sys\"\nversion = \"2\"\n")
        );
        assert_eq!(locked(lock, "libz"), None);
    }

    #[test]
    fn build_directories_are_read_from_cargos_messages() {
        let message = |id: &str, out: &str| {
            format!(r#"{{"reason":"build-script-executed","package_id":"{id}","out_dir":"{out}"}}"#)
        };
        let messages = [
            r#"{"reason":"compiler-artifact","package_id":"registry+x#libz-sys@1.1.33","fresh":true}"#.to_owned(),
            message("registry+x#libz-sys-other@1.1.33", "/o/other"),
            message("registry+x#libz-sys@1.1.33", "/o/z"),
            message("registry+x#bzip2-sys@0.1.13+1.0.8", "/o/bz"),
            r#"{"reason":"build-finished","success":true}"#.to_owned(),
        ];
        let messages = messages.join("\n");
        assert_eq!(
            build_directory(&messages, "libz-sys").unwrap(),
            Path::new("/o/z")
        );
        assert_eq!(
            build_directory(&messages, "bzip2-sys").unwrap(),
            Path::new("/o/bz")
        );
        let error = build_directory(&messages, "libsqlite3-sys")
            .unwrap_err()
            .to_string();
        assert_eq!(error, "cargo did not say where it built `libsqlite3-sys`");
    }
}
