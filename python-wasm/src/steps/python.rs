//! The interpreter for the sandbox: libpython and its own small libraries, cross-compiled, with the C libraries' modules
//! built in.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use super::fetch::empty;
use super::native::CONFIGURE;
use super::profile;
use crate::command::{Log, command};
use crate::digest::Key;
use crate::step::{Context, Step};
use crate::toolchain::CFLAGS;

/// Raised when this file does something else with the same inputs.
const RECIPE: &str = "2";

/// Leaves code generation to the link with the guest, where calls across files can be inlined. Like the profile it asks for a compiler
/// of a known version: the linker, which is Rust's, has to understand what this compiler leaves.
const LINK_TIME: &str = "-flto";

const OPTIONS: &[&str] = &[
    "--quiet",
    "--host=wasm32-unknown-wasip1",
    "--build=x86_64-linux-gnu",
    "--with-build-python=../native/python",
    "--disable-test-modules",
    "--enable-big-digits=30",
];

/// Without `-g`: the debug sections would be thrown away.
const OPTIMISE: &str = "-DNDEBUG -O3 -Wall";

/// A profile of another build configuration has gaps; they are no reason to warn thousands of times.
const PROFILE_FLAGS: &[&str] = &[
    "-Wno-profile-instr-unprofiled",
    "-Wno-profile-instr-out-of-date",
    "-Wno-backend-plugin",
];

/// The archives that the guest is linked with.
const ARCHIVES: &[&str] = &[
    "libpython3.13.a",
    "Modules/_hacl/libHacl_Hash_SHA2.a",
    "Modules/expat/libexpat.a",
    "Modules/_decimal/libmpdec/libmpdec.a",
];

/// How configure is told of a C library: the prefix of its variables, the library, the module that needs it.
const LIBRARIES: &[(&str, &str, &str)] = &[
    ("ZLIB", "z", "zlib"),
    ("BZIP2", "bz2", "_bz2"),
    ("LIBLZMA", "lzma", "_lzma"),
    ("LIBSQLITE3", "sqlite3", "_sqlite3"),
];

/// Cross-compiles `CPython`.
#[derive(Debug)]
pub(crate) struct Python;

impl Step for Python {
    fn name(&self) -> &'static str {
        "python"
    }

    fn task(&self) -> &'static str {
        "builds the interpreter for the sandbox"
    }

    fn seconds(&self) -> u32 {
        75
    }

    fn needs(&self, context: &Context) -> Vec<&'static str> {
        let mut needs = vec!["fetch", "native", "libraries"];
        needs.extend(context.profile.then_some(profile::NAME));
        needs
    }

    fn inputs(&self, context: &Context, key: &mut Key) -> Result<()> {
        key.text("recipe", &format!("{RECIPE} {OPTIONS:?} {OPTIMISE} {LINK_TIME} {CFLAGS} {PROFILE_FLAGS:?} {ARCHIVES:?} {LIBRARIES:?}"));
        key.text("compiler", &context.toolchain.version()?);
        Ok(())
    }

    fn run(&self, context: &Context, log: &Log) -> Result<Option<String>> {
        let directory = context.workspace.cross();
        empty(&directory)?;
        log.run(configure(context).current_dir(&directory))?;
        let configured = directory.join("Modules/config.c");
        let configured = fs::read_to_string(&configured)
            .with_context(|| format!("cannot read `{}`", configured.display()))?;
        if let Some(module) = unconfigured(&configured) {
            bail!(
                "configure left out the module `{module}`; see {}",
                directory.join("config.log").display()
            );
        }
        let mut make = command("make");
        make.arg(format!("-j{}", context.jobs))
            .args(ARCHIVES)
            .arg("pybuilddir.txt");
        if context.profile {
            make.arg(format!("CFLAGS_NODIST={LINK_TIME}"));
        }
        log.run(make.current_dir(&directory))?;
        Ok(Some(format!(
            "{} modules built in",
            configured.matches("{\"").count()
        )))
    }

    fn outputs(&self, context: &Context) -> Result<Vec<PathBuf>> {
        let directory = context.workspace.cross();
        let mut outputs: Vec<_> = ARCHIVES
            .iter()
            .map(|archive| directory.join(archive))
            .collect();
        outputs.push(sysconfig(&directory)?);
        Ok(outputs)
    }
}

/// Returns the module with the configuration variables that the cross build wrote.
pub(super) fn sysconfig(cross: &Path) -> Result<PathBuf> {
    let pointer = cross.join("pybuilddir.txt");
    let build = fs::read_to_string(&pointer)
        .with_context(|| format!("cannot read `{}`", pointer.display()))?;
    Ok(cross
        .join(build.trim())
        .join("_sysconfigdata__wasi_wasm32-wasi.py"))
}

fn configure(context: &Context) -> Command {
    let workspace = &context.workspace;
    let mut flags = CFLAGS.to_owned();
    if context.profile {
        flags = format!(
            "{flags} -fprofile-use={} {}",
            workspace.profile().display(),
            PROFILE_FLAGS.join(" ")
        );
    }
    let mut configure = command(CONFIGURE);
    configure
        .args(OPTIONS)
        .env("CC", workspace.compiler())
        .env("CPP", format!("{} -E", workspace.compiler().display()))
        .env("AR", &context.toolchain.ar)
        .env("RANLIB", &context.toolchain.ranlib)
        .env("OPT", OPTIMISE)
        .env("CFLAGS", flags)
        .env(
            "CONFIG_SITE",
            workspace
                .cpython()
                .join("Tools/wasm/config.site-wasm32-wasi"),
        )
        // Else the headers and libraries of this machine would be found.
        .env("PKG_CONFIG_LIBDIR", "/nonexistent")
        .env("PKG_CONFIG_PATH", "");
    let libraries = workspace.libraries();
    for (prefix, library, _) in LIBRARIES {
        configure
            .env(
                format!("{prefix}_CFLAGS"),
                format!("-I{}", libraries.join("include").display()),
            )
            .env(
                format!("{prefix}_LIBS"),
                format!("-L{} -l{library}", libraries.join("lib").display()),
            );
    }
    configure
}

/// Returns the first module of a C library that the table of built-in modules does not have.
fn unconfigured(table: &str) -> Option<&'static str> {
    LIBRARIES
        .iter()
        .map(|&(_, _, module)| module)
        .find(|module| !table.contains(&format!("{{\"{module}\", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_that_configure_left_out_is_named() {
        let all = "{\"zlib\", PyInit_zlib},\n{\"_bz2\", PyInit__bz2},\n{\"_lzma\", PyInit__lzma},\n{\"_sqlite3\", PyInit__sqlite3},";
        assert_eq!(unconfigured(all), None);
        assert_eq!(
            unconfigured(&all.replace("{\"_lzma\"", "// ")),
            Some("_lzma")
        );
    }
}
