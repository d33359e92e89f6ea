#![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use std::os::unix::fs::{PermissionsExt as _, symlink};

use rustix::io::Errno;

use super::ask::{is_own_fault, parse};
use super::*;

/// What takes longer never comes to its end.
const HANGS: Duration = Duration::from_secs(30);

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

#[tokio::test]
async fn what_cannot_be_an_interpreter_is_skipped_and_asked_once() {
    let place = tempfile::tempdir().unwrap();
    let fake = place.path().join("python");
    let asked = place.path().join("asked");
    let real = find_on_path().await;
    let script = format!(
        "#!/bin/sh\necho x >> {}\nexec {} \"$@\"\n",
        asked.display(),
        real.display()
    );
    fs::write(&fake, script).unwrap();
    let interpreters = Interpreters::default();
    assert_eq!(interpreters.find(Some(&fake)).await.unwrap(), None);
    fs::set_permissions(&fake, fs::Permissions::from_mode(0o755)).unwrap();
    for _ in 0..3 {
        let found = interpreters.find(Some(&fake)).await.unwrap().unwrap().path;
        assert_eq!(found.canonicalize().unwrap(), real.canonicalize().unwrap());
    }
    assert_eq!(fs::read_to_string(&asked).unwrap(), "x\n");
    assert_eq!(interpreters.find(Some(place.path())).await.unwrap(), None);
    // Another program in its place is asked anew.
    fs::write(&fake, "#!/bin/sh\nexit 1\n").unwrap();
    assert_eq!(interpreters.find(Some(&fake)).await.unwrap(), None);
}

#[tokio::test]
async fn another_program_behind_a_script_that_chooses_is_asked_anew() {
    let place = tempfile::tempdir().unwrap();
    let at = |name: &str| place.path().join(name);
    let asked = || fs::read_to_string(at("asked")).unwrap().lines().count();
    let real = find_on_path().await.canonicalize().unwrap();
    // Both say that they are the program at this path.
    let chosen = at("chosen");
    symlink(&real, &chosen).unwrap();
    let script = format!(
        "#!/bin/sh\necho x >> {}\nexec {} \"$@\"\n",
        at("asked").display(),
        chosen.display()
    );
    fs::write(at("shim"), script).unwrap();
    fs::set_permissions(at("shim"), fs::Permissions::from_mode(0o755)).unwrap();
    let interpreters = Interpreters::default();
    let shim = at("shim");
    for _ in 0..2 {
        let found = interpreters.find(Some(&shim)).await.unwrap().unwrap();
        assert_eq!(found.path, chosen);
    }
    assert_eq!(asked(), 1);
    // What has another length is another program.
    fs::remove_file(&chosen).unwrap();
    let other = format!("#!/bin/sh\nexec {} \"$@\"\n", real.display());
    fs::write(&chosen, other).unwrap();
    fs::set_permissions(&chosen, fs::Permissions::from_mode(0o755)).unwrap();
    let found = interpreters.find(Some(&shim)).await.unwrap().unwrap();
    assert_eq!(asked(), 2);
    // One that did not start is asked anew, too.
    for (forgotten, asked_then) in [(Path::new("/other"), 2), (&found.path, 3)] {
        interpreters.forget(forgotten);
        let again = interpreters.find(Some(&shim)).await.unwrap();
        assert_eq!((again.as_ref(), asked()), (Some(&found), asked_then));
    }
}

/// Makes a program whose child says its number in a file, is deaf to polite signals and never ends, and which goes on as `then` says.
/// Returns the program and the file.
fn wrapper(place: &Path, then: &str) -> (PathBuf, PathBuf) {
    let (program, told) = (place.join("python"), place.join("told"));
    let file = told.display();
    let script = format!(
        "#!/bin/sh\ntrap '' TERM\nsh -c 'echo $$ > {file}.new; mv {file}.new {file}; sleep 100000' &\n{then}\n"
    );
    fs::write(&program, script).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    (program, told)
}

/// Waits for the end of the process that has said its number there.
async fn has_ended(told: &Path) {
    let number = fs::read_to_string(told).unwrap();
    let stat = format!("/proc/{}/stat", number.trim());
    let is_alive = || {
        let stat = fs::read_to_string(&stat).unwrap_or_default();
        stat.rsplit_once(") ")
            .is_some_and(|(_, rest)| !rest.starts_with(['Z', 'X']))
    };
    let waits_since = Instant::now();
    while is_alive() {
        assert!(waits_since.elapsed() < HANGS, "the process lives on");
        tokio::task::yield_now().await;
    }
}

/// Waits until the process has said its number.
async fn has_begun(told: &Path) {
    while !told.exists() {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_search_that_is_given_up_leaves_no_process() {
    let place = tempfile::tempdir().unwrap();
    let (program, told) = wrapper(place.path(), "wait");
    let interpreters = Interpreters::default();
    tokio::select! {
        found = interpreters.find(Some(&program)) => panic!("{found:?}"),
        () = has_begun(&told) => {}
    }
    has_ended(&told).await;
}

#[tokio::test]
async fn one_that_does_not_answer_in_time_is_passed_over_and_leaves_no_process() {
    let place = tempfile::tempdir().unwrap();
    let (program, told) = wrapper(place.path(), "wait");
    let interpreters = Interpreters::default();
    let (found, ()) = tokio::join!(interpreters.find(Some(&program)), async {
        has_begun(&told).await;
        // The time that is left is over at once.
        tokio::time::pause();
    });
    assert_eq!(found.unwrap(), None);
    has_ended(&told).await;
}

#[tokio::test]
async fn what_a_wrapper_leaves_behind_is_ended_though_it_has_answered() {
    let place = tempfile::tempdir().unwrap();
    let real = find_on_path().await;
    let then = format!(
        "while [ ! -e {}/told ]; do :; done; exec {} \"$@\"",
        place.path().display(),
        real.display()
    );
    let (program, told) = wrapper(place.path(), &then);
    let found = Interpreters::default().find(Some(&program)).await;
    assert_eq!(found.unwrap().unwrap().path, real);
    has_ended(&told).await;
}

#[test]
fn a_refusal_is_kept_for_a_moment_only() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("python");
    fs::write(&path, "").unwrap();
    let refused = |ago: Duration| Known {
        version: version(&path),
        said: Said::Unusable(Instant::now().checked_sub(ago).unwrap()),
    };
    assert!(refused(REFUSAL_KEPT / 2).holds(&path));
    assert!(!refused(REFUSAL_KEPT).holds(&path));
}

#[test]
fn what_the_host_lacks_is_no_fault_of_the_program() {
    for (error, expected) in [
        (Errno::MFILE, true),
        (Errno::NFILE, true),
        (Errno::NOMEM, true),
        (Errno::AGAIN, true),
        (Errno::NOSPC, true),
        (Errno::NOEXEC, false),
        (Errno::ACCESS, false),
        (Errno::NOENT, false),
    ] {
        assert_eq!(is_own_fault(&error.into()), expected, "{error}");
    }
}

async fn find_on_path() -> PathBuf {
    let found = Interpreters::default().find(None).await;
    found.unwrap().unwrap().path
}
