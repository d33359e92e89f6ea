//! Which files tell agents what to do: those that agents are known to read, and those that the operator names.
//!
//! Letters count in either case, for some agents and some file systems read names so.

use std::ffi::OsStr;
use std::path::Path;

use globset::{Glob, GlobBuilder, GlobSet};

use crate::fs::Homes;

/// Names of files that agents read as instructions.
const NAMES: [&str; 4] = ["agents.md", "claude.md", "soul.md", ".cursorrules"];

/// Directory of a project whose files agents read as instructions.
const PROJECT_DIRECTORY: &str = ".hermes";

/// The files, as far as the operator names them; the well-known ones always belong to them.
#[derive(Debug, Clone)]
pub(super) struct Instructions {
    further: GlobSet,
}

impl Instructions {
    /// Takes the operator's patterns. One that is no glob is told in the log and left out.
    pub(super) fn new(patterns: &[String]) -> Self {
        let globs = patterns.iter().filter_map(|pattern| {
            let warn = |error| tracing::warn!("protected_instruction_patterns: {error}");
            glob(pattern).map_err(warn).ok()
        });
        let mut further = GlobSet::builder();
        for glob in globs {
            further.add(glob);
        }
        let further = further.build().unwrap_or_else(|error| {
            tracing::warn!("protected_instruction_patterns: {error}");
            GlobSet::empty()
        });
        Self { further }
    }

    /// Returns whether a file is one of them, by its absolute path.
    pub(super) fn hold(&self, homes: &Homes, path: &Path) -> bool {
        let is_named = |part: Option<&OsStr>, names: &[&str]| {
            part.and_then(|part| part.to_str())
                .is_some_and(|part| names.contains(&part.to_lowercase().as_str()))
        };
        let parent = path.parent();
        is_named(path.file_name(), &NAMES)
            || self.further.is_match(path)
            || is_named(parent.and_then(Path::file_name), &[PROJECT_DIRECTORY])
                && parent
                    .and_then(|parent| homes.below_hermes(parent))
                    .is_none()
    }
}

/// Makes a pattern one of whole paths: unless it begins at the root, any directory may stand before it.
fn glob(pattern: &str) -> Result<Glob, globset::Error> {
    let pattern = if pattern.starts_with('/') {
        pattern.to_owned()
    } else {
        format!("**/{pattern}")
    };
    GlobBuilder::new(&pattern)
        .literal_separator(true)
        .case_insensitive(true)
        .build()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hold(patterns: &[&str], path: &str) -> bool {
        let patterns: Vec<String> = patterns.iter().map(ToString::to_string).collect();
        Instructions::new(&patterns).hold(&Homes::default(), Path::new(path))
    }

    #[test]
    fn well_known_files_belong_to_them_without_a_pattern() {
        for path in ["/w/AGENTS.md", "/w/x/.CursorRules", "/w/.hermes/plan.md"] {
            assert!(hold(&[], path), "{path}");
        }
        for path in ["/w/AGENTS.md.bak", "/w/.hermes/x/plan.md", "/w/agents"] {
            assert!(!hold(&[], path), "{path}");
        }
    }

    #[test]
    fn a_pattern_names_files_wherever_they_lie_unless_it_begins_at_the_root() {
        let rows = [
            ("GEMINI.md", "/w/x/gemini.MD", true),
            ("GEMINI.md", "/w/x/GEMINI.md/y", false),
            ("*.rules", "/w/x/a.rules", true),
            ("*.rules", "/w/x.rules/a", false),
            (".github/*.md", "/w/.github/copilot.md", true),
            (".github/*.md", "/w/.github/x/copilot.md", false),
            (".cursor/**", "/w/.cursor/rules/x.mdc", true),
            ("/w/prompt?.txt", "/w/prompt1.txt", true),
            ("/w/prompt?.txt", "/x/w/prompt1.txt", false),
            ("{a,b}.md", "/w/b.md", true),
        ];
        for (pattern, path, expected) in rows {
            assert_eq!(hold(&[pattern], path), expected, "{pattern} {path}");
        }
    }

    #[test]
    fn a_broken_pattern_takes_no_other_with_it() {
        assert!(hold(&["[", "GEMINI.md", "{a"], "/w/GEMINI.md"));
        assert!(!hold(&["[", "GEMINI.md", "{a"], "/w/a"));
    }
}
