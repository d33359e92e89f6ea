//! One thread's means to look for a pattern in files, one after the other, with buffers that are used again.
//!
//! A small file is read at once; a large one is streamed, with lines of bounded length. A file with a NUL byte near its
//! beginning is binary data and has no lines; a later NUL ends it.

use std::fs::File;
use std::io::{self, Cursor, Read};
use std::mem;
use std::sync::Arc;

use encoding_rs_io::DecodeReaderBytesBuilder;
use grep_searcher::{
    BinaryDetection, Searcher, SearcherBuilder, Sink, SinkContext, SinkContextKind, SinkMatch,
};
use memchr::{memchr, memchr_iter, memmem};

use super::arguments::OutputMode;
use super::long_lines::{LongLines, MAX_LINE_BYTES};
use super::page::{Finding, Row};
use super::pattern::Pattern;
use super::stoppable::Stoppable;
use super::watch::{Gap, Watch};
use crate::fs::{OpenFault, RegularFile};
use crate::text::redact::{Profile, Redactor};

/// Largest file that is searched across lines, in bytes.
pub(super) const MAX_MULTILINE_BYTES: usize = 16 << 20;
/// Largest file that is read at once, and the part of a larger one that tells whether it is text, in bytes.
const SMALL_BYTES: usize = 256 * 1024;
/// Bytes of a line that are kept: more than is shown, so that a secret at the cut is seen whole.
const MAX_ROW_BYTES: usize = 4 * 1024;
/// Bytes around a line in which the beginning and the end of a private key are looked for.
const KEY_BYTES: usize = 32 * 1024;
/// How a private key begins.
const KEY_BEGIN: &[u8] = b"-----BEGIN ";
const UTF8_BOM: &[u8] = b"\xef\xbb\xbf";
const UTF16_BOMS: [&[u8]; 2] = [b"\xff\xfe", b"\xfe\xff"];

/// What is looked for, and what is told about it.
#[derive(Debug, Clone)]
pub(super) struct Job {
    pub(super) pattern: Pattern,
    pub(super) mode: OutputMode,
    /// Lines to add around each match.
    pub(super) context: usize,
    pub(super) redactor: Arc<Redactor>,
}

/// Searches files.
pub(super) struct Scanner<'s> {
    job: Job,
    watch: &'s Watch,
    searcher: Searcher,
    buffer: Vec<u8>,
}

impl<'s> Scanner<'s> {
    pub(super) fn new(job: &Job, watch: &'s Watch) -> Self {
        let context = if job.mode == OutputMode::Content {
            job.context
        } else {
            0
        };
        let searcher = SearcherBuilder::new()
            .line_number(job.mode == OutputMode::Content)
            .before_context(context)
            .after_context(context)
            .multi_line(job.pattern.is_multi_line)
            .heap_limit(Some(if job.pattern.is_multi_line {
                MAX_MULTILINE_BYTES
            } else {
                4 * MAX_LINE_BYTES
            }))
            .bom_sniffing(false)
            .binary_detection(BinaryDetection::quit(0))
            .build();
        // A copy of the pattern has caches of its own, for which threads do not wait.
        Self {
            job: job.clone(),
            watch,
            searcher,
            buffer: Vec::new(),
        }
    }

    /// Looks into a file and hands each row to `push`, until that returns false; tells whether it never did.
    pub(super) fn scan(
        &mut self,
        opened: Result<RegularFile, OpenFault>,
        shown: &dyn Fn() -> String,
        push: &mut dyn FnMut(Row) -> bool,
    ) -> bool {
        let mut is_wanted = true;
        let mut push = |row| {
            is_wanted = push(row);
            is_wanted
        };
        let searched = match opened {
            Ok(opened) => self.search(opened, shown, &mut push),
            // What became something else since it was listed is no file to search.
            Err(OpenFault::NotRegular(_)) => Ok(()),
            Err(OpenFault::Io(error)) => Err(error),
        };
        if searched.is_err() {
            self.watch.skip(Gap::Unreadable);
        }
        is_wanted
    }

