//! The tool itself: finds the file inside the granted directory and answers with a page of it.
//!
//! A small file is read at once, for the call costs less than handing it to another thread; a large one is read on a
//! thread that may block, and no longer than its cell lives.

use std::fs::File;
use std::io::{self, Cursor, Read};
use std::sync::Arc;

use async_trait::async_trait;
use schemars::JsonSchema;
use serde_json::{Map, Value};

use super::binary::{Binary, SAMPLE_BYTES};
use super::page::Page;
use super::reply::{BlockingReply, ReadReply};
use super::similar::{MAX_ENTRIES, similar_names};
use crate::fs::{Access, Kind, OpenFault, Place};
use crate::guard::python_type;
use crate::text::redact::Redactor;
use crate::tools::arguments::{given, schema_of, whole_number};
use crate::tools::{FileOptions, Tool, ToolContext, ToolError, ToolReply};

const MAX_LINES: u64 = 2_000;
/// Largest file that is read without another thread, in bytes.
const INLINE_BYTES: u64 = 256 * 1024;
const BOM: &[u8] = b"\xef\xbb\xbf";

/// Reads text files for scripts.
#[derive(Debug)]
pub(in crate::tools) struct ReadFile {
    options: FileOptions,
}

impl ReadFile {
    pub(in crate::tools) fn new(options: &FileOptions) -> Self {
        let options = options.clone();
        Self { options }
    }
}

#[async_trait]
impl Tool for ReadFile {
    fn name(&self) -> &'static str {
        "read_file"
    }

    fn description(&self) -> &'static str {
        "Reads a text file inside the working directory. Returns a dict whose 'content' has lines as '<number>|<text>'."
    }

    fn parameters(&self) -> Value {
        schema_of::<Arguments>()
    }

    async fn call(
        &self,
        arguments: Map<String, Value>,
        context: &ToolContext,
    ) -> Result<ToolReply, ToolError> {
        let arguments = Arguments::parse(&arguments)?;
        let place = context.grants().place(&arguments.path, Access::Read);
        let place = place.map_err(ToolError::new)?;
        let opened = match place.open() {
            Ok(opened) => opened,
            Err(fault) => return refuse(&place, fault),
        };
        let len = opened.len;
        let (offset, limit) = (arguments.offset, arguments.limit);
        let read = if len <= INLINE_BYTES {
            read(opened.file, len, offset, limit, context.redactor(), || true)
        } else {
            let cancellation = context.cancellation().clone();
            let redactor = Arc::clone(context.redactor());
            let work = move || {
                read(opened.file, len, offset, limit, &redactor, || {
                    !cancellation.is_cancelled()
                })
            };
            tokio::task::spawn_blocking(work)
                .await
                .map_err(|error| ToolError::caused_by("reading the file failed", error))?
        };
        let explain = |error: io::Error| ToolError::new(place.explain(&error, "read"));
        ToolReply::json(&match read.map_err(explain)? {
            Content::Text(page) => ReadReply::page(page, offset, limit, len),
            Content::Binary(binary) => {
                ReadReply::binary(binary.to_string(), binary.is_image(), len)
            }
        })
    }
}

/// Arguments of `read_file`.
#[derive(Debug, PartialEq, Eq, JsonSchema)]
struct Arguments {
    /// Path of the file, relative to the working directory or absolute inside it.
    path: String,
    /// First line to read, from 1.
    #[schemars(default = "first_line")]
    offset: u64,
    /// Number of lines to read, at most 2000.
    #[schemars(default = "max_lines")]
    limit: u64,
}

impl Arguments {
    fn parse(arguments: &Map<String, Value>) -> Result<Self, ToolError> {
        let path = match given(arguments, "path") {
            Some(Value::String(path)) => path.clone(),
            None => return Err(ToolError::new("read_file: missing required field 'path'.")),
            Some(other) => {
                let got = python_type(other);
                return Err(ToolError::new(format_args!(
                    "read_file: 'path' must be a string, got {got}."
                )));
            }
        };
        let number = |name| {
            whole_number(given(arguments, name)).map(|number| u64::try_from(number).unwrap_or(1))
        };
        Ok(Self {
            path,
            offset: number("offset").unwrap_or(first_line()).max(1),
            limit: number("limit").unwrap_or(max_lines()).clamp(1, MAX_LINES),
        })
    }
}

fn first_line() -> u64 {
    1
}

fn max_lines() -> u64 {
    MAX_LINES
}

/// What a file holds.
enum Content {
    Text(Page),
    Binary(Binary),
}

/// Reads a page of a file as long as it was when it was opened, so that one that grows all the time has an end.
fn read(
    file: File,
    len: u64,
    offset: u64,
    limit: u64,
    redactor: &Redactor,
    goes_on: impl Fn() -> bool,
) -> io::Result<Content> {
    // Files that the kernel makes up have no length; what they hold is small.
    let mut bytes = file.take(if len == 0 { INLINE_BYTES } else { len });
    let mut start = Vec::with_capacity(SAMPLE_BYTES);
    bytes
        .by_ref()
        .take(SAMPLE_BYTES as u64)
        .read_to_end(&mut start)?;
    if let Some(binary) = Binary::detect(&start, len) {
        return Ok(Content::Binary(binary));
    }
    let start = Cursor::new(start.strip_prefix(BOM).unwrap_or(&start));
    Page::read(start.chain(bytes), offset, limit, redactor, goes_on).map(Content::Text)
}

/// Answers for a path at which no file can be opened.
fn refuse(place: &Place, fault: OpenFault) -> Result<ToolReply, ToolError> {
    let shown = place.display();
    match fault {
        OpenFault::NotRegular(kind) => match kind.blocking_phrase() {
            Some(phrase) => ToolReply::json(&BlockingReply::new(place.given(), phrase)),
            None => ToolReply::json(&ReadReply::not_regular(&shown)),
        },
        OpenFault::Io(error) if is_missing(&error) => {
            // What is there without following links, but not with, is a link to nothing.
            if place.has_entry() {
                return ToolReply::json(&ReadReply::not_regular(&shown));
            }
            ToolReply::json(&ReadReply::missing(&shown, similar_files(place)))
        }
        OpenFault::Io(error) => Err(ToolError::new(place.explain(&error, "read"))),
    }
}

fn is_missing(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

/// Returns the paths in the same directory that look like the missing one.
fn similar_files(place: &Place) -> Vec<String> {
    let Some((parent, wanted)) = place.parent().zip(place.name()) else {
        return Vec::new();
    };
    let Ok(entries) = parent.dir().read_dir(parent.path()) else {
        return Vec::new();
    };
    let names = entries
        .take(MAX_ENTRIES)
        .filter_map(Result::ok)
        .filter(|entry| {
            entry
                .file_type()
                .is_ok_and(|kind| Kind::of(kind) != Kind::Directory)
        })
        .filter_map(|entry| entry.file_name().into_string().ok());
    let names = similar_names(wanted, names);
    names
        .iter()
        .map(|name| place.sibling(name).display())
        .collect()
}

#[cfg(test)]
mod tests;
