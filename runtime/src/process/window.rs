//! The output of one command as far as it is kept: its head and its tail, within a fixed amount of memory.
//!
//! Bytes are counted out while they arrive, so a flood costs the window and nothing more. The pieces are wider than
//! what an answer shows, so that a secret at the edge of the shown part is still whole when it is looked for.

use std::collections::VecDeque;

/// Bytes kept from the start; 20,000 characters of up to 4 bytes are shown, the rest is room for what cleaning removes.
const HEAD_BYTES: usize = 192 * 1024;
/// Bytes kept from the end, of which 30,000 characters are shown.
const TAIL_BYTES: usize = 256 * 1024;

/// Collects what a command writes.
#[derive(Debug, Default)]
pub(super) struct Window {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    /// Characters that fell out between head and tail.
    lost_chars: u64,
}

impl Window {
    /// Takes the next bytes of the output.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        let (first, rest) = bytes.split_at(bytes.len().min(HEAD_BYTES - self.head.len()));
        self.head.extend_from_slice(first);
        // Only the end of a chunk that is larger than the whole tail can stay.
        let (passed, kept) = rest.split_at(rest.len().saturating_sub(TAIL_BYTES));
        let surplus = (self.tail.len() + kept.len()).saturating_sub(TAIL_BYTES);
        let surplus = if passed.is_empty() {
            surplus
        } else {
            self.tail.len()
        };
        self.lost_chars +=
            count_chars(self.tail.drain(..surplus)) + count_chars(passed.iter().copied());
        self.tail.extend(kept);
    }

    /// Returns the output as text, invalid UTF-8 replaced.
    pub(super) fn into_pieces(mut self) -> Pieces {
        if self.lost_chars == 0 {
            self.head.extend(self.tail);
            return Pieces {
                head: lossy(&self.head),
                lost_chars: 0,
                tail: None,
            };
        }
        // What borders on the gap may be half a secret or half a character: both pieces end at a line if they can.
        let tail = self.tail.make_contiguous();
        let tail_start = tail
            .iter()
            .position(|&byte| byte == b'\n')
            .map_or(0, |at| at + 1);
        let (cut, tail) = tail.split_at(tail_start);
        let head_end = self
            .head
            .iter()
            .rposition(|&byte| byte == b'\n')
            .map_or(self.head.len(), |at| at + 1);
        let (head, rest) = self.head.split_at(head_end);
        let cut = count_chars(rest.iter().copied()) + count_chars(cut.iter().copied());
        Pieces {
            head: lossy(head),
            lost_chars: self.lost_chars + cut,
            tail: Some(lossy(tail)),
        }
    }
}

/// The kept text of an output, not yet cleaned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pieces {
    /// The whole output, or its start.
    pub(crate) head: String,
    /// Characters between head and tail that are gone.
    pub(crate) lost_chars: u64,
    /// The end of the output, if something between is gone.
    pub(crate) tail: Option<String>,
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Counts the bytes that start a character.
fn count_chars(bytes: impl Iterator<Item = u8>) -> u64 {
    bytes
        .map(|byte| u64::from(byte & 0b1100_0000 != 0b1000_0000))
        .sum()
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn short_output_is_whole() {
        let mut window = Window::default();
        window.push(b"a\n");
        window.push("ü\u{1f600}".as_bytes());
        let expected = Pieces {
            head: "a\nü\u{1f600}".to_owned(),
            lost_chars: 0,
            tail: None,
        };
        assert_eq!(window.into_pieces(), expected);
    }

    #[test]
    fn a_flood_keeps_whole_lines_of_both_ends_and_counts_the_rest() {
        let mut window = Window::default();
        let lines = 100_000_u64;
        for number in 0..lines {
            window.push(format!("{number:>9}\n").as_bytes());
        }
        let pieces = window.into_pieces();
        let tail = pieces.tail.unwrap();
        assert!(pieces.head.starts_with("        0\n        1\n") && pieces.head.ends_with('\n'));
        assert!(tail.ends_with("    99999\n") && tail.len() % 10 == 0);
        let kept = u64::try_from(pieces.head.len() + tail.len()).unwrap();
        assert_eq!(kept + pieces.lost_chars, lines * 10);
    }

    #[test]
    fn memory_is_bounded_by_the_window() {
        let mut window = Window::default();
        for size in [1, HEAD_BYTES * 3, 7, TAIL_BYTES, 1] {
            window.push(&vec![b'x'; size]);
            assert!(window.head.len() <= HEAD_BYTES && window.tail.len() <= TAIL_BYTES);
        }
    }

    proptest! {
        #[test]
        fn chunking_does_not_matter(sizes in prop::collection::vec(1_usize..200_000, 1..12)) {
            let total: usize = sizes.iter().sum();
            let bytes: Vec<u8> = "zeile ü\n".bytes().cycle().take(total).collect();
            let (mut chunked, mut whole) = (Window::default(), Window::default());
            let mut rest = bytes.as_slice();
            for size in sizes {
                let (chunk, after) = rest.split_at(size);
                chunked.push(chunk);
                rest = after;
            }
            whole.push(&bytes);
            prop_assert_eq!(chunked.into_pieces(), whole.into_pieces());
        }
    }
}
