//! The child process itself: who shares it, how it ends, what it shows of an end.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

use hermes_runtime::{ExitStatus, KernelError, Mode, Request, RuntimeError, Status};
use hermes_tests::{Case, Cli, Session, builder, project_options, shared};

const PID: &str = "import os; print(os.getpid())";

#[tokio::test]
async fn six_first_calls_at_once_share_one_process() {
    let session = Session::fresh();
    let run = || session.run(PID);
    let three = async || tokio::join!(run(), run(), run());
    let (left, right) = tokio::join!(three(), three());
    for other in [&left.1, &left.2, &right.0, &right.1, &right.2] {
        other.succeeds().output(&left.0.outcome().output);
    }
}

#[tokio::test]
async fn an_exit_shows_its_code_or_message() {
    for (code, status, stderr) in [
        (
            "import sys; sys.exit(3)",
            Some(ExitStatus::Code(3)),
            "SystemExit: 3\n",
        ),
        ("raise SystemExit", Some(ExitStatus::Code(0)), ""),
        (
            "exit('bye')",
            Some(ExitStatus::Message("bye".to_owned())),
            "SystemExit: bye\n",
        ),
        (
            "raise SystemExit([1])",
            Some(ExitStatus::Message("[1]".to_owned())),
            "SystemExit: [1]\n",
        ),
        (
            "import sys; sys.exit(10 ** 30)",
            Some(ExitStatus::Code(2_147_483_647)),
            "SystemExit: 2147483647\n",
        ),
    ] {
        let finished = Case::new(code).run().await;
        finished.succeeds().ended(true);
        assert_eq!(finished.outcome().kernel.exit_status, status, "{finished}");
        assert_eq!(finished.outcome().stderr_text(), stderr, "{finished}");
    }
}

#[tokio::test]
async fn a_kernel_that_died_between_cells_is_replaced_and_that_is_told() {
    let session = Session::fresh();
    session
        .run("import os, threading, time\nx = 1\nthreading.Thread(target=lambda: (time.sleep(0.05), os._exit(0))).start()")
        .await
        .succeeds();
    // Whether the process is gone already or goes during this cell, the state is lost and the session works.
    let _whichever = session.run("import time; time.sleep(0.2)").await;
    let finished = session.run("print('x' in globals())").await;
    finished.succeeds().output("False\n");
}

#[tokio::test]
async fn output_survives_a_death_that_nobody_announced() {
    let session = Session::fresh();
    session
        .run("import os, sys\nprint('printed')\nprint('no line end', end='')\nos.write(1, b' raw')\nos.kill(os.getpid(), 9)")
        .await
        .dies("the interpreter was ended by signal 9")
        .output("printed\nno line end raw");
    session.is_healthy().await;
}

#[tokio::test]
async fn raw_output_comes_after_what_was_printed_and_a_flood_of_it_is_bounded() {
    let session = Session::fresh();
    session
        .run("import subprocess\nsubprocess.run(['echo', 'from-subprocess'])\nprint('printed')")
        .await
        .succeeds()
        .output("printed\nfrom-subprocess\n");
    let finished = session
        .run("import subprocess\nprint('HEAD')\nsubprocess.run('yes line | head -c 20000000', shell=True)\nprint('printed last')")
        .await;
    let outcome = finished.outcome();
    assert!(
        outcome.output.starts_with("HEAD\nprinted last\nline\n"),
        "{finished}"
    );
    assert_eq!(outcome.stdout.bytes_total, 20_000_000 + 18, "{finished}");
    session.is_healthy().await;
}

#[tokio::test]
async fn a_process_that_floods_without_end_does_not_hold_up_the_end_of_a_cell() {
    let session = Session::fresh();
    session
        .run("import subprocess\nflood = subprocess.Popen(['yes'])\n")
        .await
        .succeeds();
    let finished = session.run("print('next')").await;
    assert!(
        finished.outcome().output.starts_with("next\n"),
        "{finished}"
    );
    session.run("flood.kill(); flood.wait()").await.succeeds();
}

#[tokio::test]
async fn input_is_at_its_end_and_the_protocol_is_out_of_reach() {
    let session = Session::fresh();
    session
        .run("import os, sys\nprint(repr(sys.stdin.read()), os.read(0, 10))\nprint(input())")
        .await
        .raises("EOFError: EOF when reading a line");
    session.is_healthy().await;
    session
        .run("import os\nos.write(1, b'\\n@@HERMES-KERNEL-x@@ 5\\n{...}')")
        .await
        .succeeds()
        .output("\n@@HERMES-KERNEL-x@@ 5\n{...}");
}

