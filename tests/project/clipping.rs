//! Floods of output: a kernel clips them, and the whole of each is in a file that lives as long as the kernel.

use std::fs;
use std::path::Path;

use hermes_runtime::Runtime;
use hermes_tests::{Case, Finished, Session, builder};

const MARKER: &str = "\n\n[... spill capped ...]";

fn spilling(place: &Path) -> Runtime {
    builder().spill_dir(place.to_path_buf()).build().unwrap()
}

fn path(finished: &Finished) -> &str {
    let stdout = &finished.outcome().stdout;
    stdout.spill_path.as_deref().unwrap()
}

fn saved(finished: &Finished) -> String {
    fs::read_to_string(path(finished)).unwrap()
}

/// Asserts that a cell was clipped: its file is the kernel's, and the result says so.
fn is_clipped(finished: &Finished) {
    let path = path(finished);
    let name = Path::new(path).file_name().unwrap().to_str().unwrap();
    let number = finished.outcome().kernel.execution_count;
    assert_eq!(name, format!("cell_{number:06}_stdout.txt"));
    let warning = format!(
        "Cell stdout exceeded the inline cap; head shown. FULL output saved to {path} — page it with read_file(path=\"{path}\", offset=...) instead of re-running. (Kernel state persists: printing a narrower slice next call is often cheaper.)"
    );
    assert_eq!(finished.outcome().stdout.warning, Some(warning));
    assert!(finished.outcome().stdout.truncated);
}

/// Asserts that all output was kept by the host, as that of cells which are not clipped.
fn is_kept_by_the_host(finished: &Finished, place: &Path, expected: &str) {
    assert_eq!(Path::new(path(finished)).parent(), Some(place));
    assert!(saved(finished) == expected, "{finished}");
    let total = u64::try_from(expected.len()).unwrap();
    finished.bytes(50_000, total, total - 50_000);
}

#[tokio::test]
async fn a_flood_shows_its_beginning_and_the_next_cells_can_read_all_of_it() {
    let session = Session::fresh();
    let printing = "print('HEAD'); print('x' * 1_499_990 + 'TAIL')";
    let finished = session.run(printing).await;
    finished.succeeds().bytes(50_000, 1_000_000, 950_000);
    is_clipped(&finished);
    let output = &finished.outcome().output;
    assert!(output.starts_with("HEAD\nxxx"), "{finished}");
    assert!(output.ends_with("xxx"), "{finished}");
    let expected = format!("HEAD\n{}TAIL\n", "x".repeat(1_499_990));
    assert!(saved(&finished) == expected);
    let reading = format!(
        "from hermes_tools import read_file\nprint(read_file({:?}, limit=1)['content'])",
        path(&finished)
    );
    session.run(reading).await.succeeds().output("1|HEAD\n");
}

#[tokio::test]
async fn a_million_characters_are_shown_as_ever_and_one_more_is_too_many() {
    for (character, bytes) in [('x', 1), ('é', 2), ('€', 3), ('🙂', 4)] {
        let session = Session::fresh();
        let place = tempfile::tempdir().unwrap();
        let whole = format!("print('{character}' * 1_000_000, end='')");
        let finished = Case::new(whole).on(&spilling(place.path())).run().await;
        let expected = character.to_string().repeat(1_000_000);
        is_kept_by_the_host(&finished, place.path(), &expected);
        for more in [
            format!("print('{character}' * 1_000_000)"),
            format!("for _ in range(1000): print('{character}' * 1000, end='')\nprint()"),
            format!("for _ in range(10_001): print('{character}' * 99 + '.', end='')"),
        ] {
            let finished = session.run(&more).await;
            is_clipped(&finished);
            let total = finished.outcome().stdout.bytes_total;
            assert!(
                total > 990_000 * bytes && total <= 1_000_000 * bytes,
                "{more}"
            );
        }
    }
}

#[tokio::test]
async fn a_file_has_at_most_five_million_characters_and_says_that_it_was_cut() {
    let session = Session::fresh();
    for (flood, character) in [
        ("print('x' * 7_000_000)", "x"),
        ("for _ in range(60): print('é' * 100_000, end='')", "é"),
        (
            "for _ in range(50): print('y' * 100_000, end='')\nprint('.')",
            "y",
        ),
    ] {
        let finished = session.run(flood).await;
        is_clipped(&finished);
        let expected = character.repeat(5_000_000) + MARKER;
        assert!(saved(&finished) == expected, "{flood}: {finished}");
    }
    let finished = session.run("print('x' * 4_999_999)").await;
    assert!(saved(&finished) == "x".repeat(4_999_999) + "\n");
}

