//! The sources: archives are downloaded and checked, unpacked and patched; the compiler driver is written.
//!
//! An archive that is already there with the right hash is not downloaded again.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow, bail, ensure};

use crate::apt::PrivateApt;
use crate::command::{Log, command};
use crate::digest::Key;
use crate::sources::{CPYTHON, CPYTHON_VERSION, Origin, Pinned, TZDATA, WASI_LIBC, XZ};
use crate::step::{Context, Step};

/// Raised when this file does something else with the same inputs.
const RECIPE: &str = "1";

/// Fetches and unpacks what the build takes from outside.
#[derive(Debug)]
pub(crate) struct Fetch;

impl Step for Fetch {
    fn name(&self) -> &'static str {
        "fetch"
    }

    fn task(&self) -> &'static str {
        "downloads and unpacks the sources"
    }

    fn seconds(&self) -> u32 {
        30
    }

    fn needs(&self, _: &Context) -> Vec<&'static str> {
        Vec::new()
    }

    fn inputs(&self, context: &Context, key: &mut Key) -> Result<()> {
        key.text("recipe", RECIPE);
        for pinned in wanted(context) {
            key.text(pinned.package, pinned.sha256);
        }
        for (label, path) in [
            ("CPYTHON_SRC", &context.overrides.cpython),
            ("XZ_SRC", &context.overrides.xz),
        ] {
            if let Some(path) = path {
                key.file(label, path)
                    .with_context(|| format!("{label} names no readable file"))?;
            }
        }
        key.text("driver", &context.toolchain.driver(&context.workspace));
        for patch in patches(context)? {
            key.text(
                "patch",
                &patch.file_name().unwrap_or_default().to_string_lossy(),
            );
            key.file("patch", &patch)?;
        }
        Ok(())
    }

    fn run(&self, context: &Context, log: &Log) -> Result<Option<String>> {
        let downloads = context.workspace.downloads();
        fs::create_dir_all(&downloads)
            .with_context(|| format!("cannot make `{}`", downloads.display()))?;
        download(&wanted(context), context, log)?;

        let cpython = context.workspace.cpython();
        unpack(
            context.overrides.cpython.as_deref(),
            &CPYTHON,
            &cpython,
            context,
            log,
        )?;
        let version = version(&cpython)?;
        ensure!(
            version.starts_with("3.13."),
            "the source in CPYTHON_SRC is CPython {version}\nhint: the build is for 3.13; {CPYTHON_VERSION} is tested"
        );
        for patch in patches(context)? {
            log.run(
                command("patch")
                    .args(["-p1", "--batch", "--input"])
                    .arg(&patch)
                    .current_dir(&cpython),
            )?;
        }

        let xz = context.workspace.xz();
        unpack(context.overrides.xz.as_deref(), &XZ, &xz, context, log)?;
        ensure!(
            xz.join("src/liblzma/api/lzma.h").is_file(),
            "the archive in XZ_SRC is not a release tarball of xz"
        );

        if context.overrides.wasi_sdk.is_none() {
            empty(&context.workspace.sysroot())?;
            log.run(
                command("dpkg")
                    .arg("-x")
                    .arg(downloads.join(WASI_LIBC.file))
                    .arg(context.workspace.sysroot()),
            )?;
        }
        ensure!(
            context.toolchain.headers().join("stdio.h").is_file(),
            "`{}` has no C headers\nhint: WASI_SDK_PATH has to name a wasi-sdk of version 22 or later",
            context.toolchain.headers().display()
        );
        context.toolchain.write_driver(&context.workspace)?;
        Ok(Some(format!("CPython {version}")))
    }

    fn outputs(&self, context: &Context) -> Result<Vec<PathBuf>> {
        let workspace = &context.workspace;
        let mut outputs = vec![workspace.cpython(), workspace.xz(), workspace.compiler()];
        outputs.extend(
            wanted(context)
                .iter()
                .map(|pinned| workspace.downloads().join(pinned.file)),
        );
        if context.overrides.wasi_sdk.is_none() {
            outputs.push(workspace.sysroot());
        }
        Ok(outputs)
    }
}

/// Returns the version of an unpacked `CPython` source.
pub(super) fn version(source: &Path) -> Result<String> {
    let header = source.join("Include/patchlevel.h");
    let text = fs::read_to_string(&header)
        .with_context(|| format!("`{}` is not a source of CPython", source.display()))?;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("#define PY_VERSION "));
    let version = line.and_then(|rest| rest.split('"').nth(1));
    version
        .map(str::to_owned)
        .with_context(|| format!("`{}` names no version", header.display()))
}

/// Makes an empty directory, in place of what was there.
pub(super) fn empty(directory: &Path) -> Result<()> {
    let context = || format!("cannot empty `{}`", directory.display());
    if directory.exists() {
        fs::remove_dir_all(directory).with_context(context)?;
    }
    fs::create_dir_all(directory).with_context(context)
}