    fn search(
        &mut self,
        mut opened: RegularFile,
        shown: &dyn Fn() -> String,
        push: &mut dyn FnMut(Row) -> bool,
    ) -> io::Result<()> {
        self.buffer.resize(SMALL_BYTES, 0);
        let (start, is_all) = fill(&mut opened.file, opened.len, &mut self.buffer)?;
        let is_utf16 = UTF16_BOMS.iter().any(|bom| start.starts_with(bom));
        if !is_utf16 && memchr(0, start).is_some() {
            return Ok(());
        }
        let mut sink = Rows {
            mode: self.job.mode,
            watch: self.watch,
            redactor: &self.job.redactor,
            shown,
            path: None,
            may_have_key: true,
            around: None,
            above: Vec::new(),
            count: 0,
            push,
        };
        if is_all && !is_utf16 {
            let start = start.strip_prefix(UTF8_BOM).unwrap_or(start);
            sink.may_have_key = memmem::find(start, KEY_BEGIN).is_some();
            let pattern = Stoppable::new(&self.job.pattern, self.watch);
            self.searcher.search_slice(pattern, start, &mut sink)?;
        } else if self.job.pattern.is_multi_line && opened.len >= MAX_MULTILINE_BYTES as u64 {
            self.watch.skip(Gap::TooLarge);
        } else {
            // No further than to where the file ended when it was opened; what the kernel makes up has no length.
            let rest = match opened.len {
                _ if is_all => 0,
                0 => u64::MAX,
                len => len.saturating_sub(SMALL_BYTES as u64),
            };
            let bytes = Cursor::new(start).chain(opened.file.take(rest));
            stream(
                &mut self.searcher,
                &self.job.pattern,
                self.watch,
                bytes,
                &mut sink,
            )?;
        }
        sink.finish();
        Ok(())
    }
}

/// Searches a text of any length.
fn stream(
    searcher: &mut Searcher,
    pattern: &Pattern,
    watch: &Watch,
    bytes: impl Read,
    sink: &mut Rows<'_>,
) -> io::Result<()> {
    let decoded = DecodeReaderBytesBuilder::new()
        .utf8_passthru(true)
        .strip_bom(true)
        .bom_override(true)
        .build(bytes);
    let goes_on = || !watch.is_over();
    let mut has_lost = false;
    let lines = LongLines::new(decoded, MAX_LINE_BYTES, &mut has_lost, &goes_on);
    let result = searcher.search_reader(Stoppable::new(pattern, watch), lines, sink);
    if has_lost {
        watch.skip(Gap::LongLines);
    }
    result
}

/// Reads the first bytes of a file; the flag tells whether they are all of it.
fn fill<'b>(file: &mut File, len: u64, buffer: &'b mut [u8]) -> io::Result<(&'b [u8], bool)> {
    let mut filled = 0;
    loop {
        let room = buffer.split_at_mut(filled).1;
        if room.is_empty() {
            return Ok((buffer, false));
        }
        let count = match file.read(room) {
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        filled += count;
        // A file ends where it ended when it was opened; that it does is not asked of the kernel again.
        if count == 0 || u64::try_from(filled).is_ok_and(|filled| filled == len) {
            return Ok((buffer.split_at(filled).0, true));
        }
    }
}

/// Makes rows of what is found in one file.
struct Rows<'r> {
    mode: OutputMode,
    watch: &'r Watch,
    redactor: &'r Redactor,
    shown: &'r dyn Fn() -> String,
    path: Option<Arc<str>>,
    /// Whether the file may hold a private key.
    may_have_key: bool,
    /// Lines around the last match, if a private key may be among them.
    around: Option<Around>,
    /// Lines above the next match, which is not known yet.
    above: Vec<(u64, String)>,
    count: u64,
    push: &'r mut dyn FnMut(Row) -> bool,
}

