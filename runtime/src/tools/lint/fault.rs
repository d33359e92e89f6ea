//! Why a text did not pass its check, and where in it.

/// Says why a text did not pass.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// The text is not well-formed: the kind of error, its message and its position, as Python would show them.
    Syntax(String),
    /// The check gave up before it knew.
    Uncheckable(&'static str),
}

impl Fault {
    /// Makes the fault that a parser found at a byte of the text.
    pub(super) fn at(text: &str, byte: usize, kind: &str, message: &str) -> Self {
        let (before, _) = text.split_at(text.floor_char_boundary(byte));
        let number = before.matches('\n').count() + 1;
        let line = before.rsplit('\n').next().unwrap_or_default();
        Self::in_line(number, line.chars().count() + 1, kind, message)
    }

    /// Makes the fault that a parser found at a line and column, both counted from 1.
    pub(super) fn in_line(line: usize, column: usize, kind: &str, message: &str) -> Self {
        Self::Syntax(format!("{kind}: {message} (line {line}, column {column})"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_lines_and_characters_from_one() {
        let rows = [
            ("", 0, "E: m (line 1, column 1)"),
            ("ab", 2, "E: m (line 1, column 3)"),
            ("\nab", 0, "E: m (line 1, column 1)"),
            ("\nab", 1, "E: m (line 2, column 1)"),
            ("a\nü\nöx", 7, "E: m (line 3, column 2)"),
            ("a\nü", 3, "E: m (line 2, column 1)"),
            ("a\n", 99, "E: m (line 2, column 1)"),
        ];
        for (text, byte, expected) in rows {
            let fault = Fault::at(text, byte, "E", "m");
            assert_eq!(fault, Fault::Syntax(expected.to_owned()), "{text:?} {byte}");
        }
    }
}
