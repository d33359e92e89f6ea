//! The interpreter of project mode: that of the active environment, else the one on `PATH`; whether one is usable is asked once, and what
//! kernels bring is compiled by it then.
//!
//! What the host itself could not do, for want of space or descriptors, says nothing about an interpreter: it is an error and not kept.

mod ask;

use std::collections::HashMap;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use self::ask::ask;
use super::program::Programs;
use crate::system::is_executable;

/// How long an interpreter that did not answer well is not asked again: it may have been a bad moment.
const REFUSAL_KEPT: Duration = Duration::from_secs(15);
/// The variables that name the root of an active environment.
const VENV: &str = "VIRTUAL_ENV";
const CONDA: &str = "CONDA_PREFIX";

/// A usable interpreter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Interpreter {
    /// The program to start.
    pub(super) path: PathBuf,
    /// What kernels bring, as it reads it.
    pub(super) programs: Arc<Programs>,
}

/// Finds interpreters, and remembers what they said of themselves.
#[derive(Debug, Default)]
pub(super) struct Interpreters {
    /// By the path that was asked.
    known: Mutex<HashMap<PathBuf, Known>>,
}

/// An interpreter that was started.
#[derive(Debug)]
pub(super) struct Used {
    interpreters: Arc<Interpreters>,
    path: PathBuf,
}

impl Used {
    pub(super) fn new(interpreters: &Arc<Interpreters>, path: &Path) -> Self {
        Self {
            interpreters: Arc::clone(interpreters),
            path: path.to_owned(),
        }
    }

    /// Has it asked anew: it may not be what it was.
    pub(super) fn doubt(&self) {
        self.interpreters.forget(&self.path);
    }
}

/// What a path was when it was asked.
#[derive(Debug)]
struct Known {
    version: Option<Version>,
    said: Said,
}

#[derive(Debug)]
enum Said {
    /// The interpreter, and what its program was then: it is another one than that at the path where a script chooses between some.
    Usable(Interpreter, Option<Version>),
    /// It cannot run kernels; when it was asked.
    Unusable(Instant),
}

/// Length and time of a program: another one in its place reads other compiled files.
type Version = (u64, SystemTime);

impl Known {
    /// Returns whether it holds for what is at the path now.
    fn holds(&self, path: &Path) -> bool {
        self.version == version(path)
            && match &self.said {
                Said::Usable(found, then) => {
                    is_executable(&found.path) && *then == version(&found.path)
                }
                Said::Unusable(asked) => asked.elapsed() < REFUSAL_KEPT,
            }
    }

    fn found(&self) -> Option<&Interpreter> {
        match &self.said {
            Said::Usable(found, _) => Some(found),
            Said::Unusable(_) => None,
        }
    }
}

fn version(path: &Path) -> Option<Version> {
    let about = fs::metadata(path).ok()?;
    Some((about.len(), about.modified().ok()?))
}

impl Interpreters {
    /// Returns the first usable interpreter: at once where all that it takes to know that was asked before, else after as long as a few of
    /// them take to say their version. Dropping the future ends what was started for it.
    ///
    /// # Errors
    /// Fails where the host itself cannot ask, for want of space or descriptors for example.
    pub(super) async fn find(&self, given: Option<&Path>) -> io::Result<Option<Interpreter>> {
        for candidate in present(given) {
            let found = self.usable(candidate).await?;
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// Forgets what is known of an interpreter that was usable and did not start, or not as it should.
    pub(super) fn forget(&self, interpreter: &Path) {
        let is_other = |known: &Known| known.found().is_none_or(|found| found.path != interpreter);
        self.lock().retain(|_, known| is_other(known));
    }

    async fn usable(&self, candidate: PathBuf) -> io::Result<Option<Interpreter>> {
        if let Some(known) = self.lock().get(&candidate)
            && known.holds(&candidate)
        {
            return Ok(known.found().cloned());
        }
        let before = version(&candidate);
        let found = ask(&candidate).await?;
        let said = if let Some(found) = &found {
            Said::Usable(found.clone(), version(&found.path))
        } else {
            tell_refusal(&candidate);
            Said::Unusable(Instant::now())
        };
        let known = Known {
            version: before,
            said,
        };
        self.lock().insert(candidate, known);
        Ok(found)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<PathBuf, Known>> {
        // An entry is put in as a whole.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Tells of an interpreter that is passed over: who has activated an environment expects its packages.
fn tell_refusal(candidate: &Path) {
    let path = candidate.display();
    if [VENV, CONDA]
        .iter()
        .filter_map(|name| variable(name))
        .any(|root| candidate.starts_with(root))
    {
        tracing::warn!(%path, "the active environment's Python does not answer as Python 3.8 or newer does; another one is used");
    } else {
        tracing::debug!(%path, "this is no Python that runs kernels");
    }
}

fn variable(name: &str) -> Option<OsString> {
    env::var_os(name).filter(|value| !value.is_empty())
}

/// Returns the programs that may be interpreters.
fn present(given: Option<&Path>) -> impl Iterator<Item = PathBuf> {
    let candidates = candidates(
        given,
        variable(VENV).as_deref().map(Path::new),
        variable(CONDA).as_deref().map(Path::new),
        variable("PATH").iter().flat_map(env::split_paths),
    );
    candidates
        .into_iter()
        .filter(|candidate| is_executable(candidate))
}

/// Returns where interpreters may be, in the order of preference. One that a host names is the only one.
fn candidates(
    given: Option<&Path>,
    venv: Option<&Path>,
    conda: Option<&Path>,
    path: impl IntoIterator<Item = PathBuf>,
) -> Vec<PathBuf> {
    if let Some(given) = given {
        return vec![given.to_owned()];
    }
    let names: &[&str] = if cfg!(windows) {
        &["python.exe"]
    } else {
        &["python", "python3"]
    };
    let folder = if cfg!(windows) { "Scripts" } else { "bin" };
    let environments = venv.into_iter().chain(conda).map(|root| root.join(folder));
    let environments: Vec<_> = environments
        .flat_map(|folder| names.iter().map(move |name| folder.join(name)))
        .collect();
    let path: Vec<_> = path.into_iter().collect();
    let on_path = names
        .iter()
        .rev()
        .flat_map(|name| path.iter().map(move |folder| folder.join(name)));
    environments.into_iter().chain(on_path).collect()
}

#[cfg(test)]
mod tests;