impl Rows<'_> {
    fn row(&mut self, finding: Finding) -> bool {
        let path = self.path.get_or_insert_with(|| Arc::from((self.shown)()));
        let path = Arc::clone(path);
        (self.push)(Row { path, finding })
    }

    fn line(&mut self, number: u64, line: String) -> bool {
        let clean = self.around.as_ref().and_then(|around| around.line(number));
        let text = clean.map_or(line, str::to_owned);
        self.row(Finding::Line(number, text)) && !self.watch.is_over()
    }

    /// Tells the number of matching lines, which is known at the end of the file.
    fn finish(mut self) {
        if self.count > 0 {
            let finding = match self.mode {
                OutputMode::Count => Finding::Count(self.count),
                OutputMode::Content | OutputMode::FilesOnly => Finding::File,
            };
            self.row(finding);
        }
    }
}

impl Sink for &mut Rows<'_> {
    type Error = io::Error;

    fn matched(&mut self, _: &Searcher, found: &SinkMatch<'_>) -> io::Result<bool> {
        if self.mode == OutputMode::FilesOnly {
            self.count = 1;
            return Ok(false);
        }
        if self.mode == OutputMode::Count {
            self.count += u64::try_from(found.lines().count()).unwrap_or(u64::MAX);
            return Ok(!self.watch.is_over());
        }
        let first = found.line_number().unwrap_or(0);
        let is_known = self
            .around
            .as_ref()
            .is_some_and(|around| around.line(first).is_some());
        if self.may_have_key && !is_known {
            self.around = Around::of(found, first, self.redactor);
        }
        let above = mem::take(&mut self.above);
        let lines = (first..).zip(found.lines().map(text_of));
        for (number, line) in above.into_iter().chain(lines) {
            if !self.line(number, line) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn context(&mut self, _: &Searcher, context: &SinkContext<'_>) -> io::Result<bool> {
        let line = (context.line_number().unwrap_or(0), text_of(context.bytes()));
        if *context.kind() == SinkContextKind::Before {
            self.above.push(line);
            return Ok(true);
        }
        Ok(self.line(line.0, line.1))
    }

    fn binary_data(&mut self, _: &Searcher, _: u64) -> io::Result<bool> {
        Ok(false)
    }
}

/// The lines around a match without secrets, in which a private key is whole.
struct Around {
    first: u64,
    lines: Vec<String>,
}

impl Around {
    /// Looks around a match that begins in line `number`; `None` if no private key begins there.
    fn of(found: &SinkMatch<'_>, number: u64, redactor: &Redactor) -> Option<Self> {
        let (buffer, range) = (found.buffer(), found.bytes_range_in_buffer());
        let from = range.start.saturating_sub(KEY_BYTES);
        let to = range.end.saturating_add(KEY_BYTES).min(buffer.len());
        let window = buffer.get(from..to)?;
        memmem::find(window, KEY_BEGIN)?;
        let lines_above = memchr_iter(b'\n', buffer.get(from..range.start)?).count();
        let text = String::from_utf8_lossy(window);
        // The profile keeps the number of lines.
        let clean = redactor.redact(&text, Profile::FileRead);
        Some(Self {
            first: number.saturating_sub(u64::try_from(lines_above).ok()?),
            lines: clean
                .split('\n')
                .map(|line| text_of(line.as_bytes()))
                .collect(),
        })
    }

    fn line(&self, number: u64) -> Option<&str> {
        let at = usize::try_from(number.checked_sub(self.first)?).ok()?;
        self.lines.get(at).map(String::as_str)
    }
}

/// Returns the text of a line as far as it is kept, without its end.
fn text_of(line: &[u8]) -> String {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let kept = line.split_at(line.len().min(MAX_ROW_BYTES)).0;
    String::from_utf8_lossy(kept).into_owned()
}
