//! What the build takes from outside: archives with pinned hashes, and what a caller provides instead.
//!
//! No address of a mirror or registry is written here: archives come from the machine's own package sources.

use std::env;
use std::fmt;
use std::path::{Path, PathBuf, absolute};

use anyhow::{Result, bail};

use crate::digest;

/// The version of `CPython` that is built.
pub(crate) const CPYTHON_VERSION: &str = "3.13.5";

/// The suite of the distribution that the pinned packages belong to.
pub(crate) const SUITE: &str = "trixie";

/// Where an archive comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The upstream tarball of a source package, fetched with apt.
    SourcePackage,
    /// A binary package, fetched with apt.
    Package,
    /// A wheel with this version, fetched with pip.
    Wheel(&'static str),
}

/// An archive that is fetched and then checked.
#[derive(Debug)]
pub(crate) struct Pinned {
    /// The name of the package.
    pub(crate) package: &'static str,
    /// The name that the archive arrives under.
    pub(crate) file: &'static str,
    /// Its SHA-256.
    pub(crate) sha256: &'static str,
    /// Where it comes from.
    pub(crate) origin: Origin,
    /// What a caller can do to replace it.
    replacement: Option<&'static str>,
}

/// The source of the interpreter.
pub(crate) const CPYTHON: Pinned = Pinned {
    package: "python3.13",
    file: "python3.13_3.13.5.orig.tar.xz",
    sha256: "93e583f243454e6e9e4588ca2c2662206ad961659863277afcdb96801647d640",
    origin: Origin::SourcePackage,
    replacement: Some("set CPYTHON_SRC to a release tarball of CPython 3.13"),
};

/// The source of liblzma: the crate that carries it wants a Rust shim on this target.
pub(crate) const XZ: Pinned = Pinned {
    package: "xz-utils",
    file: "xz-utils_5.8.1.orig.tar.xz",
    sha256: "0b54f79df85912504de0b14aec7971e3f964491af1812d83447005807513cd9e",
    origin: Origin::SourcePackage,
    replacement: Some("set XZ_SRC to a release tarball of xz"),
};

/// The C library of the sandbox's target.
pub(crate) const WASI_LIBC: Pinned = Pinned {
    package: "wasi-libc",
    file: "wasi-libc_0.0~git20241209.574b88d-2_all.deb",
    sha256: "b7716260051d289248b7667f81fa2792c125d888ff51da3fa09c6272cc0bd11d",
    origin: Origin::Package,
    replacement: Some("set WASI_SDK_PATH to an installed wasi-sdk"),
};

/// The time zone data.
pub(crate) const TZDATA: Pinned = Pinned {
    package: "tzdata",
    file: "tzdata-2026.6-py2.py3-none-any.whl",
    sha256: "0a10eec6e13ef16b627fabed9a5f2ba61a62b1c67f327305f4e7e412a70b4aec",
    origin: Origin::Wheel("2026.6"),
    replacement: None,
};

impl Pinned {
    /// Checks that the file at `path` is the pinned one.
    pub(crate) fn check(&self, path: &Path) -> Result<()> {
        let found = digest::of_file(path)?;
        if found == self.sha256 {
            return Ok(());
        }
        bail!(HashMismatch {
            path: path.to_path_buf(),
            expected: self.sha256,
            found,
            remedy: self.remedy()
        });
    }

    /// Returns what a caller can do when the archive cannot be had.
    pub(crate) fn remedy(&self) -> String {
        match self.replacement {
            Some(replacement) => format!("try again later, or {replacement}"),
            None => "try again later; the version is pinned in `python-wasm/src/sources.rs`".into(),
        }
    }
}

/// An archive that is not the pinned one.
#[derive(Debug)]
struct HashMismatch {
    path: PathBuf,
    expected: &'static str,
    found: String,
    remedy: String,
}

impl fmt::Display for HashMismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` is not the archive that is pinned\n  expected sha256 {}\n  found    sha256 {}\nhint: {}",
            self.path.display(),
            self.expected,
            self.found,
            self.remedy
        )
    }
}

impl std::error::Error for HashMismatch {}

/// What the caller provides instead of downloads and system packages.
#[derive(Debug, Default)]
pub(crate) struct Overrides {
    /// `CPYTHON_SRC`: a release tarball of `CPython` 3.13.
    pub(crate) cpython: Option<PathBuf>,
    /// `XZ_SRC`: a release tarball of xz.
    pub(crate) xz: Option<PathBuf>,
    /// `WASI_SDK_PATH`: the directory of a wasi-sdk, whose compiler and C library are used.
    pub(crate) wasi_sdk: Option<PathBuf>,
}

impl Overrides {
    /// Returns what the environment names, as absolute paths; an empty variable counts as absent.
    pub(crate) fn from_environment() -> Self {
        let path = |name: &str| {
            let value = env::var_os(name).filter(|value| !value.is_empty())?;
            // Only an empty path or a lost working directory has no absolute form; then the path itself is reported.
            Some(absolute(&value).unwrap_or_else(|_| value.into()))
        };
        Self {
            cpython: path("CPYTHON_SRC"),
            xz: path("XZ_SRC"),
            wasi_sdk: path("WASI_SDK_PATH"),
        }
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use super::*;

    #[test]
    fn a_foreign_archive_is_refused_with_both_hashes_and_the_way_out() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join(CPYTHON.file);
        std::fs::write(&path, "abc").unwrap();
        assert_eq!(
            CPYTHON.check(&path).unwrap_err().to_string(),
            format!(
                "`{}` is not the archive that is pinned\n  \
                 expected sha256 93e583f243454e6e9e4588ca2c2662206ad961659863277afcdb96801647d640\n  \
                 found    sha256 ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\n\
                 hint: try again later, or set CPYTHON_SRC to a release tarball of CPython 3.13",
                path.display()
            )
        );
    }

    #[test]
    fn every_apt_archive_has_a_variable_that_replaces_it() {
        assert!(
            CPYTHON
                .remedy()
                .ends_with("or set CPYTHON_SRC to a release tarball of CPython 3.13")
        );
        assert!(
            XZ.remedy()
                .ends_with("or set XZ_SRC to a release tarball of xz")
        );
        assert!(
            WASI_LIBC
                .remedy()
                .ends_with("or set WASI_SDK_PATH to an installed wasi-sdk")
        );
    }
}
