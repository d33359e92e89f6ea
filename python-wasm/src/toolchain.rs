//! The compiler for the sandbox's target: the distribution's clang with wasi-libc, or a wasi-sdk.
//!
//! Everything is compiled through one driver script, so that `CPython`'s configure, cargo's build scripts and direct
//! calls use the same compiler, headers and libraries.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result};

use crate::command::{self, command};
use crate::manifest::write_whole;
use crate::workspace::Workspace;

/// The target of everything that runs in the sandbox.
pub(crate) const TARGET: &str = "wasm32-wasip1";

/// How C is compiled for the sandbox: 128-bit vectors and memory copies are there in every runtime of today.
pub(crate) const CFLAGS: &str = "-O3 -msimd128 -mbulk-memory";

/// The programs and directories that the cross build uses.
#[derive(Debug)]
pub(crate) struct Toolchain {
    /// The compiler, for the machine itself as well where it is the distribution's.
    pub(crate) clang: PathBuf,
    linker: PathBuf,
    /// What merges profiles; with a wasi-sdk there is no profile.
    pub(crate) profdata: PathBuf,
    /// The archiver.
    pub(crate) ar: PathBuf,
    /// The archive indexer.
    pub(crate) ranlib: PathBuf,
    sysroot: PathBuf,
}

impl Toolchain {
    /// Returns the wasi-sdk at `sdk`, else the distribution's compiler with the sysroot in the output directory.
    pub(crate) fn select(sdk: Option<&Path>, workspace: &Workspace) -> Self {
        match sdk {
            Some(sdk) => Self {
                clang: sdk.join("bin/clang"),
                linker: sdk.join("bin/wasm-ld"),
                profdata: sdk.join("bin/llvm-profdata"),
                ar: sdk.join("bin/llvm-ar"),
                ranlib: sdk.join("bin/llvm-ranlib"),
                sysroot: sdk.join("share/wasi-sysroot"),
            },
            None => Self {
                clang: "clang-22".into(),
                linker: "wasm-ld-22".into(),
                profdata: "llvm-profdata-22".into(),
                ar: "llvm-ar-22".into(),
                ranlib: "llvm-ranlib-22".into(),
                sysroot: workspace.sysroot().join("usr"),
            },
        }
    }

    /// Returns the programs that have to exist.
    pub(crate) fn programs(&self) -> [&Path; 4] {
        [&self.clang, &self.linker, &self.ar, &self.ranlib]
    }

    /// Returns the C library's headers.
    pub(crate) fn headers(&self) -> PathBuf {
        self.sysroot.join("include").join(TARGET)
    }

    /// Returns the C library's archives, the emulation libraries among them.
    pub(crate) fn archives(&self) -> PathBuf {
        self.sysroot.join("lib").join(TARGET)
    }

    /// Returns what the compiler says about itself, for the keys of the steps that compile.
    pub(crate) fn version(&self) -> Result<String> {
        command::version(&self.clang, Path::new("."))
    }

    /// Returns the text of the driver script. Paths below the output directory are compiled in as `/build`.
    pub(crate) fn driver(&self, workspace: &Workspace) -> String {
        format!(
            "#!/bin/sh\n\
             exec {clang} --target={TARGET} --sysroot={sysroot} -isystem {headers} -L{archives} -fuse-ld={linker} \
             -ffile-prefix-map={out}=/build -Wno-unused-command-line-argument \"$@\"\n",
            clang = quoted(&self.clang),
            sysroot = quoted(&self.sysroot),
            headers = quoted(&self.headers()),
            archives = quoted(&self.archives()),
            linker = quoted(&found(&self.linker)),
            out = quoted(workspace.out()),
        )
    }

    /// Writes the driver script.
    pub(crate) fn write_driver(&self, workspace: &Workspace) -> Result<()> {
        let path = workspace.compiler();
        write_whole(&path, self.driver(workspace).as_bytes())?;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755))
            .with_context(|| format!("cannot make `{}` executable", path.display()))
    }

    /// Returns a call of the driver.
    pub(crate) fn compile(workspace: &Workspace) -> Command {
        let mut command = command(workspace.compiler());
        command.args(CFLAGS.split(' '));
        command
    }
}

/// Returns where a program lies: the path itself, or the first match in `PATH`.
pub(crate) fn find(program: &Path) -> Option<PathBuf> {
    if program.components().count() > 1 {
        return program.is_file().then(|| program.to_path_buf());
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|directory| directory.join(program))
        .find(|candidate| candidate.is_file())
}

/// The compiler driver takes the linker by path; a missing one is reported by the set-up.
fn found(program: &Path) -> PathBuf {
    find(program).unwrap_or_else(|| program.to_path_buf())
}

fn quoted(path: &Path) -> String {
    format!("'{}'", path.to_string_lossy().replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use super::*;

    #[test]
    fn the_driver_of_a_wasi_sdk_uses_its_compiler_and_sysroot() {
        let workspace = Workspace::scratch(Path::new("/w"));
        let toolchain = Toolchain::select(Some(Path::new("/opt/wasi sdk")), &workspace);
        assert_eq!(
            toolchain.driver(&workspace),
            "#!/bin/sh\nexec '/opt/wasi sdk/bin/clang' --target=wasm32-wasip1 --sysroot='/opt/wasi sdk/share/wasi-sysroot' \
             -isystem '/opt/wasi sdk/share/wasi-sysroot/include/wasm32-wasip1' \
             -L'/opt/wasi sdk/share/wasi-sysroot/lib/wasm32-wasip1' -fuse-ld='/opt/wasi sdk/bin/wasm-ld' \
             -ffile-prefix-map='/w/out'=/build -Wno-unused-command-line-argument \"$@\"\n"
        );
    }

    #[test]
    fn the_written_driver_can_be_executed() {
        let directory = tempfile::tempdir().unwrap();
        let workspace = Workspace::scratch(directory.path());
        Toolchain::select(None, &workspace)
            .write_driver(&workspace)
            .unwrap();
        let mode = fs::metadata(workspace.compiler())
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o755);
    }
}
