//! Handlers of signals, hooks and tracers of a script: what they do is the script's, wherever it comes, and between two cells nobody's.

use hermes_tests::Session;

#[tokio::test]
async fn what_a_handler_of_a_signal_raises_during_a_tool_call_is_the_scripts() {
    for error in [
        "TimeoutError('too long')",
        "ConnectionAbortedError('mine')",
        "ConnectionResetError('mine')",
        "BrokenPipeError('mine')",
        "OSError(5, 'mine')",
        "KeyboardInterrupt('mine')",
        "ValueError('mine')",
    ] {
        let place = tempfile::tempdir().unwrap();
        let code = format!(
            "import os, signal\nfrom hermes_tools import terminal\ndef handler(*_): raise {error}\nsignal.signal(signal.SIGUSR1, handler)\ntry:\n    terminal(f'echo >> {{{:?}}}/calls; kill -USR1 {{os.getpid()}}; sleep 1')\nexcept BaseException as caught:\n    print(repr(caught))\nprint(terminal('echo again')['output'])",
            place.path()
        );
        let session = Session::fresh();
        session
            .run(code)
            .await
            .succeeds()
            .output(&format!("{}\nagain\n", shown(error)));
        let calls = std::fs::read_to_string(place.path().join("calls")).unwrap();
        assert_eq!(calls, "\n", "{error}");
    }
}

#[tokio::test]
async fn what_a_handler_raises_between_cells_and_at_their_edges_ends_no_kernel() {
    for error in [
        "TimeoutError",
        "KeyboardInterrupt",
        "ValueError",
        "MemoryError",
    ] {
        let session = Session::fresh();
        let code = format!(
            "import signal\nx = 41\ndef handler(*_): raise {error}('mine')\nsignal.signal(signal.SIGALRM, handler)\nsignal.setitimer(signal.ITIMER_REAL, 0.005, 0.005)"
        );
        session.run(code).await;
        // Some of them end with what the handler raises.
        for _ in 0..300 {
            session.run("pass").await.shows_no_frame_of_the_runtime();
        }
        // Reading it takes longer than it is from one signal to the next.
        let large = format!("'{}'", "x".repeat(16 << 20));
        session.run(large).await.shows_no_frame_of_the_runtime();
        let stopping = "while True:\n    try:\n        signal.setitimer(signal.ITIMER_REAL, 0)\n        break\n    except BaseException: pass";
        session.run(stopping).await;
        let finished = session.run("print(x + 1)").await;
        finished.succeeds().output("42\n").kernel(true, 304);
    }
}

#[tokio::test]
async fn what_a_script_forbids_or_traces_is_its_own_affair() {
    for harm in [
        "sys.addaudithook(lambda event, _: event == 'open' and 1 / 0)",
        "sys.addaudithook(lambda event, _: event == 'open' and exec('raise PermissionError'))",
        "os.closerange(3, 4); os.open('/etc', os.O_RDONLY)",
        "import itertools\nfor limit in itertools.count(1):\n    try: sys.setrecursionlimit(limit)\n    except RecursionError: continue\n    break",
        "sys.setprofile(lambda *event: print(event))\nsys.settrace(lambda *event: print(event))",
        "sys.setprofile(lambda *event: 1 / 0)",
        "monitoring = sys.monitoring\ndef limit(code, _):\n    if code.co_name not in ('<module>', 'write'): 1 / 0\nmonitoring.use_tool_id(3, 'limit')\nmonitoring.register_callback(3, monitoring.events.PY_START, limit)\nmonitoring.set_events(3, monitoring.events.PY_START)",
    ] {
        let session = Session::fresh();
        session.run("import os, sys\nx = 41").await.succeeds();
        session.run(harm).await.shows_no_frame_of_the_runtime();
        session
            .run("sys.setprofile(None)\nsys.settrace(None)")
            .await
            .shows_no_frame_of_the_runtime();
        session
            .run("print(x + 1)")
            .await
            .succeeds()
            .output("42\n")
            .kernel(true, 4);
    }
}

/// Returns how Python shows an exception that was made with these words.
fn shown(error: &str) -> String {
    error.replace('"', "'")
}
