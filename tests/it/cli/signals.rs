//! Ctrl-C ends the cell and what it had printed is printed.

use hermes_tests::{Cli, Ended, Signpost};

fn stopped_by(signal: &str, more: &[&str], script: &str) -> Ended {
    let signpost = Signpost::new();
    let code = format!("print('start')\n{}{script}", Signpost::REACHED);
    let mut arguments = vec![
        "run",
        "--tools",
        "terminal",
        "--workdir",
        signpost.workdir(),
    ];
    arguments.extend(more);
    arguments.extend(["-c", &code]);
    let started = Cli::new(arguments).start();
    signpost.wait();
    started.signal(signal);
    started.end()
}

#[test]
fn an_interrupt_prints_what_there_was_and_exits_with_130() {
    for script in [
        "while True: pass",
        "import time; time.sleep(1000)",
        "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
    ] {
        stopped_by("INT", &[], script)
            .exits(130)
            .prints("start\n")
            .reports("error: Interrupted; the session kernel was killed and its state was lost.\n");
    }
}

#[test]
fn a_termination_is_an_interrupt_too() {
    stopped_by("TERM", &[], "while True: pass")
        .exits(130)
        .prints("start\n");
}

#[test]
fn an_interrupted_run_has_its_result_as_json() {
    let ended = stopped_by("INT", &["--json"], "while True: pass");
    ended.exits(130).reports("");
    let json = ended.json();
    assert_eq!(json["status"], "interrupted");
    assert_eq!(json["output"], "start\n\n[execution interrupted]");
    assert_eq!(json["tool_calls_made"], 1);
}

#[test]
fn a_blocked_tool_call_is_interrupted() {
    stopped_by(
        "INT",
        &[],
        "__import__('hermes_tools').terminal('sleep 1000')",
    )
    .exits(130)
    .prints("start\n");
}
