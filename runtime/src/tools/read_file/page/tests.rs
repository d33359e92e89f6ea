//! That a page is what splitting the text gives, wherever it is read from and however much is known before.

#![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use std::io::{Cursor, SeekFrom};

use proptest::prelude::*;

use super::*;

fn request(offset: u64, limit: u64) -> PageRequest {
    PageRequest::new(offset, limit, &FileOptions::default())
}

fn read_with(text: &[u8], request: PageRequest, index: &mut LineIndex) -> Page {
    let mut text = Text::in_memory(text.to_vec(), 0);
    Page::read(&mut text, request, index, &Redactor::default(), || true).unwrap()
}

fn read(text: &[u8], offset: u64, limit: u64) -> Page {
    read_with(text, request(offset, limit), &mut LineIndex::new(0))
}

/// A text of equal bytes that is nowhere, and how much of it was read.
struct Endless {
    byte: u8,
    read: u64,
}

impl Endless {
    fn new(byte: u8) -> Self {
        Self { byte, read: 0 }
    }
}

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        buffer.fill(self.byte);
        self.read += buffer.len() as u64;
        Ok(buffer.len())
    }
}

impl Seek for Endless {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match to {
            SeekFrom::Start(offset) => Ok(offset),
            SeekFrom::End(_) | SeekFrom::Current(_) => Err(io::ErrorKind::Unsupported.into()),
        }
    }
}

fn read_endless(
    source: &mut Endless,
    len: u64,
    request: PageRequest,
    index: &mut LineIndex,
) -> Page {
    struct Borrowed<'s>(&'s mut Endless);
    impl Read for Borrowed<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.0.read(buffer)
        }
    }
    impl Seek for Borrowed<'_> {
        fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
            self.0.seek(to)
        }
    }
    let mut text = Text::new(Borrowed(source), 0, len);
    Page::read(&mut text, request, index, &Redactor::default(), || true).unwrap()
}

#[test]
fn lines_are_numbered_without_padding() {
    let page = read(b"a\nb\nc\n", 1, 2_000);
    assert_eq!(
        (page.content.as_str(), page.total_lines),
        ("1|a\n2|b\n3|c", 3)
    );
    let page = read(b"a\n\nc", 2, 1);
    assert_eq!(
        (page.content.as_str(), page.total_lines, page.shown_lines),
        ("2|", 3, 1)
    );
    assert_eq!(read(b"", 1, 5), Page::default());
    assert_eq!(
        read(b"a\n", 9, 5),
        Page {
            total_lines: 1,
            ..Page::default()
        }
    );
}

#[test]
fn a_long_line_is_cut_at_its_characters() {
    let text = format!("{}\nüb", "ü".repeat(2_001));
    let page = read(text.as_bytes(), 1, 10);
    assert_eq!(
        page.content,
        format!("1|{}... [truncated]\n2|üb", "ü".repeat(2_000))
    );
    assert!(page.has_cut_lines);
    let exact = read("\u{1f600}".repeat(2_000).as_bytes(), 1, 10);
    assert!(!exact.has_cut_lines && exact.content.chars().count() == 2_002);
}

#[test]
fn a_full_page_ends_at_a_whole_line() {
    let text = format!("{}\n", "x".repeat(1_000)).repeat(300);
    let page = read(text.as_bytes(), 1, 2_000);
    // Lines 1 to 9 take 1,003 characters with their separators, 10 to 99 take 1,004.
    assert_eq!(
        (page.shown_lines, page.total_lines, page.room),
        (99, 300, Room::Full)
    );
    assert_eq!(page.content.chars().count(), 9 * 1_003 + 90 * 1_004 - 1);
}

#[test]
fn a_first_line_longer_than_the_page_is_clamped() {
    let options = FileOptions {
        max_line_length: usize::MAX,
        max_read_chars: 10,
        ..FileOptions::default()
    };
    let request = PageRequest::new(1, 5, &options);
    let page = read_with("ü".repeat(50).as_bytes(), request, &mut LineIndex::new(0));
    assert_eq!(page.content, format!("1|{}", "ü".repeat(8)));
    assert_eq!((page.room, page.shown_lines), (Room::Clamped, 1));
    let page = read_with(b"12345678\nb\n", request, &mut LineIndex::new(0));
    assert_eq!(
        (page.content.as_str(), page.room),
        ("1|12345678", Room::Full)
    );
}

