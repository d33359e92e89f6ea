//! The bounded collector of one output stream, fed while a cell runs.
//!
//! It keeps the first bytes and the last ones and counts the rest, so a flood costs a fixed amount of memory. It does
//! not decode or clean. Both ends are wider than what is shown or saved: a secret or an escape sequence that the edge
//! of a gap went through then lies in the part that is thrown away.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::fmt;

use super::spill::CAP_BYTES;

/// Bytes next to a gap that are not shown or saved.
pub(super) const EDGE_BYTES: usize = 64 << 10;
/// Bytes kept from the start of standard output: what a spill file holds, and the edge.
const STDOUT_HEAD_BYTES: usize = CAP_BYTES + EDGE_BYTES;
/// Bytes kept from the end of standard output. 30,000 are shown; the rest is room for the edge and for what cleaning
/// removes, which is most of the text of a coloured progress bar.
const STDOUT_TAIL_BYTES: usize = 256 << 10;

/// Collects what is written to one stream.
pub(crate) struct Capture {
    head: Vec<u8>,
    head_limit: usize,
    /// The last bytes of those that did not fit into the head.
    tail: VecDeque<u8>,
    tail_limit: usize,
    total: u64,
}

impl Capture {
    /// Creates the collector of a cell's standard output, which keeps both ends.
    pub(crate) fn stdout() -> Self {
        Self::new(STDOUT_HEAD_BYTES, STDOUT_TAIL_BYTES)
    }

    /// Creates the collector of what a kernel captures, of which more can be saved: as many characters, whatever they are.
    pub(crate) fn stdout_of_kernel() -> Self {
        Self::new(4 * CAP_BYTES + EDGE_BYTES, STDOUT_TAIL_BYTES)
    }

    /// Creates a collector that keeps the first `limit` bytes and nothing of the rest.
    pub(crate) fn head_only(limit: usize) -> Self {
        Self::new(limit, 0)
    }

    fn new(head_limit: usize, tail_limit: usize) -> Self {
        Self {
            head: Vec::new(),
            head_limit,
            tail: VecDeque::new(),
            tail_limit,
            total: 0,
        }
    }

    /// Takes the next bytes of the stream; a chunk may end anywhere, also inside a character.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.total = self.total.saturating_add(widen(bytes.len()));
        // The head never grows beyond its limit, and the split is at most the length.
        let (first, rest) = bytes.split_at(bytes.len().min(self.head_limit - self.head.len()));
        self.push_head(first);
        self.push_tail(rest);
    }

    fn push_head(&mut self, bytes: &[u8]) {
        let needed = self.head.len() + bytes.len();
        if needed > self.head.capacity() {
            // Doubling as usual, but never beyond the limit, as a plain `Vec` would.
            let capacity = needed
                .max(self.head.capacity().saturating_mul(2))
                .min(self.head_limit);
            self.head.reserve_exact(capacity - self.head.len());
        }
        self.head.extend_from_slice(bytes);
    }

    fn push_tail(&mut self, bytes: &[u8]) {
        // Only the end of a chunk that is larger than the whole tail can stay.
        let (_, kept) = bytes.split_at(bytes.len().saturating_sub(self.tail_limit));
        if kept.is_empty() {
            return;
        }
        // What is kept is at most the limit, so the surplus is at most what the tail holds.
        let surplus = (self.tail.len() + kept.len()).saturating_sub(self.tail_limit);
        self.tail.drain(..surplus);
        self.tail.reserve_exact(self.tail_limit - self.tail.len());
        self.tail.extend(kept);
    }

    /// Takes what another collector has kept, and its gap, as if its stream went on with this one.
    pub(crate) fn append(&mut self, other: &Self) {
        match other.content() {
            Content::Whole(bytes) => self.push(&bytes),
            Content::Ends { head, lost, tail } => {
                self.push(head);
                self.skip(lost);
                self.push(&tail);
            }
        }
    }

    /// Counts bytes that are gone; what comes after them is the end of the stream.
    fn skip(&mut self, lost: u64) {
        self.head_limit = self.head.len();
        self.tail.clear();
        self.total = self.total.saturating_add(lost);
    }

    /// Returns how many bytes the stream had, kept or not.
    pub(crate) fn total(&self) -> u64 {
        self.total
    }

    /// Returns whether nothing was written.
    pub(crate) fn is_empty(&self) -> bool {
        self.total == 0
    }

    /// Returns the beginning of the stream, as much of it as was kept for that.
    pub(crate) fn head(&self) -> &[u8] {
        &self.head
    }

    /// Returns the bytes that were kept.
    pub(super) fn content(&self) -> Content<'_> {
        let kept = widen(self.head.len()) + widen(self.tail.len());
        let lost = self.total.saturating_sub(kept);
        if lost > 0 {
            Content::Ends {
                head: &self.head,
                lost,
                tail: self.tail_bytes(),
            }
        } else if self.tail.is_empty() {
            Content::Whole(Cow::Borrowed(&self.head))
        } else {
            Content::Whole(Cow::Owned(
                [self.head.as_slice(), &self.tail_bytes()].concat(),
            ))
        }
    }

    fn tail_bytes(&self) -> Vec<u8> {
        let (first, second) = self.tail.as_slices();
        [first, second].concat()
    }
}

