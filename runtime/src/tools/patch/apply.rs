//! Changes files on disk, all or none: each one at once, and what was done is undone when something fails.
//!
//! New content is written before anything is renamed or removed, so that a crash at any moment loses nothing: every file
//! is then the old or the new one.

use std::ffi::OsStr;
use std::io;
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use cap_std::fs::Dir;
use thiserror::Error;

use super::target;
use crate::fs::{MissingDirectories, OldFile, Place, ReadDenials, WriteFault, overwrite};
use crate::system;

/// Held while files change, so that of two patches of one file the later one sees what the earlier one did.
static CHANGING: Mutex<()> = Mutex::new(());

/// A name is free at the first try unless a process with the same number died here.
const MAX_NAME_TRIES: u32 = 100;

/// One change of a file.
#[derive(Debug)]
pub(super) enum Step<'s> {
    /// Puts a file there.
    Write {
        place: &'s Place,
        shown: &'s str,
        /// The file that is there.
        old: Option<&'s OldFile>,
        /// Another file whose mode and owner the new one takes over.
        like: Option<&'s OldFile>,
        content: &'s [u8],
    },
    /// Renames a file to a name that is free.
    Rename {
        from: &'s Place,
        to: &'s Place,
        shown: &'s str,
    },
    Delete {
        place: &'s Place,
        shown: &'s str,
    },
}

impl Step<'_> {
    /// Returns when its turn is.
    pub(super) fn rank(&self) -> u8 {
        match self {
            Self::Write { .. } => 0,
            Self::Rename { .. } => 1,
            Self::Delete { .. } => 2,
        }
    }

    /// Tells whether the files are still those for which the step was made.
    fn is_current(&self, denials: &ReadDenials) -> bool {
        match self {
            Self::Write {
                place,
                old: Some(old),
                ..
            } => {
                let now = target::read(place, denials);
                now.is_ok_and(|now| now.is_some_and(|now| now.start == old.start))
            }
            Self::Write { place, .. } => !place.has_entry(),
            Self::Rename { from, to, .. } => from.has_entry() && !to.has_entry(),
            Self::Delete { place, .. } => place.has_entry(),
        }
    }

    fn run(&self, is_over: &dyn Fn() -> bool) -> Result<Undo<'_>, Failure> {
        let failure = |verb: &'static str, shown: &str, why: String| Failure {
            verb,
            path: shown.to_owned(),
            why,
            is_lasting: false,
        };
        match self {
            Self::Write {
                place,
                shown,
                old,
                like,
                content,
            } => {
                let verb = if old.is_some() { "update" } else { "add" };
                let made = MissingDirectories::of(place);
                let written = overwrite(place, old.or(*like), content, is_over);
                let undo = match old {
                    Some(old) => Undo::Restore { place, old },
                    None => Undo::Remove { place, made },
                };
                match written {
                    Ok(_) => Ok(undo),
                    Err(fault) => Err(Failure {
                        // What something else wrote meanwhile is not ours to take away.
                        is_lasting: matches!(fault, WriteFault::Unverified { .. }),
                        ..failure(verb, shown, fault.explain(place))
                    }),
                }
            }
            Self::Rename { from, to, shown } => {
                let made = MissingDirectories::of(to);
                let renamed = over(is_over).and_then(|()| rename(from, to));
                match renamed {
                    Ok(()) => Ok(Undo::RenameBack { from, to, made }),
                    Err(error) => {
                        made.remove();
                        Err(failure("move", shown, from.explain(&error, "move")))
                    }
                }
            }
            Self::Delete { place, shown } => match over(is_over).and_then(|()| set_aside(place)) {
                Ok(aside) => Ok(Undo::PutBack { place, aside }),
                Err(error) => Err(failure("delete", shown, place.explain(&error, "delete"))),
            },
        }
    }
}

