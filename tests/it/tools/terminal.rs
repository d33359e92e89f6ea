//! `terminal`: only by name, only in the granted directory, with a state of its session.

use std::path::Path;
use std::sync::Arc;

use hermes_tests::{Case, Session, Signpost};

fn case(code: &str, workdir: &Path) -> Case {
    Case::new(code).tools(["terminal"]).workdir(workdir)
}

#[tokio::test]
async fn a_command_answers_with_output_and_exit_code() {
    let place = tempfile::tempdir().unwrap();
    case(
        "from hermes_tools import terminal\nprint(terminal('echo hi; echo err >&2; exit 3'))",
        place.path(),
    )
    .run()
    .await
    .succeeds()
    .output("{'output': 'hi\\nerr', 'exit_code': 3, 'error': None}\n");
}

#[tokio::test]
async fn a_quoted_word_makes_the_round_trip() {
    let place = tempfile::tempdir().unwrap();
    case("from hermes_tools import shell_quote, terminal\nfor text in (\"it's\", '$HOME; \"x\"', 'é 漢'): print(terminal('echo ' + shell_quote(text))['output'] == text)", place.path())
        .run()
        .await
        .succeeds()
        .output("True\nTrue\nTrue\n");
}

#[tokio::test]
async fn directory_and_variables_live_on_in_the_session() {
    let place = tempfile::tempdir().unwrap();
    std::fs::create_dir(place.path().join("sub")).unwrap();
    let session = Session::fresh();
    let cell = |code: &str| {
        session
            .case(format!("from hermes_tools import terminal\n{code}"))
            .tools(["terminal"])
            .workdir(place.path())
    };
    cell("terminal('cd sub && export WORD=kept')")
        .run()
        .await
        .succeeds();
    cell("print(terminal('basename $PWD; echo $WORD')['output'])")
        .run()
        .await
        .succeeds()
        .output("sub\nkept\n");
}

#[tokio::test]
async fn a_command_sees_no_secret_of_the_hosts_environment() {
    let place = tempfile::tempdir().unwrap();
    // Each of these is set in the environment of a test that cargo runs, or by the shell itself.
    let finished = case(
        "from hermes_tools import terminal\nprint(terminal('env | cut -d= -f1')['output'])",
        place.path(),
    )
    .run()
    .await;
    finished.succeeds();
    let allowed = [
        "HERMES_SHELL_STATE",
        "HOME",
        "LANG",
        "OLDPWD",
        "PATH",
        "PWD",
        "SHLVL",
        "TERM",
        "TMPDIR",
        "USER",
        "_",
    ];
    for name in finished.outcome().output.lines() {
        assert!(
            allowed.contains(&name) || name.starts_with("LC_"),
            "{name}\n{finished}"
        );
    }
}

#[tokio::test]
async fn a_command_that_takes_too_long_is_killed_with_its_output_kept() {
    let place = tempfile::tempdir().unwrap();
    case("from hermes_tools import terminal\nanswer = terminal('echo a; sleep 60', timeout=1)\nprint(repr(answer['output']), answer['exit_code'])", place.path())
        .run()
        .await
        .succeeds()
        .output("'a\\n\\n[Command timed out after 1s]' 124\n");
}

#[tokio::test]
async fn a_dangerous_command_of_a_script_is_blocked_where_nobody_can_be_asked() {
    let place = tempfile::tempdir().unwrap();
    std::fs::create_dir(place.path().join("kept")).unwrap();
    case("from hermes_tools import terminal\nfor command in ('rm -r kept', 'rm -rf /', 'cd kept && pwd'):\n    answer = terminal(command)\n    print(answer.get('status'), (answer['error'] or '')[:60])", place.path())
        .run()
        .await
        .succeeds()
        .output("blocked Command denied: recursive delete. Use the approval prompt to\nblocked BLOCKED (hardline): recursive delete of the root filesystem.\nNone \n");
    assert!(place.path().join("kept").exists());
}

#[tokio::test]
async fn without_a_directory_no_command_runs() {
    Case::new("from hermes_tools import terminal\nanswer = terminal('echo x')\nprint(answer['exit_code'], answer['output'] == '', bool(answer['error']))")
        .tools(["terminal"])
        .run()
        .await
        .succeeds()
        .output("-1 True True\n");
}

#[tokio::test]
async fn a_command_ends_with_the_cell_that_called_it() {
    let signpost = Arc::new(Signpost::new());
    let place = signpost.directory();
    // The command writes its process id, says so, and then waits for longer than the cell will live.
    let script = "from hermes_tools import terminal\nterminal('echo $$ > pid; echo reached > signpost; exec sleep 1000')";
    let cell = case(script, place);
    let handle = cell.interrupt_handle();
    let waiting = Arc::clone(&signpost);
    let (finished, ()) = tokio::join!(cell.run(), async {
        tokio::task::spawn_blocking(move || waiting.wait())
            .await
            .unwrap();
        handle.interrupt(None);
    });
    finished.is_interrupted(None, "");
    let pid = std::fs::read_to_string(place.join("pid")).unwrap();
    let alive = |pid: &str| {
        std::fs::read_to_string(format!("/proc/{}/stat", pid.trim()))
            .is_ok_and(|stat| !stat.contains(") Z "))
    };
    let gone = async {
        while alive(&pid) {
            tokio::task::yield_now().await;
        }
    };
    hermes_tests::within_deadline("the end of the command", gone).await;
}
