//! The system: the programs, headers and Rust target that the other steps use, installed when they are missing.
//!
//! It asks for the things themselves and not for packages, so it is quick, and any way to install them will do.

use std::fmt;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail, ensure};

use crate::command::{Log, command};
use crate::step::Context;
use crate::toolchain::{TARGET, find};

/// Programs of every build, and the packages that have them.
const PROGRAMS: &[(&str, &str)] = &[
    ("cc", "gcc libc6-dev"),
    ("make", "make"),
    ("patch", "patch"),
    ("pip3", "python3-pip"),
    ("tar", "tar"),
    ("wasm-opt", "binaryen"),
    ("xz", "xz-utils"),
];

/// Programs of a build without wasi-sdk.
const LLVM: &[(&str, &str)] = &[
    ("clang-22", "clang-22"),
    ("llvm-ar-22", "llvm-22"),
    ("llvm-profdata-22", "llvm-22"),
    ("llvm-ranlib-22", "llvm-22"),
    ("wasm-ld-22", "lld-22"),
];

/// Libraries of the compiler: the file, in a directory below its resource directory, and the package.
const COMPILER_LIBRARIES: &[(&str, &str)] = &[
    ("libclang_rt.builtins-wasm32.a", "libclang-rt-22-dev-wasm32"),
    ("libclang_rt.profile", "libclang-rt-22-dev"),
];

/// The name on the progress line and of the log.
pub(crate) const NAME: &str = "system";

/// What the set-up does.
pub(crate) const TASK: &str = "installs system packages and the Rust target";

/// How long that is likely to take on 2 cores, in seconds.
pub(crate) const SECONDS: u32 = 30;

/// A thing that is not there, and what brings it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Missing {
    thing: String,
    remedy: Remedy,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Remedy {
    /// Packages of the distribution, apart by spaces.
    Packages(&'static str),
    /// A complete wasi-sdk in place of the named one.
    WasiSdk,
    /// The toolchain manager.
    Rustup,
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.thing)
    }
}

/// Returns what is not there.
pub(crate) fn missing(context: &Context) -> Result<Vec<Missing>> {
    let sdk = context.overrides.wasi_sdk.is_some();
    let mut missing = Vec::new();
    let mut absent = |thing: &str, remedy| {
        missing.push(Missing {
            thing: thing.into(),
            remedy,
        });
    };
    for &(program, packages) in PROGRAMS.iter().chain(if sdk { &[] } else { LLVM }) {
        if find(Path::new(program)).is_none() {
            absent(program, Remedy::Packages(packages));
        }
    }
    if sdk {
        for program in context
            .toolchain
            .programs()
            .into_iter()
            .filter(|program| !program.is_file())
        {
            absent(&program.to_string_lossy(), Remedy::WasiSdk);
        }
    } else {
        let resources = resource_directory();
        for &(library, packages) in COMPILER_LIBRARIES {
            if !resources
                .as_deref()
                .is_some_and(|directory| has_library(directory, library))
            {
                absent(library, Remedy::Packages(packages));
            }
        }
    }
    if !has_zlib_header() {
        absent("zlib.h", Remedy::Packages("zlib1g-dev"));
    }
    if !has_rust_target(context.workspace.root())? {
        absent(&format!("Rust target {TARGET}"), Remedy::Rustup);
    }
    Ok(missing)
}

/// Installs what is missing. Returns what was installed, or nothing when all was there.
///
/// Calls `begin` before the work. Where this user may not install packages, nothing is installed and the error is
/// [`MissingPackages`] with the command to run.
pub(crate) fn set_up(context: &Context, begin: impl FnOnce()) -> Result<Option<String>> {
    let absent = missing(context)?;
    if absent.is_empty() {
        return Ok(None);
    }
    begin();
    if let Some(thing) = absent
        .iter()
        .find(|missing| missing.remedy == Remedy::WasiSdk)
    {
        bail!(
            "`{thing}` is not there\nhint: WASI_SDK_PATH has to name the directory of a whole wasi-sdk"
        );
    }
    let packages = packages(&absent);
    if !packages.is_empty() && !may_install() {
        bail!(MissingPackages {
            missing: absent,
            packages
        });
    }
    let log = Log::create(context.workspace.log(NAME))?;
    if !packages.is_empty() {
        install(&packages, &log)?;
    }
    if absent
        .iter()
        .any(|missing| missing.remedy == Remedy::Rustup)
    {
        add_rust_target(context.workspace.root(), &log)?;
    }
    let still = missing(context)?;
    ensure!(
        still.is_empty(),
        "still missing after the installation: {}; see {}",
        list(&still),
        log.path().display()
    );
    Ok(Some(format!("installed {}", list(&absent))))
}

/// Packages are missing and this user may not install them.
#[derive(Debug)]
pub(crate) struct MissingPackages {
    missing: Vec<Missing>,
    packages: Vec<&'static str>,
}