/// Runs steps in their order; when one fails, the ones before are undone.
///
/// `is_over` tells that nobody wants the steps any more; it is asked until the last file has its place.
pub(super) fn apply(
    steps: &[Step<'_>],
    denials: &ReadDenials,
    is_over: &dyn Fn() -> bool,
) -> Result<(), ApplyFault> {
    let _changing = CHANGING.lock().unwrap_or_else(PoisonError::into_inner);
    if !steps.iter().all(|step| step.is_current(denials)) {
        return Err(ApplyFault::Stale);
    }
    let mut done = Vec::new();
    for step in steps {
        match step.run(is_over) {
            Ok(undo) => done.push(undo),
            Err(failure) => {
                let mut is_restored = !failure.is_lasting;
                let mut failures = vec![failure];
                for undo in done.into_iter().rev() {
                    if let Err(failure) = undo.run() {
                        is_restored = false;
                        failures.push(failure);
                    }
                }
                return Err(ApplyFault::Failed {
                    failures,
                    is_restored,
                });
            }
        }
    }
    for undo in done {
        if let Undo::PutBack { aside, .. } = undo {
            // Renaming the file has shown that it may be removed. Should that fail after all, its data is still there.
            let _ = aside.dir().remove_file(aside.path());
        }
    }
    Ok(())
}

/// Says why the files are not as the steps would have them.
#[derive(Debug)]
pub(super) enum ApplyFault {
    /// A file is not any more what the steps were made for. Nothing was changed.
    Stale,
    /// A step failed.
    Failed {
        failures: Vec<Failure>,
        /// Whether all files are again what they were.
        is_restored: bool,
    },
}

/// Says which change failed, and why.
#[derive(Debug, Error)]
#[error("Failed to {verb} {path}: {why}")]
pub(super) struct Failure {
    verb: &'static str,
    path: String,
    pub(super) why: String,
    /// Whether the file is nevertheless not what it was.
    is_lasting: bool,
}

/// The way back from a step.
#[derive(Debug)]
enum Undo<'s> {
    Restore {
        place: &'s Place,
        old: &'s OldFile,
    },
    Remove {
        place: &'s Place,
        made: MissingDirectories,
    },
    RenameBack {
        from: &'s Place,
        to: &'s Place,
        made: MissingDirectories,
    },
    PutBack {
        place: &'s Place,
        aside: Place,
    },
}

impl Undo<'_> {
    fn run(self) -> Result<(), Failure> {
        let (place, undone) = match &self {
            // Nobody may stop what puts things right.
            Self::Restore { place, old } => (
                *place,
                overwrite(place, Some(old), &old.start, &|| false)
                    .map(drop)
                    .map_err(|fault| fault.explain(place)),
            ),
            Self::Remove { place, made } => {
                let removed = place.dir().remove_file(place.path());
                made.remove();
                (*place, removed.map_err(|error| error.to_string()))
            }
            Self::RenameBack { from, to, made } => {
                let renamed = rename(to, from);
                made.remove();
                (*from, renamed.map_err(|error| error.to_string()))
            }
            Self::PutBack { place, aside } => (
                *place,
                rename(aside, place).map_err(|error| error.to_string()),
            ),
        };
        undone.map_err(|why| Failure {
            verb: "restore",
            path: place.given().to_owned(),
            why,
            is_lasting: true,
        })
    }
}

fn over(is_over: &dyn Fn() -> bool) -> io::Result<()> {
    if is_over() {
        Err(io::Error::new(
            io::ErrorKind::Interrupted,
            "the cell has ended",
        ))
    } else {
        Ok(())
    }
}

/// Gives a file another name, which must be free; directories are made.
fn rename(from: &Place, to: &Place) -> io::Result<()> {
    let (from_dir, from_name) = open_parent(from)?;
    let (to_dir, to_name) = open_parent(to)?;
    if let Some(renamed) = system::rename_to_free(&from_dir, from_name, &to_dir, to_name) {
        return renamed;
    }
    // Not every file system can promise not to replace anything: the name is looked up a moment before.
    if to.has_entry() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    from_dir.rename(from_name, &to_dir, to_name)
}

fn open_parent(place: &Place) -> io::Result<(Dir, &OsStr)> {
    let not_a_file = || io::Error::from(io::ErrorKind::IsADirectory);
    let (parent, name) = place.parent().zip(place.name()).ok_or_else(not_a_file)?;
    let dir = match place.dir().open_dir(parent.path()) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            place.dir().create_dir_all(parent.path())?;
            place.dir().open_dir(parent.path())?
        }
        opened => opened?,
    };
    Ok((dir, name))
}

/// Renames a file that is going to be deleted, so that it can be put back; returns where it is.
fn set_aside(place: &Place) -> io::Result<Place> {
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    for _ in 0..MAX_NAME_TRIES {
        let number = COUNTER.fetch_add(1, Ordering::Relaxed);
        let aside = place.sibling(&format!(".hermes-{}-{number}.deleted", process::id()));
        match rename(place, &aside) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            renamed => return renamed.map(|()| aside),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

#[cfg(test)]
mod tests;
