//! The interpreter of project mode: that of the active environment, else the one on `PATH`; whether one is usable is asked once.

use std::collections::HashMap;
use std::env;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::system::is_executable;

/// How long an interpreter may take to say its version.
const PATIENCE: Duration = Duration::from_secs(5);
const POLL: Duration = Duration::from_millis(2);
/// The oldest version that runs kernels.
const OLDEST: (u32, u32) = (3, 8);
/// Bytes of an answer that are looked at.
const MAX_ANSWER: u64 = 16 << 10;

/// Prints the version and the path of the program itself, which is another one where a script chooses between interpreters.
const ABOUT: &str = "import sys; print(*sys.version_info[:2]); print(sys.executable)";

/// Finds interpreters, and remembers what they said of themselves.
#[derive(Debug, Default)]
pub(super) struct Interpreters {
    /// By the path that was asked: the program to start, or `None` for one that cannot run kernels.
    known: Mutex<HashMap<PathBuf, Option<PathBuf>>>,
}

impl Interpreters {
    /// Returns what [`find`](Self::find) would, where everything that it takes to know that was asked before.
    pub(super) fn known(&self, given: Option<&Path>) -> Option<PathBuf> {
        let known = self.lock();
        for candidate in present(given) {
            if let Some(program) = known.get(&candidate)? {
                return is_executable(program).then(|| program.clone());
            }
        }
        None
    }

    /// Returns the first usable interpreter. May take as long as a few of them take to say their version.
    pub(super) fn find(&self, given: Option<&Path>) -> Option<PathBuf> {
        present(given).find_map(|candidate| self.usable(candidate))
    }

    /// Forgets what is known, for an interpreter that was usable could not be started.
    pub(super) fn forget(&self) {
        self.lock().clear();
    }

    fn usable(&self, candidate: PathBuf) -> Option<PathBuf> {
        if let Some(known) = self.lock().get(&candidate)
            && known.as_deref().is_none_or(is_executable)
        {
            return known.clone();
        }
        let program = ask(&candidate);
        self.lock().insert(candidate, program.clone());
        program
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<PathBuf, Option<PathBuf>>> {
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

/// Asks an interpreter what it is; returns the program to start if that can run kernels.
fn ask(candidate: &Path) -> Option<PathBuf> {
    let mut child = Command::new(candidate)
        .args(["-I", "-S", "-c", ABOUT])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
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
    // What is left open by a process of its own is not waited for beyond this: the answer is short and was written.
    let read = child.stdout?.take(MAX_ANSWER).read_to_string(&mut answer);
    let program = parse(&answer).filter(|_| read.is_ok() && status.success())?;
    is_executable(&program).then_some(program)
}

/// Reads the answer: version, then path.
fn parse(answer: &str) -> Option<PathBuf> {
    let (version, path) = answer.split_once('\n')?;
    let (major, minor) = version.trim().split_once(' ')?;
    let version: (u32, u32) = (major.parse().ok()?, minor.parse().ok()?);
    let path = Path::new(path.trim_end_matches(['\r', '\n']));
    (version >= OLDEST && path.is_absolute()).then(|| path.to_owned())
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use std::fs;
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
            ("3 8\n/usr/bin/python3\n", Some("/usr/bin/python3")),
            ("3 13\r\n/p\r\n", Some("/p")),
            ("3 7\n/usr/bin/python3\n", None),
            ("2 7\n/usr/bin/python\n", None),
            ("3 11\npython3\n", None),
            ("3 11\n", None),
            ("", None),
            ("hello\n/p\n", None),
        ] {
            let expected = expected.map(PathBuf::from);
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
            let found = interpreters.find(Some(&fake)).unwrap();
            assert_eq!(found.canonicalize().unwrap(), real.canonicalize().unwrap());
        }
        assert_eq!(fs::read_to_string(&asked).unwrap(), "x\n");
        assert_eq!(interpreters.find(Some(place.path())), None);
    }

    fn find_on_path() -> PathBuf {
        Interpreters::default().find(None).unwrap()
    }
}
