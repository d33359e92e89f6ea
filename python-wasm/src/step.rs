//! A step: inputs, outputs, work; and the rule for when the work is skipped.
//!
//! A step is skipped when its record has the key that its inputs have now and every output still has the recorded
//! hash. The record is removed before the work begins and written after all outputs exist, so a step that stops half
//! way is done again.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};

use crate::command::Log;
use crate::digest::{self, Key};
use crate::manifest::{Output, Record, Records};
use crate::sources::Overrides;
use crate::toolchain::Toolchain;
use crate::workspace::Workspace;

/// What every step can look at.
#[derive(Debug)]
pub(crate) struct Context {
    /// Where everything lies.
    pub(crate) workspace: Workspace,
    /// What the caller provides instead of downloads.
    pub(crate) overrides: Overrides,
    /// The compiler for the sandbox's target.
    pub(crate) toolchain: Toolchain,
    /// How many compiler processes run at once.
    pub(crate) jobs: usize,
    /// Whether the interpreter is optimised with a profile.
    pub(crate) profile: bool,
    /// The steps that are finished.
    pub(crate) records: Records,
}

#[cfg(test)]
impl Context {
    /// Returns a context where everything lies in `base` and nothing is done yet.
    pub(crate) fn scratch(base: &std::path::Path) -> Self {
        let workspace = Workspace::scratch(base);
        let toolchain = Toolchain::select(None, &workspace);
        Self {
            workspace,
            overrides: Overrides::default(),
            toolchain,
            jobs: 1,
            profile: true,
            records: Records::default(),
        }
    }

    /// Returns what a step's inputs add up to.
    pub(crate) fn inputs(&self, step: &dyn Step) -> Result<String> {
        let mut key = Key::new(step.name());
        step.inputs(self, &mut key)?;
        Ok(key.finish())
    }
}

/// One step of the build.
pub(crate) trait Step {
    /// Returns the name, which is also that of its log.
    fn name(&self) -> &'static str;

    /// Returns what the step does, for the progress line: "builds the …".
    fn task(&self) -> &'static str;

    /// Returns how long the work is likely to take on 2 cores, in seconds.
    fn seconds(&self) -> u32 {
        0
    }

    /// Returns the steps whose outputs this one reads.
    fn needs(&self, context: &Context) -> Vec<&'static str>;

    /// Adds the step's inputs, other than those outputs, to its key: its own recipe first of all.
    fn inputs(&self, context: &Context, key: &mut Key) -> Result<()>;

    /// Does the work. Returns a few words on the result for the progress line.
    fn run(&self, context: &Context, log: &Log) -> Result<Option<String>>;

    /// Returns the results, all of which exist once the work is done.
    fn outputs(&self, context: &Context) -> Result<Vec<PathBuf>>;
}

/// Whether a step has to run.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// Nothing changed since it was done.
    Current,
    /// It has to run: the key to record, and why.
    Stale { key: String, why: String },
}

impl State {
    /// Returns the state of a step.
    pub(crate) fn of(step: &dyn Step, context: &Context) -> Result<Self> {
        let key = key(step, context)?;
        let Some(record) = context.records.get(step.name()) else {
            return Ok(Self::Stale {
                key,
                why: "not done yet".into(),
            });
        };
        if record.inputs != key {
            return Ok(Self::Stale {
                key,
                why: "its inputs changed".into(),
            });
        }
        for output in &record.outputs {
            let now = digest::of_output(&context.workspace.full(&output.path)).ok();
            if now.as_deref() != Some(&output.sha256) {
                return Ok(Self::Stale {
                    key,
                    why: format!("`{}` is not what it made", output.path),
                });
            }
        }
        Ok(Self::Current)
    }
}

/// Does a step's work and records it under `key`. Returns how long it took and the step's note.
pub(crate) fn perform(
    step: &dyn Step,
    context: &mut Context,
    key: String,
) -> Result<(Duration, Option<String>)> {
    let records = context.workspace.records();
    if context.records.remove(step.name()) {
        context.records.save(&records)?;
    }
    let start = Instant::now();
    let log = Log::create(context.workspace.log(step.name()))?;
    let note = step
        .run(context, &log)
        .with_context(|| format!("step `{}` failed", step.name()))?;
    let mut outputs = Vec::new();
    for path in step.outputs(context)? {
        let sha256 = digest::of_output(&path).with_context(|| {
            format!(
                "step `{}` did not make `{}`; see {}",
                step.name(),
                path.display(),
                log.path().display()
            )
        })?;
        outputs.push(Output {
            path: context.workspace.short(&path),
            sha256,
        });
    }
    let took = start.elapsed();
    let seconds = (took.as_secs_f64() * 10.0).round() / 10.0;
    context.records.put(Record {
        name: step.name().into(),
        inputs: key,
        outputs,
        seconds,
    });
    context.records.save(&records)?;
    Ok((took, note))
}

