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
use crate::text::redact::{Profile, Redactor};

mod beginning;
mod copies;
mod definitions;
mod names;
mod reached;

struct Place {
    directory: TempDir,
    shell: Shell,
    cancellation: CancellationToken,
    init_files: Vec<PathBuf>,
    is_persistent: bool,
}

impl Place {
    fn new() -> Self {
        let path = env::var_os("PATH").map(|path| ("PATH".into(), path));
        let shell = Shell::new(Environment::scrubbed(path));
        Self {
            directory: tempfile::tempdir().unwrap(),
            shell,
            cancellation: CancellationToken::new(),
            init_files: Vec::new(),
            is_persistent: true,
        }
    }

    fn describe<'a>(&'a self, command: &'a str, timeout: Duration) -> Run<'a> {
        Run {
            command,
            start: self.directory.path(),
            workdir: None,
            timeout,
            cancellation: &self.cancellation,
            init_files: &self.init_files,
            is_persistent: self.is_persistent,
        }
    }

    /// Makes a FIFO through which a command tells how far it is.
    fn fifo(&self) -> PathBuf {
        let fifo = self.directory.path().join("fifo");
        let made = std::process::Command::new("mkfifo").arg(&fifo).status();
        assert!(made.unwrap().success());
        fifo
    }

    async fn run_for(&self, command: &str, timeout: Duration) -> Finished {
        self.shell
            .run(self.describe(command, timeout))
            .await
            .unwrap()
    }

    async fn run(&self, command: &str) -> String {
        text(&self.run_for(command, Duration::from_mins(1)).await)
    }
}

/// Reads a FIFO to its end, which comes when everybody who writes has closed it.
async fn read(fifo: &Path) -> String {
    let fifo = fifo.to_owned();
    let reading = tokio::task::spawn_blocking(|| fs::read_to_string(fifo));
    reading.await.unwrap().unwrap()
}

