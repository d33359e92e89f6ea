//! The files that a search looks at: those below its roots that are visible, fit the glob, and may be read.

use std::ffi::OsStr;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

use ignore::overrides::{Override, OverrideBuilder};

use super::ignores::{self, Ignores};
use super::walk::{Found, Root, Visibility, Walk, rules_above};
use super::watch::{Gap, Watch};
use crate::fs::{Kind, OpenFault, ReadDenials, RegularFile};

/// Holds the roots of a search and what limits it.
pub(super) struct Tree {
    roots: Vec<(Arc<Root>, Kind, Arc<Ignores>)>,
    glob: Override,
    denials: Arc<ReadDenials>,
}

impl Tree {
    /// Prepares a search below roots; the error is the explanation of a glob that is none.
    ///
    /// The user's own ignore rules of git count only where scripts are not confined, for they lie outside of every grant.
    pub(super) fn new(
        roots: Vec<(Root, Kind)>,
        file_glob: Option<&str>,
        is_confined: bool,
        denials: Arc<ReadDenials>,
    ) -> Result<Self, String> {
        let mut glob = OverrideBuilder::new("");
        if let Some(file_glob) = file_glob {
            glob.add(file_glob).map_err(|error| error.to_string())?;
        }
        let glob = glob.build().map_err(|error| error.to_string())?;
        let roots = roots.into_iter().map(|(root, kind)| {
            let global = if is_confined {
                ignore::gitignore::Gitignore::empty()
            } else {
                ignores::global()
            };
            let rules = rules_above(&root.place, Ignores::outermost(global));
            (Arc::new(root), kind, rules)
        });
        Ok(Self {
            roots: roots.collect(),
            glob,
            denials,
        })
    }

    /// Yields the files to look into, in order: the visible ones, or only the hidden and ignored ones.
    pub(super) fn files<'t>(
        &'t self,
        unseen: bool,
        watch: &'t Watch,
    ) -> impl Iterator<Item = Met> + 't {
        self.entries(unseen, watch, |met| !met.is_directory())
    }

    /// Yields the visible files and directories whose names fit, in order.
    pub(super) fn named<'t>(
        &'t self,
        fits: impl Fn(&OsStr) -> bool + 't,
        watch: &'t Watch,
    ) -> impl Iterator<Item = Met> + 't {
        self.entries(false, watch, move |met| met.name().is_some_and(&fits))
    }

    fn entries<'t>(
        &'t self,
        unseen: bool,
        watch: &'t Watch,
        is_wanted: impl Fn(&Met) -> bool + 't,
    ) -> impl Iterator<Item = Met> + 't {
        self.roots
            .iter()
            .flat_map(move |(root, kind, rules)| self.below(root, *kind, rules, unseen, watch))
            .filter(move |met| {
                if !is_wanted(met) {
                    return false;
                }
                let is_allowed = self.denials.check(&met.absolute()).is_none();
                if !is_allowed {
                    watch.skip(Gap::Denied);
                }
                is_allowed
            })
    }

    fn below<'t>(
        &'t self,
        root: &'t Arc<Root>,
        kind: Kind,
        rules: &Arc<Ignores>,
        unseen: bool,
        watch: &'t Watch,
    ) -> Box<dyn Iterator<Item = Met> + 't> {
        if kind != Kind::Directory {
            if unseen {
                return Box::new(std::iter::empty());
            }
            return Box::new(std::iter::once(Met::Itself(Arc::clone(root))));
        }
        let visibility = if unseen {
            Visibility::Unseen(Arc::clone(rules))
        } else {
            Visibility::Shown(Arc::clone(rules))
        };
        let walk = Walk::new(root, visibility, watch, &self.glob);
        let fits = |found: &Found| {
            found.is_directory
                || self.glob.is_empty()
                || !self
                    .glob
                    .matched(found.node.inner(&found.entry), false)
                    .is_ignore()
        };
        Box::new(walk.filter(fits).map(Met::Below))
    }
}

/// A file or directory that a search met.
#[derive(Debug)]
pub(super) enum Met {
    /// An entry below a root.
    Below(Found),
    /// A root that is a file.
    Itself(Arc<Root>),
}

impl Met {
    /// Opens the file for reading.
    pub(super) fn open(&self) -> Result<RegularFile, OpenFault> {
        match self {
            Self::Below(found) => found.node.directory.open_file(&found.entry),
            Self::Itself(root) => root.place.open(),
        }
    }

    /// Returns the path as it is shown to the script.
    pub(super) fn shown(&self) -> String {
        match self {
            Self::Below(found) => found.node.shown(&found.entry),
            Self::Itself(root) => root.given.clone(),
        }
    }

    /// Returns the absolute path.
    pub(super) fn absolute(&self) -> PathBuf {
        match self {
            Self::Below(found) => found.node.absolute(&found.entry),
            Self::Itself(root) => root.place.absolute(),
        }
    }

    /// Returns the last part of the path.
    pub(super) fn name(&self) -> Option<&OsStr> {
        match self {
            Self::Below(found) => Some(found.entry.name()),
            Self::Itself(root) => root.place.name(),
        }
    }

    /// Returns when it was last modified.
    pub(super) fn modified(&self) -> io::Result<SystemTime> {
        match self {
            Self::Below(found) => found.node.directory.modified(&found.entry),
            Self::Itself(root) => Ok(root.place.metadata()?.modified()?.into_std()),
        }
    }

    /// Tells whether another one is in the same directory.
    pub(super) fn is_beside(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Below(found), Self::Below(other)) => Arc::ptr_eq(&found.node, &other.node),
            _ => false,
        }
    }

    fn is_directory(&self) -> bool {
        matches!(self, Self::Below(found) if found.is_directory)
    }
}
