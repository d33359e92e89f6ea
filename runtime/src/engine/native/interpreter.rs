//! The interpreter of project mode: that of the active environment, else the one on `PATH`; whether one is usable is asked once, and what
//! kernels bring is compiled by it then.

use std::collections::HashMap;
use std::env;
use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use super::program::{COMPILER, Programs};
use crate::system::is_executable;

/// How long an interpreter may take to say its version.
const PATIENCE: Duration = Duration::from_secs(5);
const POLL: Duration = Duration::from_millis(2);
/// The oldest version that runs kernels.
const OLDEST: (u32, u32) = (3, 8);
/// Bytes of an answer that are looked at.
const MAX_ANSWER: u64 = 4 << 20;

/// Prints the version and the path of the program itself, which is another one where a script chooses between interpreters.
const ABOUT: &str = "import sys\nprint(*sys.version_info[:2])\nprint(sys.executable)\n";

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

/// What a path was when it was asked.
#[derive(Debug)]
struct Known {
    /// Nothing for one that cannot run kernels.
    found: Option<Interpreter>,
    /// Length and time of the program: another one in its place reads other compiled files.
    version: Option<Version>,
}

type Version = (u64, SystemTime);

impl Known {
    /// Returns whether it holds for what is at the path now.
    fn holds(&self, path: &Path) -> bool {
        let usable = |found: &Interpreter| is_executable(&found.path);
        self.version == version(path) && self.found.as_ref().is_none_or(usable)
    }
}

fn version(path: &Path) -> Option<Version> {
    let about = fs::metadata(path).ok()?;
    Some((about.len(), about.modified().ok()?))
}

impl Interpreters {
    /// Returns what [`find`](Self::find) would, where everything that it takes to know that was asked before.
    pub(super) fn known(&self, given: Option<&Path>) -> Option<Interpreter> {
        let known = self.lock();
        for candidate in present(given) {
            let about = known
                .get(&candidate)
                .filter(|about| about.holds(&candidate))?;
            if let Some(found) = &about.found {
                return Some(found.clone());
            }
        }
        None
    }

    /// Returns the first usable interpreter. May take as long as a few of them take to say their version.
    pub(super) fn find(&self, given: Option<&Path>) -> Option<Interpreter> {
        present(given).find_map(|candidate| self.usable(candidate))
    }

    /// Forgets what is known, for an interpreter that was usable could not be started.
    pub(super) fn forget(&self) {
        self.lock().clear();
    }

