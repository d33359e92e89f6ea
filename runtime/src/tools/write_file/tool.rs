//! The tool itself: checks the text, finds the place and replaces the file. What is refused leaves the old file as it was.
//!
//! A short text is written before the call gives way. A long one is written on a thread of its own, which stops when its
//! cell ends meanwhile, and then leaves the old file.

use async_trait::async_trait;
use schemars::JsonSchema;
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use super::content::{SAMPLE_BYTES, in_form_of};
use super::lint::Lint;
use super::reply::WriteReply;
use crate::fs::{Access, OldFile, Place, WriteFault, overwrite};
use crate::guard::python_type;
use crate::tools::arguments::{given, schema_of};
use crate::tools::{FileOptions, Tool, ToolContext, ToolError, ToolReply};

/// Longest text that is written without another thread, in bytes.
const INLINE_BYTES: usize = 256 * 1024;

/// Writes text files for scripts.
#[derive(Debug)]
pub(in crate::tools) struct WriteFile {
    options: FileOptions,
}

impl WriteFile {
    pub(in crate::tools) fn new(options: &FileOptions) -> Self {
        let options = options.clone();
        Self { options }
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
        let place = context.grants().place(&arguments.path, Access::Write);
        let job = Job {
            place: place.map_err(ToolError::new)?,
            arguments,
            cell: context.cancellation().clone(),
        };
        if job.arguments.content.len() <= INLINE_BYTES {
            return ToolReply::json(&job.run());
        }
        let work = tokio::task::spawn_blocking(move || job.run());
        let reply = work
            .await
            .map_err(|error| ToolError::caused_by("writing the file failed", error))?;
        ToolReply::json(&reply)
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
    arguments: Arguments,
    /// Cancelled when the cell ends: a long write then leaves the old file.
    cell: CancellationToken,
}

impl Job {
    fn run(&self) -> WriteReply {
        let shown = self.place.display();
        let name = self.place.name().unwrap_or_default();
        let lint = match Lint::check(name, &self.arguments.content) {
            Ok(lint) => lint,
            Err(reason) => {
                let error = format!(
                    "Refusing to write '{shown}': {reason} The file was NOT created or modified. Fix the content and retry."
                );
                return WriteReply::refused(error, shown);
            }
        };
        match self.write() {
            Ok(bytes_written) => {
                let has_directory = self.place.given().trim_end_matches('/').contains('/');
                WriteReply::written(bytes_written, has_directory, lint, shown)
            }
            Err(fault) => WriteReply::refused(fault.explain(&self.place), shown),
        }
    }

    /// Writes the file, where a symbolic link leads to if the path is one; returns the number of bytes written.
    fn write(&self) -> Result<u64, WriteFault> {
        let target = self.place.resolved()?;
        let old = OldFile::look(&target, SAMPLE_BYTES)?;
        let sample = old.as_ref().map_or(&[][..], |old| &old.start);
        let content = in_form_of(&self.arguments.content, sample);
        overwrite(&target, old.as_ref(), content.as_bytes(), &|| {
            self.cell.is_cancelled()
        })?;
        // A length in memory fits into 64 bits.
        Ok(content.len() as u64)
    }
}

#[cfg(test)]
mod tests;
