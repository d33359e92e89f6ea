//! The one order in which output becomes fit to show: decode, strip, redact, truncate, spill.
//!
//! Nothing that a script wrote reaches a result or a spill file by another way. What each step does is known to its
//! own file; here are the order, the rule for output with a gap, and the sentences about it.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::contract::Stdout;

use super::ansi;
use super::capture::{Capture, Content, EDGE_BYTES};
use super::redact::{Profile, Redactor};
use super::spill::{self, Extent};
use super::truncate::{STDOUT_LIMIT, Truncated, Unit, truncate, truncate_pieces};

const TRUNCATED: &str = "execute_code stdout was truncated; the script did run, but only the captured head/tail output is included. Re-run only with narrower output if the omitted data is required.";

/// Says that output was cut and that `path` holds all of it.
fn truncated_but_saved(path: &Path) -> String {
    let path = path.display();
    format!(
        "execute_code stdout was truncated (head/tail shown); the script did run. FULL output saved to {path} — page it with read_file(path=\"{path}\", offset=...) instead of re-running."
    )
}

/// Cleans the output of cells.
#[derive(Debug)]
pub(crate) struct Cleaner {
    redactor: Arc<Redactor>,
    spill_dir: Option<PathBuf>,
}

impl Cleaner {
    /// Creates a cleaner. Without a directory no output is saved.
    pub(crate) fn new(redactor: Arc<Redactor>, spill_dir: Option<PathBuf>) -> Self {
        Self {
            redactor,
            spill_dir,
        }
    }

    /// Returns standard output of which the host has all, and saves it if only its ends can be shown.
    pub(super) fn stdout(&self, capture: &Capture) -> Stdout {
        match capture.content() {
            Content::Whole(bytes) => {
                let decoded = String::from_utf8_lossy(&bytes);
                let text = self.clean(&decoded);
                let shown = truncate(&text, STDOUT_LIMIT, Unit::Bytes);
                self.conclude(shown, &text, Extent::Whole)
            }
            Content::Ends { head, lost, tail } => self.stdout_with_gap(head, lost, &tail),
        }
    }

    /// Cleans the two ends one by one and drops what is next to the gap, where half a secret is not recognised.
    fn stdout_with_gap(&self, head: &[u8], lost: u64, tail: &[u8]) -> Stdout {
        let (head, tail) = (String::from_utf8_lossy(head), String::from_utf8_lossy(tail));
        let (head, tail) = (self.clean(&head), self.clean(&tail));
        // Both boundaries are in their text and at a character.
        let (head, head_edge) = head.split_at(head.floor_char_boundary(head.len() - edge(&head)));
        let (tail_edge, tail) = tail.split_at(tail.ceil_char_boundary(edge(&tail)));
        // A sum of two lengths in memory fits.
        let dropped = u64::try_from(head_edge.len() + tail_edge.len()).unwrap_or(u64::MAX);
        let lost = lost.saturating_add(dropped);
        let shown = truncate_pieces(head, lost, tail, STDOUT_LIMIT, Unit::Bytes);
        self.conclude(shown, head, Extent::Start)
    }

    fn conclude(&self, shown: Truncated, text: &str, extent: Extent) -> Stdout {
        let is_truncated = shown.omitted > 0;
        let spill_path = is_truncated.then(|| self.spill(text, extent)).flatten();
        let warning = is_truncated.then(|| match &spill_path {
            Some(path) => truncated_but_saved(path),
            None => TRUNCATED.to_owned(),
        });
        Stdout {
            text: shown.text,
            truncated: is_truncated,
            bytes_captured: shown.captured,
            bytes_total: shown.total,
            bytes_omitted: shown.omitted,
            warning,
            spill_path,
        }
    }

    fn spill(&self, text: &str, extent: Extent) -> Option<PathBuf> {
        let dir = self.spill_dir.as_deref()?;
        let saved = spill::save(dir, text, extent);
        saved
            .inspect_err(|error| tracing::warn!(%error, "output cannot be saved"))
            .ok()
    }