    fn usable(&self, candidate: PathBuf) -> Option<Interpreter> {
        if let Some(known) = self.lock().get(&candidate)
            && known.holds(&candidate)
        {
            return known.found.clone();
        }
        let version = version(&candidate);
        let found = ask(&candidate);
        let known = Known {
            found: found.clone(),
            version,
        };
        self.lock().insert(candidate, known);
        found
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<PathBuf, Known>> {
        // An entry is put in as a whole.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the programs that may be interpreters.
fn present(given: Option<&Path>) -> impl Iterator<Item = PathBuf> {
    let variable = |name: &str| env::var_os(name).filter(|value| !value.is_empty());
    let candidates = candidates(
        given,
        variable("VIRTUAL_ENV").as_deref().map(Path::new),
        variable("CONDA_PREFIX").as_deref().map(Path::new),
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

/// Asks an interpreter what it is and has it compile what kernels bring; `None` for one that cannot run them.
fn ask(candidate: &Path) -> Option<Interpreter> {
    // Files, for a pipe would have to be filled and emptied while the program runs.
    let input = file_with(&Programs::input()).ok()?;
    let mut output = tempfile::tempfile().ok()?;
    let mut child = Command::new(candidate)
        .args(["-I", "-S", "-c"])
        .arg([ABOUT, COMPILER].concat())
        .stdin(input)
        .stdout(output.try_clone().ok()?)
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let start = Instant::now();
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if start.elapsed() < PATIENCE => std::thread::sleep(POLL),
            _ => {
                // One that does not answer is no use, and is not waited for.
                let _ = child.kill();
                let _ = child.wait();
                return None;
            }
        }
    };
    let mut answer = String::new();
    output.rewind().ok()?;
    let read = output.take(MAX_ANSWER).read_to_string(&mut answer);
    let (path, rest) = parse(&answer).filter(|_| read.is_ok() && status.success())?;
    let programs = Arc::new(Programs::parse(rest)?);
    is_executable(&path).then_some(Interpreter { path, programs })
}

fn file_with(text: &str) -> io::Result<File> {
    let mut file = tempfile::tempfile()?;
    file.write_all(text.as_bytes())?;
    file.rewind()?;
    Ok(file)
}

/// Reads the answer: version, then path; what follows is returned with it.
fn parse(answer: &str) -> Option<(PathBuf, &str)> {
    let (version, rest) = answer.split_once('\n')?;
    let (path, rest) = rest.split_once('\n')?;
    let (major, minor) = version.trim().split_once(' ')?;
    let version: (u32, u32) = (major.parse().ok()?, minor.parse().ok()?);
    let path = Path::new(path.trim_end_matches(['\r', '\n']));
    (version >= OLDEST && path.is_absolute()).then(|| (path.to_owned(), rest))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn an_environment_comes_before_the_search_path_and_a_given_one_is_the_only_one() {
        let path = || ["/bin".into(), "/usr/bin".into()];
        let (venv, conda) = (Some(Path::new("/v")), Some(Path::new("/c")));
        let found = candidates(None, venv, conda, path());
        let expected = [
            "/v/bin/python",
            "/v/bin/python3",
            "/c/bin/python",
            "/c/bin/python3",
            "/bin/python3",
            "/usr/bin/python3",
            "/bin/python",
            "/usr/bin/python",
        ];
        assert_eq!(found, expected.map(PathBuf::from));
        let given = Some(Path::new("/g"));
        assert_eq!(candidates(given, venv, conda, path()), [Path::new("/g")]);
    }

    #[test]
    fn only_a_version_that_runs_kernels_is_usable() {
        for (answer, expected) in [
            ("3 8\n/usr/bin/python3\n", Some(("/usr/bin/python3", ""))),
            ("3 13\r\n/p\r\nx 00\r\n", Some(("/p", "x 00\r\n"))),
            ("3 7\n/usr/bin/python3\n", None),
            ("2 7\n/usr/bin/python\n", None),
            ("3 11\npython3\n", None),
            ("3 11\n", None),
            ("", None),
            ("hello\n/p\n", None),
        ] {
            let expected = expected.map(|(path, rest)| (PathBuf::from(path), rest));
            assert_eq!(parse(answer), expected, "{answer:?}");
        }
    }

    #[test]
    fn what_cannot_be_an_interpreter_is_skipped_and_asked_once() {
        let place = tempfile::tempdir().unwrap();
        let fake = place.path().join("python");
        let asked = place.path().join("asked");
        let real = find_on_path();
        let script = format!(
            "#!/bin/sh\necho x >> {}\nexec {} \"$@\"\n",
            asked.display(),
            real.display()
        );
        fs::write(&fake, script).unwrap();
        let interpreters = Interpreters::default();
        assert_eq!(interpreters.find(Some(&fake)), None);
        fs::set_permissions(&fake, fs::Permissions::from_mode(0o755)).unwrap();
        for _ in 0..3 {
            let found = interpreters.find(Some(&fake)).unwrap().path;
            assert_eq!(found.canonicalize().unwrap(), real.canonicalize().unwrap());
        }
        assert_eq!(fs::read_to_string(&asked).unwrap(), "x\n");
        assert_eq!(interpreters.find(Some(place.path())), None);
        // Another program in its place is asked anew.
        fs::write(&fake, "#!/bin/sh\nexit 1\n").unwrap();
        assert_eq!(interpreters.known(Some(&fake)), None);
        assert_eq!(interpreters.find(Some(&fake)), None);
    }

    fn find_on_path() -> PathBuf {
        Interpreters::default().find(None).unwrap().path
    }
}
