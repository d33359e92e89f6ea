//! The pipes to the host: everything that is written arrives, and what a cell does to them ends with it.

use std::collections::HashSet;

use hermes_tests::Session;

/// Asserts what a cell prints whose session has had a cell that did harm.
async fn prints_after(harm: &str, code: &str, expected: &str) {
    let session = Session::fresh();
    let harm = format!("import os, sys\n{harm}");
    session.run(harm).await.succeeds();
    session.run(code).await.succeeds().output(expected);
}

#[tokio::test]
async fn signals_and_other_users_of_the_pipe_take_nothing_from_the_output() {
    let on_signal = "import signal\ncaught = []\nsignal.signal(signal.SIGALRM, lambda *_: caught.append(1))\nsignal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)\n";
    let without_blocking =
        "import os, sys\nos.set_blocking(sys.stdout.fileno(), False)\nos.set_blocking(1, False)\n";
    let by_a_child = "import os, subprocess, sys\nsubprocess.run([sys.executable, '-c', 'import os; os.set_blocking(1, False)'], stdout=sys.stdout)\n";
    for setting in [on_signal, without_blocking, by_a_child] {
        for print in [
            "print('x' * 999_999)",
            "import sys\nfor _ in range(10): print('x' * 99_999)",
            "import sys\nsys.stdout.buffer.write(b'x' * 1_000_000)",
        ] {
            let session = Session::fresh();
            let finished = session.run(format!("{setting}{print}")).await;
            finished.succeeds().bytes(50_000, 1_000_000, 950_000);
        }
    }
}

#[tokio::test]
async fn pipes_that_do_not_block_do_so_again_in_the_next_cell() {
    let session = Session::fresh();
    session
        .run("import os, sys\nfor fd in (1, 2, sys.stdout.fileno(), sys.stderr.fileno()): os.set_blocking(fd, False)")
        .await
        .succeeds();
    session
        .run("print([os.get_blocking(fd) for fd in (1, 2, sys.stdout.fileno(), sys.stderr.fileno())])")
        .await
        .succeeds()
        .output("[True, True, True, True]\n");
}

#[tokio::test]
async fn what_a_cell_makes_of_its_streams_ends_with_it() {
    for harm in [
        "sys.stdout.buffer.write = lambda data: len(data)",
        "sys.stdout.buffer.write = None",
        "sys.stdout.write = None; sys.stderr.buffer.flush = None",
        "sys.stdout.detach()",
        "sys.stdout.buffer.close()",
        "sys.stdout.reconfigure(encoding='ascii', newline='\\r\\n', write_through=False)",
        "class Quiet(type(sys.stdout.buffer)):\n    def write(self, data): return len(data)\nsys.stdout.buffer.__class__ = Quiet",
        "type(sys.stdout.buffer).write = type(sys.stderr.buffer).write = lambda self, data: len(data)",
        "os.close(sys.stdout.fileno()); os.close(sys.stderr.fileno())",
        "os.dup2(os.open('/dev/null', os.O_WRONLY), sys.stdout.fileno())",
        "sys.stdout.buffer.__init__(os.open('/dev/null', os.O_WRONLY), 'w', closefd=False)",
        "for each in type(sys.stdout.buffer).__mro__:\n    try: each.write = each.closed = None\n    except TypeError: pass",
    ] {
        prints_after(harm, "print('é')", "é\n").await;
    }
}

#[tokio::test]
async fn what_programs_write_is_shown_again_in_the_next_cell() {
    for harm in [
        "os.close(1); os.close(2)",
        "null = os.open('/dev/null', os.O_WRONLY); os.dup2(null, 1); os.dup2(null, 2)",
        "os.dup2(1, 2)",
        "wires = sys.stdout.fileno(), sys.stderr.fileno()\nfor each in (1, 2, *wires): os.close(each)",
    ] {
        let code = "os.system('echo out; echo err >&2'); print('shown')";
        prints_after(harm, code, "shown\nout\n\n--- stderr ---\nerr\n").await;
    }
}

