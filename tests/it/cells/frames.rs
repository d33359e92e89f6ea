//! No frame of the guest's own is ever shown, wherever an exception comes through.

use hermes_tests::{Case, Session, every_row, is_for_newer_python, is_for_strict_only};

#[tokio::test]
async fn no_frame_of_the_runtime_is_shown() {
    if is_for_newer_python("older versions use other words") {
        return;
    }
    every_row([
        ("import time\ntime.sleep('x')", "TypeError: 'str' object cannot be interpreted as an integer"),
        ("import time\ntime.sleep(-1)", "ValueError: sleep length must be non-negative"),
        ("import queue\nqueue.Queue().get(block=False)", "_queue.Empty"),
        ("import threading\nthreading.Lock().release()", "RuntimeError: release unlocked lock"),
        ("import threading\nthreading.Thread().join()", "RuntimeError: cannot join thread before it is started"),
        (
            "from concurrent.futures import ThreadPoolExecutor\npool = ThreadPoolExecutor()\npool.submit(lambda: 1 / 0).result()",
            "ZeroDivisionError: division by zero",
        ),
        (
            "from concurrent.futures import ThreadPoolExecutor\nwith ThreadPoolExecutor() as pool:\n    list(pool.map(int, ['x']))",
            "ValueError: invalid literal for int() with base 10: 'x'",
        ),
        ("import asyncio\nasync def work():\n    await asyncio.sleep(0)\n    1 / 0\nasyncio.run(work())", "ZeroDivisionError: division by zero"),
        ("import asyncio\nasyncio.run(asyncio.to_thread(int, 'x'))", "ValueError: invalid literal for int() with base 10: 'x'"),
        ("from hermes_tools import retry\nretry(lambda: 1 / 0, max_attempts=2, delay=0)", "ZeroDivisionError: division by zero"),
        ("from hermes_tools import json_parse\njson_parse('{')", "json.decoder.JSONDecodeError: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"),
        ("from hermes_tools import read_file\nread_file()", "TypeError: read_file() missing 1 required positional argument: 'path'"),
        ("import hashlib\nhashlib.pbkdf2_hmac('sha256', b'', b'', 0)", "ValueError: iteration value must be greater than 0."),
        ("import hashlib\nhashlib.scrypt(b'')", "TypeError: salt is required"),
        ("input()", "EOFError: EOF when reading a line"),
        ("import no_such_module", "ModuleNotFoundError: No module named 'no_such_module'"),
        ("from hermes_tools import nothing", "ImportError: cannot import name 'nothing' from 'hermes_tools' (<hermes_tools>)"),
    ], async |(code, last_line)| {
        Case::new(code).run().await.raises(last_line);
    })
    .await;
}

#[tokio::test]
async fn an_exception_in_a_thread_is_reported_with_its_own_frames() {
    if is_for_newer_python("older versions print it without the lines of a cell") {
        return;
    }
    let finished = Case::new("import threading\ndef work():\n    raise ValueError('in a thread')\n\nthread = threading.Thread(target=work, name='worker')\nthread.start()\nthread.join()\n").run().await;
    finished.succeeds().shows_no_frame_of_the_runtime();
    let output = &finished.outcome().output;
    assert!(
        output.starts_with(
            "\n--- stderr ---\nException in thread worker:\nTraceback (most recent call last):\n"
        ),
        "{finished}"
    );
    let end = "  File \"<cell>\", line 3, in work\n    raise ValueError('in a thread')\nValueError: in a thread\n";
    assert!(output.ends_with(end), "{finished}");
}

#[tokio::test]
async fn a_script_sees_no_frame_above_its_own() {
    if is_for_strict_only("a Python program calls the code of a cell in project mode") {
        return;
    }
    Case::new(
        "import sys, traceback\nprint(len(traceback.extract_stack()), sys._getframe().f_back)",
    )
    .run()
    .await
    .succeeds()
    .output("1 None\n");
}

#[tokio::test]
async fn an_exception_that_a_job_raised_keeps_the_frames_of_the_cell() {
    if is_for_newer_python("older versions mark the place of an error otherwise") {
        return;
    }
    let session = Session::fresh();
    let finished = session.run("from concurrent.futures import ThreadPoolExecutor\ndef work(n):\n    return 1 / n\n\nwith ThreadPoolExecutor() as pool:\n    pool.submit(work, 0).result()\n").await;
    finished.raises("ZeroDivisionError: division by zero");
    let error = finished.outcome().error.as_deref().unwrap_or_default();
    assert!(error.starts_with("Traceback (most recent call last):\n  File \"<cell>\", line 6, in <module>\n    pool.submit(work, 0).result()\n"), "{error}");
    assert!(error.ends_with("  File \"<cell>\", line 3, in work\n    return 1 / n\n           ~~^~~\nZeroDivisionError: division by zero\n"), "{error}");
    session.is_healthy().await;
}
