//! The order of work: the system is set up first, then every step that is not up to date runs, one after another.
//!
//! One process at a time works in an output directory; a second one waits for the first.

use std::fmt;
use std::fs::{self, File};
use std::time::Instant;

use anyhow::{Context as _, Result, bail};

use crate::manifest::Records;
use crate::progress;
use crate::sources::Overrides;
use crate::step::{Context, State, Step, perform};
use crate::steps::{self, system};
use crate::toolchain::Toolchain;
use crate::workspace::Workspace;

/// How the caller wants the build.
#[derive(Debug)]
pub(crate) struct Options {
    /// How many compiler processes run at once.
    pub(crate) jobs: usize,
    /// Whether the interpreter is optimised with a profile.
    pub(crate) profile: bool,
}

/// The steps, and what they work with.
pub(crate) struct Pipeline {
    context: Context,
    steps: Vec<Box<dyn Step>>,
}

impl Pipeline {
    /// Returns the pipeline of a workspace with the records of earlier runs.
    pub(crate) fn open(
        workspace: Workspace,
        overrides: Overrides,
        options: &Options,
    ) -> Result<Self> {
        let toolchain = Toolchain::select(overrides.wasi_sdk.as_deref(), &workspace);
        // A profile is only as good as the match of the two compilers, and a wasi-sdk has no native one.
        let profile = options.profile && overrides.wasi_sdk.is_none();
        if options.profile && !profile {
            progress::note("WASI_SDK_PATH is set: the interpreter is built without a profile");
        }
        let records = Records::load(&workspace.records())?;
        let context = Context {
            workspace,
            overrides,
            toolchain,
            jobs: options.jobs,
            profile,
            records,
        };
        Ok(Self {
            context,
            steps: steps::all(profile),
        })
    }

    /// Runs the steps that are not up to date, the last one being `until`.
    pub(crate) fn build(mut self, until: Option<&str>) -> Result<()> {
        let last = self.last(until)?;
        let _lock = self.lock()?;
        // Another process may have worked here before the lock was ours.
        self.context.records = Records::load(&self.context.workspace.records())?;
        self.set_up(last + 1)?;
        for (index, step) in self.steps.iter().take(last).enumerate() {
            progress::begin(index + 2, last + 1, step.name());
            if let Err(error) = advance(step.as_ref(), &mut self.context) {
                progress::failed();
                return Err(error);
            }
        }
        Ok(())
    }

    /// Installs what is missing on the system.
    pub(crate) fn setup(&self) -> Result<()> {
        let _lock = self.lock()?;
        self.set_up(1)
    }

    /// Prints the state of every step.
    pub(crate) fn status(&self) -> Result<()> {
        for missing in system::missing(&self.context)? {
            progress::print(&format!("system     missing: {missing}"));
        }
        for step in &self.steps {
            let waits = step
                .needs(&self.context)
                .into_iter()
                .find(|need| self.context.records.get(need).is_none());
            let state = match waits {
                Some(need) => format!("waits for `{need}`"),
                None => match State::of(step.as_ref(), &self.context)? {
                    State::Current => "up to date".into(),
                    State::Stale { why, .. } => why,
                },
            };
            let seconds = self
                .context
                .records
                .get(step.name())
                .map(|record| format!(" ({} s)", record.seconds));
            progress::print(&format!(
                "{:<10} {state}{}",
                step.name(),
                seconds.unwrap_or_default()
            ));
        }
        Ok(())
    }

    /// Returns how many of the steps run.
    fn last(&self, until: Option<&str>) -> Result<usize> {
        let Some(until) = until else {
            return Ok(self.steps.len());
        };
        match self.steps.iter().position(|step| step.name() == until) {
            Some(index) => Ok(index + 1),
            None => bail!(UnknownStep {
                name: until.into(),
                known: self.steps.iter().map(|step| step.name()).collect(),
            }),
        }
    }

    fn set_up(&self, total: usize) -> Result<()> {
        progress::begin(1, total, system::NAME);
        let start = Instant::now();
        match system::set_up(&self.context, || {
            progress::working(system::TASK, system::SECONDS);
        }) {
            Ok(None) => progress::up_to_date(),
            Ok(Some(note)) => progress::done(start.elapsed(), Some(&note)),
            Err(error) => {
                progress::failed();
                return Err(error);
            }
        }
        Ok(())
    }

    fn lock(&self) -> Result<File> {
        let path = self.context.workspace.out().join("lock");
        let context = || format!("cannot lock `{}`", path.display());
        fs::create_dir_all(self.context.workspace.out()).with_context(context)?;
        let file = File::create(&path).with_context(context)?;
        if file.try_lock().is_err() {
            progress::note("waiting for another python-wasm that works in the same directory");
            file.lock().with_context(context)?;
        }
        Ok(file)
    }
}

/// Does a step's work unless it is up to date.
fn advance(step: &dyn Step, context: &mut Context) -> Result<()> {
    match State::of(step, context)? {
        State::Current => progress::up_to_date(),
        State::Stale { key, .. } => {
            progress::working(step.task(), step.seconds());
            let (took, note) = perform(step, context, key)?;
            progress::done(took, note.as_deref());
        }
    }
    Ok(())
}

/// `--until` with a name that no step has.
#[derive(Debug)]
pub(crate) struct UnknownStep {
    name: String,
    known: Vec<&'static str>,
}

impl fmt::Display for UnknownStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "there is no step `{}`\nhint: the steps are {}",
            self.name,
            self.known.join(", ")
        )
    }
}

impl std::error::Error for UnknownStep {}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use super::*;

    fn pipeline(profile: bool) -> Pipeline {
        let workspace = Workspace::scratch(&std::env::temp_dir().join("no-build-here"));
        Pipeline::open(
            workspace,
            Overrides::default(),
            &Options { jobs: 1, profile },
        )
        .unwrap()
    }

    #[test]
    fn until_takes_the_named_step_and_those_before_it() {
        assert_eq!(pipeline(true).last(Some("fetch")).unwrap(), 1);
        assert_eq!(pipeline(true).last(Some("stdlib")).unwrap(), 6);
        assert_eq!(pipeline(false).last(Some("stdlib")).unwrap(), 5);
    }

    #[test]
    fn an_unknown_step_is_answered_with_the_known_ones() {
        let error = pipeline(false).last(Some("link")).unwrap_err();
        assert!(error.is::<UnknownStep>());
        assert!(
            error.to_string().starts_with("there is no step `link`\nhint: the steps are fetch, native, libraries, python, stdlib"),
            "{error}"
        );
    }
}