#[test]
fn settings_without_sense_are_no_panic() {
    for (max_line_length, max_read_chars) in [(0, 0), (usize::MAX, usize::MAX), (1, usize::MAX)] {
        let options = FileOptions {
            max_line_length,
            max_read_chars,
            ..FileOptions::default()
        };
        let request = PageRequest::new(u64::MAX, u64::MAX, &options);
        let page = read_with(b"abc\ndef", request, &mut LineIndex::new(0));
        assert_eq!((page.content.as_str(), page.total_lines), ("", 2));
        let request = PageRequest::new(1, u64::MAX, &options);
        let page = read_with(b"abc\ndef", request, &mut LineIndex::new(0));
        assert!(page.content.starts_with('1'));
    }
}

#[test]
fn a_page_of_a_huge_text_reads_the_page_and_a_little_more() {
    let mut source = Endless::new(b'\n');
    let mut index = LineIndex::new(0);
    let len = 1 << 40;
    let page = read_endless(&mut source, len, request(1, 2_000), &mut index);
    assert_eq!((page.shown_lines, page.is_lower_bound), (2_000, true));
    assert!(page.total_lines > 2_000 && page.total_lines <= source.read + 1);
    assert!(source.read <= 2 * CHUNK_BYTES as u64, "{}", source.read);
}

#[test]
fn the_pages_after_a_deep_one_are_found_without_reading_all_above() {
    let mut source = Endless::new(b'\n');
    let mut index = LineIndex::new(0);
    let len = 1 << 40;
    let first = 50_000_000;
    let page = read_endless(&mut source, len, request(first, 2), &mut index);
    assert_eq!(page.content, format!("{first}|\n{}|", first + 1));
    for number in 1..100 {
        source.read = 0;
        let offset = first + number * 2_000;
        let page = read_endless(&mut source, len, request(offset, 1), &mut index);
        assert_eq!(page.content, format!("{offset}|"));
        assert!(source.read < 512 * 1_024, "{}", source.read);
    }
}

#[test]
fn a_short_text_is_counted_and_a_counted_one_is_not_read_again() {
    let mut source = Endless::new(b'\n');
    let mut index = LineIndex::new(0);
    let page = read_endless(&mut source, MAX_COUNTED_BYTES, request(1, 2), &mut index);
    assert_eq!(
        (page.total_lines, page.is_lower_bound),
        (MAX_COUNTED_BYTES, false)
    );
    source.read = 0;
    let page = read_endless(&mut source, MAX_COUNTED_BYTES, request(3, 2), &mut index);
    assert_eq!(
        (page.total_lines, page.is_lower_bound),
        (MAX_COUNTED_BYTES, false)
    );
    assert!(source.read <= CHUNK_BYTES as u64);
    let page = read_endless(
        &mut source,
        MAX_COUNTED_BYTES + 1,
        request(1, 2),
        &mut LineIndex::new(0),
    );
    assert!(page.is_lower_bound);
}

#[test]
fn the_end_of_a_huge_text_gives_its_exact_number_of_lines_to_all_pages() {
    let mut source = Endless::new(b'\n');
    let mut index = LineIndex::new(0);
    let len = 3 * MAX_COUNTED_BYTES;
    let past = read_endless(&mut source, len, request(u64::MAX, 1), &mut index);
    assert_eq!((past.total_lines, past.is_lower_bound), (len, false));
    let first = read_endless(&mut source, len, request(1, 1), &mut index);
    assert_eq!((first.total_lines, first.is_lower_bound), (len, false));
}

#[test]
fn reading_stops_when_it_may_not_go_on() {
    let mut text = Text::new(Endless::new(b'x'), 0, u64::MAX);
    let redactor = Redactor::default();
    let index = &mut LineIndex::new(0);
    let error = Page::read(&mut text, request(1, 1), index, &redactor, || false).unwrap_err();
    assert_eq!(error.to_string(), "the cell has ended");
}

