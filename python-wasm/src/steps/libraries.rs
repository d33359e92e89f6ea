//! The C libraries for the sandbox: zlib, sqlite3, bzip2 and liblzma, as archives and headers.
//!
//! The sources of the first three are those that their Rust crates carry, so cargo fetches and checks them. zlib is built
//! by the crate's own build script; bzip2's would want a Rust symbol, and sqlite3 is patched, so they are compiled here.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use super::fetch::empty;
use crate::cargo::{build_directory, cargo, locked, source_directory};
use crate::command::{Log, command};
use crate::digest::Key;
use crate::step::{Context, Step};
use crate::toolchain::{CFLAGS, TARGET, Toolchain};

/// Raised when this file does something else with the same inputs.
const RECIPE: &str = "2";

/// The crate that is built as it is.
const ZLIB: &str = "libz-sys";

/// The crates that carry the sources.
const CRATES: &[&str] = &["libz-sys", "libsqlite3-sys", "bzip2-sys"];

/// The archives that come out.
const ARCHIVES: &[&str] = &["libz.a", "libsqlite3.a", "libbz2.a", "liblzma.a"];

/// sqlite3 for one thread, which is all there is, with what distributions switch on: full-text search, trees of rectangles, statistics.
const SQLITE_FLAGS: &[&str] = &[
    "-w",
    "-DHAVE_ISNAN",
    "-DHAVE_LOCALTIME_R",
    "-DHAVE_USLEEP=1",
    "-DLONGDOUBLE_TYPE=double",
    "-DSQLITE_CORE",
    "-DSQLITE_DEFAULT_FOREIGN_KEYS=1",
    "-DSQLITE_ENABLE_API_ARMOR",
    "-DSQLITE_ENABLE_COLUMN_METADATA",
    "-DSQLITE_ENABLE_DBSTAT_VTAB",
    "-DSQLITE_ENABLE_FTS3",
    "-DSQLITE_ENABLE_FTS3_PARENTHESIS",
    "-DSQLITE_ENABLE_FTS5",
    "-DSQLITE_ENABLE_MATH_FUNCTIONS",
    "-DSQLITE_ENABLE_MEMORY_MANAGEMENT",
    "-DSQLITE_ENABLE_RTREE",
    "-DSQLITE_ENABLE_STAT4",
    "-DSQLITE_OMIT_LOAD_EXTENSION",
    "-DSQLITE_SOUNDEX",
    "-DSQLITE_THREADSAFE=0",
    "-DSQLITE_USE_URI",
    "-D_WASI_EMULATED_GETPID",
    "-D_WASI_EMULATED_MMAN",
    "-D_WASI_EMULATED_PROCESS_CLOCKS",
    "-D_WASI_EMULATED_SIGNAL",
];

const BZIP2_FILES: &[&str] = &[
    "blocksort",
    "huffman",
    "crctable",
    "randtable",
    "compress",
    "decompress",
    "bzlib",
];

const XZ_OPTIONS: &[&str] = &[
    "--quiet",
    "--host=wasm32-wasi",
    "--disable-shared",
    "--disable-threads",
    "--disable-xz",
    "--disable-xzdec",
    "--disable-lzmadec",
    "--disable-lzmainfo",
    "--disable-lzma-links",
    "--disable-scripts",
    "--disable-doc",
    "--disable-nls",
];

/// Builds the C libraries.
#[derive(Debug)]
pub(crate) struct Libraries;

impl Step for Libraries {
    fn name(&self) -> &'static str {
        "libraries"
    }

    fn task(&self) -> &'static str {
        "builds zlib, sqlite3, bzip2 and liblzma"
    }

    fn seconds(&self) -> u32 {
        40
    }

    fn needs(&self, _: &Context) -> Vec<&'static str> {
        vec!["fetch"]
    }

    fn inputs(&self, context: &Context, key: &mut Key) -> Result<()> {
        key.text(
            "recipe",
            &format!("{RECIPE} {CFLAGS} {SQLITE_FLAGS:?} {BZIP2_FILES:?} {XZ_OPTIONS:?}"),
        );
        key.text("compiler", &context.toolchain.version()?);
        key.directory(
            "package",
            &context.workspace.root().join("python-wasm/clibs"),
        )?;
        key.file("sqlite patch", &sqlite_patch(context))?;
        let lock = context.workspace.root().join("Cargo.lock");
        let lock = fs::read_to_string(&lock)
            .with_context(|| format!("cannot read `{}`", lock.display()))?;
        for name in CRATES {
            key.text(
                name,
                locked(&lock, name).with_context(|| format!("`Cargo.lock` has no `{name}`"))?,
            );
        }
        Ok(())
    }

    fn run(&self, context: &Context, log: &Log) -> Result<Option<String>> {
        let directory = context.workspace.libraries();
        empty(&directory)?;
        for part in ["lib", "include"] {
            empty(&directory.join(part))?;
        }
        let messages = build_zlib(context, log)?;
        collect(&build_directory(&messages, ZLIB)?, &directory)?;
        build_sqlite(context, log)?;
        build_bzip2(context, log)?;
        build_xz(context, log)?;
        Ok(None)
    }

    fn outputs(&self, context: &Context) -> Result<Vec<PathBuf>> {
        let directory = context.workspace.libraries();
        let archives = ARCHIVES
            .iter()
            .map(|archive| directory.join("lib").join(archive));
        Ok(archives.chain([directory.join("include")]).collect())
    }
}