    /// Returns the start of another stream (standard error, a traceback), at most `limit` bytes if there is a limit.
    pub(crate) fn fragment(&self, capture: &Capture, limit: Option<usize>) -> String {
        let (bytes, has_gap) = match capture.content() {
            Content::Whole(bytes) => (bytes, false),
            Content::Ends { head, .. } => (Cow::Borrowed(head), true),
        };
        let decoded = String::from_utf8_lossy(&bytes);
        let mut text = self.clean(&decoded).into_owned();
        let end = if has_gap {
            text.len() - edge(&text)
        } else {
            text.len()
        };
        text.truncate(text.floor_char_boundary(limit.map_or(end, |limit| end.min(limit))));
        text
    }

    /// Returns a text that no script printed but that may repeat what one did (why a cell died, the reason of an
    /// interrupt), without escapes and secrets. It is not cut: whoever shows it knows its limit, and cuts afterwards.
    pub(crate) fn text(&self, text: &str) -> String {
        self.clean(text).into_owned()
    }

    fn clean<'a>(&self, text: &'a str) -> Cow<'a, str> {
        without_escapes_and_secrets(text, &self.redactor)
    }
}

/// Returns a text as it may be shown: escapes are stripped first, for they may hide a secret, then secrets are masked.
pub(crate) fn without_escapes_and_secrets<'a>(text: &'a str, redactor: &Redactor) -> Cow<'a, str> {
    match ansi::strip(text) {
        Cow::Borrowed(text) => redactor.redact(text, Profile::CodeFile),
        Cow::Owned(text) => Cow::Owned(redactor.redact(&text, Profile::CodeFile).into_owned()),
    }
}

