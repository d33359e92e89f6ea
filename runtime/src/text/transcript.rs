//! What a shell command wrote: collected within bounds, then made fit to show in characters, and saved whole beside it.
//!
//! It differs from a cell's output in its unit, its redaction and its notices; the order of cleaning is the same. What
//! is saved is clean text.

use std::path::{Path, PathBuf};

use super::ansi;
use super::capture::{Capture, Content};
use super::clean::edge;
use super::redact::{Profile, Redactor};
use super::spill::{self, CAP_BYTES, Extent};
use super::truncate::{Truncated, Unit, truncate, truncate_pieces};

/// Collects what a command writes, within a fixed amount of memory.
#[derive(Debug)]
pub(crate) struct Transcript {
    capture: Capture,
    /// Characters so far, kept or not.
    chars: u64,
}

impl Default for Transcript {
    fn default() -> Self {
        Self {
            capture: Capture::stdout(),
            chars: 0,
        }
    }
}

impl Transcript {
    /// Takes the next bytes of the output.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.chars = self.chars.saturating_add(count_chars(bytes));
        self.capture.push(bytes);
    }

    /// Returns the output as it may be shown, at most `limit` characters; a longer one is saved in `spill_dir`.
    pub(crate) fn show(
        &self,
        redactor: &Redactor,
        profile: Profile,
        limit: usize,
        spill_dir: Option<&Path>,
    ) -> Shown {
        let clean = |bytes: &[u8]| {
            let text = String::from_utf8_lossy(bytes);
            redactor.redact(&ansi::strip(&text), profile).into_owned()
        };
        match self.capture.content() {
            Content::Whole(bytes) => {
                let text = clean(&bytes);
                let truncated = truncate(&text, limit, Unit::Chars);
                Shown::new(truncated, &text, Extent::Whole, spill_dir)
            }
            Content::Ends { head, tail, .. } => {
                let lost = self.chars - count_chars(head) - count_chars(&tail);
                let (head, tail) = (clean(head), clean(&tail));
                // What borders on the gap may be half a secret. Both places are in their text and at a character.
                let (head, head_edge) =
                    head.split_at(head.floor_char_boundary(head.len() - edge(&head)));
                let (tail_edge, tail) = tail.split_at(tail.ceil_char_boundary(edge(&tail)));
                let dropped = count_chars(head_edge.as_bytes()) + count_chars(tail_edge.as_bytes());
                let lost = lost.saturating_add(dropped);
                let truncated = truncate_pieces(head, lost, tail, limit, Unit::Chars);
                Shown::new(truncated, head, Extent::Start, spill_dir)
            }
        }
    }
}

/// The output of a command, without escapes and secrets.
#[derive(Debug)]
pub(crate) struct Shown {
    pub(crate) text: String,
    /// Characters of the whole output.
    pub(crate) total_chars: u64,
    pub(crate) is_truncated: bool,
    /// Where a longer output was saved.
    pub(crate) saved: Option<Saved>,
}

/// The file of an output that is too long to show.
#[derive(Debug)]
pub(crate) struct Saved {
    pub(crate) path: PathBuf,
    /// Whether all of the output is in it, and not only its start.
    pub(crate) is_whole: bool,
}

impl Shown {
    fn new(truncated: Truncated, text: &str, extent: Extent, spill_dir: Option<&Path>) -> Self {
        let is_truncated = truncated.omitted > 0;
        let saved = spill_dir.filter(|_| is_truncated).and_then(|directory| {
            let path = spill::save(directory, text, extent)
                .inspect_err(|error| tracing::warn!(%error, "output cannot be saved"))
                .ok()?;
            let is_whole = extent == Extent::Whole && text.len() <= CAP_BYTES;
            Some(Saved { path, is_whole })
        });
        Self {
            text: truncated.text,
            total_chars: truncated.total,
            is_truncated,
            saved,
        }
    }
}

/// Counts the bytes that start a character.
fn count_chars(bytes: &[u8]) -> u64 {
    let starts = |byte: &&u8| **byte & 0b1100_0000 != 0b1000_0000;
    // A number of bytes in memory fits.
    u64::try_from(bytes.iter().filter(starts).count()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use std::fs;

    use super::*;

    fn show(chunks: &[&[u8]], spill_dir: Option<&Path>) -> Shown {
        let mut transcript = Transcript::default();
        for chunk in chunks {
            transcript.push(chunk);
        }
        let profile = Profile::for_command("x");
        transcript.show(&Redactor::default(), profile, 50_000, spill_dir)
    }

    #[test]
    fn short_output_is_whole_clean_and_not_saved() {
        let place = tempfile::tempdir().unwrap();
        let shown = show(
            &[b"\x1b[31mghp_abcdefg", b"hijklmnopqrst \xff\n"],
            Some(place.path()),
        );
        assert_eq!(shown.text, "ghp_ab...qrst \u{fffd}\n");
        assert!(!shown.is_truncated && shown.saved.is_none());
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0);
    }

    #[test]
    fn long_output_is_counted_in_characters_and_saved_without_secrets() {
        let place = tempfile::tempdir().unwrap();
        let line = "ü ghp_abcdefghijklmnopqrst\n";
        let shown = show(&[line.repeat(5_000).as_bytes()], Some(place.path()));
        let clean = "ü ghp_ab...qrst\n".repeat(5_000);
        assert_eq!(shown.total_chars, 80_000);
        assert!(
            shown
                .text
                .contains("[OUTPUT TRUNCATED - 30,000 chars omitted out of 80,000 total]")
        );
        let saved = shown.saved.unwrap();
        assert!(saved.is_whole);
        assert_eq!(fs::read_to_string(saved.path).unwrap(), clean);
    }

    #[test]
    fn a_flood_costs_a_fixed_amount_and_every_character_is_counted() {
        let place = tempfile::tempdir().unwrap();
        let chunk = "zeile ü\n".repeat(10_000);
        let chunks = vec![chunk.as_bytes(); 100];
        let shown = show(&chunks, Some(place.path()));
        assert_eq!(shown.total_chars, 8_000_000);
        assert!(
            shown
                .text
                .contains("[OUTPUT TRUNCATED - 7,950,000 chars omitted out of 8,000,000 total]")
        );
        let saved = shown.saved.unwrap();
        assert!(!saved.is_whole);
        assert!(fs::metadata(saved.path).unwrap().len() < 5_100_000);
    }

    #[test]
    fn without_a_directory_nothing_is_saved() {
        let shown = show(&["x".repeat(60_000).as_bytes()], None);
        assert!(shown.is_truncated && shown.saved.is_none());
    }
}