/// Returns what a command wrote.
fn text(finished: &Finished) -> String {
    let redactor = Redactor::new(false, Vec::new());
    let profile = Profile::for_command("");
    finished
        .output
        .show(&redactor, profile, 2_000_000, None)
        .text
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
async fn a_command_with_a_trap_of_its_own_keeps_its_state_and_its_code() {
    let place = Place::new();
    let finished = place
        .run_for(
            "trap 'echo bye' EXIT; export A=1; cd /; false",
            Duration::from_mins(1),
        )
        .await;
    assert_eq!(text(&finished), "bye\n");
    assert_eq!(finished.ending, Ending::Exited(1));
    assert_eq!(place.run("echo $A; pwd").await, "1\n/\n");
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
    let place = plain_place(&programs);
    let finished = place
        .run_for(
            "export A='x y'; cd /; echo \"$0\" >&2; exit 3",
            Duration::from_mins(1),
        )
        .await;
    assert_eq!(
        (text(&finished).as_str(), finished.ending),
        ("sh\n", Ending::Exited(3))
    );
    assert_eq!(finished.new_cwd.as_deref(), Some(Path::new("/")));
    assert_eq!(place.run("echo \"$A\"; pwd").await, "x y\n/\n");
}

/// A place whose only shell is the plain one.
fn plain_place(programs: &TempDir) -> Place {
    place_with(programs, &["cat", "sh"])
}

/// A place that has these programs only.
fn place_with(programs: &TempDir, names: &[&str]) -> Place {
    let programs = tempfile::tempdir_in(programs.path()).unwrap().keep();
    for name in names {
        let paths = env::split_paths(&env::var_os("PATH").unwrap()).collect::<Vec<_>>();
        let program = paths
            .iter()
            .map(|path| path.join(name))
            .find(|path| path.exists())
            .unwrap();
        symlink(program, programs.join(name)).unwrap();
    }
    let path = ("PATH".into(), programs.into_os_string());
    Place {
        shell: Shell::new(Environment::scrubbed([path])),
        ..Place::new()
    }
}

#[tokio::test]
async fn a_command_that_looks_like_an_option_is_a_command() {
    let programs = tempfile::tempdir().unwrap();
    for (place, shell) in [(Place::new(), "bash"), (plain_place(&programs), "sh")] {
        for command in ["-x", "--version", "--", "-c true"] {
            let finished = place.run_for(command, Duration::from_mins(1)).await;
            let name = command.split(' ').next().unwrap();
            let output = text(&finished);
            assert_eq!(finished.ending, Ending::Exited(127), "{shell} {command}");
            assert!(
                output.ends_with(&format!("{name}: command not found\n"))
                    || output.ends_with(&format!("{name}: not found\n")),
                "{output}"
            );
        }
    }
}

#[tokio::test]
async fn what_a_session_makes_of_its_shell_shows_in_its_own_commands_only() {
    let programs = tempfile::tempdir().unwrap();
    let rows = [
        ("readonly PWD OLDPWD SHLVL PATH", ""),
        ("export A=1; readonly A HERMES_SHELL_STATE", ""),
        ("set -v", ""),
        ("PS4=; set -x; exit 3", "exit 3\n"),
        ("PS4=; set -x; true", "true\n"),
        ("PS4=; set -ux; true", "true\n"),
        ("set -C; true", ""),
        ("export BASH_XTRACEFD=1 PS4=; set -x", ""),
    ];
    for shell in ["bash", "sh"] {
        for (command, expected) in rows {
            let place = if shell == "bash" {
                Place::new()
            } else {
                plain_place(&programs)
            };
            assert_eq!(place.run(command).await, expected, "{shell} {command}");
            assert_eq!(place.run("echo $#").await, "0\n", "{shell} {command}");
            assert_eq!(place.run("export B=2").await, "", "{shell} {command}");
            assert_eq!(place.run("echo $B").await, "2\n", "{shell} {command}");
        }
    }
    let place = Place::new();
    for name in [
        "cd", "eval", "exit", "export", "pwd", "set", "shift", "trap",
    ] {
        place.run(&format!("{name}() {{ echo mine; }}")).await;
        assert_eq!(place.run("true").await, "", "{name}");
    }
    assert_eq!(place.run("pwd").await, "mine\n");
}

#[tokio::test]
async fn what_is_in_the_way_in_the_state_is_left_behind_with_it() {
    for name in ["environment", "environment.new", "cwd.new", "command"] {
        let place = Place::new();
        place.run("export A=1; mkdir d; cd d").await;
        let command =
            format!("rm -f $HERMES_SHELL_STATE/{name}; exec mkdir -p $HERMES_SHELL_STATE/{name}/x");
        place.run(&command).await;
        let finished = place
            .run_for("echo $A-${PWD##*/}; export B=2", Duration::from_mins(1))
            .await;
        assert_eq!(
            (text(&finished).as_str(), finished.is_recreated),
            ("-d\n", true),
            "{name}"
        );
        let finished = place.run_for("echo $B", Duration::from_mins(1)).await;
        assert_eq!(
            (text(&finished).as_str(), finished.is_recreated),
            ("2\n", false),
            "{name}"
        );
    }
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
    assert_eq!((finished.new_cwd, finished.is_recreated), (None, false));
    place.run("mkdir d; cd d").await;
    fs::remove_dir(place.directory.path().join("d")).unwrap();
    let start = place.directory.path().canonicalize().unwrap();
    let finished = place.run_for("pwd -P", Duration::from_mins(1)).await;
    assert_eq!(text(&finished).trim(), start.to_str().unwrap());
    assert!(finished.is_recreated);
    assert!(
        !place
            .run_for("true", Duration::from_mins(1))
            .await
            .is_recreated
    );
}

#[tokio::test]
async fn a_state_that_was_deleted_is_made_anew() {
    let place = Place::new();
    place
        .run("export A=1; cd /; rm -r \"$HERMES_SHELL_STATE\"")
        .await;
    let finished = place
        .run_for("echo \"$A-\"; export B=2", Duration::from_mins(1))
        .await;
    assert_eq!(text(&finished), "-\n");
    assert!(finished.is_recreated);
    assert_eq!(place.run("echo $B").await, "2\n");
}

#[tokio::test]
async fn a_command_has_no_terminal_and_its_own_session() {
    let place = Place::new();
    let output = place
        .run("(: </dev/tty) 2>/dev/null && echo tty; cut -d' ' -f6 /proc/$$/stat; echo $$")
        .await;
    let lines: Vec<&str> = output.lines().collect();
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert_eq!(lines.first(), lines.last());
}

#[tokio::test]
async fn a_cancelled_command_ends_with_its_tree_and_keeps_its_output() {
    let place = Place::new();
    let fifo = place.fifo();
    let command = "echo before; sleep 1000 & echo $! >fifo; wait";
    let cancel = async {
        let pid = read(&fifo).await;
        place.cancellation.cancel();
        pid
    };
    let (finished, pid) = tokio::join!(place.run_for(command, Duration::from_mins(1)), cancel);
    assert_eq!(finished.ending, Ending::Interrupted);
    assert_eq!(text(&finished), "before\n");
    assert!(!pid.trim().is_empty() && !is_alive(&pid), "{pid}");
}

/// Starts processes in every way in which one can get lost: in the group, with a session of its own, forked twice, and
/// forked twice with a session of its own and an empty environment. Each one tells its number before it sleeps.
const STRAYS: &str = r#"
stray='trap "" TERM HUP; echo $$ >strays; while :; do sleep 1000; done'
mkfifo strays
exec 3<>strays
sh -c "$stray" &
setsid sh -c "$stray" &
(sh -c "$stray" &)
(setsid env -i "PATH=$PATH" sh -c "$stray" >/dev/null 2>&1 </dev/null 3>&- &)
for _ in 1 2 3 4; do read -r pid <&3; echo "$pid"; done
"#;

fn assert_no_strays(finished: &Finished) {
    let output = text(finished);
    let pids: Vec<&str> = output.lines().collect();
    assert_eq!(pids.len(), 4, "{output}");
    let alive: Vec<_> = pids.iter().filter(|pid| is_alive(pid)).collect();
    assert!(alive.is_empty(), "{alive:?} of {pids:?}");
}

#[tokio::test]
async fn a_finished_command_leaves_no_process_behind_however_it_hid() {
    let place = Place::new();
    let finished = place.run_for(STRAYS, Duration::from_mins(1)).await;
    assert_eq!(finished.ending, Ending::Exited(0));
    assert_no_strays(&finished);
}

#[tokio::test]
async fn a_killed_command_leaves_no_process_behind_however_it_hid() {
    let place = Place::new();
    let fifo = place.fifo();
    let command = format!("{STRAYS}\necho ready >fifo; sleep 1000");
    let cancel = async {
        read(&fifo).await;
        place.cancellation.cancel();
    };
    let (finished, ()) = tokio::join!(place.run_for(&command, Duration::from_mins(1)), cancel);
    assert_eq!(finished.ending, Ending::Interrupted);
    assert_no_strays(&finished);
}

#[tokio::test]
async fn processes_of_another_session_are_left_alone() {
    let (one, other) = (Place::new(), Place::new());
    let fifo = other.fifo();
    let waiting = other.run_for("cat fifo", Duration::from_mins(1));
    let command = format!(
        "echo through >'{}'; setsid sleep 1000 & true",
        fifo.display()
    );
    let (waited, finished) = tokio::join!(waiting, one.run_for(&command, Duration::from_mins(1)));
    assert_eq!(finished.ending, Ending::Exited(0));
    assert_eq!(
        (text(&waited).as_str(), waited.ending),
        ("through\n", Ending::Exited(0))
    );
}

#[tokio::test]
async fn many_commands_leave_no_descriptor_open() {
    let place = Place::new();
    let count = || fs::read_dir("/proc/self/fd").unwrap().count();
    place.run("true").await;
    let before = count();
    for _ in 0..200 {
        place.run("true").await;
    }
    // Other tests of this process open files at the same time; one that stayed open for each command would be 200.
    let after = count();
    assert!(after < before + 100, "{before} {after}");
}

#[tokio::test]
async fn a_time_limit_ends_the_whole_tree_even_what_left_the_group() {
    let place = Place::new();
    let command = "trap '' TERM; (sleep 1000 & echo $!; setsid sleep 1000 & echo $!; wait); wait";
    let finished = place.run_for(command, Duration::from_secs(2)).await;
    assert_eq!(finished.ending, Ending::TimedOut);
    let output = text(&finished);
    let pids: Vec<&str> = output.lines().collect();
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
    let pid_file = place.directory.path().join("pid");
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

#[tokio::test]
async fn a_start_that_is_gone_too_is_left_for_the_nearest_directory_above() {
    let place = Place::new();
    let start = place.directory.path().join("a/b/c");
    fs::create_dir_all(&start).unwrap();
    let run = async |command| {
        let run = Run {
            start: &start,
            ..place.describe(command, Duration::from_mins(1))
        };
        place.shell.run(run).await.unwrap()
    };
    run("true").await;
    fs::remove_dir_all(place.directory.path().join("a/b")).unwrap();
    let above = place.directory.path().join("a").canonicalize().unwrap();
    let finished = run("pwd -P").await;
    assert_eq!(
        (text(&finished).trim(), finished.is_recreated),
        (above.to_str().unwrap(), true)
    );
    let finished = run("pwd -P").await;
    assert_eq!(
        (text(&finished).trim(), finished.is_recreated),
        (above.to_str().unwrap(), false)
    );
}