#[test]
fn a_text_that_became_shorter_than_its_index_is_at_its_end() {
    let mut index = LineIndex::new(0);
    let text = "x\n".repeat(1_000_000);
    read_with(text.as_bytes(), request(900_000, 1), &mut index);
    let mut text = Text::new(Cursor::new(b"x\n".to_vec()), 0, 2_000_000);
    let mut stale = index.clone();
    stale.complete(1_000_000);
    let page = Page::read(
        &mut text,
        request(900_000, 1),
        &mut stale,
        &Redactor::default(),
        || true,
    );
    assert_eq!(page.unwrap().content, "");
}

fn lines_of(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.split('\n').collect();
    // What follows the last line feed is a line only if it is not empty.
    lines.pop_if(|last| last.is_empty());
    lines
}

/// Reads page after page with one index and joins them; the number of pages is the second part.
fn all_pages(text: &str, limit: u64, page_chars: usize, counted_bytes: u64) -> (String, u64) {
    let options = FileOptions {
        max_read_chars: page_chars,
        max_line_length: usize::MAX,
        ..FileOptions::default()
    };
    let mut index = LineIndex::with_spacing(0, 1);
    let (mut offset, mut contents, mut pages) = (1, Vec::new(), 0);
    loop {
        let request = PageRequest {
            counted_bytes,
            ..PageRequest::new(offset, limit, &options)
        };
        let fresh = read_with(text.as_bytes(), request, &mut LineIndex::new(0));
        let page = read_with(text.as_bytes(), request, &mut index);
        assert_eq!(page.content, fresh.content);
        assert!(page.total_lines >= fresh.total_lines);
        if page.shown_lines == 0 {
            assert_eq!(page.total_lines, offset - 1);
            return (contents.join("\n"), pages);
        }
        offset += page.shown_lines;
        contents.push(page.content);
        pages += 1;
    }
}

proptest! {
    #[test]
    fn all_pages_together_are_the_whole_text(
        text in "([abü\r]{0,6}\n){0,60}[ab]{0,3}",
        limit in 1_u64..20,
        page_chars in 12_usize..80,
        counted_bytes in prop::sample::select(vec![0, u64::MAX]),
    ) {
        let lines = lines_of(&text);
        let numbered: Vec<String> = (1..).zip(&lines).map(|(number, line): (u64, _)| format!("{number}|{line}")).collect();
        let (joined, pages) = all_pages(&text, limit, page_chars, counted_bytes);
        prop_assert_eq!(joined, numbered.join("\n"));
        prop_assert!(pages <= lines.len() as u64);
    }

    #[test]
    fn any_page_of_a_long_text_is_the_same_with_and_without_an_index(
        line in "[a-zü]{1,300}",
        offsets in prop::collection::vec(1_u64..5_000, 1..8),
        limit in 1_u64..50,
        counted_bytes in prop::sample::select(vec![0, u64::MAX]),
    ) {
        let text = format!("{line}\nx\n").repeat(2_000);
        let lines = lines_of(&text);
        let mut index = LineIndex::with_spacing(0, 1_000);
        for offset in offsets {
            let request = PageRequest { counted_bytes, ..request(offset, limit) };
            let page = read_with(text.as_bytes(), request, &mut index);
            let numbered: Vec<String> = (1..).zip(&lines)
                .filter(|(number, _)| (offset..offset + limit).contains(number))
                .map(|(number, line)| format!("{number}|{line}"))
                .collect();
            prop_assert_eq!(page.content, numbered.join("\n"));
            prop_assert!(page.total_lines <= 4_000);
            prop_assert!(page.is_lower_bound || page.total_lines == 4_000);
        }
    }

    #[test]
    fn no_bytes_and_no_numbers_are_a_panic(
        text in prop::collection::vec(any::<u8>(), 0..300),
        offset in 1_u64..,
        limit in 1_u64..,
    ) {
        let page = read(&text, offset, limit);
        let fresh = read(&text, 1, 2_000);
        prop_assert_eq!(page.total_lines, fresh.total_lines);
        prop_assert_eq!(fresh.shown_lines, fresh.total_lines);
    }
}