/// Returns how many bytes of a clean text next to a gap are dropped. Of a short text half is shown all the same.
pub(super) fn edge(text: &str) -> usize {
    EDGE_BYTES.min(text.len() / 2)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use std::fs;

    use tempfile::TempDir;

    use super::super::truncate::STDERR_LIMIT;
    use super::*;

    const VAULT_SECRET: &str = "correct-horse-battery-staple";
    const VAULT_MASK: &str = "«redacted-vault-secret»";

    fn cleaner(spill_dir: Option<&Path>) -> Cleaner {
        let redactor = Redactor::new(true, vec![VAULT_SECRET.to_owned()]);
        Cleaner::new(Arc::new(redactor), spill_dir.map(Path::to_owned))
    }

    fn stdout(spill_dir: Option<&Path>, chunks: &[&[u8]]) -> Stdout {
        let mut capture = Capture::stdout();
        for chunk in chunks {
            capture.push(chunk);
        }
        cleaner(spill_dir).stdout(&capture)
    }

    fn counters(stdout: &Stdout) -> (bool, u64, u64, u64) {
        (
            stdout.truncated,
            stdout.bytes_captured,
            stdout.bytes_total,
            stdout.bytes_omitted,
        )
    }

    fn fragment(kept: usize, bytes: &[u8], limit: Option<usize>) -> String {
        let mut capture = Capture::head_only(kept);
        capture.push(bytes);
        cleaner(None).fragment(&capture, limit)
    }

    /// Returns what the spill file of an output holds.
    fn spilled(stdout: &Stdout) -> String {
        fs::read_to_string(stdout.spill_path.as_ref().unwrap()).unwrap()
    }

    #[test]
    fn short_output_is_whole_and_not_saved() {
        let dir = TempDir::new().unwrap();
        for text in [
            String::new(),
            format!("{}\n", "x".repeat(100)),
            "x".repeat(50_000),
        ] {
            let shown = stdout(Some(dir.path()), &[text.as_bytes()]);
            let len = u64::try_from(text.len()).unwrap();
            assert_eq!(counters(&shown), (false, len, len, 0));
            assert_eq!((shown.warning, shown.spill_path), (None, None));
            assert_eq!(shown.text, text);
        }
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    }

    #[test]
    fn long_output_shows_its_ends_and_is_saved_whole() {
        let dir = TempDir::new().unwrap();
        let text = format!("HEAD{}TAIL\n", "x".repeat(79_992));
        let shown = stdout(Some(dir.path()), &[text.as_bytes()]);
        assert_eq!(counters(&shown), (true, 50_000, 80_001, 30_001));
        let notice =
            "\n\n... [OUTPUT TRUNCATED - 30,001 bytes omitted out of 80,001 total] ...\n\n";
        let (head, tail) = ("x".repeat(19_996), "x".repeat(29_995));
        assert_eq!(shown.text, format!("HEAD{head}{notice}{tail}TAIL\n"));
        assert_eq!(spilled(&shown), text);
        let path = shown
            .spill_path
            .unwrap()
            .into_os_string()
            .into_string()
            .unwrap();
        let warning = format!(
            "execute_code stdout was truncated (head/tail shown); the script did run. FULL output saved to {path} — page it with read_file(path=\"{path}\", offset=...) instead of re-running."
        );
        assert_eq!(shown.warning, Some(warning));
    }

    #[test]
    fn output_that_cannot_be_saved_is_shown_all_the_same() {
        let dir = TempDir::new().unwrap();
        let file = dir.path().join("file");
        fs::write(&file, "").unwrap();
        for place in [None, Some(file.as_path())] {
            let shown = stdout(place, &["x".repeat(60_001).as_bytes()]);
            assert_eq!(counters(&shown), (true, 50_000, 60_001, 10_001));
            let warning = "execute_code stdout was truncated; the script did run, but only the captured head/tail output is included. Re-run only with narrower output if the omitted data is required.";
            assert_eq!(
                (shown.warning.as_deref(), shown.spill_path),
                (Some(warning), None)
            );
        }
    }

    #[test]
    fn counters_are_of_the_clean_text() {
        let shown = stdout(None, &["\x1b[1mab\x1b[0m".repeat(10_000).as_bytes()]);
        assert_eq!(counters(&shown), (false, 20_000, 20_000, 0));
        let shown = stdout(None, &[b"a\xffb\xe2", b"\x82", b"\xac"]);
        assert_eq!(shown.text, "a\u{fffd}b€");
        assert_eq!(counters(&shown), (false, 8, 8, 0));
    }

    #[test]
    fn escapes_are_stripped_before_secrets_are_looked_for() {
        let shown = stdout(
            None,
            &[b"key: correct-\x1b[31mhorse-battery\x1b[0m-staple\n"],
        );
        assert_eq!(shown.text, format!("key: {VAULT_MASK}\n"));
        let shown = stdout(None, &[b"sk-proj-abc\x1b[0mdefghijklmnopqrstuv\n"]);
        assert_eq!(shown.text, "sk-pro...stuv\n");
    }

    #[test]
    fn secrets_are_masked_before_the_text_is_cut_and_saved() {
        let dir = TempDir::new().unwrap();
        // The cut of the head goes through the secret.
        let text = format!(
            "{} {VAULT_SECRET} {}",
            "x".repeat(19_985),
            "y".repeat(60_000)
        );
        let shown = stdout(Some(dir.path()), &[text.as_bytes()]);
        assert_eq!(spilled(&shown), text.replace(VAULT_SECRET, VAULT_MASK));
        assert!(
            shown
                .text
                .starts_with(&format!("{} «redacted-va", "x".repeat(19_985)))
        );
        assert!(
            !shown.text.contains("correct"),
            "{}",
            &shown.text[19_980..20_020]
        );
    }

    #[test]
    fn output_beyond_memory_shows_its_ends_and_counts_the_middle() {
        let dir = TempDir::new().unwrap();
        let (start, end) = ("h".repeat(6_000_000), "t".repeat(6_000_000));
        let shown = stdout(Some(dir.path()), &[start.as_bytes(), end.as_bytes()]);
        assert_eq!(counters(&shown), (true, 50_000, 12_000_000, 11_950_000));
        let notice =
            "\n\n... [OUTPUT TRUNCATED - 11,950,000 bytes omitted out of 12,000,000 total] ...\n\n";
        assert_eq!(
            shown.text,
            format!("{}{notice}{}", "h".repeat(20_000), "t".repeat(30_000))
        );
        let marker = "\n\n[... spill capped at 5,000,000 bytes ...]";
        assert_eq!(
            spilled(&shown),
            format!("{}{marker}", "h".repeat(5_000_000))
        );
    }

    #[test]
    fn half_a_secret_next_to_the_gap_is_neither_shown_nor_saved() {
        let dir = TempDir::new().unwrap();
        let mut capture = Capture::stdout();
        // Sequences that leave no text bring the gap near to what is shown and saved.
        let invisible = "\x1b[0m".repeat(1 << 21);
        capture.push(b"start...");
        capture.push(&invisible.as_bytes()[..5_000_000 + EDGE_BYTES - 16]);
        capture.push(VAULT_SECRET.as_bytes());
        capture.push(invisible.as_bytes());
        capture.push(VAULT_SECRET.as_bytes());
        capture.push(&invisible.as_bytes()[..(256 << 10) - 24]);
        capture.push(b"the end is here.");
        let Content::Ends { head, tail, .. } = capture.content() else {
            panic!("the stream has no gap");
        };
        assert!(head.ends_with(b"mcorrect-") && tail.starts_with(b"y-staple\x1b"));
        let shown = cleaner(Some(dir.path())).stdout(&capture);
        let (head, tail) = shown
            .text
            .split_once("\n\n... [OUTPUT TRUNCATED - ")
            .unwrap();
        assert_eq!(
            (head, tail.split_once("] ...\n\n").unwrap().1),
            ("start...", "end is here.")
        );
        assert_eq!(
            (
                shown.bytes_captured,
                shown.bytes_total - shown.bytes_omitted
            ),
            (20, 20)
        );
        assert_eq!(
            spilled(&shown),
            "start...\n\n[... spill capped at 5,000,000 bytes ...]"
        );
    }

    #[test]
    fn a_fragment_is_cleaned_and_then_cut_at_a_character() {
        for (bytes, limit, expected) in [
            (b"\x1b[31mfailed\x1b[0m".as_slice(), None, "failed"),
            (
                b"correct-horse-battery-staple!",
                None,
                "«redacted-vault-secret»!",
            ),
            (b"correct-horse-battery-staple!", Some(10), "«redacted"),
            ("abc€def".as_bytes(), Some(5), "abc"),
            ("abc€def".as_bytes(), Some(6), "abc€"),
            (b"abc", Some(3), "abc"),
            (b"a\xff", None, "a\u{fffd}"),
            (b"", Some(3), ""),
        ] {
            assert_eq!(fragment(100, bytes, limit), expected);
        }
    }

    #[test]
    fn a_fragment_with_a_gap_ends_before_its_edge() {
        let flood = "x".repeat(300_000);
        assert_eq!(fragment(16, b"0123456789abcdefghi", None), "01234567");
        assert_eq!(
            fragment(64 << 10, flood.as_bytes(), Some(STDERR_LIMIT)),
            flood[..10_000]
        );
        assert_eq!(
            fragment(256 << 10, flood.as_bytes(), None),
            flood[..192 << 10]
        );
    }

    #[test]
    fn a_text_of_the_engine_is_cleaned() {
        let text = format!("\x1b[1mlost\x1b[0m with {VAULT_SECRET}");
        assert_eq!(cleaner(None).text(&text), format!("lost with {VAULT_MASK}"));
    }
}
