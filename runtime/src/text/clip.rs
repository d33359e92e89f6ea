//! Standard output of which a kernel has kept a part to itself, in a file that goes with the kernel.
//!
//! Only the beginning of it is shown, and counted. The kernel writes its file as the script prints; before anybody is told of it, it holds
//! clean text like any other. Of a kernel that is over, all that the file has becomes output like any other.

use std::fs::{self, OpenOptions};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use crate::contract::Stdout;
use crate::system;

use super::capture::{Capture, EDGE_BYTES};
use super::clean::{Cleaner, edge};
use super::spill;
use super::transcript::count_chars;
use super::truncate::{STDOUT_LIMIT, Unit, truncate};

/// Characters of the output that are shown at most.
const SHOWN_CHARS: usize = 1_000_000;
/// Characters that a file holds at most, without the marker.
const FILE_CHARS: usize = 5_000_000;
/// Bytes that a kernel writes into a file at most.
const FILE_BYTES: usize = 4 * FILE_CHARS + EDGE_BYTES;
/// Follows a text that is not there as a whole.
const CAP_MARKER: &str = "\n\n[... spill capped ...]";

/// Says that only the beginning of the output is shown and that `path` holds all of it.
fn head_shown(path: &Path) -> String {
    let path = path.display();
    format!(
        "Cell stdout exceeded the inline cap; head shown. FULL output saved to {path} — page it with read_file(path=\"{path}\", offset=...) instead of re-running. (Kernel state persists: printing a narrower slice next call is often cheaper.)"
    )
}

/// What a cell wrote to its standard output.
#[derive(Debug)]
pub(crate) enum Printed {
    /// The host has read all of it.
    Read(Capture),
    /// The kernel has kept a part to itself.
    Clipped(Clipped),
}

/// Output of which the host has read the beginning.
#[derive(Debug)]
pub(crate) struct Clipped {
    /// What was captured and read, with the gap behind it.
    pub(crate) captured: Capture,
    /// What other processes wrote.
    pub(crate) raw: Capture,
    /// Where the kernel has written all that was captured.
    pub(crate) file: PathBuf,
    /// Whether it is all in there.
    pub(crate) is_whole: bool,
}

impl Printed {
    /// Returns how many bytes were read.
    pub(crate) fn total(&self) -> u64 {
        match self {
            Self::Read(capture) => capture.total(),
            Self::Clipped(clipped) => {
                let Clipped { captured, raw, .. } = clipped;
                captured.total().saturating_add(raw.total())
            }
        }
    }
}

impl Cleaner {
    /// Returns the standard output of a cell, and saves it, or sees to the file of its kernel, if not all of it can be shown.
    pub(crate) fn printed(&self, printed: &Printed) -> Stdout {
        match printed {
            Printed::Read(capture) => self.stdout(capture),
            Printed::Clipped(clipped) => self.clipped(clipped),
        }
    }

    fn clipped(&self, clipped: &Clipped) -> Stdout {
        let Clipped {
            captured,
            raw,
            file,
            is_whole,
        } = clipped;
        let mut text = self.fragment(captured, None);
        cut(&mut text, SHOWN_CHARS);
        text.push_str(&self.fragment(raw, None));
        if let Err(error) = self.clean_file(file, *is_whole) {
            tracing::warn!(%error, "the output that a kernel has saved cannot be used");
            // What is in there may be secret. If it cannot be removed either, it goes with the kernel.
            let _ = fs::remove_file(file);
            return self.beginning(&text);
        }
        let shown = truncate(&text, STDOUT_LIMIT, Unit::Bytes);
        Stdout {
            text: shown.text,
            truncated: true,
            bytes_captured: shown.captured,
            bytes_total: shown.total,
            bytes_omitted: shown.omitted,
            warning: Some(head_shown(file)),
            spill_path: Some(file.clone()),
        }
    }

    /// Lets a file that a kernel has written hold clean text.
    fn clean_file(&self, path: &Path, is_whole: bool) -> io::Result<()> {
        let bytes = read(path)?;
        let mut text = self.text(&String::from_utf8_lossy(&bytes));
        if !is_whole {
            // The boundary is in the text and at a character.
            text.truncate(text.floor_char_boundary(text.len() - edge(&text)));
        }
        if cut(&mut text, FILE_CHARS) || !is_whole {
            text.push_str(CAP_MARKER);
        }
        spill::replace(path, &text)
    }
}

