//! Which files tell agents what to do: those that agents are known to read, and those that the operator names.
//!
//! Letters count in either case, for some agents and some file systems read names so. What a link of such a name leads to is one of them as well,
//! if the link lies in a directory above it: people keep one text for several agents.

use std::ffi::OsStr;
use std::path::Path;
use std::slice;

use globset::{Glob, GlobBuilder, GlobSet};

use crate::config::Config;
use crate::fs::{Homes, leads_to};

/// Names of files that agents read as instructions.
const NAMES: [&str; 4] = ["agents.md", "claude.md", "soul.md", ".cursorrules"];

/// How links to such files are called; a directory is not searched for other spellings of them.
const LINKS: [&str; 7] = [
    "AGENTS.md",
    "CLAUDE.md",
    "SOUL.md",
    "agents.md",
    "claude.md",
    "soul.md",
    ".cursorrules",
];

/// Directories above a file in which links to it are looked for.
const MAX_LEVELS: usize = 32;

/// Directory of a project whose files agents read as instructions.
const PROJECT_DIRECTORY: &str = ".hermes";

/// The files, as far as the operator names them; the well-known ones always belong to them.
#[derive(Debug, Clone)]
pub(super) struct Instructions {
    /// One set of all patterns, or sets of one where all together are too many.
    further: Vec<GlobSet>,
    /// Those of the operator's patterns that name one file in each directory.
    further_links: Vec<String>,
}

impl Instructions {
    /// Takes the operator's patterns. One that is no glob is told in the log and left out.
    pub(super) fn new(patterns: &[String]) -> Self {
        let warn = |error: globset::Error| {
            tracing::warn!(target: Config::LOG_TARGET, "protected_instruction_patterns: {error}");
        };
        let globs = patterns
            .iter()
            .filter_map(|pattern| glob(pattern).map_err(warn).ok());
        let globs: Vec<_> = globs.collect();
        let further = match set_of(&globs) {
            Ok(set) => vec![set],
            Err(_) => globs
                .iter()
                .filter_map(|glob| set_of(slice::from_ref(glob)).map_err(warn).ok())
                .collect(),
        };
        let is_name =
            |pattern: &&String| !pattern.contains(['*', '?', '[', ']', '{', '}', '!', '\\']);
        Self {
            further,
            further_links: patterns.iter().filter(is_name).cloned().collect(),
        }
    }

    /// Returns whether a file is one of them, by its absolute path and by the links that lead to it now.
    pub(super) fn hold(&self, homes: &Homes, path: &Path) -> bool {
        self.are_called(homes, path) || self.are_linked(homes, path)
    }

    fn are_linked(&self, homes: &Homes, path: &Path) -> bool {
        let further = self.further_links.iter().map(String::as_str);
        let names: Vec<_> = LINKS.into_iter().chain(further).collect();
        let mut above = path.ancestors().skip(1).take(MAX_LEVELS);
        above.any(|directory| {
            let of_project = directory.join(PROJECT_DIRECTORY);
            let is_of_project = || {
                let holds = path
                    .parent()
                    .is_some_and(|parent| leads_to(&of_project, parent));
                holds && !homes.is_in_hermes(&of_project)
            };
            names
                .iter()
                .any(|name| leads_to(&directory.join(name), path))
                || is_of_project()
        })
    }

    fn are_called(&self, homes: &Homes, path: &Path) -> bool {
        let is_named = |part: Option<&OsStr>, names: &[&str]| {
            part.and_then(|part| part.to_str())
                .is_some_and(|part| names.contains(&part.to_lowercase().as_str()))
        };
        let parent = path.parent();
        is_named(path.file_name(), &NAMES)
            || self.further.iter().any(|set| set.is_match(path))
            || is_named(parent.and_then(Path::file_name), &[PROJECT_DIRECTORY])
                && !parent.is_some_and(|parent| homes.is_in_hermes(parent))
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

/// Fails where the patterns together are too many, or too large.
fn set_of(globs: &[Glob]) -> Result<GlobSet, globset::Error> {
    let mut set = GlobSet::builder();
    for glob in globs {
        set.add(glob.clone());
    }
    set.build()
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

    #[cfg(unix)]
    #[test]
    #[expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]
    fn what_a_link_above_leads_to_belongs_to_them() {
        use std::fs;
        use std::os::unix::fs::symlink;

        let place = tempfile::tempdir().unwrap();
        let root = place.path().canonicalize().unwrap();
        for directory in ["p/docs/deep", "p/conf", "home"] {
            fs::create_dir_all(root.join(directory)).unwrap();
        }
        fs::write(root.join("p/docs/x.md"), "").unwrap();
        for (link, target) in [
            ("p/CLAUDE.md", "AGENTS.md"),
            ("p/AGENTS.md", "docs/x.md"),
            ("SOUL.md", "p/docs/deep/missing.md"),
            ("p/.hermes", "conf"),
            ("p/GEMINI.md", "docs/gemini"),
            ("p/notes.md", "docs/notes"),
            ("home/.hermes", "../home2"),
        ] {
            symlink(target, root.join(link)).unwrap();
        }
        fs::create_dir_all(root.join("home2")).unwrap();
        let homes = Homes::of(Some(root.join("home")), None).with_links();
        let patterns = ["GEMINI.md".to_owned(), "*.rules".to_owned()];
        let instructions = Instructions::new(&patterns);
        for (path, expected) in [
            ("p/docs/x.md", true),
            ("p/docs/deep/missing.md", true),
            ("p/conf/plan.md", true),
            ("p/conf/deep/plan.md", false),
            ("p/docs/gemini", true),
            ("p/docs/notes", false),
            ("p/docs/other.md", false),
            ("home2/notes", false),
        ] {
            let found = instructions.hold(&homes, &root.join(path));
            assert_eq!(found, expected, "{path}");
        }
    }

    #[test]
    fn a_broken_pattern_takes_no_other_with_it() {
        assert!(hold(&["[", "GEMINI.md", "{a"], "/w/GEMINI.md"));
        assert!(!hold(&["[", "GEMINI.md", "{a"], "/w/a"));
        // Too large alone, and too large together.
        let large = "?".repeat(200_000);
        assert!(hold(&[&large, "GEMINI.md"], "/w/GEMINI.md"));
        let wide = format!("{{{}}}", vec!["x?y*z"; 40].join(","));
        let many = vec![wide.as_str(); 1_500];
        assert!(hold(
            &[many.as_slice(), &["GEMINI.md"]].concat(),
            "/w/GEMINI.md"
        ));
    }
}
