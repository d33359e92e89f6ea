//! Where everything lies: the workspace, the directory of intermediate results, the directory of the artifact.
//!
//! Paths only; nothing here reads or writes a file. Every path is absolute and free of white space, because
//! `CPython`'s makefiles do not quote.

use std::env;
use std::path::{Path, PathBuf, absolute};

use anyhow::{Context as _, Result, ensure};

/// The directories that the program works in.
#[derive(Debug, Clone)]
pub(crate) struct Workspace {
    root: PathBuf,
    out: PathBuf,
    artifacts: PathBuf,
}

impl Workspace {
    /// Returns the directories: what the caller named, else those under the workspace's `target`.
    pub(crate) fn locate(out: Option<&Path>, artifacts: Option<&Path>) -> Result<Self> {
        // Cargo sets the variable for `cargo run`; the compiled-in value serves the binary that is started by hand.
        let package = env::var_os("CARGO_MANIFEST_DIR")
            .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
        let root = package
            .parent()
            .context("the package directory has no parent")?
            .to_path_buf();
        ensure!(
            root.join("guest/Cargo.toml").is_file(),
            "`{}` is not the workspace of this program: it has no `guest/Cargo.toml`; run it with `cargo run --release --bin python-wasm` from the workspace",
            root.display()
        );
        Self::new(
            root.clone(),
            out.unwrap_or(&root.join("target/python-wasm")),
            artifacts.unwrap_or(&root.join("target/artifact")),
        )
    }

    fn new(root: PathBuf, out: &Path, artifacts: &Path) -> Result<Self> {
        let out = absolute(out).context("the output directory is not a path")?;
        let artifacts = absolute(artifacts).context("the artifact directory is not a path")?;
        let plain = out.to_str().is_some_and(|text| {
            !text.contains(|c: char| c.is_whitespace() || "'\"$:#".contains(c))
        });
        ensure!(
            plain,
            "the output directory `{}` has white space or special characters, which CPython's makefiles cannot work with\nhint: pass --out DIR with a plain path",
            out.display()
        );
        Ok(Self {
            root,
            out,
            artifacts,
        })
    }

    /// Returns the root of the Cargo workspace.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the directory of the intermediate results.
    pub(crate) fn out(&self) -> &Path {
        &self.out
    }

    /// Returns the directory of the finished artifact.
    pub(crate) fn artifacts(&self) -> &Path {
        &self.artifacts
    }

    /// Returns a file or directory of this program's own assets.
    pub(crate) fn asset(&self, name: &str) -> PathBuf {
        self.root.join("python-wasm/assets").join(name)
    }

    /// Returns the log file of a step.
    pub(crate) fn log(&self, step: &str) -> PathBuf {
        self.out.join("logs").join(format!("{step}.log"))
    }

    /// Returns the file that records what each step was made from.
    pub(crate) fn records(&self) -> PathBuf {
        self.out.join("steps.json")
    }

    /// Returns the directory of the downloaded archives.
    pub(crate) fn downloads(&self) -> PathBuf {
        self.out.join("downloads")
    }

    /// Returns the unpacked source of `CPython`. Build directories are its cousins (`<out>/native`), which lets them
    /// name it by the same relative path, so that no path of this machine is compiled in.
    pub(crate) fn cpython(&self) -> PathBuf {
        self.out.join("src/cpython")
    }

    /// Returns the unpacked source of xz.
    pub(crate) fn xz(&self) -> PathBuf {
        self.out.join("src/xz")
    }

    /// Returns the directory that the wasi-libc package is unpacked to.
    pub(crate) fn sysroot(&self) -> PathBuf {
        self.out.join("sysroot")
    }

    /// Returns the compiler driver for the sandbox's target.
    pub(crate) fn compiler(&self) -> PathBuf {
        self.out.join("bin/wasm-cc")
    }

    /// Returns the build directory of the native interpreter.
    pub(crate) fn native(&self) -> PathBuf {
        self.out.join("native")
    }

    /// Returns the native interpreter: same version, used to build and to pack.
    pub(crate) fn interpreter(&self) -> PathBuf {
        self.native().join("python")
    }

    /// Returns the directory of the C libraries: `include` and `lib`.
    pub(crate) fn libraries(&self) -> PathBuf {
        self.out.join("libraries")
    }

    /// Returns the merged profile.
    pub(crate) fn profile(&self) -> PathBuf {
        self.out.join("python.profdata")
    }

    /// Returns the build directory of the interpreter for the sandbox.
    pub(crate) fn cross(&self) -> PathBuf {
        self.out.join("wasi")
    }

    /// Returns the packed standard library.
    pub(crate) fn stdlib(&self) -> PathBuf {
        self.out.join("python313.zip")
    }

    /// Returns the guest module before its initialisation has run.
    pub(crate) fn guest(&self) -> PathBuf {
        self.out.join("guest.wasm")
    }

    /// Returns the guest module after its initialisation has run.
    pub(crate) fn snapshot(&self) -> PathBuf {
        self.out.join("snapshot.wasm")
    }

    /// Returns how a record names a path: relative to the output directory where it lies in it.
    pub(crate) fn short(&self, path: &Path) -> String {
        path.strip_prefix(&self.out)
            .unwrap_or(path)
            .to_string_lossy()
            .into_owned()
    }

    /// Returns the path that a record names; the inverse of [`Workspace::short`].
    pub(crate) fn full(&self, short: &str) -> PathBuf {
        self.out.join(short)
    }

    /// Returns a workspace whose three directories lie in `base`.
    #[cfg(test)]
    pub(crate) fn scratch(base: &Path) -> Self {
        Self {
            root: base.join("root"),
            out: base.join("out"),
            artifacts: base.join("artifact"),
        }
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use super::*;

    #[test]
    fn paths_in_the_output_directory_are_recorded_relative_to_it() {
        let workspace = Workspace::scratch(Path::new("/w"));
        assert_eq!(workspace.short(&workspace.guest()), "guest.wasm");
        assert_eq!(workspace.full("guest.wasm"), workspace.guest());
        assert_eq!(
            workspace.short(Path::new("/w/artifact/x.wasm")),
            "/w/artifact/x.wasm"
        );
        assert_eq!(
            workspace.full("/w/artifact/x.wasm"),
            Path::new("/w/artifact/x.wasm")
        );
    }

    #[test]
    fn an_output_directory_with_a_space_is_refused() {
        let error =
            Workspace::new(PathBuf::from("/w"), Path::new("/my out"), Path::new("/a")).unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("the output directory `/my out` has white space"),
            "{error}"
        );
    }
}