impl fmt::Display for MissingPackages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "not installed: {}; nothing was changed\nhint: run as root, on Debian or a relative of it:\n  \
             apt-get update && apt-get install -y --no-install-recommends {}",
            list(&self.missing),
            self.packages.join(" ")
        )
    }
}

impl std::error::Error for MissingPackages {}

fn list(missing: &[Missing]) -> String {
    missing
        .iter()
        .map(|missing| missing.thing.as_str())
        .collect::<Vec<_>>()
        .join(", ")
}

fn packages(missing: &[Missing]) -> Vec<&'static str> {
    let mut packages = Vec::new();
    for missing in missing {
        if let Remedy::Packages(names) = missing.remedy {
            packages.extend(names.split_whitespace());
        }
    }
    packages.sort_unstable();
    packages.dedup();
    packages
}

fn may_install() -> bool {
    let root = fs::metadata("/proc/self").is_ok_and(|process| process.uid() == 0);
    root && find(Path::new("apt-get")).is_some()
}

fn install(packages: &[&str], log: &Log) -> Result<()> {
    let apt = |arguments: &[&str]| {
        let mut apt = command("apt-get");
        apt.env("DEBIAN_FRONTEND", "noninteractive")
            .args(["-q", "-y"])
            .args(arguments);
        apt
    };
    let install = [&["install", "--no-install-recommends"], packages].concat();
    if log.run(&mut apt(&install)).is_ok() {
        return Ok(());
    }
    // A fresh machine has no package lists, an old one has stale ones.
    log.run(&mut apt(&["update"]))?;
    log.run(&mut apt(&install))
}

fn resource_directory() -> Option<PathBuf> {
    let output = command("clang-22")
        .arg("-print-resource-dir")
        .output()
        .ok()?;
    Some(PathBuf::from(String::from_utf8(output.stdout).ok()?.trim()))
}

fn has_library(resources: &Path, name: &str) -> bool {
    let directories = fs::read_dir(resources.join("lib"))
        .into_iter()
        .flatten()
        .flatten();
    let mut files = directories.flat_map(|directory| {
        fs::read_dir(directory.path())
            .into_iter()
            .flatten()
            .flatten()
    });
    files.any(|file| file.file_name().to_string_lossy().starts_with(name))
}

fn has_zlib_header() -> bool {
    let mut probe = command("cc");
    probe.args([
        "-E",
        "-include",
        "zlib.h",
        "-x",
        "c",
        "/dev/null",
        "-o",
        "/dev/null",
    ]);
    probe.output().is_ok_and(|output| output.status.success())
}

fn has_rust_target(workspace: &Path) -> Result<bool> {
    let output = command("rustc")
        .args(["--print", "sysroot"])
        .current_dir(workspace)
        .output();
    let output = output.context("cannot run `rustc`")?;
    let sysroot = String::from_utf8(output.stdout).context("the sysroot of `rustc` is not text")?;
    Ok(Path::new(sysroot.trim())
        .join("lib/rustlib")
        .join(TARGET)
        .join("lib")
        .is_dir())
}

fn add_rust_target(workspace: &Path, log: &Log) -> Result<()> {
    ensure!(
        find(Path::new("rustup")).is_some(),
        "this Rust has no target `{TARGET}` and there is no rustup to add it\nhint: install the package of your \
         distribution that has the standard library of {TARGET}"
    );
    log.run(
        command("rustup")
            .args(["target", "add", TARGET])
            .current_dir(workspace),
    )
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use super::*;

    fn absent(thing: &str, packages: &'static str) -> Missing {
        Missing {
            thing: thing.into(),
            remedy: Remedy::Packages(packages),
        }
    }

    #[test]
    fn without_root_the_error_is_the_exact_command() {
        let missing = vec![
            absent("wasm-opt", "binaryen"),
            absent("llvm-ar-22", "llvm-22"),
            absent("cc", "gcc libc6-dev"),
            absent("llvm-ranlib-22", "llvm-22"),
        ];
        let packages = packages(&missing);
        assert_eq!(
            MissingPackages { missing, packages }.to_string(),
            "not installed: wasm-opt, llvm-ar-22, cc, llvm-ranlib-22; nothing was changed\n\
             hint: run as root, on Debian or a relative of it:\n  \
             apt-get update && apt-get install -y --no-install-recommends binaryen gcc libc6-dev llvm-22"
        );
    }

    #[test]
    fn a_compiler_library_is_found_in_any_directory_of_its_resources() {
        let resources = tempfile::tempdir().unwrap();
        let wasi = resources.path().join("lib/wasi");
        assert!(!has_library(
            resources.path(),
            "libclang_rt.builtins-wasm32.a"
        ));
        fs::create_dir_all(&wasi).unwrap();
        fs::write(wasi.join("libclang_rt.builtins-wasm32.a"), "").unwrap();
        assert!(has_library(
            resources.path(),
            "libclang_rt.builtins-wasm32.a"
        ));
        assert!(!has_library(resources.path(), "libclang_rt.profile"));
    }
}