fn key(step: &dyn Step, context: &Context) -> Result<String> {
    let mut key = Key::new(step.name());
    // Build directories hold absolute paths: moving them is a change.
    key.text("out", &context.workspace.out().to_string_lossy());
    for need in step.needs(context) {
        let record = context.records.get(need);
        let record = record
            .with_context(|| format!("step `{}` needs `{need}`, which is not done", step.name()))?;
        for output in &record.outputs {
            key.text(&output.path, &output.sha256);
        }
    }
    step.inputs(context, &mut key)?;
    Ok(key.finish())
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use std::cell::Cell;
    use std::fs;

    use anyhow::bail;

    use super::*;

    struct Copies {
        recipe: &'static str,
        breaks: Cell<bool>,
        needs: Vec<&'static str>,
    }

    impl Copies {
        fn with(recipe: &'static str) -> Self {
            Self {
                recipe,
                breaks: Cell::new(false),
                needs: Vec::new(),
            }
        }
    }

    impl Step for Copies {
        fn name(&self) -> &'static str {
            "copies"
        }

        fn task(&self) -> &'static str {
            "copies"
        }

        fn needs(&self, _: &Context) -> Vec<&'static str> {
            self.needs.clone()
        }

        fn inputs(&self, _: &Context, key: &mut Key) -> Result<()> {
            key.text("recipe", self.recipe);
            Ok(())
        }

        fn run(&self, context: &Context, _: &Log) -> Result<Option<String>> {
            fs::write(context.workspace.guest(), self.recipe)?;
            if self.breaks.get() {
                bail!("stopped half way");
            }
            Ok(Some("copied".into()))
        }

        fn outputs(&self, context: &Context) -> Result<Vec<PathBuf>> {
            Ok(vec![context.workspace.guest()])
        }
    }

    fn why(state: State) -> String {
        match state {
            State::Current => "current".into(),
            State::Stale { why, .. } => why,
        }
    }

    fn advance(step: &Copies, context: &mut Context) -> Result<()> {
        match State::of(step, context)? {
            State::Current => Ok(()),
            State::Stale { key, .. } => perform(step, context, key).map(drop),
        }
    }

    #[test]
    fn a_finished_step_is_skipped_until_its_inputs_change() {
        let directory = tempfile::tempdir().unwrap();
        let mut context = Context::scratch(directory.path());
        assert_eq!(
            why(State::of(&Copies::with("one"), &context).unwrap()),
            "not done yet"
        );
        advance(&Copies::with("one"), &mut context).unwrap();
        assert_eq!(
            State::of(&Copies::with("one"), &context).unwrap(),
            State::Current
        );
        assert_eq!(
            why(State::of(&Copies::with("two"), &context).unwrap()),
            "its inputs changed"
        );
        // The records that another run of the program finds say the same.
        context.records = Records::load(&context.workspace.records()).unwrap();
        assert_eq!(
            State::of(&Copies::with("one"), &context).unwrap(),
            State::Current
        );
    }

    #[test]
    fn a_step_that_stops_half_way_is_done_again() {
        let directory = tempfile::tempdir().unwrap();
        let mut context = Context::scratch(directory.path());
        advance(&Copies::with("one"), &mut context).unwrap();
        let broken = Copies::with("two");
        broken.breaks.set(true);
        let error = advance(&broken, &mut context).unwrap_err();
        assert_eq!(
            format!("{error:#}"),
            "step `copies` failed: stopped half way"
        );
        // Neither the new key nor the old one, whose output is overwritten, counts as done, now and in the next run.
        assert_eq!(
            why(State::of(&Copies::with("one"), &context).unwrap()),
            "not done yet"
        );
        assert_eq!(
            Records::load(&context.workspace.records()).unwrap(),
            Records::default()
        );
        broken.breaks.set(false);
        advance(&broken, &mut context).unwrap();
        assert_eq!(State::of(&broken, &context).unwrap(), State::Current);
    }

    #[test]
    fn an_output_that_was_changed_or_lost_is_noticed() {
        let directory = tempfile::tempdir().unwrap();
        let mut context = Context::scratch(directory.path());
        let step = Copies::with("one");
        advance(&step, &mut context).unwrap();
        fs::write(context.workspace.guest(), "tampered").unwrap();
        assert_eq!(
            why(State::of(&step, &context).unwrap()),
            "`guest.wasm` is not what it made"
        );
        fs::remove_file(context.workspace.guest()).unwrap();
        assert_eq!(
            why(State::of(&step, &context).unwrap()),
            "`guest.wasm` is not what it made"
        );
        advance(&step, &mut context).unwrap();
        assert_eq!(
            fs::read_to_string(context.workspace.guest()).unwrap(),
            "one"
        );
    }

    #[test]
    fn outputs_of_a_needed_step_are_part_of_the_key() {
        let directory = tempfile::tempdir().unwrap();
        let mut context = Context::scratch(directory.path());
        let mut step = Copies::with("one");
        step.needs = vec!["before"];
        let error = State::of(&step, &context).unwrap_err().to_string();
        assert_eq!(error, "step `copies` needs `before`, which is not done");
        let before = |sha256: &str| Record {
            name: "before".into(),
            inputs: String::new(),
            outputs: vec![Output {
                path: "before.o".into(),
                sha256: sha256.into(),
            }],
            seconds: 0.0,
        };
        context.records.put(before("1"));
        advance(&step, &mut context).unwrap();
        assert_eq!(State::of(&step, &context).unwrap(), State::Current);
        context.records.put(before("2"));
        assert_eq!(
            why(State::of(&step, &context).unwrap()),
            "its inputs changed"
        );
    }
}
