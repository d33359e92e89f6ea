//! Copies of a session's shell: they begin as it is, or not at all, and have nothing to do with it from then on.

use super::*;

impl Place {
    /// Runs a command in a copy of the shell.
    async fn run_in_copy(&self, command: &str) -> String {
        let run = self.describe(command, Duration::from_mins(1));
        let copy = self.shell.copied(&run).await.unwrap().unwrap();
        text(&copy.run(run).await.unwrap())
    }
}

#[tokio::test]
async fn a_copy_has_all_of_the_state_whatever_bytes_are_in_it() {
    let place = Place::new();
    place
        .run("eval \"$(printf 'f() { echo \\351 | wc -c; }')\"; export A=$(printf 'x\\377') B=1")
        .await;
    let command = "f; echo -n \"$A\" | wc -c; echo $B";
    assert_eq!(place.run(command).await, "2\n2\n1\n");
    assert_eq!(place.run_in_copy(command).await, "2\n2\n1\n");
}

#[tokio::test]
async fn a_copy_has_a_place_of_its_own_even_where_the_name_of_that_cannot_be_set() {
    let programs = tempfile::tempdir().unwrap();
    for (place, shell) in [(Place::new(), "bash"), (plain_place(&programs), "sh")] {
        let show = "echo \"$HERMES_SHELL_STATE\"";
        let own = place
            .run(&format!("{show}; export A=1; readonly HERMES_SHELL_STATE"))
            .await;
        let copied = place.run_in_copy(&format!("{show} $A")).await;
        let copy = copied.strip_suffix(" 1\n").unwrap();
        assert!(copy.contains("hermes-shell-"), "{shell} {copy}");
        assert_ne!(copy, own.trim_end(), "{shell}");
        assert_eq!(place.run(show).await, own, "{shell}");
    }
}

#[tokio::test]
async fn a_state_that_cannot_be_copied_as_a_whole_is_not_copied_and_stays() {
    for (plant, reason) in [
        (
            "export A=1; eval \"f() { : $(printf '%017000000d' 0); echo in f; }\"",
            "they are more than 16777216 bytes",
        ),
        (
            "rm -f $HERMES_SHELL_STATE/environment; exec mkdir $HERMES_SHELL_STATE/environment",
            "invalid input parameter",
        ),
    ] {
        let place = Place::new();
        place.run(plant).await;
        let run = place.describe("true", Duration::from_mins(1));
        let error = place.shell.copied(&run).await.unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "Background command not started: the session's variables, functions and aliases cannot be copied ({reason})"
            )
        );
        if plant.contains("in f") {
            assert_eq!(place.run("f; echo $A").await, "in f\n1\n");
        }
    }
}

#[tokio::test]
async fn a_session_begins_once_however_many_copies_come_before_its_first_command() {
    for is_persistent in [true, false] {
        let mut place = Place::new();
        place.is_persistent = is_persistent;
        let init = place.directory.path().join("init");
        fs::write(&init, "export N=${N}1; echo $N >>read").unwrap();
        place.init_files = vec![init];
        for _ in 0..2 {
            assert_eq!(place.run_in_copy("echo $N; cat read").await, "1\n1\n");
        }
        assert_eq!(place.run("echo $N; cat read").await, "1\n1\n");
    }
}

#[tokio::test]
async fn a_cell_that_has_ended_begins_no_session_and_makes_no_copy() {
    let mut place = Place::new();
    let init = place.directory.path().join("init");
    fs::write(&init, "sleep 1000").unwrap();
    place.init_files = vec![init];
    place.cancellation.cancel();
    let run = place.describe("true", Duration::from_mins(1));
    assert!(place.shell.copied(&run).await.unwrap().is_none());
}
