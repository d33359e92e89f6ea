//! Counts of matching characters, computed with Python 3.11's `difflib`.

#![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use proptest::prelude::*;

use super::*;

/// Returns how many characters of the matching runs there are.
fn matching(first: &str, second: &str) -> usize {
    let numbers = |text: &str| text.chars().map(u32::from).collect::<Vec<_>>();
    let blocks = Matcher::new(numbers(second)).blocks(&numbers(first), &Effort::new(&|| false));
    blocks.unwrap().iter().map(|block| block.len).sum()
}

#[test]
fn short_texts_match_as_in_python() {
    let rows = [
        ("", "", 0),
        ("", "a", 0),
        ("abcd", "bcde", 3),
        (
            "private Thread currentThread;",
            "private volatile Thread currentThread;",
            29,
        ),
        ("tide", "diet", 1),
        ("diet", "tide", 2),
        ("qabxcd", "abycdf", 4),
        ("def f(a, b):", "def f(a,b,c):", 11),
        ("x = 1", "y = 2", 3),
        ("äöü€", "äöu€", 3),
        ("aaaaabbbbb", "bbbbbaaaaa", 5),
    ];
    for (first, second, expected) in rows {
        assert_eq!(matching(first, second), expected, "{first:?} {second:?}");
    }
}

#[test]
fn frequent_characters_of_long_texts_match_as_in_python() {
    let rows = [
        ("a".repeat(199), format!("{}b", "a".repeat(198)), 198),
        ("a".repeat(200), "a".repeat(200), 200),
        ("a".repeat(300), format!("b{}", "a".repeat(299)), 0),
        ("ab".repeat(120), "ba".repeat(120), 0),
    ];
    for (first, second, expected) in rows {
        assert_eq!(matching(&first, &second), expected, "{first:?} {second:?}");
    }
}

/// Makes a text of pseudo-random characters.
fn noise(seed: u64, len: usize, alphabet: &str) -> String {
    let alphabet: Vec<char> = alphabet.chars().collect();
    let mut state = seed;
    (0..len)
        .map(|_| {
            state = (state * 1_103_515_245 + 12_345) % (1 << 31);
            alphabet[usize::try_from(state >> 16).unwrap() % alphabet.len()]
        })
        .collect()
}

#[test]
fn noise_matches_as_in_python() {
    const LETTERS: &str = "abcdefghijklmnopqrstuvwxyz";
    const PROSE: &str = "abcdefghijklmnopqrstuvwxyz \n";
    const CODE: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .,;:()[]{}<>=+-*/!?&%$#@_^|~'`\n\t";
    // Seeds and lengths of two texts; the matches of both, and of the first with the second after a piece of the first was put in.
    let rows = [
        ((1, 50), (2, 60), "ab", 33, 43),
        ((3, 199), (4, 199), "abcd", 54, 0),
        ((5, 200), (6, 200), "abcd", 0, 0),
        ((7, 250), (8, 250), LETTERS, 3, 4),
        ((9, 900), (10, 700), PROSE, 0, 0),
        ((11, 1000), (12, 2500), CODE, 37, 304),
    ];
    for ((seed, len), (other_seed, other_len), alphabet, expected, expected_with_piece) in rows {
        let first = noise(seed, len, alphabet);
        let second = noise(other_seed, other_len, alphabet);
        assert_eq!(matching(&first, &second), expected, "{seed}");
        let (start, end) = second.split_at(other_len / 3);
        let with_piece = format!("{start}{}{end}", &first[len / 4..len / 2]);
        assert_eq!(matching(&first, &with_piece), expected_with_piece, "{seed}");
    }
}

#[test]
fn ratios_are_compared_exactly() {
    let of = |doubled, total| Ratio { doubled, total };
    assert!(of(8, 10).is_at_least(80) && !of(79, 100).is_at_least(80));
    assert!(!of(3, 10).is_above(30) && of(4, 10).is_above(30));
    assert!(of(0, 0).is_at_least(100) && of(0, 0).is_above(30));
    let mut sorted = [of(4, 5), of(0, 9), of(0, 0), of(2, 4), of(0, 3)];
    sorted.sort_by(|left, right| left.compare(*right));
    let shown = sorted.map(|ratio| (ratio.doubled, ratio.total));
    assert_eq!(shown, [(0, 9), (0, 3), (2, 4), (4, 5), (0, 0)]);
}

proptest! {
    #[test]
    fn the_bound_is_never_below_the_ratio(first in "[a-eä\u{100}]{0,30}", second in "[a-eä\u{100}]{0,30}") {
        let bound = Letters::of(&first).bound(&Letters::of(&second));
        let ratio = ratio(&first, &second, &Effort::new(&|| false)).unwrap();
        prop_assert!(bound.compare(ratio).is_ge());
    }
}

#[test]
fn the_work_for_two_long_texts_is_bounded() {
    let text: Vec<u32> = (0..200_000).map(|index| index % 50).collect();
    // Without the rule for frequent elements, for the second text is short.
    let matcher = Matcher::new(text[..199].to_vec());
    let effort = Effort::new(&|| false);
    effort.spend(999_000_000).unwrap();
    assert_eq!(matcher.blocks(&text, &effort), Err(Stopped::TooMuchWork));
}