#[tokio::test]
async fn children_that_work_for_a_session_have_state_of_their_own_and_are_not_evicted() {
    let runtime = builder().max_sessions(1).build().unwrap();
    let cell = |code: &str| Request::new(code).session("parent");
    let run = async |request: Request| runtime.execute(request).await.unwrap().output;
    assert_eq!(run(cell("x = 'parent'; print(x)")).await, "parent\n");
    for child in ["1", "2", "3"] {
        let code = format!("print('x' in globals()); x = {child}");
        assert_eq!(run(cell(&code).child(child)).await, "False\n");
    }
    for child in ["1", "2", "3"] {
        assert_eq!(
            run(cell("print(x)").child(child)).await,
            format!("{child}\n")
        );
    }
    assert_eq!(run(cell("print(x)")).await, "parent\n");
    assert_eq!(runtime.sessions(), 4);
    assert!(runtime.end_child("parent", "1"));
    assert!(!runtime.end_child("parent", "1"));
    assert_eq!(runtime.sessions(), 3);
    assert!(runtime.close_session("parent"));
    assert_eq!(runtime.sessions(), 0);
}

#[tokio::test]
async fn what_a_handler_raises_between_two_cells_is_nobodys() {
    // Each comes at the end of its cell, between the cells, or in the next one, which waits for it.
    let senders = [
        "import signal\ndef handler(*_):\n    global came\n    came = True\n    raise error\n\
         signal.signal(signal.SIGALRM, handler)\nsignal.setitimer(signal.ITIMER_REAL, 0.01)",
        "import _thread, signal\ndef handler(*_):\n    global came\n    came = True\n    raise error\n\
         signal.signal(signal.SIGINT, handler)\n_thread.start_new_thread(lambda: _thread.interrupt_main(), ())",
    ];
    for (sender, error) in senders.iter().flat_map(|sender| {
        ["ValueError()", "TimeoutError()", "KeyboardInterrupt()"].map(|error| (sender, error))
    }) {
        let session = Session::fresh();
        let code = format!("came = False\nerror = {error}\n{sender}");
        // Where it comes while a cell runs, it is that cell's exception.
        let _ = session.run(&code).await;
        let _ = session
            .run("import time\nwhile not came: time.sleep(0.001)")
            .await;
        session.run("print(came)").await.succeeds().output("True\n");
        session.is_healthy().await;
    }
}

#[tokio::test]
async fn an_interpreter_that_does_not_exist_is_a_failure_of_the_call() {
    let mut options = project_options();
    options.interpreter = Some("/no/such/python".into());
    let runtime = builder().project(options).build().unwrap();
    let error = runtime.execute(Request::new("1")).await.unwrap_err();
    let is_that = matches!(error, RuntimeError::Kernel(KernelError::NoInterpreter));
    assert!(is_that && !error.is_refusal(), "{error:?}");
}

#[test]
fn a_limit_of_the_command_line_holds_or_is_refused() {
    let code = "block = bytearray(2 << 30)";
    let run = |option: &str| Cli::new(["run", "--mode", "project", option, "-c", code]).run();
    let ended = run("--memory-limit=1GiB");
    assert!(ended.stderr.contains("MemoryError"), "{ended:?}");
    let ended = run("--memory-limit=1MiB");
    ended.exits(2);
    assert!(ended.stderr.contains("leaves no room"), "{ended:?}");
    let ended = run("--fuel=7");
    ended.exits(2);
    assert!(
        ended.stderr.contains("project mode meters no fuel"),
        "{ended:?}"
    );
}

#[test]
fn a_host_without_room_says_so_and_not_that_there_is_no_python() {
    // The place for temporary files is gone.
    let ended = Cli::new(["run", "--mode", "project", "-c", "print(1)"])
        .env("TMPDIR", "/no/such/directory")
        .run();
    assert!(
        ended
            .stderr
            .contains("cannot look for a Python interpreter"),
        "{ended:?}"
    );
    assert!(!ended.stderr.contains("Install Python"), "{ended:?}");
}

