//! How an error is shown to a person: what failed, why, and what to do about it, each on lines of its own.

use std::error::Error;

/// Separates an error from its hint in the errors of this program and of the library.
const HINT: &str = "; hint: ";

/// Returns an error as lines: `error: …`, `  caused by: …` for each cause, `hint: …` for each hint.
pub(crate) fn render(error: &dyn Error) -> String {
    let mut lines = String::new();
    let mut hints = String::new();
    let mut opening = "error: ";
    let mut next = Some(error);
    while let Some(error) = next {
        let text = error.to_string();
        let (text, hint) = match text.rsplit_once(HINT) {
            Some((text, hint)) => (text, Some(hint)),
            None => (text.as_str(), None),
        };
        push_line(&mut lines, opening, text);
        if let Some(hint) = hint {
            push_line(&mut hints, "hint: ", hint);
        }
        opening = "  caused by: ";
        next = error.source();
    }
    lines + &hints
}

fn push_line(lines: &mut String, opening: &str, text: &str) {
    lines.push_str(opening);
    lines.push_str(text);
    lines.push('\n');
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("cannot read `script.py`; hint: check its permissions")]
    struct Unreadable(#[source] io::Error);

    #[test]
    fn a_plain_error_is_one_line() {
        assert_eq!(render(&io::Error::other("no room")), "error: no room\n");
    }

    #[test]
    fn cause_and_hint_have_lines_of_their_own() {
        let error = Unreadable(io::Error::other("permission denied"));
        let expected = "error: cannot read `script.py`\n  caused by: permission denied\nhint: check its permissions\n";
        assert_eq!(render(&error), expected);
    }
}
