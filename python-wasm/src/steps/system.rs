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

/// What a build uses and the packages that have it; a check before the first compilation reads it as well.
const PACKAGES: &str = include_str!("../../assets/packages.txt");

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
    let resources = resource_directory();
    for (kind, thing, packages) in needed() {
        let is_there = match kind {
            "program" => find(Path::new(thing)).is_some(),
            "header" => has_header(thing),
            "llvm" => sdk || find(Path::new(thing)).is_some(),
            "library" => {
                sdk || resources
                    .as_deref()
                    .is_some_and(|found| has_library(found, thing))
            }
            other => bail!("`{other}` in packages.txt is no kind of thing"),
        };
        if !is_there {
            absent(thing, Remedy::Packages(packages));
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
    }
    if !has_rust_target(context.workspace.root())? {
        absent(&format!("Rust target {TARGET}"), Remedy::Rustup);
    }
    Ok(missing)
}

/// Returns the rows of the table: kind, thing, packages apart by spaces.
fn needed() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    PACKAGES
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| {
            let (kind, rest) = line.split_once(' ')?;
            let (thing, packages) = rest.trim_start().split_once(' ')?;
            Some((kind, thing, packages.trim()))
        })
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

fn has_header(name: &str) -> bool {
    let mut probe = command("cc");
    probe.args([
        "-E",
        "-include",
        name,
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

    /// Runs the check that comes before the first compilation, with these programs and no others.
    fn early_check(programs: &[&str]) -> (i32, String) {
        let place = tempfile::tempdir().unwrap();
        for program in programs {
            let target = find(Path::new(program)).unwrap();
            std::os::unix::fs::symlink(target, place.path().join(program)).unwrap();
        }
        // Root may install packages, so that the check lets it pass; here it is to be somebody else.
        let id = place.path().join("id");
        fs::write(&id, "#!/bin/sh\necho 1000\n").unwrap();
        fs::set_permissions(&id, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/check-packages.sh");
        let output = std::process::Command::new("/bin/sh")
            .arg(script)
            .env_clear()
            .env("PATH", place.path())
            .output()
            .unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        (output.status.code().unwrap(), said)
    }

    #[test]
    fn a_user_who_may_not_install_is_told_before_anything_is_compiled() {
        let (code, said) = early_check(&["cc", "dirname", "make", "sort", "tar", "tr"]);
        let missing: Vec<_> = needed()
            .filter(|(_, thing, _)| !matches!(*thing, "cc" | "make" | "tar" | "zlib.h"))
            .map(|(_, thing, packages)| absent(thing, packages))
            .collect();
        let packages = packages(&missing);
        let expected = MissingPackages { missing, packages };
        // The header is there or not, as on the machine; the compiler finds it by itself.
        assert_eq!(
            (
                code,
                said.replace("zlib.h, ", "").replace(" zlib1g-dev", "")
            ),
            (1, format!("{expected}\n"))
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
