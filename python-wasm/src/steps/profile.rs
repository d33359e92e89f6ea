//! The profile: which branches of the interpreter are hot, seen in a native build that counts, while it runs what
//! scripts do most. Profiles are of the source and not of the machine, so the cross build can use it.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, Result};

use super::fetch::empty;
use super::native::CONFIGURE;
use crate::command::{Log, command};
use crate::digest::Key;
use crate::step::{Context, Step};

/// The step's name.
pub(super) const NAME: &str = "profile";

/// As the sandbox's interpreter is: no computed gotos, 30-bit digits; else the counters would not fit.
const OPTIONS: &[&str] = &[
    "--quiet",
    "--without-computed-gotos",
    "--enable-big-digits=30",
    "--disable-test-modules",
];

/// Raised when this file does something else with the same inputs.
const RECIPE: &str = "1";

const OPTIMISE: &str = "-O3 -DNDEBUG";

/// Builds the counting interpreter and runs the training with it.
#[derive(Debug)]
pub(crate) struct Profile;

impl Step for Profile {
    fn name(&self) -> &'static str {
        NAME
    }

    fn task(&self) -> &'static str {
        "builds a counting interpreter and trains it"
    }

    fn seconds(&self) -> u32 {
        90
    }

    fn needs(&self, _: &Context) -> Vec<&'static str> {
        vec!["fetch"]
    }

    fn inputs(&self, context: &Context, key: &mut Key) -> Result<()> {
        key.text("recipe", &format!("{RECIPE} {OPTIONS:?} {OPTIMISE}"));
        key.text("compiler", &context.toolchain.version()?);
        key.file("training", &context.workspace.asset("train.py"))
    }

    fn run(&self, context: &Context, log: &Log) -> Result<Option<String>> {
        let directory = context.workspace.out().join("counting");
        empty(&directory)?;
        let counts = context.workspace.out().join("counts");
        let flag = format!("-fprofile-generate={}", counts.display());
        let mut configure = command(CONFIGURE);
        configure
            .args(OPTIONS)
            .env("CC", &context.toolchain.clang)
            .env("AR", &context.toolchain.ar)
            .env("OPT", OPTIMISE)
            .env("CFLAGS", &flag)
            .env("LDFLAGS", &flag);
        log.run(configure.current_dir(&directory))?;
        let mut make = command("make");
        log.run(
            make.arg(format!("-j{}", context.jobs))
                .args(["python", "sharedmods"])
                .current_dir(&directory),
        )?;

        // The build itself ran the interpreter: only the training counts.
        empty(&counts)?;
        log.run(
            command(directory.join("python"))
                .arg("-I")
                .arg(context.workspace.asset("train.py")),
        )?;
        let mut merge = command(&context.toolchain.profdata);
        merge
            .arg("merge")
            .arg("--output")
            .arg(context.workspace.profile());
        let listing = || format!("cannot list `{}`", counts.display());
        let mut raw = Vec::new();
        for entry in fs::read_dir(&counts).with_context(listing)? {
            raw.push(entry.with_context(listing)?.path());
        }
        raw.sort();
        log.run(merge.args(raw))?;
        Ok(None)
    }

    fn outputs(&self, context: &Context) -> Result<Vec<PathBuf>> {
        Ok(vec![context.workspace.profile()])
    }
}
