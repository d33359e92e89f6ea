//! The tool itself: finds the file among what is granted and answers with a page of it.
//!
//! A small file is read at once, for the call costs less than handing it to another thread; a large one is read on a
//! thread that may block, and no longer than its cell lives. So is the search for what a wrong path may mean.

use std::io;
use std::sync::Arc;

use async_trait::async_trait;
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use super::arguments::Arguments;
use super::content::{Content, Contents, SMALL_BYTES};
use super::equivalent::equivalent_file;
use super::extension::BinaryExtension;
use super::indexes::LineIndexes;
use super::page::PageRequest;
use super::reply::{BlockingReply, ReadReply, equivalent_note, transcoded_note};
use super::similar::{MAX_ENTRIES, similar_names};
use crate::fs::{Access, Kind, OpenFault, Place, ReadDenial, ReadDenials, RegularFile, SeenFiles};
use crate::text::redact::Redactor;
use crate::tools::arguments::schema_of;
use crate::tools::{FileOptions, Tool, ToolContext, ToolError, ToolReply};

/// Reads text files for scripts.
#[derive(Debug)]
pub(in crate::tools) struct ReadFile {
    options: FileOptions,
    denials: Arc<ReadDenials>,
    indexes: Arc<LineIndexes>,
}

impl ReadFile {
    pub(in crate::tools) fn new(options: &FileOptions) -> Self {
        Self::with_denials(options, ReadDenials::of_user())
    }

    fn with_denials(options: &FileOptions, denials: ReadDenials) -> Self {
        Self {
            options: options.clone(),
            denials: Arc::new(denials),
            indexes: Arc::default(),
        }
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
        mut arguments: Map<String, Value>,
        context: &ToolContext,
    ) -> Result<ToolReply, ToolError> {
        let arguments = Arguments::parse(&mut arguments, self.options.max_lines)?;
        let place = context.grants().place(&arguments.path, Access::Read);
        let place = place.map_err(ToolError::new)?;
        if let Some(denial) = self.denials.check_place(&place) {
            return Err(denied(denial, &place));
        }
        let job = Job {
            request: PageRequest::new(arguments.offset, arguments.limit, &self.options),
            denials: Arc::clone(&self.denials),
            indexes: Arc::clone(&self.indexes),
            redactor: Arc::clone(context.redactor()),
            seen: self
                .options
                .stale_overwrite_guard
                .then(|| Arc::clone(context.seen_files())),
            cell: context.cancellation().clone(),
        };
        match place.open() {
            Ok(opened) if opened.len <= SMALL_BYTES => job.answer(&place, &opened, Vec::new()),
            opened => {
                let work = move || match opened {
                    Ok(opened) => job.answer(&place, &opened, Vec::new()),
                    Err(fault) => job.without_file(&place, fault),
                };
                tokio::task::spawn_blocking(work)
                    .await
                    .map_err(|error| ToolError::caused_by("reading the file failed", error))?
            }
        }
    }
}

/// One call with everything that it needs, so that it can move to another thread.
struct Job {
    request: PageRequest,
    denials: Arc<ReadDenials>,
    indexes: Arc<LineIndexes>,
    redactor: Arc<Redactor>,
    /// What remembers which files the session knows, where that matters.
    seen: Option<Arc<SeenFiles>>,
    /// Cancelled when the cell ends: nobody waits for the page any more.
    cell: CancellationToken,
}

impl Job {
    /// Answers with a page of an opened file.
    fn answer(
        &self,
        place: &Place,
        opened: &RegularFile,
        mut notes: Vec<String>,
    ) -> Result<ToolReply, ToolError> {
        if let Some(denial) = self.denials.check_opened(place, opened) {
            return Err(denied(denial, place));
        }
        let len = opened.len;
        if let Some(extension) = BinaryExtension::of(&place.shown_name()) {
            let error = extension.explain(place.given());
            return ToolReply::json(&ReadReply::binary(error, extension.is_image(), len));
        }
        let content = self.read(opened);
        let content = content.map_err(|error| ToolError::new(place.explain(&error, "read")))?;
        ToolReply::json(&match content {
            Content::Text(page, encoding) => {
                // What is shown as something else is not known, and to write it back would destroy it.
                if let (Some(seen), None, true) = (&self.seen, encoding, page.is_exact())
                    && let Ok(landing) = place.resolved()
                {
                    seen.page_read(
                        &landing.absolute(),
                        opened.identity,
                        self.request.offset,
                        page.shown_lines,
                        page.total_lines,
                    );
                }
                notes.extend(encoding.map(transcoded_note));
                ReadReply::page(page, self.request, len, notes)
            }
            Content::Binary(binary) => {
                ReadReply::binary(binary.to_string(), binary.is_image(), len)
            }
        })
    }

    fn read(&self, opened: &RegularFile) -> io::Result<Content> {
        let contents = Contents {
            request: self.request,
            redactor: &self.redactor,
            goes_on: &|| !self.cell.is_cancelled(),
        };
        if opened.len <= SMALL_BYTES {
            return contents.small(&opened.file, opened.len);
        }
        let mut index = self.indexes.get(&opened.identity);
        let content = contents.large(opened, &mut index)?;
        // What was read while the file changed is no knowledge about either version.
        if let Some(index) = index
            && opened.is_unchanged()
        {
            self.indexes.put(opened.identity, index);
        }
        Ok(content)
    }

    /// Answers for a path at which no file can be opened.
    fn without_file(&self, place: &Place, fault: OpenFault) -> Result<ToolReply, ToolError> {
        match fault {
            OpenFault::NotRegular(kind) => match kind.blocking_phrase() {
                Some(phrase) => ToolReply::json(&BlockingReply::new(place.given(), phrase)),
                None => ToolReply::json(&ReadReply::not_regular(&place.display())),
            },
            OpenFault::Io(_) if place.is_dangling_link() => {
                ToolReply::json(&ReadReply::not_regular(&place.display()))
            }
            OpenFault::Io(error) if is_missing(&error) => self.missing(place),
            OpenFault::Io(error) => Err(ToolError::new(place.explain(&error, "read"))),
        }
    }

    /// Answers for a path at which nothing is: with the file that it means all the same, or with those that it may mean.
    fn missing(&self, place: &Place) -> Result<ToolReply, ToolError> {
        if let Some(found) = equivalent_file(place)
            && let Ok(opened) = found.open()
        {
            if let Some(denial) = self.denials.check_place(&found) {
                return Err(denied(denial, place));
            }
            let note = equivalent_note(&found.display());
            return self.answer(&found, &opened, vec![note]);
        }
        ToolReply::json(&ReadReply::missing(&place.display(), similar_files(place)))
    }
}

fn denied(denial: ReadDenial, place: &Place) -> ToolError {
    ToolError::new(denial.explain(place.given()))
}

fn is_missing(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

/// Returns the paths in the same directory that look like the missing one.
fn similar_files(place: &Place) -> Vec<String> {
    let Some(parent) = place.parent() else {
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
    let names = similar_names(&place.shown_name(), names);
    names
        .iter()
        .map(|name| place.sibling(name).display())
        .collect()
}

#[cfg(test)]
mod tests;
