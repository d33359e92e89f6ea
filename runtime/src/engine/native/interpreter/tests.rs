#![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use std::os::unix::fs::{PermissionsExt as _, symlink};

use rustix::io::Errno;

use super::ask::{is_own_fault, parse};
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
    assert_eq!(interpreters.find(Some(&fake)).unwrap(), None);
    fs::set_permissions(&fake, fs::Permissions::from_mode(0o755)).unwrap();
    for _ in 0..3 {
        let found = interpreters.find(Some(&fake)).unwrap().unwrap().path;
        assert_eq!(found.canonicalize().unwrap(), real.canonicalize().unwrap());
    }
    assert_eq!(fs::read_to_string(&asked).unwrap(), "x\n");
    assert_eq!(interpreters.find(Some(place.path())).unwrap(), None);
    // Another program in its place is asked anew.
    fs::write(&fake, "#!/bin/sh\nexit 1\n").unwrap();
    assert_eq!(interpreters.known(Some(&fake)), None);
    assert_eq!(interpreters.find(Some(&fake)).unwrap(), None);
}

#[test]
fn another_program_behind_a_script_that_chooses_is_asked_anew() {
    let place = tempfile::tempdir().unwrap();
    let at = |name: &str| place.path().join(name);
    let asked = || fs::read_to_string(at("asked")).unwrap().lines().count();
    let real = find_on_path().canonicalize().unwrap();
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
        let found = interpreters.find(Some(&shim)).unwrap().unwrap();
        assert_eq!(found.path, chosen);
    }
    assert_eq!(asked(), 1);
    // What has another length is another program.
    fs::remove_file(&chosen).unwrap();
    let other = format!("#!/bin/sh\nexec {} \"$@\"\n", real.display());
    fs::write(&chosen, other).unwrap();
    fs::set_permissions(&chosen, fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(interpreters.known(Some(&shim)), None);
    assert!(interpreters.find(Some(&shim)).unwrap().is_some());
    assert_eq!(asked(), 2);
    // One that did not start is asked anew, too.
    let found = interpreters.known(Some(&shim)).unwrap();
    interpreters.forget(Path::new("/other"));
    assert_eq!(interpreters.known(Some(&shim)).as_ref(), Some(&found));
    interpreters.forget(&found.path);
    assert_eq!(interpreters.known(Some(&shim)), None);
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

fn find_on_path() -> PathBuf {
    Interpreters::default().find(None).unwrap().unwrap().path
}
