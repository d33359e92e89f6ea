//! The head and the tail of a text that is too long to show, with a notice between them.
//!
//! Two fifths of the limit go to the head, the rest to the tail. The counters always add up: what is captured and what
//! is omitted is the total. What was lost before the text came here is counted, too, if the caller says how much.

use std::borrow::Cow;

/// Bytes of standard output that a result shows.
pub(crate) const STDOUT_LIMIT: usize = 50_000;
/// Bytes of standard error that a result shows, the first ones.
pub(crate) const STDERR_LIMIT: usize = 10_000;

/// What a limit counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    /// Bytes of UTF-8. A character that the cut goes through becomes replacement characters.
    Bytes,
    /// Unicode code points.
    Chars,
}

/// A text that fits its limit, and how much it stands for, in the unit that was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Truncated {
    /// The whole text, or head, notice and tail.
    pub(crate) text: String,
    pub(crate) total: u64,
    /// What of the total is in the text.
    pub(crate) captured: u64,
    pub(crate) omitted: u64,
}

/// Returns the text as it is if it fits into `limit` units, otherwise its two ends.
pub(crate) fn truncate(text: &str, limit: usize, unit: Unit) -> Truncated {
    let total = unit.count(text);
    if total <= limit {
        let total = widen(total);
        return Truncated {
            text: text.to_owned(),
            total,
            captured: total,
            omitted: 0,
        };
    }
    let (head, tail) = shares(limit);
    // Both shares together are less than the total, so both are whole and do not overlap.
    join(
        &unit.first(text, head),
        &unit.last(text, tail),
        widen(limit),
        widen(total),
        unit,
    )
}

/// Returns the two ends of a text of which `lost` units between `head` and `tail` are gone, whatever the limit is.
pub(crate) fn truncate_pieces(
    head: &str,
    lost: u64,
    tail: &str,
    limit: usize,
    unit: Unit,
) -> Truncated {
    let (head_share, tail_share) = shares(limit);
    let (head_count, tail_count) = (unit.count(head), unit.count(tail));
    let captured = widen(head_count.min(head_share)) + widen(tail_count.min(tail_share));
    let total = (widen(head_count) + widen(tail_count)).saturating_add(lost);
    join(
        &unit.first(head, head_share),
        &unit.last(tail, tail_share),
        captured,
        total,
        unit,
    )
}

/// Returns how much of a limit goes to the head and how much to the tail.
fn shares(limit: usize) -> (usize, usize) {
    // Divided first so that no limit overflows; the remainder of the division goes to the tail.
    let head = limit / 5 * 2 + limit % 5 * 2 / 5;
    (head, limit - head)
}

fn join(head: &str, tail: &str, captured: u64, total: u64, unit: Unit) -> Truncated {
    let omitted = total - captured;
    let text = format!("{head}{}{tail}", notice(omitted, total, unit));
    Truncated {
        text,
        total,
        captured,
        omitted,
    }
}

/// Says in the middle of a text how much is missing there.
fn notice(omitted: u64, total: u64, unit: Unit) -> String {
    let name = match unit {
        Unit::Bytes => "bytes",
        Unit::Chars => "chars",
    };
    let (omitted, total) = (grouped(omitted), grouped(total));
    format!("\n\n... [OUTPUT TRUNCATED - {omitted} {name} omitted out of {total} total] ...\n\n")
}

/// Returns the longest prefix of `text` with at most `limit` characters.
pub(crate) fn first_chars(text: &str, limit: usize) -> &str {
    let end = text.char_indices().nth(limit);
    end.and_then(|(end, _)| text.get(..end)).unwrap_or(text)
}

/// Writes a number with thousands separators.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn widen(count: usize) -> u64 {
    // No target of the compiler has pointers of more than 64 bits.
    u64::try_from(count).unwrap_or(u64::MAX)
}

impl Unit {
    fn count(self, text: &str) -> usize {
        match self {
            Self::Bytes => text.len(),
            Self::Chars => text.chars().count(),
        }
    }