#[tokio::test]
async fn secrets_are_masked_in_the_file_and_at_both_limits() {
    let secret = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
    let session = Session::fresh();
    for before in [10, 999_990, 4_999_990] {
        let flood = format!("print('\\n' * {before} + '{secret}' + '\\n' * 6_000_000)");
        let finished = session.run(flood).await;
        is_clipped(&finished);
        for text in [&saved(&finished), &finished.outcome().output] {
            assert!(!text.contains("ghp_abcdef"), "{before}");
        }
    }
    let finished = session
        .run(format!("print('\\x1b[31m{secret}\\x1b[0m\\n' * 100_000)"))
        .await;
    is_clipped(&finished);
    assert!(saved(&finished).starts_with("ghp_ab...6789\nghp_ab...6789\n"));
}

#[tokio::test]
async fn what_a_kernel_that_is_over_has_written_is_kept_by_the_host() {
    let place = tempfile::tempdir().unwrap();
    let runtime = spilling(place.path());
    let flood = "x".repeat(1_500_000) + "TAIL\n";
    let code = |end: &str| format!("import os, sys, time\nprint('x' * 1_500_000 + 'TAIL')\n{end}");
    for (end, more) in [
        ("sys.exit()", ""),
        (
            "import atexit\natexit.register(print, 'bye')\nsys.exit()",
            "bye\n",
        ),
        ("os._exit(3)", ""),
        ("os.kill(os.getpid(), 9)", ""),
        ("time.sleep(600)", ""),
    ] {
        let case = Case::new(code(end)).on(&runtime).timeout_ms(5_000);
        let finished = case.run().await;
        is_kept_by_the_host(&finished, place.path(), &format!("{flood}{more}"));
    }
}

#[tokio::test]
async fn the_latest_twenty_files_are_kept_and_all_go_with_the_kernel() {
    let session = Session::fresh();
    let mut paths = Vec::new();
    for _ in 0..22 {
        let finished = session.run("print('x' * 1_000_000)").await;
        is_clipped(&finished);
        paths.push(path(&finished).to_owned());
    }
    let exists: Vec<_> = paths.iter().map(|path| Path::new(path).exists()).collect();
    assert_eq!(exists, [[false; 2].as_slice(), &[true; 20]].concat());
    session.run("raise SystemExit").await.succeeds().ended(true);
    assert!(paths.iter().all(|path| !Path::new(path).exists()));
}

#[tokio::test]
async fn what_other_processes_print_among_a_flood_is_not_lost() {
    let place = tempfile::tempdir().unwrap();
    let runtime = spilling(place.path());
    let flood = "x".repeat(1_500_000);
    for (other, text) in [
        (
            "pid = os.fork()\nif pid == 0:\n    print('other')\n    os._exit(0)\nos.waitpid(pid, 0)",
            "other\n",
        ),
        (
            "subprocess.run(['echo', 'other'], stdout=sys.stdout)",
            "other\n",
        ),
    ] {
        let code =
            format!("import os, subprocess, sys\nprint('x' * 1_500_000)\n{other}\nprint('end')");
        let session = Session::on(&runtime);
        let finished = session.run(code).await;
        is_clipped(&finished);
        let all = saved(&finished);
        for expected in ["end\n", text] {
            assert!(all.contains(expected), "{finished}");
        }
        assert!(all.starts_with(&flood[..1_000_000]), "{finished}");
        assert_eq!(all.len(), flood.len() + "\nother\nend\n".len());
    }
    // What went to the descriptor itself comes after what was captured.
    let code = "import os\nprint('x' * 1_500_000)\nos.write(1, b'raw')";
    let finished = Session::fresh().run(code).await;
    is_clipped(&finished);
    finished.bytes(50_000, 1_000_003, 950_003);
    assert!(finished.outcome().output.ends_with("xraw"), "{finished}");
}