/// The archives that the caller does not replace.
fn wanted(context: &Context) -> Vec<Pinned> {
    let overrides = &context.overrides;
    let replaced = [
        (CPYTHON, overrides.cpython.is_some()),
        (XZ, overrides.xz.is_some()),
        (WASI_LIBC, overrides.wasi_sdk.is_some()),
        (TZDATA, false),
    ];
    replaced
        .into_iter()
        .filter(|(_, replaced)| !replaced)
        .map(|(pinned, _)| pinned)
        .collect()
}

/// The changes to `CPython`'s source, in order of their names.
fn patches(context: &Context) -> Result<Vec<PathBuf>> {
    let directory = context.workspace.asset("patches");
    let mut patches = Vec::new();
    if directory.is_dir() {
        let listing = || format!("cannot list `{}`", directory.display());
        for entry in fs::read_dir(&directory).with_context(listing)? {
            let path = entry.with_context(listing)?.path();
            if path
                .extension()
                .is_some_and(|extension| extension == "patch")
            {
                patches.push(path);
            }
        }
    }
    patches.sort();
    Ok(patches)
}

fn download(wanted: &[Pinned], context: &Context, log: &Log) -> Result<()> {
    let downloads = context.workspace.downloads();
    let mut apt = None;
    for pinned in wanted {
        let path = downloads.join(pinned.file);
        if path.is_file() && pinned.check(&path).is_ok() {
            continue;
        }
        // Half a file, or another one: the tools would keep it.
        let _ = fs::remove_file(&path);
        fetch(pinned, &downloads, &mut apt, context, log)
            .and_then(|()| arrived(pinned, &downloads))
            .map_err(|error| failed(pinned, &error))?;
        pinned.check(&path)?;
    }
    Ok(())
}

fn fetch(
    pinned: &Pinned,
    downloads: &Path,
    apt: &mut Option<PrivateApt>,
    context: &Context,
    log: &Log,
) -> Result<()> {
    if let Origin::Wheel(version) = pinned.origin {
        let mut pip = command("pip3");
        pip.args([
            "download",
            "--no-deps",
            "--only-binary",
            ":all:",
            "--disable-pip-version-check",
            "--dest",
        ]);
        return log.run(
            pip.arg(downloads)
                .arg(format!("{}=={version}", pinned.package)),
        );
    }
    let index = match apt.take() {
        Some(index) => index,
        None => PrivateApt::open(&context.workspace.out().join("apt"), log)?,
    };
    let index = apt.insert(index);
    match pinned.origin {
        Origin::SourcePackage => index.source(pinned.package, downloads, log),
        _ => index.package(pinned.package, downloads, log),
    }
}

fn failed(pinned: &Pinned, error: &anyhow::Error) -> anyhow::Error {
    anyhow!(
        "cannot download `{}`: {error:#}\nhint: {}",
        pinned.file,
        pinned.remedy()
    )
}

/// Checks that the archive came under its name: another version in the mirror comes under another one.
fn arrived(pinned: &Pinned, downloads: &Path) -> Result<()> {
    if downloads.join(pinned.file).is_file() {
        return Ok(());
    }
    bail!(
        "the mirror has another version of `{}` than the pinned one",
        pinned.package
    )
}

fn unpack(
    replacement: Option<&Path>,
    pinned: &Pinned,
    into: &Path,
    context: &Context,
    log: &Log,
) -> Result<()> {
    let archive = replacement.map_or_else(
        || context.workspace.downloads().join(pinned.file),
        Path::to_path_buf,
    );
    empty(into)?;
    let mut tar = command("tar");
    tar.args([
        "--extract",
        "--no-same-owner",
        "--strip-components=1",
        "--file",
    ])
    .arg(&archive)
    .arg("--directory")
    .arg(into);
    log.run(&mut tar)
        .with_context(|| format!("cannot unpack `{}`", archive.display()))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use super::*;

    #[test]
    fn the_version_is_read_from_the_source() {
        let source = tempfile::tempdir().unwrap();
        fs::create_dir(source.path().join("Include")).unwrap();
        let header = "#define PY_MICRO_VERSION 5\n#define PY_VERSION      \t\"3.13.5\"\n";
        fs::write(source.path().join("Include/patchlevel.h"), header).unwrap();
        assert_eq!(version(source.path()).unwrap(), "3.13.5");
    }

    #[test]
    fn a_directory_without_source_is_named() {
        let source = tempfile::tempdir().unwrap();
        let error = version(source.path()).unwrap_err().to_string();
        assert_eq!(
            error,
            format!("`{}` is not a source of CPython", source.path().display())
        );
    }

    #[test]
    fn an_archive_of_another_version_does_not_count_as_arrived() {
        let downloads = tempfile::tempdir().unwrap();
        fs::write(downloads.path().join("xz-utils_9.9.orig.tar.xz"), "").unwrap();
        let error = failed(&XZ, &arrived(&XZ, downloads.path()).unwrap_err()).to_string();
        assert_eq!(
            error,
            "cannot download `xz-utils_5.8.1.orig.tar.xz`: the mirror has another version of `xz-utils` than the \
             pinned one\nhint: try again later, or set XZ_SRC to a release tarball of xz"
        );
    }
}
