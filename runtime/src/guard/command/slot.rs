//! What the next word is to the command that is being read: a keyword or a program, a part of a `case`, or an argument.
//!
//! Only where the shell itself takes a word as a keyword may it change how the text is read; in doubt it is an argument.

/// The role of the next word in a command.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Slot {
    /// The first word, which may be a keyword.
    #[default]
    Start,
    /// The program behind assignments or redirections, where keywords are words like others.
    Program,
    Argument,
    /// An argument of `declare` or the like, which may be an assignment.
    Declaration,
    /// What follows `for`.
    Loop,
    /// What follows `function`.
    FunctionName,
    /// What follows `case`.
    Subject,
    /// The `in` of a `case`.
    In,
    /// A pattern of a `case`.
    Pattern {
        /// Whether nothing of the pattern was read, so that `esac` ends the `case`.
        is_first: bool,
    },
}

/// What a word does to the `case` around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CaseStep {
    None,
    Opens,
    Closes,
}

/// Commands whose arguments may be assignments.
pub(super) const DECLARERS: [&str; 5] = ["declare", "export", "local", "readonly", "typeset"];
/// Keywords behind which a command begins or another keyword stands.
const KEYWORDS: [&str; 16] = [
    "!", "coproc", "do", "done", "elif", "else", "esac", "fi", "if", "in", "then", "time", "until",
    "while", "{", "}",
];

impl Slot {
    /// Returns the slot behind a word; a disguised one was quoted or is expanded, so that it is no keyword.
    pub(super) fn behind(self, word: &str, is_disguised: bool, in_case: bool) -> (Self, CaseStep) {
        let next = match (self, word) {
            (Self::Pattern { is_first: true }, "esac") if !is_disguised => {
                return (Self::Start, CaseStep::Closes);
            }
            (Self::Start, "esac") if in_case && !is_disguised => {
                return (Self::Start, CaseStep::Closes);
            }
            (Self::In, "in") if !is_disguised => {
                return (Self::Pattern { is_first: true }, CaseStep::Opens);
            }
            (Self::Pattern { .. }, _) => Self::Pattern { is_first: false },
            (Self::Start, "case") if !is_disguised => Self::Subject,
            (Self::Start, "for" | "select") if !is_disguised => Self::Loop,
            (Self::Start, "function") if !is_disguised => Self::FunctionName,
            (Self::Start, keyword) if !is_disguised && KEYWORDS.contains(&keyword) => Self::Start,
            (Self::Start | Self::Program, declarer) if DECLARERS.contains(&declarer) => {
                Self::Declaration
            }
            (Self::Start | Self::Program, word) if is_assignment(word) => Self::Program,
            (Self::FunctionName, _) => Self::Start,
            (Self::Subject, _) => Self::In,
            (Self::Declaration, _) => Self::Declaration,
            _ => Self::Argument,
        };
        (next, CaseStep::None)
    }

    /// Tells whether an assignment may stand here.
    pub(super) fn takes_assignment(self) -> bool {
        matches!(self, Self::Start | Self::Program | Self::Declaration)
    }
}

/// Tells whether a word sets a variable or an element of one.
pub(super) fn is_assignment(word: &str) -> bool {
    word.split_once('=')
        .is_some_and(|(name, _)| is_variable(name.strip_suffix('+').unwrap_or(name)))
}

/// Tells whether a text is the name of a variable, perhaps with a subscript.
fn is_variable(text: &str) -> bool {
    let name = match text.split_once('[') {
        Some((name, subscript)) if subscript.ends_with(']') => name,
        Some(_) => return false,
        None => text,
    };
    is_name(name)
}

/// Tells whether a text could be the name of a variable.
pub(super) fn is_name(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with(|first: char| first.is_ascii_digit())
        && text
            .chars()
            .all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_count_only_where_the_shell_takes_them() {
        let rows = [
            (Slot::Start, "case", false, Slot::Subject),
            (Slot::Start, "case", true, Slot::Argument),
            (Slot::Program, "case", false, Slot::Argument),
            (Slot::Start, "then", false, Slot::Start),
            (Slot::Argument, "then", false, Slot::Argument),
            (Slot::Loop, "case", false, Slot::Argument),
            (Slot::FunctionName, "case", false, Slot::Start),
            (Slot::Start, "A[]+=1", false, Slot::Program),
            (Slot::Program, "export", false, Slot::Declaration),
            (Slot::Declaration, "x", false, Slot::Declaration),
            (Slot::Start, "rm", false, Slot::Argument),
        ];
        for (slot, word, is_disguised, expected) in rows {
            let found = slot.behind(word, is_disguised, false);
            assert_eq!(found, (expected, CaseStep::None), "{slot:?} {word}");
        }
    }

    #[test]
    fn a_case_opens_with_in_and_closes_with_esac() {
        let first = Slot::Pattern { is_first: true };
        let later = Slot::Pattern { is_first: false };
        let rows = [
            (Slot::In, "in", (first, CaseStep::Opens)),
            (Slot::In, "out", (Slot::Argument, CaseStep::None)),
            (first, "esac", (Slot::Start, CaseStep::Closes)),
            (later, "esac", (later, CaseStep::None)),
            (first, "x", (later, CaseStep::None)),
            (Slot::Start, "esac", (Slot::Start, CaseStep::Closes)),
        ];
        for (slot, word, expected) in rows {
            assert_eq!(slot.behind(word, false, true), expected, "{slot:?} {word}");
        }
    }
}
