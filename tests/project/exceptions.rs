//! Exceptions that do not behave: their cell has an error, the kernel lives, and nothing of the runtime is shown.

use hermes_tests::Session;

#[tokio::test]
async fn a_class_can_make_anything_of_its_attributes() {
    let property =
        |name: &str| format!("    @property\n    def {name}(self): raise RuntimeError('{name}')\n");
    let attribute = |name: &str| format!("    {name} = MagicMock()\n");
    let names = [
        "__traceback__",
        "__cause__",
        "__context__",
        "__suppress_context__",
        "__notes__",
        "__class__",
        "args",
        "exceptions",
    ];
    let mut bodies: Vec<String> = vec![
        "    def __getattribute__(self, name): raise RuntimeError(name)\n".to_owned(),
        "    def __str__(self): raise RuntimeError\n    def __repr__(self): raise RuntimeError\n"
            .to_owned(),
    ];
    for name in names {
        bodies.push(property(name));
        bodies.push(attribute(name));
    }
    for body in bodies {
        let session = Session::fresh();
        session.run("x = 41").await.succeeds();
        let class = format!("from unittest.mock import MagicMock\nclass E(Exception):\n{body}");
        for raising in [
            "raise E('text')",
            "try: raise ValueError(1)\nexcept ValueError as error: raise E('text') from error",
            "try: raise E('text')\nexcept E: raise ValueError(2)",
        ] {
            let finished = session.run(format!("{class}{raising}")).await;
            let error = finished.outcome().error.clone().unwrap_or_default();
            assert!(
                error.starts_with("Traceback (most recent call last):\n"),
                "{class}{raising}: {finished}"
            );
            finished.shows_no_frame_of_the_runtime();
        }
        session
            .run("print(x + 1)")
            .await
            .succeeds()
            .output("42\n")
            .kernel(true, 5);
    }
}

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

/// Returns how Python shows an exception that was made with these words.
fn shown(error: &str) -> String {
    error.replace('"', "'")
}