#[tokio::test]
async fn an_interpreter_whose_kernel_did_not_come_up_is_asked_again() {
    let place = tempfile::tempdir().unwrap();
    let at = |name: &str| place.path().join(name);
    let real = Command::new("python3")
        .args(["-c", "import sys; print(sys.executable)"])
        .output()
        .unwrap();
    // It takes itself for the program at this path, and starts no kernel as long as it is broken.
    let program = format!(
        "#!/bin/bash\nif [ \"$1\" = -I ]; then echo >> {:?}; elif [ -e {:?} ]; then exit 1; fi\nexec -a \"$0\" {} \"$@\"\n",
        at("asked"),
        at("broken"),
        String::from_utf8(real.stdout).unwrap().trim(),
    );
    fs::write(at("broken"), "").unwrap();
    fs::write(at("python"), program).unwrap();
    fs::set_permissions(at("python"), fs::Permissions::from_mode(0o755)).unwrap();
    let mut options = project_options();
    options.interpreter = Some(at("python"));
    let runtime = builder().project(options).build().unwrap();
    let session = Session::on(&runtime);
    session
        .run("1")
        .await
        .dies("the interpreter exited with code 1");
    fs::remove_file(at("broken")).unwrap();
    session.run("print(1)").await.succeeds().output("1\n");
    session.run("print(2)").await.succeeds().output("2\n");
    assert_eq!(fs::read_to_string(at("asked")).unwrap(), "\n\n");
}

#[tokio::test]
async fn a_runtime_for_project_mode_needs_no_artifact_until_a_cell_is_strict() {
    let place = tempfile::tempdir().unwrap();
    let runtime = builder().artifact_dir(place.path()).build().unwrap();
    let outcome = runtime.execute(Request::new("print(1)")).await.unwrap();
    assert_eq!(
        (outcome.status, outcome.output.as_str()),
        (Status::Success, "1\n")
    );
    let strict = Request::new("print(1)").mode(Mode::Strict);
    let error = runtime.execute(strict).await.unwrap_err();
    assert!(matches!(error, RuntimeError::Engine(_)), "{error:?}");
}

#[tokio::test]
async fn both_modes_serve_side_by_side() {
    let code = "import sys; print(sys.platform)";
    let run = async |mode| {
        let request = Request::new(code).mode(mode);
        shared().execute(request).await.unwrap().output
    };
    assert_eq!(run(Mode::Strict).await, "wasi\n");
    assert_eq!(run(Mode::Project).await, "linux\n");
}

#[tokio::test]
async fn a_traceback_has_the_lines_of_each_cell_on_every_version() {
    let session = Session::fresh();
    session
        .run("def f():\n    raise ValueError('x')  # in the first cell\n")
        .await
        .succeeds();
    let finished = session
        .run("def g():\n    f()\n\ng()  # in the second\n")
        .await;
    finished.raises("ValueError: x");
    let error = finished.outcome().error.as_deref().unwrap_or_default();
    let lines: Vec<&str> = error
        .lines()
        .filter(|line| !line.trim().chars().all(|mark| matches!(mark, '~' | '^')))
        .collect();
    let expected = [
        "Traceback (most recent call last):",
        "  File \"<cell>\", line 4, in <module>",
        "    g()  # in the second",
        "  File \"<cell>\", line 2, in g",
        "    f()",
        "  File \"<cell>\", line 2, in f",
        "    raise ValueError('x')  # in the first cell",
        "ValueError: x",
    ];
    assert_eq!(lines, expected, "{finished}");
}

#[tokio::test]
async fn the_end_of_a_kernel_tells_the_last_words_of_the_process_or_how_it_ended() {
    for (end, told) in [
        ("os.write(2, b'last words\\n'); os._exit(7)", "last words"),
        ("os._exit(7)", "the interpreter exited with code 7"),
        (
            "os.kill(os.getpid(), 9)",
            "the interpreter was ended by signal 9",
        ),
        (
            "for name in os.listdir('/proc/self/fd'):\n    path = '/proc/self/fd/' + name\n    if os.path.lexists(path) and os.readlink(path).startswith('socket:'): os.close(int(name))\ntime.sleep(1000)",
            "the interpreter closed its connection to the host",
        ),
    ] {
        Session::fresh()
            .run(format!("import os, time\n{end}"))
            .await
            .dies(told);
    }
}
