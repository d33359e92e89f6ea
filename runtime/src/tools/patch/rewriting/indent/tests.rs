//! Rows of texts that were copied with another indentation than the file's, and what must come of them.

#![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use super::*;

fn fitted(old: &str, new: &str, region: &str) -> String {
    reindented(old, new, region, &Effort::new(&|| false)).unwrap()
}

#[test]
fn indentation_is_that_of_the_file() {
    let rows = [
        // Relative indentation is repaired.
        (
            "def g():\nreturn 1",
            "def g():\nreturn 3",
            "def g():\n    return 1",
            "def g():\n    return 3",
        ),
        (
            "def g():\nreturn 1",
            "def g():\nreturn 3",
            "    def g():\n        return 1",
            "    def g():\n        return 3",
        ),
        // The new text has a structure that the old one had lost.
        (
            "def g():\nreturn 1",
            "def g():\n    return 3",
            "  def g():\n    return 1",
            "  def g():\n      return 3",
        ),
        // The base is missing on every line.
        (
            "if x:\n    y()\nz()",
            "if x:\n    y()\n    if q:\n        r()\nz()",
            "        if x:\n            y()\n        z()",
            "        if x:\n            y()\n            if q:\n                r()\n        z()",
        ),
        // The base is too deep.
        (
            "        a\n            b",
            "        a\n            c\n                d",
            "    a\n        b",
            "    a\n        c\n            d",
        ),
        // Other widths, other characters.
        ("a\n  b", "a\n  b\n    c", "a\n    b", "a\n    b\n        c"),
        ("a\n    b", "a\n    c\n        d", "a\n\tb", "a\n\tc\n\t\td"),
        ("x", "if q:\n    x", "\tx", "\tif q:\n\t\tx"),
        ("\tx", "\tx\n\t\ty", "    x", "    x\n        y"),
        ("x", "if q:\n\tx", "    x", "    if q:\n        x"),
        // Lines that are only in the new text.
        (
            "def g():\nreturn 1",
            "def g():\nx = 2\ny = 3\nreturn x",
            "def g():\n    return 1",
            "def g():\n    x = 2\n    y = 3\n    return x",
        ),
        (
            "def g():\nreturn 1",
            "def g():\nfor x in y:\nz()\nreturn 1",
            "def g():\n    return 1",
            "def g():\n    for x in y:\n        z()\n    return 1",
        ),
        (
            "if a:\nfoo()\nbar()",
            "if a:\nfoo()\nbaz()\nbar()",
            "if a:\n    foo()\nbar()",
            "if a:\n    foo()\n    baz()\nbar()",
        ),
        // Less than the first line of the old text.
        ("    a", "    b\n  c", "      a", "      b\n    c"),
        ("    a", "b", "        a", "    b"),
        // Blank lines stay as they are.
        ("a\n\nb", "a\n\nc\n", "  a\n\n  b", "  a\n\n  c\n"),
        // The indentation was right.
        ("a\n    b", "a\n  c\n\td", "a\n    b", "a\n  c\n\td"),
    ];
    for (old, new, region, expected) in rows {
        assert_eq!(
            fitted(old, new, region),
            expected,
            "{old:?} {new:?} {region:?}"
        );
    }
}

#[test]
fn a_constant_shift_shifts_the_new_text_by_as_much() {
    let block = "class A:\n    def f(self):\n        if x:\n            return 1\n\n    def g(self):\n        pass";
    let wanted = block.replace("return 1", "y = 2\n            return y");
    for columns in [1, 2, 4, 8] {
        let shifted = |text: &str| {
            text.split('\n')
                .map(|line| match line {
                    "" => String::new(),
                    line => format!("{}{line}", " ".repeat(columns)),
                })
                .collect::<Vec<_>>()
                .join("\n")
        };
        assert_eq!(fitted(block, &wanted, &shifted(block)), shifted(&wanted));
        assert_eq!(fitted(&shifted(block), &shifted(&wanted), block), wanted);
    }
}

#[test]
fn the_words_of_the_new_text_never_change() {
    let texts = [
        "a\nb\n  c",
        "  x\n\ty\n",
        "",
        "\n\n",
        "    q",
        "a\n    b\n  c\nd",
    ];
    for old in texts {
        for new in texts {
            for region in texts {
                let words = |text: &str| {
                    text.split_whitespace()
                        .map(str::to_owned)
                        .collect::<Vec<_>>()
                };
                assert_eq!(words(&fitted(old, new, region)), words(new));
            }
        }
    }
}

#[test]
fn lines_that_have_nothing_to_do_with_each_other_end_in_bounded_work() {
    // Indentations of the same length, none of which begins another one.
    let lines: Vec<String> = (0..200_000_u32)
        .map(|number| {
            let indent: String = (0..18)
                .map(|bit| if number >> bit & 1 == 0 { ' ' } else { '\t' })
                .collect();
            format!("{indent}x{number}")
        })
        .collect();
    let fitted = reindented("a", &lines.join("\n"), " a", &Effort::new(&|| false));
    assert_eq!(fitted, Err(Stopped::TooMuchWork));
}
