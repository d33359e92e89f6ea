//! The tool itself: checks the text, finds the place inside the granted directory and replaces the file.
//!
//! What is refused, or fails before the new file takes its place, leaves the old one as it was. When only the check
//! afterwards fails, the new file is in place and something else may have changed it; the answer is an error all the same.
//!
//! A short text is written before the call gives way. A long one is written on a thread of its own, which stops when its
//! cell ends meanwhile, and then leaves the old file.

use std::io::{self, Read as _};
use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use cap_std::fs::{Dir, Metadata};
use schemars::JsonSchema;
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};
use tokio_util::sync::CancellationToken;

use super::content::{SAMPLE_BYTES, in_form_of};
use super::lint::Lint;
use super::reply::WriteReply;
use crate::fs::{NO_SCOPE, OpenFault, RegularFile, RelPath, Replacement, Scope};
use crate::guard::python_type;
use crate::tools::arguments::{given, schema_of};
use crate::tools::{Tool, ToolContext, ToolError, ToolReply};

/// Longest text that is written without another thread, in bytes.
const INLINE_BYTES: usize = 256 * 1024;

/// Writes text files for scripts.
#[derive(Debug)]
pub(in crate::tools) struct WriteFile(());

impl WriteFile {
    pub(in crate::tools) fn new() -> Self {
        Self(())
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
        let scope = context.scope().ok_or_else(|| ToolError::new(NO_SCOPE))?;
        let path = scope.resolve(&arguments.path).map_err(ToolError::new)?;
        let job = Job {
            scope: Arc::clone(scope),
            path,
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
    scope: Arc<Scope>,
    path: RelPath,
    arguments: Arguments,
    /// Cancelled when the cell ends: a long write then leaves the old file.
    cell: CancellationToken,
}

impl Job {
    fn run(&self) -> WriteReply {
        let shown = self.scope.display(&self.path);
        let given = &self.arguments.path;
        let name = self.path.split().map(|(_, name)| name).unwrap_or_default();
        let lint = match Lint::check(name, &self.arguments.content) {
            Ok(lint) => lint,
            Err(reason) => {
                let error = format!(
                    "Refusing to write '{shown}': {reason} The file was NOT created or modified. Fix the content and retry."
                );
                return WriteReply::refused(error, shown);
            }
        };
        match self.write(&shown) {
            Ok(bytes_written) => {
                let has_directory = given.trim_end_matches('/').contains('/');
                WriteReply::written(bytes_written, has_directory, lint, shown)
            }
            Err(WriteFault::Refused(error)) => WriteReply::refused(error, shown),
            Err(WriteFault::Io(error)) => {
                WriteReply::refused(Scope::explain(&error, "write", given), shown)
            }
        }
    }

    /// Writes the file and reads it back; returns the number of bytes written.
    ///
    /// A failed check is a failure although the file was replaced: it does not hold what the script wrote.
    fn write(&self, shown: &str) -> Result<u64, WriteFault> {
        let target = self.target()?;
        let not_a_file =
            || WriteFault::Refused(format!("Cannot write '{shown}': it is not a regular file."));
        let (parent, name) = target.split().ok_or_else(not_a_file)?;
        let root = self.scope.dir();
        let dir = open_or_create(root, parent.as_path())?;
        let (old, sample) = match old_file(root, &target) {
            Ok(Some((old, sample))) => (Some(old), sample),
            Ok(None) => (None, Vec::new()),
            Err(OpenFault::NotRegular(_)) => return Err(not_a_file()),
            Err(OpenFault::Io(error)) => return Err(error.into()),
        };
        let content = in_form_of(&self.arguments.content, &sample);
        Replacement::begin(&dir, name, old.as_ref())?
            .commit(content.as_bytes(), &|| self.cell.is_cancelled())?;
        let digest = digest_of(root, &target).map_err(|error| {
            WriteFault::Refused(format!(
                "Post-write verification failed for {shown}: the file was written, but it cannot be read back ({error})."
            ))
        })?;
        if digest != Sha256::digest(content.as_bytes()).as_slice() {
            return Err(WriteFault::Refused(format!(
                "Post-write verification failed for {shown}: the file does not hold what was written; something else changed it."
            )));
        }
        // A length in memory fits into 64 bits.
        Ok(content.len() as u64)
    }

    /// Returns where a symbolic link leads, so that its target is written and the link stays.
    fn target(&self) -> io::Result<RelPath> {
        let dir = self.scope.dir();
        match dir.symlink_metadata(self.path.as_path()) {
            Ok(metadata) if metadata.is_symlink() => {
                let target = dir.canonicalize(self.path.as_path())?;
                // The path is inside the scope, for cap-std followed it there.
                RelPath::normalise(&target).ok_or_else(|| io::ErrorKind::CrossesDevices.into())
            }
            _ => Ok(self.path.clone()),
        }
    }
}

/// Says why nothing was written, or why what was written does not count.
enum WriteFault {
    Refused(String),
    Io(io::Error),
}

impl From<io::Error> for WriteFault {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

fn open_or_create(root: &Dir, path: &Path) -> io::Result<Dir> {
    // Opened first, for making directories tells nothing about a link that leads out.
    match root.open_dir(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            root.create_dir_all(path)?;
            root.open_dir(path)
        }
        opened => opened,
    }
}

/// Returns the metadata and the first bytes of the file that is to be replaced.
///
/// The file is opened for writing, though nothing is written to it: a file that the user may not write is not to be
/// replaced either, which the directory's permissions alone would allow.
fn old_file(root: &Dir, path: &RelPath) -> Result<Option<(Metadata, Vec<u8>)>, OpenFault> {
    let opened = match RegularFile::open_writable(root, path) {
        Ok(opened) => opened,
        Err(OpenFault::Io(error)) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(fault) => return Err(fault),
    };
    let metadata = Metadata::from_file(&opened.file)?;
    let mut sample = Vec::with_capacity(SAMPLE_BYTES);
    opened
        .file
        .take(SAMPLE_BYTES as u64)
        .read_to_end(&mut sample)?;
    Ok(Some((metadata, sample)))
}

fn digest_of(root: &Dir, path: &RelPath) -> io::Result<Vec<u8>> {
    let mut opened = match RegularFile::open(root, path) {
        Ok(opened) => opened,
        Err(OpenFault::Io(error)) => return Err(error),
        Err(OpenFault::NotRegular(_)) => return Ok(Vec::new()),
    };
    let mut hasher = Sha256::new();
    let mut chunk = [0; 16 * 1024];
    loop {
        let count = opened.file.read(&mut chunk)?;
        if count == 0 {
            return Ok(hasher.finalize().to_vec());
        }
        hasher.update(chunk.split_at(count).0);
    }
}

#[cfg(test)]
mod tests;
