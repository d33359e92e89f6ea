//! The tool itself: asks the guards, checks the text and replaces the file. What is refused leaves the old file as it was.
//!
//! A short new file is written before the call gives way. Everything else is written on a thread of its own, which stops
//! when its cell ends meanwhile, and then leaves the old file.

use std::env;
use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;
use schemars::JsonSchema;
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use super::content::in_form_of;
use super::reply::{Answer, StaleReply, WriteReply};
use super::rewrite;
use crate::fs::{Access, OldFile, Place, SeenFiles, Unseen, WriteFault, overwrite};
use crate::guard::python_type;
use crate::text::redact::{Profile, Redactor};
use crate::tools::arguments::{given, schema_of};
use crate::tools::lint::Verdict;
use crate::tools::surrogate::LoneSurrogate;
use crate::tools::write_guard::{Target, WriteGuards, WriteRefusal};
use crate::tools::{FileOptions, Tool, ToolContext, ToolError, ToolReply};

/// Longest text that is written without another thread, in bytes.
const INLINE_BYTES: usize = 256 * 1024;

/// Environment variable with which a user switches the stale-overwrite refusal off.
const NO_STALE_GUARD_ENV: &str = "HERMES_DISABLE_FILE_STATE_GUARD";

/// Writes text files for scripts.
#[derive(Debug)]
pub(in crate::tools) struct WriteFile {
    guards: WriteGuards,
    refuses_stale: bool,
}

impl WriteFile {
    pub(in crate::tools) fn new(options: &FileOptions) -> Self {
        let is_off = env::var_os(NO_STALE_GUARD_ENV).is_some_and(|value| value == "1");
        Self {
            guards: WriteGuards::new(options),
            refuses_stale: options.stale_overwrite_guard && !is_off,
        }
    }

    /// Has files of the operator's stay as they are, too.
    pub(in crate::tools) fn keeping(mut self, files: &[PathBuf]) -> Self {
        self.guards.keep(files);
        self
    }
}

#[async_trait]
impl Tool for WriteFile {
    fn name(&self) -> &'static str {
        "write_file"
    }

    fn description(&self) -> &'static str {
        "Writes a whole text file inside the working directory, replacing an existing one; missing directories are made."
    }

    fn parameters(&self) -> Value {
        schema_of::<Arguments>()
    }

    async fn call(
        &self,
        arguments: Map<String, Value>,
        context: &ToolContext,
    ) -> Result<ToolReply, ToolError> {
        let arguments = Arguments::parse(arguments)?;
        let surrogate = context.lone_surrogate();
        if surrogate.is_some() && LoneSurrogate::is_in(&arguments.path) {
            return Err(ToolError::new(
                "write_file: 'path' contains a lone surrogate character, which no file name can have.",
            ));
        }
        let place = context.grants().place(&arguments.path, Access::Write);
        let place = place.map_err(ToolError::new)?;
        let refused = |error| ToolReply::json(&WriteReply::refused(error, place.display()));
        let target = match Target::of(&place) {
            Ok(target) => target,
            Err(error) => return refused(place.explain(&error, "write")),
        };
        let text = Some(arguments.content.as_str());
        match self.guards.check(&[&target], text, context).await {
            Ok(()) => {}
            Err(WriteRefusal::Guarded(refusal)) => return Err(ToolError::new(refusal)),
            Err(WriteRefusal::Denied(refusal)) => return refused(refusal),
        }
        let is_inline = arguments.content.len() <= INLINE_BYTES && !target.landing.has_entry();
        let job = Job {
            place,
            target,
            content: arguments.content,
            surrogate,
            refuses_stale: self.refuses_stale,
            seen: Arc::clone(context.seen_files()),
            redactor: Arc::clone(context.redactor()),
            cell: context.cancellation().clone(),
        };
        if is_inline {
            return ToolReply::json(&job.run());
        }
        let work = tokio::task::spawn_blocking(move || job.run());
        let answer = work
            .await
            .map_err(|error| ToolError::caused_by("writing the file failed", error))?;
        ToolReply::json(&answer)
    }
}

/// Arguments of `write_file`.
#[derive(Debug, JsonSchema)]
struct Arguments {
    /// Path of the file, relative to the working directory or absolute inside it.
    path: String,
    /// The whole new content.
    content: String,
    /// Has no meaning here; scripts written for other hosts pass it.
    #[schemars(default)]
    #[expect(dead_code, reason = "the field is a part of the signature only")]
    cross_profile: bool,
}