impl fmt::Debug for Capture {
    /// Shows the size only: what is in here has not been redacted.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Capture")
            .field("total", &self.total)
            .finish_non_exhaustive()
    }
}

/// What a collector has kept of its stream, not yet decoded or cleaned.
#[derive(PartialEq, Eq)]
#[cfg_attr(test, derive(Debug))]
pub(super) enum Content<'a> {
    /// Every byte of the stream.
    Whole(Cow<'a, [u8]>),
    /// The two ends of the stream and the number of bytes between them that are gone.
    Ends {
        head: &'a [u8],
        lost: u64,
        tail: Vec<u8>,
    },
}

fn widen(count: usize) -> u64 {
    // No target of the compiler has pointers of more than 64 bits.
    u64::try_from(count).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn filled(head: usize, tail: usize, chunks: &[&[u8]]) -> Capture {
        let mut capture = Capture::new(head, tail);
        for chunk in chunks {
            capture.push(chunk);
        }
        capture
    }

    #[test]
    fn a_new_collector_is_empty_and_allocates_nothing() {
        let capture = Capture::stdout();
        assert!(capture.is_empty());
        assert_eq!(
            (
                capture.total(),
                capture.head.capacity(),
                capture.tail.capacity()
            ),
            (0, 0, 0)
        );
        assert_eq!(capture.content(), Content::Whole(Cow::Borrowed(b"")));
    }

    #[test]
    fn a_stream_that_fits_into_both_ends_is_whole() {
        for (chunks, expected) in [
            (vec![b"abc".as_slice(), b"d"], b"abcd".as_slice()),
            (vec![b"abc", b"def"], b"abcdef"),
            (vec![b"abcdefg"], b"abcdefg"),
        ] {
            let capture = filled(4, 3, &chunks);
            assert!(!capture.is_empty());
            assert_eq!(capture.content(), Content::Whole(Cow::Borrowed(expected)));
        }
    }

    #[test]
    fn a_longer_stream_keeps_its_two_ends_and_counts_the_rest() {
        let expected = Content::Ends {
            head: b"abcd",
            lost: 3,
            tail: b"hij".to_vec(),
        };
        assert_eq!(filled(4, 3, &[b"abcdefghij"]).content(), expected);
        assert_eq!(filled(4, 3, &[b"abcdef", b"gh", b"ij"]).content(), expected);
        assert_eq!(filled(4, 3, &[b"abcde", b"f", b"", b"ghij"]).total(), 10);
    }

    #[test]
    fn a_head_only_collector_drops_what_comes_later() {
        let mut capture = Capture::head_only(4);
        capture.push(b"abcdef");
        capture.push(b"gh");
        let expected = Content::Ends {
            head: b"abcd",
            lost: 4,
            tail: Vec::new(),
        };
        assert_eq!(capture.content(), expected);
        assert_eq!(capture.total(), 8);
    }

    #[test]
    fn an_appended_stream_with_a_gap_keeps_its_gap() {
        let mut capture = filled(9, 4, &[b"abc"]);
        capture.append(&filled(2, 2, &[b"defghi"]));
        let expected = Content::Ends {
            head: b"abcde",
            lost: 2,
            tail: b"hi".to_vec(),
        };
        assert_eq!(capture.content(), expected);
        assert_eq!(capture.total(), 9);
        let mut capture = filled(2, 3, &[b"abcd"]);
        capture.append(&filled(9, 9, &[b"ef"]));
        assert_eq!(capture.content(), filled(2, 3, &[b"abcdef"]).content());
    }

    #[test]
    fn memory_is_bounded_by_the_two_limits() {
        let mut capture = Capture::stdout();
        for size in [
            1,
            3_000_000,
            1,
            3_000_000,
            7,
            STDOUT_TAIL_BYTES,
            20_000_000,
            1,
        ] {
            capture.push(&vec![b'x'; size]);
            assert!(capture.head.capacity() <= STDOUT_HEAD_BYTES);
            assert!(capture.tail.capacity() <= STDOUT_TAIL_BYTES);
        }
        assert_eq!(capture.head.len(), 5_000_000 + EDGE_BYTES);
        assert_eq!(capture.total(), 26_262_154);
    }

    #[test]
    fn the_debug_form_shows_no_content() {
        assert_eq!(
            format!("{:?}", filled(9, 9, &[b"secret"])),
            "Capture { total: 6, .. }"
        );
    }

    proptest! {
        #[test]
        fn chunking_does_not_matter(
            bytes in prop::collection::vec(any::<u8>(), 0..60),
            sizes in prop::collection::vec(0_usize..20, 0..12),
            (head, tail) in (0_usize..30, 0_usize..30),
        ) {
            let mut chunked = Capture::new(head, tail);
            let mut rest = bytes.as_slice();
            for size in sizes {
                let (chunk, after) = rest.split_at(size.min(rest.len()));
                chunked.push(chunk);
                rest = after;
            }
            chunked.push(rest);
            let whole = filled(head, tail, &[&bytes]);
            prop_assert_eq!(chunked.content(), whole.content());
        }
    }
}
