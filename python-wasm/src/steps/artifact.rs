//! The artifact: the finished module under a name that holds its hash, and the manifest that points to it.
//!
//! The module is in place before the manifest names it, and earlier modules go only after that: whoever reads the
//! manifest finds a whole module.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use super::fetch::version;
use crate::command::Log;
use crate::digest::{Key, of_bytes};
use crate::manifest::{Manifest, Record, write_whole};
use crate::step::{Context, Step};

/// Raised when this file does something else with the same inputs.
const RECIPE: &str = "2";

/// What modules are called: this, hexadecimal digits, `.wasm`.
const PREFIX: &str = "hermes-guest-";

/// How many digits of the hash are part of the name.
const NAME_DIGITS: usize = 16;

/// Puts the finished module where the runtime looks for it.
#[derive(Debug)]
pub(crate) struct Artifact;

impl Step for Artifact {
    fn name(&self) -> &'static str {
        "artifact"
    }

    fn task(&self) -> &'static str {
        "puts the module and its manifest in place"
    }

    fn needs(&self, _: &Context) -> Vec<&'static str> {
        vec!["preinit"]
    }

    fn inputs(&self, context: &Context, key: &mut Key) -> Result<()> {
        key.text("recipe", RECIPE);
        key.text("interface", &hermes_runtime::GUEST_INTERFACE.to_string());
        key.text(
            "directory",
            &context.workspace.artifacts().to_string_lossy(),
        );
        Ok(())
    }

    fn run(&self, context: &Context, _: &Log) -> Result<Option<String>> {
        let snapshot = context.workspace.snapshot();
        let module =
            fs::read(&snapshot).with_context(|| format!("cannot read `{}`", snapshot.display()))?;
        let before = super::all(context.profile);
        let steps = before
            .iter()
            .filter_map(|step| context.records.get(step.name()))
            .cloned()
            .collect();
        let manifest = place(
            &module,
            version(&context.workspace.cpython())?,
            steps,
            context.workspace.artifacts(),
        )?;
        Ok(Some(format!(
            "{}, {} bytes",
            manifest.module, manifest.size
        )))
    }

    fn outputs(&self, context: &Context) -> Result<Vec<PathBuf>> {
        let directory = context.workspace.artifacts();
        let mut outputs = modules(directory)?;
        outputs.push(directory.join(Manifest::FILE_NAME));
        Ok(outputs)
    }
}

fn place(module: &[u8], cpython: String, steps: Vec<Record>, directory: &Path) -> Result<Manifest> {
    let sha256 = of_bytes(module);
    let name = format!(
        "{PREFIX}{}.wasm",
        sha256.get(..NAME_DIGITS).unwrap_or(&sha256)
    );
    write_whole(&directory.join(&name), module)?;
    let size = u64::try_from(module.len()).context("a module is smaller than the address space")?;
    let manifest = Manifest {
        module: name,
        interface: hermes_runtime::GUEST_INTERFACE,
        sha256,
        size,
        cpython,
        steps,
    };
    manifest.save(directory)?;
    for path in modules(directory)? {
        if path
            .file_name()
            .is_some_and(|name| name != manifest.module.as_str())
        {
            fs::remove_file(&path)
                .with_context(|| format!("cannot remove `{}`", path.display()))?;
        }
    }
    Ok(manifest)
}

/// Returns the modules in the artifact directory.
fn modules(directory: &Path) -> Result<Vec<PathBuf>> {
    let context = || format!("cannot list `{}`", directory.display());
    let mut modules = Vec::new();
    for entry in fs::read_dir(directory).with_context(context)? {
        let path = entry.with_context(context)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with(PREFIX) && path.extension() == Some(OsStr::new("wasm")) {
            modules.push(path);
        }
    }
    modules.sort();
    Ok(modules)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use super::*;

    #[test]
    fn a_new_module_takes_the_place_of_the_old_one() {
        let directory = tempfile::tempdir().unwrap();
        place(b"old", "3.13.5".into(), Vec::new(), directory.path()).unwrap();
        fs::write(directory.path().join("other.txt"), "").unwrap();
        let manifest = place(b"abc", "3.13.5".into(), Vec::new(), directory.path()).unwrap();
        assert_eq!(manifest.module, "hermes-guest-ba7816bf8f01cfea.wasm");
        assert_eq!(manifest.sha256, of_bytes(b"abc"));
        assert_eq!(manifest.size, 3);
        let mut names: Vec<_> = fs::read_dir(directory.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        names.sort();
        assert_eq!(
            names,
            [
                "hermes-guest-ba7816bf8f01cfea.wasm",
                "manifest.json",
                "other.txt"
            ]
        );
        assert_eq!(
            fs::read(directory.path().join(&manifest.module)).unwrap(),
            b"abc"
        );
    }
}
