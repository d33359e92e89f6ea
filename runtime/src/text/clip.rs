//! Clipping: of a flood that a kernel has captured only the beginning is shown, and counted, as long as the kernel lives.
//!
//! All of it, up to a limit, is in a file of the kernel's directory, which goes with the kernel. It is clean text like any other that is
//! saved. The host has read everything by then: what a kernel kept to itself would be lost with it. Of a kernel that is over, or without such
//! a file, a flood is output like any other.

use std::borrow::Cow;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::contract::Stdout;

use super::capture::{Capture, Content};
use super::clean::{Cleaner, edge};
use super::spill;
use super::truncate::{STDOUT_LIMIT, Unit, truncate};

/// Characters of captured output that are shown at most.
const SHOWN_CHARS: usize = 1_000_000;
/// Characters that a file holds at most, without the marker.
const FILE_CHARS: usize = 5_000_000;
/// How many files of a kernel are kept, the latest ones.
const FILES: usize = 20;
/// Follows a text that is not there as a whole.
const CAP_MARKER: &str = "\n\n[... spill capped ...]";
/// What the name of a file ends with.
const FILE_SUFFIX: &str = "_stdout.txt";

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
    /// All of it in one stream.
    Whole(Capture),
    /// That of a kernel which lives: what was captured, what other processes wrote after it, and the file for a flood.
    InKernel {
        captured: Capture,
        raw: Capture,
        file: PathBuf,
    },
}

impl Printed {
    /// Returns how many bytes were read.
    pub(crate) fn total(&self) -> u64 {
        match self {
            Self::Whole(capture) => capture.total(),
            Self::InKernel { captured, raw, .. } => captured.total().saturating_add(raw.total()),
        }
    }
}

impl Cleaner {
    /// Returns the standard output of a cell, and saves it if not all of it can be shown.
    pub(crate) fn printed(&self, printed: Printed) -> Stdout {
        match printed {
            Printed::Whole(capture) => self.stdout(&capture),
            Printed::InKernel {
                mut captured,
                raw,
                file,
            } => self.clipped(&captured, &raw, file).unwrap_or_else(|| {
                captured.append(&raw);
                self.stdout(&captured)
            }),
        }
    }

    /// Clips a flood; `None` if it is none, or if its file cannot be written.
    fn clipped(&self, captured: &Capture, raw: &Capture, file: PathBuf) -> Option<Stdout> {
        if captured.total() <= u64::try_from(SHOWN_CHARS).ok()? {
            return None;
        }
        let (bytes, has_gap) = match captured.content() {
            Content::Whole(bytes) => (bytes, false),
            Content::Ends { head, .. } => (Cow::Borrowed(head), true),
        };
        let decoded = String::from_utf8_lossy(&bytes);
        decoded.char_indices().nth(SHOWN_CHARS)?;
        let mut text = self.text(&decoded);
        if has_gap {
            text.truncate(text.floor_char_boundary(text.len() - edge(&text)));
        }
        let is_cut = cut(&mut text, FILE_CHARS) || has_gap;
        let saved = spill::replace(&file, &[&text, if is_cut { CAP_MARKER } else { "" }]);
        saved
            .and_then(|()| forget_older(&file))
            .inspect_err(|error| tracing::warn!(%error, "a flood of output cannot be saved"))
            .ok()?;
        cut(&mut text, SHOWN_CHARS);
        text.push_str(&self.fragment(raw, None));
        let shown = truncate(&text, STDOUT_LIMIT, Unit::Bytes);
        Some(Stdout {
            text: shown.text,
            truncated: true,
            bytes_captured: shown.captured,
            bytes_total: shown.total,
            bytes_omitted: shown.omitted,
            warning: Some(head_shown(&file)),
            spill_path: Some(file),
        })
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

/// Removes the oldest files beside one where there are too many; their names are in the order of their cells.
fn forget_older(file: &Path) -> io::Result<()> {
    let directory = file.parent().unwrap_or(file);
    let mut files = Vec::new();
    for entry in fs::read_dir(directory)? {
        let name = entry?.file_name();
        if name.to_string_lossy().ends_with(FILE_SUFFIX) {
            files.push(name);
        }
    }
    files.sort_unstable();
    let surplus = files.len().saturating_sub(FILES);
    for name in files.iter().take(surplus) {
        fs::remove_file(directory.join(name))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use std::sync::Arc;

    use super::*;

    fn printed(text: &str, file: PathBuf) -> Stdout {
        let mut captured = Capture::stdout_of_kernel();
        captured.push(text.as_bytes());
        let mut raw = Capture::stdout();
        raw.push(b"raw");
        Cleaner::new(Arc::default(), None).printed(Printed::InKernel {
            captured,
            raw,
            file,
        })
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
    fn a_flood_is_more_than_a_million_characters() {
        let place = tempfile::tempdir().unwrap();
        for character in ["x", "€", "🙂"] {
            let file = place.path().join("cell_000001_stdout.txt");
            let shown = printed(&character.repeat(1_000_000), file.clone());
            assert_eq!(shown.spill_path, None);
            let text = character.repeat(1_000_001);
            let shown = printed(&text, file.clone());
            assert_eq!(shown.spill_path.as_deref(), Some(file.as_path()));
            let total = character.len() * 1_000_000 + "raw".len();
            assert_eq!(shown.bytes_total, u64::try_from(total).unwrap());
            assert!(fs::read_to_string(file).unwrap() == text);
        }
    }

    #[test]
    fn a_file_holds_five_million_characters_of_any_kind() {
        let place = tempfile::tempdir().unwrap();
        for character in ["x", "🙂"] {
            let file = place.path().join("cell_000001_stdout.txt");
            printed(&character.repeat(5_000_000), file.clone());
            assert!(fs::read_to_string(&file).unwrap() == character.repeat(5_000_000));
            for more in [1, 1_000_000] {
                printed(&character.repeat(5_000_000 + more), file.clone());
                let saved = fs::read_to_string(&file).unwrap();
                assert!(saved == character.repeat(5_000_000) + CAP_MARKER);
            }
        }
    }

    #[test]
    fn without_a_place_for_its_file_a_flood_is_output_like_any_other() {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("gone/cell_000001_stdout.txt");
        let shown = printed(&"x".repeat(1_500_000), file);
        assert_eq!(shown.spill_path, None);
        assert_eq!(shown.bytes_total, 1_500_003);
        assert!(shown.text.ends_with("xraw"));
    }
}
