//! A process that a cell forks is the cell's own: it never serves the host, and ends where the cell ends.

use std::fs;

use hermes_tests::Session;

#[tokio::test]
async fn a_child_that_comes_to_the_end_of_a_cell_ends_as_it_would_with_a_script() {
    for (child, code, shown) in [
        ("pass", 0, ""),
        ("sys.exit()", 0, ""),
        ("sys.exit(4)", 4, ""),
        ("sys.exit(-1)", 255, ""),
        ("sys.exit('bye')", 1, "bye\n"),
        (
            "raise ValueError('of the child')",
            1,
            "ValueError: of the child\n",
        ),
        ("os.fork() or sys.exit(7)", 0, ""),
    ] {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("parent");
        let session = Session::fresh();
        let finished = session
            .run(format!(
                "import os, sys\npid = os.fork()\nif pid == 0:\n    print('child')\n    {child}\nelse:\n    status = os.waitpid(pid, 0)[1]\n    code = os.WIFEXITED(status) and os.WEXITSTATUS(status)\n    open({file:?}, 'w').write('finished')\n    print('parent', code)",
            ))
            .await;
        finished.succeeds().ended(false);
        let printed = &finished.outcome().output;
        assert!(
            printed.contains(&format!("parent {code}\n")),
            "{child}: {finished}"
        );
        assert!(printed.contains("child\n"), "{child}: {finished}");
        let stderr = finished.outcome().stderr_text();
        assert!(stderr.ends_with(shown), "{child}: {finished}");
        assert!(!stderr.contains("hermes"), "{child}: {finished}");
        assert_eq!(stderr.is_empty(), shown.is_empty(), "{child}: {finished}");
        assert_eq!(fs::read_to_string(file).unwrap(), "finished");
        session
            .run("print(pid > 0)")
            .await
            .succeeds()
            .output("True\n");
    }
}

#[tokio::test]
async fn cells_after_a_fork_are_served_by_the_parent_alone() {
    let session = Session::fresh();
    session
        .run("import os, time\nready, done = os.pipe()\nwho = 'parent'\nif os.fork() == 0:\n    who = 'child'\n    os.close(done)\n    os.read(ready, 1)\nx = 0")
        .await
        .succeeds();
    for number in 1..5 {
        let filler = "#".repeat(400_000);
        session
            .run(format!("{filler}\nx += 1; print(who, x)"))
            .await
            .succeeds()
            .output(&format!("parent {number}\n"));
    }
    session
        .run("os.close(done)\nprint(who)")
        .await
        .succeeds()
        .output("parent\n");
}

#[tokio::test]
async fn what_a_fork_opens_is_left_alone_by_its_own_forks() {
    let place = tempfile::tempdir().unwrap();
    let code = format!(
        "import os\nif os.fork() == 0:\n    files = [open({:?}, 'w') for _ in range(60)]\n    if os.fork() == 0:\n        for number, file in enumerate(files):\n            file.write('x')\n            file.flush()\n        print('whole')\n        os._exit(0)\n    os.wait()\n    os._exit(0)\nprint(os.wait()[1])",
        place.path().join("file")
    );
    let finished = Session::fresh().run(code).await;
    finished.succeeds().output("whole\n0\n");
}

#[tokio::test]
async fn libraries_that_fork_work_as_ever() {
    let session = Session::fresh();
    session
        .run("import multiprocessing, subprocess, os\nwith multiprocessing.get_context('fork').Pool(2) as pool:\n    print(pool.map(abs, [-1, -2]))\nprint(subprocess.run(['echo', 'x'], preexec_fn=os.setsid, capture_output=True).stdout)")
        .await
        .succeeds()
        .output("[1, 2]\nb'x\\n'\n");
    session.is_healthy().await;
}

#[tokio::test]
async fn an_exit_whose_code_cannot_be_read_is_an_exit() {
    for (class, shown) in [
        (
            "code = property(lambda self: 1 / 0)\n    def __str__(self): return 'itself'",
            "itself",
        ),
        (
            "code = property(lambda self: 1 / 0)\n    def __str__(self): raise BaseException",
            "1",
        ),
        (
            "code = type('N', (int,), {'__lt__': None, '__gt__': None})(3)",
            "3",
        ),
    ] {
        let finished = Session::fresh()
            .run(format!("class E(SystemExit):\n    {class}\nraise E()"))
            .await;
        finished.succeeds().ended(true);
        let stderr = finished.outcome().stderr_text();
        assert_eq!(
            stderr,
            format!("SystemExit: {shown}\n"),
            "{class}: {finished}"
        );
    }
}
