//! The grammar of a patch text: file headers and the lines that belong to them.

use thiserror::Error;

/// Most files that one patch may name.
const MAX_OPERATIONS: usize = 1_000;

/// What a patch does to one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::tools::patch) enum Operation<'p> {
    Update {
        path: &'p str,
        hunks: Vec<Hunk<'p>>,
    },
    /// The lines that the new file has, without a final newline.
    Add {
        path: &'p str,
        lines: Vec<&'p str>,
    },
    Delete {
        path: &'p str,
    },
    Move {
        from: &'p str,
        to: &'p str,
    },
}

impl<'p> Operation<'p> {
    /// Returns the paths as the headers have them.
    pub(in crate::tools::patch) fn paths(&self) -> impl Iterator<Item = &'p str> {
        let (first, second) = match self {
            Self::Update { path, .. } | Self::Add { path, .. } | Self::Delete { path } => {
                (*path, None)
            }
            Self::Move { from, to } => (*from, Some(*to)),
        };
        std::iter::once(first).chain(second)
    }

    /// Tells whether it is about the file that a symbolic link leads to, and not about the link.
    pub(in crate::tools::patch) fn follows(&self) -> bool {
        matches!(self, Self::Update { .. } | Self::Add { .. })
    }
}

/// One place of a file that changes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::tools::patch) struct Hunk<'p> {
    /// A text that is near the place.
    pub(super) hint: Option<&'p str>,
    pub(super) lines: Vec<Line<'p>>,
}

/// A line of a hunk, without its sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tools::patch) enum Line<'p> {
    Context(&'p str),
    Removed(&'p str),
    Added(&'p str),
    /// A line without even a sign. It is ignored, unless it can only be a blank line of the file.
    Empty,
}

/// A patch that was read.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::tools::patch) struct PatchText<'p> {
    pub(in crate::tools::patch) operations: Vec<Operation<'p>>,
}

impl<'p> PatchText<'p> {
    /// Reads a patch.
    pub(in crate::tools::patch) fn parse(text: &'p str) -> Result<Self, PatchFault> {
        let lines = || {
            let lines = text.split('\n');
            lines.map(|line| line.strip_suffix('\r').unwrap_or(line))
        };
        let end = lines().position(|line| is_marker(line, "End"));
        let end = end.unwrap_or(usize::MAX);
        let begins = lines().take(end).enumerate();
        let begin = begins.filter(|(_, line)| is_marker(line, "Begin")).last();
        let begin = begin.map_or(0, |(index, _)| index + 1);
        let body = || lines().take(end).skip(begin);
        if let Some(path) = body().filter_map(Header::of).find_map(Header::traversal) {
            return Err(PatchFault::Traversal(path.to_owned()));
        }
        let mut operations: Vec<Operation<'_>> = Vec::new();
        let mut faults = Vec::new();
        for line in body() {
            match Header::of(line) {
                Some(header) if operations.len() < MAX_OPERATIONS => match header.operation() {
                    Ok(operation) => operations.push(operation),
                    Err(fault) => {
                        faults.push(fault);
                        // What follows belongs to the faulty header and to no other.
                        operations.push(Operation::Delete { path: "" });
                    }
                },
                Some(_) => return Err(PatchFault::TooManyFiles),
                None => operations
                    .last_mut()
                    .into_iter()
                    .for_each(|last| last.take(line)),
            }
        }
        for operation in &mut operations {
            if let Operation::Update { path, hunks } = operation {
                hunks.retain(|hunk| hunk.lines.iter().any(|line| *line != Line::Empty));
                if hunks.is_empty() {
                    faults.push(format!("UPDATE '{path}': no hunks found"));
                }
            }
        }
        if operations.is_empty() {
            faults.push("no file headers found".to_owned());
        }
        if faults.is_empty() {
            Ok(Self { operations })
        } else {
            Err(PatchFault::Grammar(faults.join("; ")))
        }
    }
}

impl<'p> Operation<'p> {
    /// Takes a line that is no header.
    fn take(&mut self, line: &'p str) {
        match self {
            Self::Update { hunks, .. } => {
                if let Some(rest) = line.strip_prefix("@@") {
                    let hint = rest.split_once("@@").map(|(hint, _)| hint.trim());
                    let hint = hint.filter(|hint| !hint.is_empty());
                    let lines = Vec::new();
                    hunks.push(Hunk { hint, lines });
                } else if let Some(line) = Line::of(line) {
                    if hunks.is_empty() {
                        hunks.push(Hunk::default());
                    }
                    hunks
                        .iter_mut()
                        .last()
                        .into_iter()
                        .for_each(|hunk| hunk.lines.push(line));
                }
            }
            Self::Add { lines, .. } => lines.extend(line.strip_prefix('+')),
            Self::Delete { .. } | Self::Move { .. } => {}
        }
    }
}

impl<'p> Line<'p> {
    fn of(line: &'p str) -> Option<Self> {
        Some(match line.split_at_checked(1) {
            None if line.is_empty() => Self::Empty,
            Some(("+", rest)) => Self::Added(rest),
            Some(("-", rest)) => Self::Removed(rest),
            Some((" ", rest)) => Self::Context(rest),
            // What tells about a missing final newline.
            Some(("\\", _)) => return None,
            // Other writers of this format end a file's hunks so.
            _ if line.trim_end() == "*** End of File" => return None,
            _ => Self::Context(line),
        })
    }
}

/// A line that names a file.
#[derive(Debug, Clone, Copy)]
struct Header<'p> {
    verb: &'p str,
    path: &'p str,
}

