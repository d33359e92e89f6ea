//! The operator's files: what a session has of them, and that nothing they do to their shell is done to a command.

use super::super::beginning::unreadable;
use super::*;

#[tokio::test]
async fn files_are_read_before_the_first_command_and_the_session_goes_on_from_there() {
    let mut place = Place::new();
    let at = |name: &str| place.directory.path().join(name);
    fs::write(
        at("first"),
        "export A=1\nsecret=x\necho noise\nf() { echo in f; }\n",
    )
    .unwrap();
    fs::write(at("it's second"), "export A=$A-2\nfalse\n").unwrap();
    place.init_files = ["first", "missing", "it's second"].map(at).into();
    assert_eq!(place.run("echo $A; f").await, "1-2\nin f\n");
    assert_eq!(place.run("export A=3; unset -f f").await, "");
    assert_eq!(
        place.run("echo $A; f 2>/dev/null || echo none").await,
        "3\nnone\n"
    );
}

/// Files that say something to interactive shells, and what a session has of them: the value of `E`.
const INIT_FILES: [(&str, &str); 12] = [
    ("export E=1", "1"),
    ("export E=1; exit 0; export E=2", "1"),
    ("case $- in *i*) ;; *) exit 0;; esac\nexport E=1", ""),
    ("export E=1; exec sh -c :", ""),
    ("export E=1; kill -9 $$", ""),
    ("export E=1; set -e; false; export E=2", "1"),
    ("export E=1; set -u; : $MISSING; export E=2", "1"),
    ("export E=1; if", "0"),
    ("trap 'exit 3' EXIT; export E=1", "1"),
    ("set -nvx", ""),
    ("exec >/dev/null; export E=1", "1"),
    (
        "export E=1; umask 077; V=1; set -efuC; shopt -s nullglob 2>/dev/null; cd /; PS4=",
        "1",
    ),
];

#[tokio::test]
async fn whatever_a_file_does_to_its_shell_every_command_runs_and_all_of_them_find_the_same() {
    let programs = tempfile::tempdir().unwrap();
    for shell in ["bash", "sh"] {
        for (file, expected) in INIT_FILES {
            for is_persistent in [true, false] {
                let mut place = if shell == "bash" {
                    Place::new()
                } else {
                    plain_place(&programs)
                };
                place.is_persistent = is_persistent;
                let init = place.directory.path().join("init");
                fs::write(&init, format!("{file}\n")).unwrap();
                place.init_files = vec![init];
                let command =
                    "echo \"${E-}\"; echo made >made; umask; echo \"$-${V-}$#\"; pwd; echo *x*";
                let first = place.run(command).await;
                // A broken line is where shells differ: the one line of the file is not read.
                let expected = if file.ends_with("; if") { "" } else { expected };
                assert_eq!(
                    first.lines().next(),
                    Some(expected),
                    "{shell} {file}: {first}"
                );
                let made = fs::read_to_string(place.directory.path().join("made"));
                assert_eq!(made.unwrap(), "made\n", "{shell} {file}");
                assert_eq!(place.run(command).await, first, "{shell} {file}");
                let plain = Place {
                    shell: Shell::new(place.shell.environment.clone()),
                    ..Place::new()
                };
                let untouched = plain.run(command).await;
                let rest = |text: &str, place: &Place| {
                    let text = text.replace(place.directory.path().to_str().unwrap(), "");
                    text.lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
                };
                assert_eq!(
                    rest(&first, &place),
                    rest(&untouched, &plain),
                    "{shell} {file}"
                );
            }
        }
    }
}

#[tokio::test]
async fn a_file_whose_state_no_shell_gets_through_is_dropped_alone_and_every_command_runs() {
    let programs = tempfile::tempdir().unwrap();
    for (mut place, shell) in [(Place::new(), "bash"), (plain_place(&programs), "sh")] {
        let at = |name: &str| place.directory.path().join(name);
        let files = [
            "export A=1",
            "export A=2; trap 'echo exit 0 >>\"$HERMES_SHELL_STATE/environment.new\"' EXIT",
            "export B=$A",
            "export B=3; trap 'echo exec sh -c : >>\"$HERMES_SHELL_STATE/environment.new\"' EXIT",
        ];
        place.init_files = ["a", "b", "c", "d"].map(at).into();
        for (file, text) in place.init_files.iter().zip(files) {
            fs::write(file, text).unwrap();
        }
        for _ in 0..2 {
            assert_eq!(place.run("echo $A$B").await, "11\n", "{shell}");
        }
    }
}

#[tokio::test]
async fn a_file_with_an_option_under_which_variables_cannot_be_set_is_read_like_any_other() {
    let mut place = Place::new();
    let init = place.directory.path().join("init");
    fs::write(&init, "export POSIXLY_CORRECT=1; export UID A=1\n").unwrap();
    place.init_files = vec![init];
    for _ in 0..2 {
        assert_eq!(place.run("echo $A$POSIXLY_CORRECT").await, "11\n");
    }
}

