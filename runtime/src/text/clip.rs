//! Clipping: of a flood that a kernel has captured only the beginning is shown, and counted, as long as the kernel lives.
//!
//! All of it, up to a limit, is in a file of the kernel's directory, which goes with the kernel. It is clean text like any other that is
//! saved. The host has read everything by then: what a kernel kept to itself would be lost with it. Of a kernel that is over, or without such
//! a file, a flood is output like any other.

use std::borrow::Cow;
use std::ffi::OsStr;
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

    /// Clips a flood; `None` if it is none when it is clean, or if its file cannot be written.
    fn clipped(&self, captured: &Capture, raw: &Capture, file: PathBuf) -> Option<Stdout> {
        if captured.total() <= u64::try_from(SHOWN_CHARS).ok()? {
            return None;
        }
        let (bytes, has_gap) = match captured.content() {
            Content::Whole(bytes) => (bytes, false),
            Content::Ends { head, .. } => (Cow::Borrowed(head), true),
        };
        let mut text = self.text(&String::from_utf8_lossy(&bytes));
        if has_gap {
            text.truncate(text.floor_char_boundary(text.len() - edge(&text)));
        }
        let (end, _) = text.char_indices().nth(SHOWN_CHARS)?;
        let seam = if raw.is_empty() {
            text.len()
        } else if has_gap {
            return None;
        } else {
            let Content::Whole(raw) = raw.content() else {
                return None;
            };
            // Cleaned as one text: what is secret may begin in one and end in the other.
            let whole = self.text(&String::from_utf8_lossy(&[&*bytes, &*raw].concat()));
            let seam = common_prefix(&text, &whole);
            text = whole;
            seam
        };
        let mut shown = String::from(text.get(..end.min(seam))?);
        shown.push_str(text.get(seam..)?);
        let is_cut = cut(&mut text, FILE_CHARS) || has_gap;
        spill::replace(&file, &[&text, if is_cut { CAP_MARKER } else { "" }])
            .inspect_err(|error| tracing::warn!(%error, "a flood of output cannot be saved"))
            .ok()?;
        if let Err(error) = forget_older(&file) {
            tracing::debug!(%error, "an older flood of output cannot be removed");
        }
        let shown = truncate(&shown, STDOUT_LIMIT, Unit::Bytes);
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

/// Returns how far two texts are the same, at a character.
fn common_prefix(text: &str, other: &str) -> usize {
    let same = text.bytes().zip(other.bytes()).take_while(|(a, b)| a == b);
    let same = same.count();
    text.floor_char_boundary(same)
        .min(other.floor_char_boundary(same))
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

/// Removes the oldest files of other cells beside one where there are too many.
fn forget_older(file: &Path) -> io::Result<()> {
    let directory = file.parent().unwrap_or(file);
    let mut others = Vec::new();
    for entry in fs::read_dir(directory)? {
        let name = entry?.file_name();
        if let Some(number) = number_of_cell(&name)
            && file.file_name() != Some(&name)
        {
            others.push((number, name));
        }
    }
    others.sort_unstable();
    let surplus = (others.len() + 1).saturating_sub(FILES);
    for (_, name) in others.iter().take(surplus) {
        fs::remove_file(directory.join(name))?;
    }
    Ok(())
}

/// Returns the number in the name of a file for a flood; `None` for other names.
fn number_of_cell(name: &OsStr) -> Option<u64> {
    let number = name.to_str()?.strip_prefix("cell_")?;
    number.strip_suffix(FILE_SUFFIX)?.parse().ok()
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use std::sync::Arc;

    use super::super::redact::Redactor;
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
            assert!(fs::read_to_string(file).unwrap() == text + "raw");
        }
    }

    #[test]
    fn a_file_holds_five_million_characters_of_any_kind() {
        let place = tempfile::tempdir().unwrap();
        for character in ["x", "🙂"] {
            let file = place.path().join("cell_000001_stdout.txt");
            printed(&character.repeat(4_999_997), file.clone());
            assert!(fs::read_to_string(&file).unwrap() == character.repeat(4_999_997) + "raw");
            for more in [1, 1_000_000] {
                printed(&character.repeat(5_000_000 + more), file.clone());
                let saved = fs::read_to_string(&file).unwrap();
                assert!(saved == character.repeat(5_000_000) + CAP_MARKER);
            }
        }
    }

    #[test]
    fn a_secret_that_begins_in_one_stream_and_ends_in_the_other_is_masked() {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("cell_000001_stdout.txt");
        let flood = "x\n".repeat(600_000);
        for (begins, ends, whole, shown) in [
            (
                "ghp_abcdefgh",
                "ijklmnopqrstuvwxyz\n",
                "ghp_ab...wxyz\n",
                "...wxyz\n",
            ),
            ("end", "raw\n", "endraw\n", "raw\n"),
            ("\u{1b}[3", "1mred\n", "red\n", "red\n"),
        ] {
            let mut captured = Capture::stdout_of_kernel();
            captured.push(format!("{flood}{begins}").as_bytes());
            let mut raw = Capture::stdout();
            raw.push(ends.as_bytes());
            let stdout = Cleaner::new(Arc::new(Redactor::new(true, Vec::new())), None).printed(
                Printed::InKernel {
                    captured,
                    raw,
                    file: file.clone(),
                },
            );
            assert!(
                fs::read_to_string(&file).unwrap() == format!("{flood}{whole}"),
                "{begins}"
            );
            assert!(stdout.text.ends_with(&format!("x\n{shown}")), "{begins}");
            let total = u64::try_from(1_000_000 + shown.len()).unwrap();
            assert_eq!(stdout.bytes_total, total, "{begins}");
        }
    }

    #[test]
    fn a_flood_of_what_is_not_shown_is_none() {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("cell_000001_stdout.txt");
        let text = "\u{1b}[m".repeat(8_000_000) + "END\n";
        let shown = printed(&text, file);
        assert!(shown.text.ends_with("raw"), "{}", shown.text);
        assert_eq!(shown.spill_path, None);
    }

    #[test]
    fn only_older_files_of_floods_are_removed() {
        let place = tempfile::tempdir().unwrap();
        let file = |number: u64| place.path().join(format!("cell_{number:06}_stdout.txt"));
        for other in [
            "xcell_000001_stdout.txt",
            "cell_x_stdout.txt",
            "cell_000001_stderr.txt",
        ] {
            fs::write(place.path().join(other), "").unwrap();
        }
        for number in (999_990..1_000_009).chain([3]) {
            fs::write(file(number), "").unwrap();
        }
        forget_older(&file(1_000_009)).unwrap();
        assert!(!file(3).exists());
        assert!(file(999_990).exists());
        fs::write(file(1_000_009), "").unwrap();
        forget_older(&file(2)).unwrap();
        assert!(!file(999_990).exists());
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 3 + 19);
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