impl Arguments {
    fn parse(mut arguments: Map<String, Value>) -> Result<Self, ToolError> {
        let Some(path) = given(&arguments, "path") else {
            return Err(ToolError::new(
                "write_file: missing required field 'path'. Re-emit the tool call with both 'path' and 'content' set.",
            ));
        };
        let Some(path) = path.as_str().map(str::to_owned) else {
            let got = python_type(path);
            return Err(ToolError::new(format_args!(
                "write_file: 'path' must be a string, got {got}."
            )));
        };
        match arguments.get_mut("content").map(Value::take) {
            Some(Value::String(content)) => Ok(Self {
                path,
                content,
                cross_profile: false,
            }),
            None | Some(Value::Null) => Err(ToolError::new(
                "write_file: missing required field 'content'. The tool call included a path but no content argument — this is almost always a dropped-arg bug under context pressure. Re-emit the tool call with the full content payload, or use execute_code with hermes_tools.write_file() for very large files.",
            )),
            Some(other) => {
                let got = python_type(&other);
                Err(ToolError::new(format_args!(
                    "write_file: 'content' must be a string, got {got}."
                )))
            }
        }
    }
}

/// One write with everything that it needs, so that it can move to another thread.
struct Job {
    place: Place,
    target: Target,
    content: String,
    surrogate: Option<LoneSurrogate>,
    refuses_stale: bool,
    seen: Arc<SeenFiles>,
    redactor: Arc<Redactor>,
    /// Cancelled when the cell ends: a long write then leaves the old file.
    cell: CancellationToken,
}

/// Why nothing was written, or why what was written does not count.
enum Failure {
    Stale(Unseen),
    Refused(String),
}

impl Job {
    fn run(&self) -> Answer {
        let shown = self.place.display();
        match self.write() {
            Ok(reply) => Answer::Write(reply),
            Err(Failure::Stale(reason)) => {
                Answer::Stale(StaleReply::new(&self.target, reason, shown))
            }
            Err(Failure::Refused(error)) => Answer::Write(WriteReply::refused(error, shown)),
        }
    }

    fn write(&self) -> Result<WriteReply, Failure> {
        let landing = &self.target.landing;
        let fault = |fault: WriteFault| Failure::Refused(fault.explain(&self.place));
        // At most a few megabytes, which fit into 64 bits.
        let sample = rewrite::bytes_of_interest(&self.content) as u64;
        let old = OldFile::look(landing, sample).map_err(fault)?;
        if let Some(old) = old.as_ref().filter(|_| self.refuses_stale) {
            let known = self.seen.check(&landing.absolute(), old.identity());
            known.map_err(Failure::Stale)?;
        }
        let lint = self.check_content()?.into_lint();
        let start = old.as_ref().map_or(&[][..], |old| &old.start);
        let content = in_form_of(&self.content, start);
        let is_over = || self.cell.is_cancelled();
        let identity =
            overwrite(landing, old.as_ref(), content.as_bytes(), &is_over).map_err(fault)?;
        if self.refuses_stale {
            self.seen.written(&landing.absolute(), identity);
        }
        let has_directory = self.place.given().trim_end_matches('/').contains('/');
        Ok(WriteReply::written(
            // A length in memory fits into 64 bits.
            content.len() as u64,
            has_directory,
            lint,
            rewrite::hint(start, &content),
            self.place.display(),
        ))
    }

    /// Refuses a text that cannot be a file, or that would be none of its kind.
    fn check_content(&self) -> Result<Verdict, Failure> {
        let refuse = |reason: &str, advice: &str| {
            Failure::Refused(format!(
                "Refusing to write '{}': {reason} The file was NOT created or modified.{advice}",
                self.place.display()
            ))
        };
        if let Some(surrogate) = self.surrogate {
            let reason = format!(
                "content contains a lone surrogate character ({surrogate}) that cannot be encoded as UTF-8."
            );
            return Err(refuse(&reason, ""));
        }
        let clean = |text: &str| self.redactor.redact(text, Profile::FileRead).into_owned();
        // The kind is that of the file, whatever the name of a link to it says.
        let name = self.target.landing.shown_name();
        let verdict = Verdict::of(&name, &self.content).cleaned(clean);
        match verdict.refusal() {
            Some(reason) => Err(refuse(reason, " Fix the content and retry.")),
            None => Ok(verdict),
        }
    }
}

#[cfg(test)]
mod tests;
