//! The tool itself: reads the arguments, finds the places, asks the guards, and hands the work to a thread that may block.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;
use schemars::JsonSchema;
use serde_json::{Map, Value};

use super::job::{Job, Request};
use super::reply::PatchReply;
use super::target::ReadFault;
use super::v4a::{Operation, PatchText};
use crate::fs::{Access, ReadDenials};
use crate::guard::python_type;
use crate::tools::arguments::{given, schema_of};
use crate::tools::write_guard::{Target, WriteGuards, WriteRefusal};
use crate::tools::{FileOptions, Tool, ToolContext, ToolError, ToolReply};

/// Longest patch text, in bytes: its lines take several times as much while they are applied.
const MAX_PATCH_BYTES: usize = 16 << 20;

/// Edits text files for scripts.
#[derive(Debug)]
pub(in crate::tools) struct Patch {
    guards: WriteGuards,
    denials: Arc<ReadDenials>,
    refuses_stale: bool,
}

impl Patch {
    pub(in crate::tools) fn new(options: &FileOptions) -> Self {
        Self {
            guards: WriteGuards::new(options),
            denials: Arc::new(ReadDenials::of_user()),
            refuses_stale: options.stale_overwrite_guard,
        }
    }

    /// Has files of the operator's stay as they are, too.
    pub(in crate::tools) fn keeping(mut self, files: &[PathBuf]) -> Self {
        self.guards.keep(files);
        self
    }
}

#[async_trait]
impl Tool for Patch {
    fn name(&self) -> &'static str {
        "patch"
    }

    fn description(&self) -> &'static str {
        "Replaces text in a file, or applies a patch to several files. What cannot be applied whole changes nothing."
    }

    fn parameters(&self) -> Value {
        schema_of::<Arguments>()
    }

    async fn call(
        &self,
        mut arguments: Map<String, Value>,
        context: &ToolContext,
    ) -> Result<ToolReply, ToolError> {
        let request = Arguments::parse(&mut arguments)?;
        let paths: Vec<&str> = match &request {
            Request::Replace { path, .. } => vec![path],
            Request::Patch { text } => match PatchText::parse(text) {
                Ok(patch) => {
                    let operations = patch.operations.iter();
                    operations.flat_map(Operation::paths).collect()
                }
                Err(fault) => return ToolReply::json(&PatchReply::failed(fault.to_string())),
            },
        };
        let mut places = BTreeMap::new();
        for path in paths {
            let place = context.grants().place(path, Access::Write);
            places.insert(path.to_owned(), place.map_err(ToolError::new)?);
        }
        let mut targets = Vec::new();
        let mut unreachable = BTreeMap::new();
        for (path, place) in &places {
            // An answer shows parts of the files, so that what may not be read may not be patched either.
            if let Some(denial) = self.denials.check_place(place) {
                return Err(ToolError::new(denial.explain(place.given())));
            }
            match Target::of(place) {
                Ok(target) => {
                    // A link shows what it leads to.
                    if let Some(denial) = self.denials.check(&target.landing.absolute()) {
                        return Err(ToolError::new(denial.explain(place.given())));
                    }
                    targets.push(target);
                }
                Err(error) => {
                    let fault = ReadFault::of(error);
                    let why = fault.explain(place);
                    if matches!(request, Request::Replace { .. }) {
                        return ToolReply::json(&PatchReply::failed(why));
                    }
                    // A patch tells of it together with its other faults.
                    unreachable.insert(path.clone(), why);
                }
            }
        }
        let targets: Vec<&Target> = targets.iter().collect();
        match self.guards.check(&targets, None, context).await {
            Ok(()) => {}
            Err(WriteRefusal::Guarded(refusal)) => return Err(ToolError::new(refusal)),
            Err(WriteRefusal::Denied(refusal)) => {
                return ToolReply::json(&PatchReply::failed(refusal));
            }
        }
        let job = Job {
            request,
            places,
            unreachable,
            denials: Arc::clone(&self.denials),
            redactor: Arc::clone(context.redactor()),
            seen: self.refuses_stale.then(|| Arc::clone(context.seen_files())),
            cell: context.cancellation().clone(),
        };
        let reply = tokio::task::spawn_blocking(move || job.run())
            .await
            .map_err(|error| ToolError::caused_by("patching the file failed", error))?;
        ToolReply::json(&reply)
    }
}