#[tokio::test]
async fn what_is_wrong_with_a_file_is_told_and_of_others_nothing() {
    let programs = tempfile::tempdir().unwrap();
    let rows = [
        ("true", None),
        ("false", None),
        ("return 2", None),
        ("sh -c 'exit 2'", None),
        ("shopt -s extglob\nexport A=+(x)\nreturn 2", None),
        (
            "export A=1\nif\n",
            Some("ended its shell before its own end, with exit code 2; what it set before counts"),
        ),
        (
            "exit 3",
            Some("ended its shell before its own end, with exit code 3; what it set before counts"),
        ),
        (
            "exec true",
            Some("is of no effect: it replaced its shell, or broke it"),
        ),
        (
            "trap 'echo exit 0 >>\"$HERMES_SHELL_STATE/environment.new\"' EXIT",
            Some(
                "is of no effect: what it leaves ends every shell that begins with it, and is dropped",
            ),
        ),
    ];
    for (place, shell) in [(Place::new(), "bash"), (plain_place(&programs), "sh")] {
        for (content, expected) in rows {
            if shell == "sh" && (content.starts_with("shopt") || content.starts_with("exec")) {
                continue;
            }
            let init = place.directory.path().join("init");
            fs::write(&init, content).unwrap();
            let state = State::new(place.directory.path()).unwrap();
            let slot = Arc::new(Mutex::new(Some(state))).lock_owned().await;
            let held = OwnedMutexGuard::try_map(slot, Option::as_mut).unwrap();
            let run = place.describe("true", Duration::from_mins(1));
            let (_, fault) = place
                .shell
                .read_first(held, &init, &run)
                .await
                .unwrap()
                .unwrap();
            assert_eq!(fault.as_deref(), expected, "{shell} {content}");
        }
    }
}

#[test]
fn a_directory_is_no_file_to_read() {
    let place = Place::new();
    let directory = place.directory.path();
    assert_eq!(
        unreadable(directory).as_deref(),
        Some("is of no effect: it is a directory")
    );
    let fifo = place.fifo();
    assert_eq!(unreadable(&fifo), None);
    let file = directory.join("file");
    fs::write(&file, "").unwrap();
    assert_eq!(unreadable(&file), None);
}

#[tokio::test]
async fn a_file_that_ends_its_shell_takes_no_other_file_with_it() {
    let mut place = Place::new();
    let at = |name: &str| place.directory.path().join(name);
    let files = [
        "export A=1; exit 0",
        "export A=2; exec true",
        "export A=$A-3",
    ];
    place.init_files = ["a", "b", "c"].map(at).into();
    for (file, text) in place.init_files.iter().zip(files) {
        fs::write(file, text).unwrap();
    }
    assert_eq!(place.run("echo $A").await, "1-3\n");
}

#[tokio::test]
async fn files_are_read_once_in_a_session_and_again_if_that_was_given_up() {
    for is_persistent in [true, false] {
        let mut place = Place::new();
        place.is_persistent = is_persistent;
        let fifo = place.fifo();
        let init = place.directory.path().join("init");
        fs::write(&init, "export N=${N}1; echo $N >>read; echo up >fifo").unwrap();
        place.init_files = vec![init];
        {
            let mut run = pin!(
                place
                    .shell
                    .run(place.describe("true", Duration::from_mins(1)))
            );
            // Nobody reads the other end, so that it is given up in the middle.
            let mut tick = tokio::time::interval(Duration::from_millis(5));
            let read = place.directory.path().join("read");
            poll_fn(|task| {
                assert!(run.as_mut().poll(task).is_pending());
                while tick.poll_tick(task).is_ready() {}
                if read.exists() {
                    Poll::Ready(())
                } else {
                    Poll::Pending
                }
            })
            .await;
        }
        // From now on somebody does.
        let _reader = fs::File::options()
            .read(true)
            .write(true)
            .open(&fifo)
            .unwrap();
        let output = place.run("echo $N; cat read").await;
        assert_eq!(output, "1\n1\n1\n", "{is_persistent}");
        assert_eq!(
            place.run("echo $N; cat read").await,
            "1\n1\n1\n",
            "{is_persistent}"
        );
    }
}

#[tokio::test]
async fn a_shell_that_is_not_persistent_begins_anew_with_each_command() {
    let mut place = Place::new();
    let init = place.directory.path().join("init");
    fs::write(&init, "export A=1\n").unwrap();
    place.init_files = vec![init];
    place.is_persistent = false;
    let start = place.run("pwd").await;
    assert_eq!(place.run("export A=2 B=2; cd /; f() { :; }").await, "");
    assert_eq!(
        place
            .run("pwd; echo $A $B; f 2>/dev/null || echo none")
            .await,
        format!("{start}1\nnone\n")
    );
    assert_eq!(place.shell.recorded(), None);
}