/// Builds zlib and returns cargo's messages.
fn build_zlib(context: &Context, log: &Log) -> Result<String> {
    let workspace = &context.workspace;
    let mut cargo = cargo("build", workspace);
    cargo
        .args([
            "--package",
            ZLIB,
            "--target",
            TARGET,
            "--release",
            "--message-format=json",
            "--target-dir",
        ])
        .arg(workspace.out().join("clibs-target"))
        .arg(format!("-j{}", context.jobs))
        .env("CC_wasm32_wasip1", workspace.compiler())
        .env("AR_wasm32_wasip1", &context.toolchain.ar)
        .env("CFLAGS_wasm32_wasip1", CFLAGS);
    Ok(String::from_utf8_lossy(&log.capture(&mut cargo)?).into_owned())
}

/// Copies the archives and headers that a build script made.
fn collect(out: &Path, into: &Path) -> Result<()> {
    for directory in [out.to_path_buf(), out.join("lib")] {
        copy_files(&directory, "a", &into.join("lib"))?;
    }
    collect_headers(&out.join("include"), &into.join("include"))
}

fn collect_headers(from: &Path, into: &Path) -> Result<()> {
    copy_files(from, "h", into)
}

fn copy_files(from: &Path, extension: &str, into: &Path) -> Result<()> {
    if !from.is_dir() {
        return Ok(());
    }
    let context = || format!("cannot copy from `{}`", from.display());
    for entry in fs::read_dir(from).with_context(context)? {
        let path = entry.with_context(context)?.path();
        if path.extension() == Some(OsStr::new(extension)) {
            fs::copy(&path, into.join(path.file_name().unwrap_or_default()))
                .with_context(context)?;
        }
    }
    Ok(())
}

/// The change to sqlite3's source.
fn sqlite_patch(context: &Context) -> PathBuf {
    context.workspace.asset("patches/sqlite/nesting.patch")
}

fn build_sqlite(context: &Context, log: &Log) -> Result<()> {
    let directory = context.workspace.libraries();
    let source = source_directory("libsqlite3-sys", &context.workspace, log)?.join("sqlite3");
    let build = directory.join("sqlite3");
    empty(&build)?;
    for name in ["sqlite3.c", "sqlite3.h"] {
        let (from, to) = (source.join(name), build.join(name));
        // The contents only: the registry's file may be write-protected.
        fs::read(&from)
            .and_then(|text| fs::write(&to, text))
            .with_context(|| format!("cannot copy `{}`", from.display()))?;
    }
    log.run(
        command("patch")
            .args(["-p1", "--batch", "--input"])
            .arg(sqlite_patch(context))
            .current_dir(&build),
    )?;
    let object = build.join("sqlite3.o");
    log.run(
        Toolchain::compile(&context.workspace)
            .args(SQLITE_FLAGS)
            .arg("-c")
            .arg(build.join("sqlite3.c"))
            .arg("-o")
            .arg(&object),
    )?;
    log.run(
        command(&context.toolchain.ar)
            .arg("rcs")
            .arg(directory.join("lib/libsqlite3.a"))
            .arg(object),
    )?;
    collect_headers(&source, &directory.join("include"))
}

fn build_bzip2(context: &Context, log: &Log) -> Result<()> {
    let directory = context.workspace.libraries();
    let source = bzip2_source(&source_directory("bzip2-sys", &context.workspace, log)?)?;
    let objects = directory.join("bzip2");
    empty(&objects)?;
    let mut archive = command(&context.toolchain.ar);
    archive.arg("rcs").arg(directory.join("lib/libbz2.a"));
    for name in BZIP2_FILES {
        let object = objects.join(name).with_extension("o");
        let file = source.join(name).with_extension("c");
        log.run(
            Toolchain::compile(&context.workspace)
                .arg("-c")
                .arg(file)
                .arg("-o")
                .arg(&object),
        )?;
        archive.arg(object);
    }
    log.run(&mut archive)?;
    collect_headers(&source, &directory.join("include"))
}

fn bzip2_source(package: &Path) -> Result<PathBuf> {
    let context = || format!("cannot list `{}`", package.display());
    for entry in fs::read_dir(package).with_context(context)? {
        let path = entry.with_context(context)?.path();
        if path.join("bzlib.c").is_file() {
            return Ok(path);
        }
    }
    bail!("`{}` carries no source of bzip2", package.display())
}

fn build_xz(context: &Context, log: &Log) -> Result<()> {
    let workspace = &context.workspace;
    let directory = workspace.out().join("xz");
    empty(&directory)?;
    let mut configure = command("../src/xz/configure");
    configure
        .args(XZ_OPTIONS)
        .env("CC", workspace.compiler())
        .env("AR", &context.toolchain.ar)
        .env("RANLIB", &context.toolchain.ranlib)
        .env("CFLAGS", CFLAGS)
        // The target's pthread stubs make configure believe that warnings are errors.
        .env("SKIP_WERROR_CHECK", "yes");
    log.run(configure.current_dir(&directory))?;
    let mut make = command("make");
    log.run(
        make.arg(format!("-j{}", context.jobs))
            .args(["-C", "src/liblzma"])
            .current_dir(&directory),
    )?;
    let libraries = workspace.libraries();
    copy_files(
        &directory.join("src/liblzma/.libs"),
        "a",
        &libraries.join("lib"),
    )?;
    let api = workspace.xz().join("src/liblzma/api");
    collect_headers(&api, &libraries.join("include"))?;
    let include = libraries.join("include/lzma");
    empty(&include)?;
    collect_headers(&api.join("lzma"), &include)
}