/// Arguments of `patch`.
#[derive(Debug, JsonSchema)]
#[expect(
    dead_code,
    reason = "the struct is the signature; a call's values are moved out of the arguments"
)]
struct Arguments {
    /// Path of the file to edit, relative to the working directory or absolute inside it (mode 'replace').
    #[schemars(default)]
    path: Option<String>,
    /// The text to be replaced; it must be unique in the file unless `replace_all` is set (mode 'replace').
    #[schemars(default)]
    old_string: Option<String>,
    /// The text to put in its place; an empty one deletes it (mode 'replace').
    #[schemars(default)]
    new_string: Option<String>,
    /// Replaces every occurrence (mode 'replace').
    #[schemars(default)]
    replace_all: bool,
    /// Either 'replace', for one text of one file, or 'patch', for a patch of several files.
    #[schemars(default = "replace_mode")]
    mode: String,
    /// A patch in V4A format: '*** Begin Patch', headers such as '*** Update File: PATH' with hunks, '*** End Patch' (mode 'patch').
    #[schemars(default)]
    patch: Option<String>,
    /// Has no meaning here; scripts written for other hosts pass it.
    #[schemars(default)]
    cross_profile: bool,
}

impl Arguments {
    /// Makes a request of a call's arguments.
    fn parse(arguments: &mut Map<String, Value>) -> Result<Request, ToolError> {
        let mode = text(arguments, "mode")?.unwrap_or_else(replace_mode);
        match mode.as_str() {
            "replace" => {
                let path = text(arguments, "path")?.filter(|path| !path.is_empty());
                let path = path.ok_or_else(|| ToolError::new("path required"))?;
                let old = text(arguments, "old_string")?;
                let new = text(arguments, "new_string")?;
                let (old, new) = old
                    .zip(new)
                    .ok_or_else(|| ToolError::new("old_string and new_string required"))?;
                let replace_all = match given(arguments, "replace_all") {
                    None => false,
                    Some(Value::Bool(replace_all)) => *replace_all,
                    Some(other) => return Err(wrong_type("replace_all", "a boolean", other)),
                };
                Ok(Request::Replace {
                    path,
                    old,
                    new,
                    replace_all,
                })
            }
            "patch" => match text(arguments, "patch")?.filter(|patch| !patch.is_empty()) {
                Some(text) if text.len() > MAX_PATCH_BYTES => {
                    let len = text.len();
                    Err(ToolError::new(format_args!(
                        "The patch has {len} bytes; at most {MAX_PATCH_BYTES} are allowed. Split it, or use write_file."
                    )))
                }
                Some(text) => Ok(Request::Patch { text }),
                None => Err(ToolError::new("patch content required")),
            },
            other => Err(ToolError::new(format_args!("Unknown mode: {other}"))),
        }
    }
}

fn replace_mode() -> String {
    "replace".to_owned()
}

/// Moves a text out of the arguments; `None` if it was not given.
fn text(arguments: &mut Map<String, Value>, name: &str) -> Result<Option<String>, ToolError> {
    match arguments.get_mut(name).map(Value::take) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(other) => Err(wrong_type(name, "a string", &other)),
    }
}

fn wrong_type(name: &str, expected: &str, got: &Value) -> ToolError {
    let got = python_type(got);
    ToolError::new(format_args!(
        "patch: '{name}' must be {expected}, got {got}."
    ))
}

#[cfg(test)]
mod tests;