#[tokio::test]
async fn a_cell_that_has_taken_all_descriptors_does_not_silence_the_next() {
    let session = Session::fresh();
    let code = "import os, resource, sys\nresource.setrlimit(resource.RLIMIT_NOFILE, (60, 60))\nos.close(sys.stdout.fileno())\ntaken = []\ntry:\n    while True: taken.append(os.open('/dev/null', os.O_RDONLY))\nexcept OSError: pass";
    session.run(code).await.succeeds();
    session
        .run("print(len(taken) > 9)")
        .await
        .succeeds()
        .output("True\n");
}

#[tokio::test]
async fn a_file_in_the_place_of_a_stream_stays_the_scripts() {
    let session = Session::fresh();
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("own");
    let code = format!(
        "import os, sys\nown = sys.stdout.fileno()\nos.dup2(os.open({path:?}, os.O_WRONLY | os.O_CREAT), own)"
    );
    session.run(code).await.succeeds();
    session
        .run("print('shown', os.write(own, b'own'))")
        .await
        .succeeds()
        .output("shown 3\n");
    assert_eq!(std::fs::read_to_string(path).unwrap(), "own");
}

#[tokio::test]
async fn the_standard_input_is_empty_again_in_the_next_cell() {
    for harm in [
        "sys.stdin.close()",
        "os.close(0)",
        "sys.stdin.detach()",
        "sys.stdin = None",
        "r, w = os.pipe(); os.write(w, b'not for you\\n'); os.dup2(r, 0)",
        "os.dup2(os.open('/dev/zero', os.O_RDONLY), 0)",
        "del sys.stdin, sys.__stdin__",
        "sys.stdin.fileno = None; sys.stdin.buffer.fileno = lambda: 1 / 0",
        "sys.stdin.readline = lambda *_: 'patched'",
        "sys.stdin.reconfigure(encoding='utf-16')",
        "r, w = os.pipe(); os.write(w, b'a\\nb\\nc\\n'); os.close(w); os.dup2(r, 0); input()",
        "os.dup2(os.open('/dev/null', os.O_WRONLY), 0)",
        "os.open = os.dup2 = os.fstat = None; os.close(0)",
        "import resource\nresource.setrlimit(resource.RLIMIT_NOFILE, (60, 60))\nos.dup2(os.open('/etc/hostname', os.O_RDONLY), 0)\ntry:\n    while True: os.dup(0)\nexcept OSError: pass",
    ] {
        let code = "import posix\ntry: input()\nexcept EOFError as error: print(error, repr(posix.read(0, 1)), repr(sys.stdin.read()))";
        prints_after(harm, code, "EOF when reading a line b'' ''\n").await;
    }
}

#[tokio::test]
async fn no_kernel_has_a_descriptor_of_another_one() {
    let pipes = "import os\nfor name in os.listdir('/proc/self/fd'):\n    try:\n        link = os.readlink('/proc/self/fd/' + name)\n    except OSError:\n        continue\n    if link.startswith('pipe:'): print(link)";
    for _ in 0..8 {
        let sessions: Vec<_> = (0..12).map(|_| Session::fresh()).collect();
        let cells: Vec<_> = sessions
            .iter()
            .map(|session| tokio::spawn(session.case(pipes).run()))
            .collect();
        let mut kernels = Vec::new();
        for cell in cells {
            let finished = cell.await.unwrap();
            finished.succeeds();
            let lines = finished.outcome().output.lines();
            kernels.push(lines.map(str::to_owned).collect::<HashSet<_>>());
        }
        // What every process of this test has came from whoever started it.
        let mut inherited = kernels[0].clone();
        inherited.retain(|pipe| kernels.iter().all(|kernel| kernel.contains(pipe)));
        let mut seen = HashSet::new();
        for kernel in &kernels {
            let own = kernel.difference(&inherited);
            // Two streams twice, and what tells of the host's end.
            assert_eq!(own.clone().count(), 5, "{kernel:?} {inherited:?}");
            for pipe in own {
                assert!(seen.insert(pipe), "{pipe} belongs to two kernels");
            }
        }
    }
}