/// Cuts a text after a number of characters; returns whether it was longer.
fn cut(text: &mut String, chars: usize) -> bool {
    match text.char_indices().nth(chars) {
        Some((end, _)) => {
            text.truncate(end);
            true
        }
        None => false,
    }
}

/// What a kernel that is over has written into a file, not yet cleaned.
#[derive(Debug)]
pub(crate) struct Spilled(Vec<u8>);

impl Spilled {
    /// Reads the file of a cell; `None` if it has none, or none that can be used.
    pub(crate) fn read(path: &Path) -> Option<Self> {
        let bytes = read(path);
        bytes
            .inspect_err(|error| {
                if error.kind() != io::ErrorKind::NotFound {
                    tracing::warn!(%error, "the output that a kernel has saved cannot be used");
                }
            })
            .ok()
            .map(Self)
    }

    /// Adds to what was read of an output what is in its file only, behind so many bytes.
    pub(crate) fn follow(&self, captured: &mut Capture, sent: u64) {
        let sent = usize::try_from(sent).unwrap_or(usize::MAX);
        let Some(rest) = self.0.get(sent..) else {
            return;
        };
        captured.push(rest);
        let limit = u64::try_from(FILE_CHARS).unwrap_or(u64::MAX);
        if count_chars(&self.0) > limit {
            // There was more, and nobody has counted it.
            captured.skip(1);
        }
    }
}

/// Reads a file that a kernel has written: a script can have put anything in its place.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    let file = system::without_links(OpenOptions::new().read(true)).open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let mut bytes = Vec::new();
    // The sum of two small constants fits.
    let limit = u64::try_from(FILE_BYTES + 1).unwrap_or(u64::MAX);
    file.take(limit).read_to_end(&mut bytes)?;
    if bytes.len() > FILE_BYTES {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use std::sync::Arc;

    use super::*;

    fn captured(text: &str) -> Capture {
        let mut capture = Capture::stdout();
        capture.push(text.as_bytes());
        capture
    }

    fn text(capture: &Capture) -> String {
        Cleaner::new(Arc::default(), None).fragment(capture, None)
    }

    #[test]
    fn a_text_is_cut_behind_a_number_of_characters() {
        for (whole, chars, expected, is_cut) in [
            ("", 0, "", false),
            ("é€", 2, "é€", false),
            ("é€", 1, "é", true),
            ("é€", 0, "", true),
        ] {
            let mut text = whole.to_owned();
            assert_eq!(cut(&mut text, chars), is_cut);
            assert_eq!(text, expected);
        }
    }

    #[test]
    fn what_was_sent_is_followed_by_what_was_not() {
        let spilled = Spilled(b"abcdef".to_vec());
        for (read, sent, expected) in [
            ("abc", 3, "abcdef"),
            ("", 0, "abcdef"),
            ("abcdef", 6, "abcdef"),
            // Another process wrote among it.
            ("ab-c", 3, "ab-cdef"),
            // A script has written less into its place.
            ("abcdefgh", 8, "abcdefgh"),
        ] {
            let mut capture = captured(read);
            spilled.follow(&mut capture, sent);
            assert_eq!(text(&capture), expected);
            assert_eq!(capture.total(), u64::try_from(expected.len()).unwrap());
        }
    }

    #[test]
    fn a_file_at_its_limit_has_a_gap_behind_it() {
        let spilled = Spilled(vec![b'x'; FILE_CHARS + EDGE_BYTES]);
        let mut capture = captured("");
        spilled.follow(&mut capture, 0);
        let shown = Cleaner::new(Arc::default(), None).printed(&Printed::Read(capture));
        assert_eq!(shown.text.matches("OUTPUT TRUNCATED").count(), 1);
        assert_eq!(shown.bytes_total, 5_065_537);
    }

    #[test]
    fn only_a_regular_file_of_a_sensible_size_is_read() {
        let place = tempfile::tempdir().unwrap();
        let path = |name: &str| place.path().join(name);
        fs::write(path("file"), "text").unwrap();
        assert_eq!(read(&path("file")).unwrap(), b"text");
        let large = fs::File::create(path("large")).unwrap();
        large.set_len(1 << 40).unwrap();
        let error = read(&path("large")).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
        let error = read(place.path()).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidData);
        let error = read(&path("gone")).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
    }
}