#[tokio::test]
async fn threads_that_flood_together_lose_nothing() {
    let code = "import threading\ndef flood(letter):\n    for _ in range(3000): print(letter * 100, end='')\nthreads = [threading.Thread(target=flood, args=(letter,)) for letter in 'abcdef']\nfor thread in threads: thread.start()\nfor thread in threads: thread.join()";
    let finished = Session::fresh().run(code).await;
    is_clipped(&finished);
    let text = saved(&finished);
    for letter in "abcdef".chars() {
        let count = text.chars().filter(|each| *each == letter).count();
        assert_eq!(count, 300_000, "{letter}");
    }
}

#[tokio::test]
async fn what_a_script_puts_in_the_place_of_the_file_is_replaced_or_the_host_keeps_the_whole() {
    let place = tempfile::tempdir().unwrap();
    let runtime = spilling(place.path());
    let whole = "x".repeat(1_500_000) + "\n";
    let victim = place.path().join("victim");
    fs::write(&victim, "untouched").unwrap();
    let victim = victim.to_str().unwrap();
    let code = |put: &str| {
        format!(
            "import os, shutil\nprint('x' * 1_500_000)\ndirectory = os.environ['HERMES_KERNEL_SPILL_DIR']\npath = directory + '/cell_000001_stdout.txt'\n{put}"
        )
    };
    for put in [
        &format!("os.symlink({victim:?}, path)"),
        &format!("os.link({victim:?}, path)"),
        "os.mkfifo(path)",
        "open(path, 'w').truncate(1 << 40)",
    ] {
        let session = Session::on(&runtime);
        let finished = session.run(code(put)).await;
        finished.succeeds();
        is_clipped(&finished);
        assert!(saved(&finished) == whole, "{put}");
        assert_eq!(fs::read_to_string(victim).unwrap(), "untouched", "{put}");
    }
    for put in [
        "os.mkdir(path)",
        "shutil.rmtree(directory)",
        "shutil.rmtree(directory); os.symlink('/', directory)",
    ] {
        let finished = Case::new(code(put)).on(&runtime).run().await;
        finished.succeeds();
        is_kept_by_the_host(&finished, place.path(), &whole);
    }
}

#[tokio::test]
async fn what_is_no_text_is_clipped_too() {
    let code = "import sys\nsys.stdout.buffer.write(b'\\x80' * 6_000_000)";
    let finished = Session::fresh().run(code).await;
    is_clipped(&finished);
    assert!(saved(&finished) == "\u{fffd}".repeat(5_000_000) + MARKER);
}

#[tokio::test]
async fn a_handler_that_prints_in_the_middle_of_a_flood_disturbs_nothing() {
    let code = "import signal, sys\nticks = 0\ndef handler(*_):\n    global ticks\n    ticks += 1\n    print('tick')\nsignal.signal(signal.SIGALRM, handler)\nsignal.setitimer(signal.ITIMER_REAL, 0.0005, 0.0005)\nfor i in range(200_000): sys.stdout.write('L%07d\\n' % i)\nsignal.setitimer(signal.ITIMER_REAL, 0)\nprint('THE END')\nsys.stderr.write(str(ticks))";
    let finished = Session::fresh().run(code).await;
    finished.succeeds();
    is_clipped(&finished);
    let text = saved(&finished);
    assert!(text.ends_with("THE END\n"));
    let ticks: usize = finished.outcome().stderr_text().trim().parse().unwrap();
    assert_eq!(text.matches("tick").count(), ticks);
    assert_eq!(text.len(), 200_000 * 9 + ticks * 5 + "THE END\n".len());
}

#[tokio::test]
async fn a_handlers_exception_reaches_a_script_that_floods() {
    for error in ["TimeoutError", "MemoryError", "BlockingIOError", "KeyError"] {
        let session = Session::fresh();
        let code = format!(
            "import signal\ndef handler(*_): raise {error}('mine')\nsignal.signal(signal.SIGALRM, handler)\nsignal.setitimer(signal.ITIMER_REAL, 0.3)\nwhile True: print('x' * 1000)"
        );
        let finished = session.run(code).await;
        let shown = if error == "KeyError" {
            "KeyError: 'mine'"
        } else {
            "mine"
        };
        finished.raises(&if error == "KeyError" {
            shown.to_owned()
        } else {
            format!("{error}: {shown}")
        });
        session.is_healthy().await;
    }
}
