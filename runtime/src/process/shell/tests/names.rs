//! Names that are no text: they are bytes to a shell, and cost nothing of its state.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;

use super::*;

/// Names that are no UTF-8, one with a quotation mark in it.
const NAMES: [&[u8]; 3] = [b"w\xff", b"caf\xe9'", b"\x81\x88\x01 x"];

#[tokio::test]
async fn a_session_that_starts_or_goes_to_such_a_directory_keeps_its_state() {
    let programs = tempfile::tempdir().unwrap();
    for name in NAMES.map(OsStr::from_bytes) {
        for (place, shell) in [(Place::new(), "bash"), (plain_place(&programs), "sh")] {
            let start = place.directory.path().canonicalize().unwrap().join(name);
            let below = start.join(name);
            fs::create_dir_all(&below).unwrap();
            let run = async |command| {
                let run = Run {
                    start: &start,
                    ..place.describe(command, Duration::from_mins(1))
                };
                place.shell.run(run).await.unwrap()
            };
            run("export A=1").await;
            let finished = run("echo $A; export A=2; cd *").await;
            assert_eq!(text(&finished), "1\n", "{shell} {name:?}");
            assert_eq!(finished.new_cwd.as_ref(), Some(&below), "{shell} {name:?}");
            let finished = run("echo $A; : >here").await;
            assert_eq!(text(&finished), "2\n", "{shell} {name:?}");
            assert!(below.join("here").exists(), "{shell} {name:?}");
        }
    }
}

#[tokio::test]
async fn a_file_at_such_a_path_is_read_before_the_first_command() {
    let programs = tempfile::tempdir().unwrap();
    for name in NAMES.map(OsStr::from_bytes) {
        for (mut place, shell) in [(Place::new(), "bash"), (plain_place(&programs), "sh")] {
            let init = place.directory.path().join(name);
            fs::write(&init, "export A=1\n").unwrap();
            place.init_files = vec![init];
            assert_eq!(place.run("echo $A").await, "1\n", "{shell} {name:?}");
        }
    }
}
