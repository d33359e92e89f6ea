//! Every command is run, or nobody says that it was.

use super::*;

#[tokio::test]
async fn a_command_that_was_never_reached_is_no_success_and_the_next_one_runs() {
    let programs = tempfile::tempdir().unwrap();
    for (place, shell) in [(Place::new(), "bash"), (plain_place(&programs), "sh")] {
        fs::create_dir(place.directory.path().join("d")).unwrap();
        for plant in ["exit 0", "exec sh -c :", "kill -9 $$"] {
            place.run("cd d").await;
            let command = format!("echo '{plant}' >$HERMES_SHELL_STATE/environment; exec sh -c :");
            place.run(&command).await;
            let ran = place
                .shell
                .run(place.describe("echo ran >ran", Duration::from_mins(1)))
                .await;
            assert!(
                matches!(ran, Err(ShellFault::NotReached)),
                "{shell} {plant}: {ran:?}"
            );
            let next = place.run("echo ${PWD##*/} *; cd ..").await;
            assert_eq!(next, "d *\n", "{shell} {plant}");
        }
    }
}

#[tokio::test]
async fn a_command_that_takes_its_state_away_or_is_broken_was_reached() {
    let programs = tempfile::tempdir().unwrap();
    for (place, shell) in [(Place::new(), "bash"), (plain_place(&programs), "sh")] {
        for command in [
            "rm -r \"$HERMES_SHELL_STATE\"",
            "rm -f \"$HERMES_SHELL_STATE\"/*",
            "unset HERMES_SHELL_STATE; exec true",
            "if",
            "",
            "# nothing",
            "kill -9 $$",
        ] {
            let ran = place
                .shell
                .run(place.describe(command, Duration::from_mins(1)))
                .await;
            assert!(ran.is_ok(), "{shell} {command}: {ran:?}");
        }
    }
}

#[tokio::test]
async fn a_function_or_alias_called_as_the_wrappers_own_words_keeps_no_command_from_running() {
    for name in [
        "command", "set", "unset", "export", "declare", "alias", "pwd",
    ] {
        for definition in [
            format!("{name}() {{ echo mine; }}"),
            format!("alias {name}='echo mine'"),
        ] {
            let place = Place::new();
            place.run(&format!("export A=1; {definition}")).await;
            assert_eq!(place.run("echo $A; A=2").await, "1\n", "{definition}");
            assert_eq!(place.run("echo $A").await, "2\n", "{definition}");
        }
    }
}

#[tokio::test]
async fn a_plain_shell_that_cannot_read_the_command_is_no_success() {
    let programs = tempfile::tempdir().unwrap();
    let place = place_with(&programs, &["sh"]);
    let run = place.describe("echo ran", Duration::from_mins(1));
    let ran = place.shell.run(run).await;
    assert!(matches!(ran, Err(ShellFault::NotReached)), "{ran:?}");
}
