//! Which entries ripgrep would not look at: hidden ones, and those that ignore files name.
//!
//! The rules of a directory count for everything below it, the innermost ones most. Rules of git count only inside of
//! a repository. Ignore files above the granted directory are never read.

use std::ffi::OsStr;
use std::path::Path;
use std::sync::Arc;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder, Glob};

use crate::fs::{Directory, Entry, Kind, find_entry};
use crate::system;

/// Largest ignore file in bytes; a larger one is left out, for every line costs time in each directory below.
const MAX_IGNORE_BYTES: u64 = 64 * 1024;

/// The rules that count in one directory: its own and, by way of its parents, those above.
#[derive(Debug)]
pub(super) struct Ignores {
    above: Option<Arc<Ignores>>,
    /// Length in bytes of the path of the directory that the rules are in, with its slash.
    prefix: usize,
    /// `.ignore`, then `.rgignore`, which wins.
    plain: [Gitignore; 2],
    git: Gitignore,
    exclude: Gitignore,
    has_git: bool,
    in_repository: bool,
}

impl Ignores {
    /// Makes the rules of a walk's outermost directory; `global` are the user's own rules of git.
    pub(super) fn outermost(global: Gitignore) -> Arc<Self> {
        Arc::new(Self {
            above: None,
            prefix: 0,
            plain: [Gitignore::empty(), Gitignore::empty()],
            git: Gitignore::empty(),
            exclude: global,
            has_git: false,
            in_repository: false,
        })
    }

    /// Adds the rules of a directory whose path below the granted directory is `path`.
    pub(super) fn entered(
        self: &Arc<Self>,
        directory: &Directory,
        entries: &[Entry],
        path: &[u8],
    ) -> Arc<Self> {
        let rules = |name| {
            find_entry(entries, name)
                .and_then(|entry| directory.read_small(entry, MAX_IGNORE_BYTES))
                .map_or_else(Gitignore::empty, |text| compiled(&text))
        };
        let git_entry = find_entry(entries, ".git");
        let has_git = git_entry.is_some();
        let in_repository = has_git || self.in_repository;
        let own = Self {
            above: Some(Arc::clone(self)),
            prefix: if path.is_empty() { 0 } else { path.len() + 1 },
            plain: [rules(".rgignore"), rules(".ignore")],
            // Compiled only where they count, for a tree of many projects has many of them.
            git: if in_repository {
                rules(".gitignore")
            } else {
                Gitignore::empty()
            },
            exclude: git_entry
                .filter(|entry| directory.kind(entry) == Kind::Directory)
                .map_or_else(Gitignore::empty, |entry| exclude(directory, entry)),
            has_git,
            in_repository,
        };
        if own.is_empty() {
            Arc::clone(self)
        } else {
            Arc::new(own)
        }
    }

    /// Tells whether an entry is left out; `path` returns its path below the granted directory.
    pub(super) fn hide(
        &self,
        path: impl FnOnce() -> Vec<u8>,
        name: &OsStr,
        is_directory: bool,
    ) -> bool {
        let has_rules = self.above.is_some() || !self.is_empty();
        let ruled = if has_rules {
            self.ruled(&path(), is_directory)
        } else {
            Match::None
        };
        match ruled {
            Match::Ignore(()) => true,
            // A rule that calls an entry back shows it even if it is hidden.
            Match::Whitelist(()) => false,
            Match::None => name.as_encoded_bytes().starts_with(b"."),
        }
    }

    fn ruled(&self, path: &[u8], is_directory: bool) -> Match<()> {
        let mut by_kind = [Match::None, Match::None, Match::None, Match::None];
        let mut left_repository = !self.in_repository;
        let mut level = Some(self);
        while let Some(rules) = level {
            let below = system::name_of(path.get(rules.prefix..).unwrap_or(path));
            let below = Path::new(&below);
            let [rgignore, ignore] = &rules.plain;
            let kinds = [
                (rgignore, true),
                (ignore, true),
                (&rules.git, false),
                (&rules.exclude, false),
            ];
            for (found, (globs, counts)) in by_kind.iter_mut().zip(kinds) {
                // The user's own rules count for every repository, wherever it begins.
                let counts =
                    counts || !left_repository || rules.above.is_none() && self.in_repository;
                if found.is_none() && counts {
                    *found = verdict(&globs.matched(below, is_directory));
                }
            }
            left_repository |= rules.has_git;
            level = rules.above.as_deref();
        }
        by_kind.into_iter().fold(Match::None, Match::or)
    }

    fn is_empty(&self) -> bool {
        let rules = [&self.git, &self.exclude];
        !self.has_git && self.plain.iter().chain(rules).all(Gitignore::is_empty)
    }
}

/// Returns the rules of git that hold in all repositories of the user of this process.
pub(super) fn global() -> Gitignore {
    GitignoreBuilder::new("").build_global().0
}

fn verdict(found: &Match<&Glob>) -> Match<()> {
    match found {
        Match::None => Match::None,
        Match::Ignore(_) => Match::Ignore(()),
        Match::Whitelist(_) => Match::Whitelist(()),
    }
}

fn exclude(directory: &Directory, git: &Entry) -> Gitignore {
    let read = || {
        let git = directory.enter(git).ok()?;
        let entries = git.entries(&|| false).ok()?;
        let info = git.enter(find_entry(&entries, "info")?).ok()?;
        let entries = info.entries(&|| false).ok()?;
        info.read_small(find_entry(&entries, "exclude")?, MAX_IGNORE_BYTES)
    };
    read().map_or_else(Gitignore::empty, |text| compiled(&text))
}

fn compiled(text: &[u8]) -> Gitignore {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let mut builder = GitignoreBuilder::new("");
    for line in String::from_utf8_lossy(text).lines() {
        // A line that is no glob hides nothing, as for git.
        let _ = builder.add_line(None, line);
    }
    builder.build().unwrap_or_else(|_| Gitignore::empty())
}
