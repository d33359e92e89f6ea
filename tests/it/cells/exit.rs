//! Asking to exit: a success that ends the kernel, whatever the code.

use hermes_tests::{Case, Session, by_engine, every_row, is_for_strict_only};

#[tokio::test]
async fn an_exit_is_a_success_that_ends_the_kernel() {
    let session = Session::fresh();
    session
        .run("print('q'); import sys; sys.exit(3)")
        .await
        .succeeds()
        .output(by_engine("q\n", "q\n\n--- stderr ---\nSystemExit: 3\n"))
        .ended(true)
        .kernel(false, 1);
    session
        .run("print('sys' in globals())")
        .await
        .succeeds()
        .output("False\n")
        .ended(false)
        .kernel(false, 1)
        .state_reset(false);
}

#[tokio::test]
async fn no_exit_code_or_message_is_shown() {
    if is_for_strict_only("project mode shows them") {
        return;
    }
    every_row(
        [
            "import sys; sys.exit()",
            "import sys; sys.exit('a message')",
            "raise SystemExit([1])",
            "exit(1)",
            "quit()",
            "exit('bye')",
        ],
        async |code| {
            Case::new(code)
                .run()
                .await
                .succeeds()
                .output("")
                .ended(true);
        },
    )
    .await;
}

#[tokio::test]
async fn an_exit_that_is_caught_ends_nothing() {
    let session = Session::fresh();
    session.run("try:\n    raise SystemExit(1)\nexcept SystemExit as error:\n    print('caught', error.code)").await.output("caught 1\n").ended(false);
    session
        .run("print('same')")
        .await
        .succeeds()
        .kernel(true, 2);
}

#[tokio::test]
async fn an_exit_in_a_thread_ends_that_thread_only() {
    let session = Session::fresh();
    session
        .run("import sys, threading\nthread = threading.Thread(target=sys.exit)\nthread.start()\nthread.join()\nprint('on')")
        .await
        .succeeds()
        .output("on\n")
        .ended(false);
    session.is_healthy().await;
}

#[tokio::test]
async fn an_exit_keeps_what_was_printed_to_stderr() {
    if is_for_strict_only("project mode shows the code as well") {
        return;
    }
    Case::new("import sys\nprint('out')\nprint('err', file=sys.stderr)\nsys.exit(1)")
        .run()
        .await
        .succeeds()
        .output("out\n\n--- stderr ---\nerr\n")
        .ended(true);
}

#[tokio::test]
async fn a_hard_exit_loses_the_kernel_and_keeps_the_output() {
    let session = Session::fresh();
    session
        .run("import os\nprint('before')\nos._exit(7)")
        .await
        .dies("the interpreter exited with code 7")
        .output("before\n");
    session
        .run("print('fresh')")
        .await
        .succeeds()
        .output("fresh\n")
        .kernel(false, 1);
}

#[tokio::test]
async fn an_abort_loses_the_kernel_and_keeps_the_output() {
    if is_for_strict_only("a process dies of a signal, not of a trap") {
        return;
    }
    let session = Session::fresh();
    session
        .run("import os\nprint('before', flush=True)\nos.abort()")
        .await
        .dies("wasm trap: wasm `unreachable` instruction executed");
    session.is_healthy().await;
}

#[tokio::test]
async fn functions_that_are_to_run_at_exit_do_not_hold_it_up() {
    let session = Session::fresh();
    session
        .run("import atexit\natexit.register(print, 'at exit')\nraise SystemExit")
        .await
        .succeeds()
        .ended(true);
    session.is_healthy().await;
}
