//! The guest module: the guest crate linked with libpython, then optimised once more as a whole.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::cargo::cargo;
use crate::command::{Log, command, version};
use crate::digest::Key;
use crate::manifest::write_whole;
use crate::step::{Context, Step};
use crate::toolchain::TARGET;
use crate::workspace::Workspace;

/// Raised when this file does something else with the same inputs.
const RECIPE: &str = "1";

/// The package of the guest and the module that it makes.
const PACKAGE: &str = "hermes-guest";
const MODULE: &str = "hermes_guest.wasm";

/// The program of the last optimisation.
const OPTIMISER: &str = "wasm-opt";

/// The last optimisation, with the proposals that the compilers used.
const OPTIMISE: &[&str] = &[
    "-O3",
    "--strip-debug",
    "--enable-simd",
    "--enable-bulk-memory",
    "--enable-sign-ext",
    "--enable-nontrapping-float-to-int",
    "--enable-mutable-globals",
    "--enable-multivalue",
    "--enable-reference-types",
];

/// Builds the guest module.
#[derive(Debug)]
pub(crate) struct Guest;

impl Step for Guest {
    fn name(&self) -> &'static str {
        "guest"
    }

    fn task(&self) -> &'static str {
        "builds the guest and links it with the interpreter"
    }

    fn seconds(&self) -> u32 {
        60
    }

    fn needs(&self, _: &Context) -> Vec<&'static str> {
        vec!["libraries", "python"]
    }

    fn inputs(&self, context: &Context, key: &mut Key) -> Result<()> {
        let root = context.workspace.root();
        key.text(
            "recipe",
            &format!("{RECIPE} {OPTIMISE:?} {}", pyo3_config(&context.workspace)),
        );
        key.directory("crate", &root.join("guest"))?;
        key.file("lock", &root.join("Cargo.lock"))?;
        key.file("workspace", &root.join("Cargo.toml"))?;
        // The workspace chooses its compiler.
        key.text("compiler", &version(Path::new("rustc"), root)?);
        key.text("optimiser", &version(Path::new(OPTIMISER), root)?);
        Ok(())
    }

    fn run(&self, context: &Context, log: &Log) -> Result<Option<String>> {
        let workspace = &context.workspace;
        let config = workspace.out().join("pyo3.config");
        write_whole(&config, pyo3_config(workspace).as_bytes())?;
        let target = workspace.out().join("guest-target");
        let mut cargo = cargo("build", workspace);
        cargo
            .args([
                "--profile",
                "guest",
                "--package",
                PACKAGE,
                "--target",
                TARGET,
                "--target-dir",
            ])
            .arg(&target)
            .arg(format!("-j{}", context.jobs))
            .env("CARGO_ENCODED_RUSTFLAGS", rust_flags(workspace))
            .env("PYO3_CONFIG_FILE", &config)
            .env("HERMES_PYTHON_BUILD", workspace.cross())
            .env("HERMES_WASI_LIBS", context.toolchain.archives())
            .env("HERMES_CLIBS", workspace.libraries().join("lib"));
        log.run(&mut cargo)?;
        let module = target.join(TARGET).join("guest").join(MODULE);
        log.run(
            command(OPTIMISER)
                .args(OPTIMISE)
                .arg(module)
                .arg("-o")
                .arg(workspace.guest()),
        )?;
        Ok(None)
    }

    fn outputs(&self, context: &Context) -> Result<Vec<PathBuf>> {
        Ok(vec![context.workspace.guest()])
    }
}

/// Source paths end up in panic messages: they are compiled in as on every machine.
fn rust_flags(workspace: &Workspace) -> String {
    let mut flags = vec![format!(
        "--remap-path-prefix={}=/build",
        workspace.root().display()
    )];
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| env::var_os("HOME").map(|home| PathBuf::from(home).join(".cargo")));
    flags.extend(home.map(|home| format!("--remap-path-prefix={}=/cargo", home.display())));
    // The separator that the variable is documented with.
    flags.join("\x1f")
}

fn pyo3_config(workspace: &Workspace) -> String {
    format!(
        "implementation=CPython\nversion=3.13\nshared=false\nabi3=false\nlib_name=python3.13\nlib_dir={}\n\
         pointer_width=32\nbuild_flags=\nsuppress_build_script_link_lines=false\n",
        workspace.cross().display()
    )
}