impl<'p> Header<'p> {
    fn of(line: &'p str) -> Option<Self> {
        let rest = line.strip_prefix("***")?.trim_start();
        let (verb, rest) = rest.split_at_checked(rest.find(char::is_whitespace)?)?;
        let path = rest.trim_start().strip_prefix("File:")?.trim();
        ["Update", "Add", "Delete", "Move"]
            .contains(&verb)
            .then_some(Self { verb, path })
    }

    /// Returns the path that leads upwards by its text, if there is one.
    fn traversal(self) -> Option<&'p str> {
        let climbs = |path: &&str| path.split(['/', '\\']).any(|name| name == "..");
        let paths = match self.moved() {
            Some((from, to)) => [Some(from), Some(to)],
            None => [Some(self.path), None],
        };
        paths.into_iter().flatten().find(climbs)
    }

    fn moved(self) -> Option<(&'p str, &'p str)> {
        let is_move = self.verb == "Move";
        let (from, to) = self.path.split_once("->").filter(|_| is_move)?;
        Some((from.trim(), to.trim()))
    }

    fn operation(self) -> Result<Operation<'p>, String> {
        let path = self.path;
        if path.is_empty() {
            return Err("Operation with empty file path".to_owned());
        }
        Ok(match self.verb {
            "Update" => Operation::Update {
                path,
                hunks: Vec::new(),
            },
            "Add" => Operation::Add {
                path,
                lines: Vec::new(),
            },
            "Delete" => Operation::Delete { path },
            _ => match self.moved() {
                Some(("", _)) => return Err("Operation with empty file path".to_owned()),
                Some((from, to)) if !to.is_empty() => Operation::Move { from, to },
                moved => {
                    let from = moved.map_or(path, |(from, _)| from);
                    return Err(format!(
                        "MOVE '{from}': missing destination path (expected 'src -> dst')"
                    ));
                }
            },
        })
    }
}

/// Tells whether a whole line begins or ends a patch.
fn is_marker(line: &str, verb: &str) -> bool {
    line.strip_prefix("***")
        .is_some_and(|words| words.split_whitespace().eq([verb, "Patch"]))
}

/// Says why a text is no patch.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(in crate::tools::patch) enum PatchFault {
    #[error(
        "V4A patch header contains '..' traversal: '{0}'. Use the agent's cwd-relative path (no '..') or an absolute path in '*** Update File:' / '*** Add File:' / '*** Delete File:' / '*** Move File:' headers."
    )]
    Traversal(String),
    #[error("Failed to parse patch: Parse error: {0}")]
    Grammar(String),
    #[error("Failed to parse patch: Parse error: more than {MAX_OPERATIONS} files in one patch")]
    TooManyFiles,
}

#[cfg(test)]
mod tests;
