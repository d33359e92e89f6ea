//! What a session keeps between commands, and that no command leaves a process behind.

#![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use std::env;
use std::fs;
use std::future::poll_fn;
use std::os::unix::fs::symlink;
use std::pin::pin;
use std::task::Poll;

use tempfile::TempDir;

use super::*;

struct Place {
    place: TempDir,
    shell: Shell,
}

impl Place {
    fn new() -> Self {
        let path = env::var_os("PATH").map(|path| ("PATH".into(), path));
        let shell = Shell::new(Environment::scrubbed(path));
        Self {
            place: tempfile::tempdir().unwrap(),
            shell,
        }
    }

    fn describe<'a>(&'a self, command: &'a str, timeout: Duration) -> Run<'a> {
        Run {
            command,
            start: self.place.path(),
            workdir: None,
            timeout,
        }
    }

    async fn run_for(&self, command: &str, timeout: Duration) -> Finished {
        self.shell
            .run(self.describe(command, timeout))
            .await
            .unwrap()
    }

    async fn run(&self, command: &str) -> String {
        self.run_for(command, Duration::from_mins(1))
            .await
            .output
            .head
    }
}

fn is_alive(pid: &str) -> bool {
    fs::read_to_string(format!("/proc/{}/stat", pid.trim()))
        .is_ok_and(|stat| !stat.rsplit_once(')').unwrap().1.starts_with(" Z"))
}

#[tokio::test]
async fn exported_variables_functions_and_aliases_are_kept() {
    let place = Place::new();
    place
        .run("export A='x y'; B=local; f() { echo \"f $1\"; }; alias g='echo g'")
        .await;
    assert_eq!(place.run("echo \"$A-$B\"; f 1; g").await, "x y-\nf 1\ng\n");
    place.run("export A=2; exit 7").await;
    assert_eq!(place.run("unset -f f; set -eu; echo $A").await, "2\n");
    place.run("export A=3; exec true").await;
    assert_eq!(place.run("echo $A").await, "2\n");
}

#[tokio::test]
async fn a_broken_search_path_can_be_repaired() {
    let place = Place::new();
    let cat = "cat /dev/null && echo found";
    place.run("export KEPT=$PATH PATH=/nowhere").await;
    assert_eq!(
        place.run(cat).await,
        "bash: line 1: cat: command not found\n"
    );
    place.run("export PATH=$KEPT").await;
    assert_eq!(place.run(cat).await, "found\n");
}

#[tokio::test]
async fn a_plain_shell_serves_where_there_is_no_bash() {
    let programs = tempfile::tempdir().unwrap();
    for name in ["cat", "sh"] {
        let paths = env::split_paths(&env::var_os("PATH").unwrap()).collect::<Vec<_>>();
        let program = paths
            .iter()
            .map(|path| path.join(name))
            .find(|path| path.exists())
            .unwrap();
        symlink(program, programs.path().join(name)).unwrap();
    }
    let path = ("PATH".into(), programs.path().as_os_str().to_owned());
    let place = Place {
        shell: Shell::new(Environment::scrubbed([path])),
        ..Place::new()
    };
    let finished = place
        .run_for(
            "export A='x y'; cd /; echo \"$0\" >&2; exit 3",
            Duration::from_mins(1),
        )
        .await;
    assert_eq!(
        (finished.output.head.as_str(), finished.ending),
        ("sh\n", Ending::Exited(3))
    );
    assert_eq!(finished.new_cwd.as_deref(), Some(Path::new("/")));
    assert_eq!(place.run("echo \"$A\"; pwd").await, "x y\n/\n");
}

#[tokio::test]
async fn the_environment_is_scrubbed_and_input_is_empty() {
    let place = Place::new();
    let names = place
        .run("env | cut -d= -f1 | sort | tr '\\n' ' '; cat")
        .await;
    assert_eq!(names, "HERMES_SHELL_STATE OLDPWD PATH PWD SHLVL _ ");
}

#[tokio::test]
async fn errors_of_the_shell_are_in_the_output_with_the_commands_own_lines() {
    let place = Place::new();
    let output = place.run("true\nno_such_program").await;
    assert_eq!(output, "bash: line 2: no_such_program: command not found\n");
    let finished = place.run_for("kill -9 $$", Duration::from_mins(1)).await;
    assert_eq!(finished.ending, Ending::Exited(-9));
}

#[tokio::test]
async fn a_long_command_is_no_problem() {
    let place = Place::new();
    let command = format!("echo {} | wc -c", "x".repeat(1_000_000));
    assert_eq!(place.run(&command).await.trim(), "1000001");
}

#[tokio::test]
async fn a_directory_that_is_gone_is_left_for_the_start() {
    let place = Place::new();
    let finished = place
        .run_for("mkdir d; cd d; rmdir ../d", Duration::from_mins(1))
        .await;
    assert_eq!(finished.new_cwd, None);
    place.run("mkdir d; cd d").await;
    fs::remove_dir(place.place.path().join("d")).unwrap();
    let start = place.place.path().canonicalize().unwrap();
    assert_eq!(place.run("pwd -P").await.trim(), start.to_str().unwrap());
}

#[tokio::test]
async fn a_time_limit_ends_the_whole_tree_even_what_left_the_group() {
    let place = Place::new();
    let command = "trap '' TERM; (sleep 1000 & echo $!; setsid sleep 1000 & echo $!; wait); wait";
    let finished = place.run_for(command, Duration::from_secs(2)).await;
    assert_eq!(finished.ending, Ending::TimedOut);
    let pids: Vec<&str> = finished.output.head.lines().collect();
    assert_eq!(pids.len(), 2, "{pids:?}");
    assert!(!pids.iter().any(|pid| is_alive(pid)), "{pids:?}");
}

#[tokio::test]
async fn a_command_that_ends_leaves_no_process_behind() {
    let place = Place::new();
    let output = place
        .run("setsid sleep 1000 & echo $!; sleep 1000 & echo $!")
        .await;
    let pids: Vec<&str> = output.lines().collect();
    assert_eq!(pids.len(), 2, "{pids:?}");
    assert!(!pids.iter().any(|pid| is_alive(pid)), "{pids:?}");
}

#[tokio::test]
async fn dropping_the_future_ends_the_whole_tree() {
    let place = Place::new();
    let pid_file = place.place.path().join("pid");
    let command = "sleep 1000 & echo $! >pid.new; mv pid.new pid; wait";
    {
        let mut run = pin!(
            place
                .shell
                .run(place.describe(command, Duration::from_mins(10)))
        );
        // Polled until the grandchild runs; then the future is dropped in the middle of its work.
        let mut tick = tokio::time::interval(Duration::from_millis(5));
        poll_fn(|task| {
            assert!(run.as_mut().poll(task).is_pending());
            while tick.poll_tick(task).is_ready() {}
            if pid_file.exists() {
                Poll::Ready(())
            } else {
                Poll::Pending
            }
        })
        .await;
    }
    let pid = fs::read_to_string(pid_file).unwrap();
    // The next command of the session waits until nothing of this one is left.
    assert_eq!(place.run("echo next").await, "next\n");
    assert!(!pid.trim().is_empty() && !is_alive(&pid), "{pid}");
}