    fn first(self, text: &str, count: usize) -> Cow<'_, str> {
        match self {
            Self::Bytes => text.as_bytes().get(..count).map(String::from_utf8_lossy),
            Self::Chars => Some(Cow::Borrowed(first_chars(text, count))),
        }
        .unwrap_or(Cow::Borrowed(text))
    }

    fn last(self, text: &str, count: usize) -> Cow<'_, str> {
        match self {
            Self::Bytes => {
                let start = text.len().saturating_sub(count);
                text.as_bytes().get(start..).map(String::from_utf8_lossy)
            }
            Self::Chars => {
                let last_left_out = text.char_indices().nth_back(count);
                last_left_out
                    .and_then(|(at, left_out)| text.get(at + left_out.len_utf8()..))
                    .map(Cow::Borrowed)
            }
        }
        .unwrap_or(Cow::Borrowed(text))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_text_at_the_limit_is_unchanged() {
        let text = "x".repeat(STDOUT_LIMIT);
        let expected = Truncated {
            text: text.clone(),
            total: 50_000,
            captured: 50_000,
            omitted: 0,
        };
        assert_eq!(truncate(&text, STDOUT_LIMIT, Unit::Bytes), expected);
    }

    #[test]
    fn truncation_keeps_head_and_tail() {
        let text = format!(
            "{}{}{}",
            "h".repeat(20_000),
            "m".repeat(10_001),
            "t".repeat(30_000)
        );
        let cut = truncate(&text, STDOUT_LIMIT, Unit::Bytes);
        let notice =
            "\n\n... [OUTPUT TRUNCATED - 10,001 bytes omitted out of 60,001 total] ...\n\n";
        assert_eq!(
            cut.text,
            format!("{}{notice}{}", "h".repeat(20_000), "t".repeat(30_000))
        );
        assert_eq!(cut.text.len(), 50_073);
        assert_eq!(
            (cut.total, cut.captured, cut.omitted),
            (60_001, 50_000, 10_001)
        );
    }

    #[test]
    fn a_character_that_the_cut_goes_through_becomes_replacement_characters() {
        // Four bytes of head end after the first byte of the euro sign, six of tail start in the second one.
        let cut = truncate("abc€defghi€klmn", 10, Unit::Bytes);
        assert_eq!(
            cut.text,
            "abc\u{fffd}\n\n... [OUTPUT TRUNCATED - 9 bytes omitted out of 19 total] ...\n\n\u{fffd}\u{fffd}klmn"
        );
        assert_eq!((cut.total, cut.captured, cut.omitted), (19, 10, 9));
    }

    #[test]
    fn characters_are_counted_where_a_tool_asks_for_them() {
        let cut = truncate("äöüß€abcdef", 10, Unit::Chars);
        assert_eq!(
            cut.text,
            "äöüß\n\n... [OUTPUT TRUNCATED - 1 chars omitted out of 11 total] ...\n\nabcdef"
        );
        assert_eq!((cut.total, cut.captured, cut.omitted), (11, 10, 1));
        assert_eq!(truncate("äöüß€abcde", 10, Unit::Chars).text, "äöüß€abcde");
    }

    #[test]
    fn what_was_lost_before_is_counted() {
        let cut = truncate_pieces("0123456789", 1_000_000, "abcdefghij", 10, Unit::Bytes);
        assert_eq!(
            cut.text,
            "0123\n\n... [OUTPUT TRUNCATED - 1,000,010 bytes omitted out of 1,000,020 total] ...\n\nefghij"
        );
        assert_eq!(
            (cut.total, cut.captured, cut.omitted),
            (1_000_020, 10, 1_000_010)
        );
    }

    #[test]
    fn pieces_shorter_than_their_share_are_captured_as_they_are() {
        let cut = truncate_pieces("h", 5, "ü", 10, Unit::Chars);
        assert_eq!(
            cut.text,
            "h\n\n... [OUTPUT TRUNCATED - 5 chars omitted out of 7 total] ...\n\nü"
        );
        assert_eq!((cut.total, cut.captured, cut.omitted), (7, 2, 5));
    }

    #[test]
    fn cutting_counts_characters_and_not_bytes() {
        assert_eq!(first_chars("äöü", 3), "äöü");
        assert_eq!(first_chars("äöü", 2), "äö");
        assert_eq!(first_chars("äöü", 0), "");
    }

    #[test]
    fn numbers_are_grouped_by_thousands() {
        for (number, expected) in [
            (0, "0"),
            (999, "999"),
            (1_000, "1,000"),
            (80_001, "80,001"),
            (u64::MAX, "18,446,744,073,709,551,615"),
        ] {
            assert_eq!(grouped(number), expected);
        }
    }

    proptest! {
        #[test]
        fn counters_add_up_and_text_under_the_limit_is_whole(
            text in r"[a-cäß€\u{1f600}\n]{0,80}",
            limit in 0_usize..80,
            by_chars: bool,
        ) {
            let unit = if by_chars { Unit::Chars } else { Unit::Bytes };
            let count = if by_chars { text.chars().count() } else { text.len() };
            let cut = truncate(&text, limit, unit);
            prop_assert_eq!(cut.total, widen(count));
            prop_assert_eq!(cut.captured, widen(count.min(limit)));
            prop_assert_eq!(cut.omitted, cut.total - cut.captured);
            prop_assert_eq!(cut.omitted == 0, cut.text == text);
        }

        #[test]
        fn a_cut_between_characters_shows_exactly_the_shares(text in "[a-z]{40,80}", limit in 0_usize..40) {
            let cut = truncate(&text, limit, Unit::Bytes);
            let notice = notice(cut.omitted, cut.total, Unit::Bytes);
            let head = limit * 2 / 5;
            let tail = text.len() - (limit - head);
            prop_assert_eq!(cut.text, format!("{}{notice}{}", &text[..head], &text[tail..]));
        }

        #[test]
        fn both_units_cut_ascii_at_the_same_places(text in "[a-z]{0,80}", limit in 0_usize..80) {
            let bytes = truncate(&text, limit, Unit::Bytes);
            let chars = truncate(&text, limit, Unit::Chars);
            prop_assert_eq!(bytes.text.replace(" bytes ", " chars "), chars.text);
        }
    }
}
