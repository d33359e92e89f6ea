//! The wall clock holds against everything, and what was printed until then is kept.

use hermes_tests::{Session, Stuck, builder, every_row, is_for_strict_only};

/// Scripts that never end by themselves, each after it has printed `start`.
pub(super) const ENDLESS: &[(&str, &str)] = &[
    ("an empty loop", "while True: pass"),
    ("a loop that counts", "n = 0\nwhile True: n += 1"),
    (
        "a loop that swallows everything",
        "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
    ),
    (
        "a loop in a finally block",
        "try:\n    raise ValueError\nfinally:\n    while True: pass",
    ),
    (
        "a generator without end",
        "import itertools\nfor _ in itertools.count(): pass",
    ),
    (
        "a C loop over an endless iterator",
        "import itertools\nsum(itertools.repeat(1))",
    ),
    (
        "a C loop that fills a queue of one",
        "import itertools, collections\ncollections.deque(itertools.count(), maxlen=1)",
    ),
    (
        "a catastrophic regular expression",
        "import re\nre.match(r'(a+)+$', 'a' * 40 + 'b')",
    ),
    ("a huge power", "10**10**8"),
    (
        "a huge number as text",
        "import sys\nsys.set_int_max_str_digits(0)\nstr(7**(10**7))",
    ),
    ("a huge factorial", "import math\nmath.factorial(10**7)"),
    ("a long sleep", "import time\ntime.sleep(10**6)"),
    (
        "a sort that never ends",
        "class A:\n    def __lt__(self, other):\n        while True: pass\nsorted([A(), A()])",
    ),
    (
        "a hash that never ends",
        "class A:\n    def __hash__(self):\n        while True: pass\n{A(): 1}",
    ),
    (
        "a representation that never ends",
        "class A:\n    def __repr__(self):\n        while True: pass\nprint([A()])",
    ),
    (
        "a finaliser that never ends",
        "class A:\n    def __del__(self):\n        while True: pass\na = A()\ndel a",
    ),
    (
        "an exception whose text never ends",
        "class A(Exception):\n    def __str__(self):\n        while True: pass\nraise A",
    ),
    (
        "an import that never ends",
        "open('endless.py', 'w').write('while True: pass')\nimport sys\nsys.path.insert(0, '.')\nimport endless",
    ),
    (
        "a comparison of long texts again and again",
        "a = 'a' * 10**6\nwhile a == 'a' * 10**6: pass",
    ),
    (
        "a replacement that goes on",
        "text = 'ab' * 10**6\nwhile True: text.replace('a', 'b')",
    ),
    (
        "hashing without end",
        "import hashlib\nblock = bytes(10**7)\nh = hashlib.sha256()\nwhile True: h.update(block)",
    ),
    (
        "a derivation with many rounds",
        "import hashlib\nhashlib.pbkdf2_hmac('sha256', b'', b'', 2**31 - 1)",
    ),
    (
        "a derivation in Python",
        "import hashlib\nhashlib.pbkdf2_hmac('sha3_512', b'', b'', 2**31 - 1)",
    ),
    (
        "an event loop without end",
        "import asyncio\nasync def main():\n    while True: await asyncio.sleep(0)\nasyncio.run(main())",
    ),
    (
        "a task that refuses to be cancelled",
        "import asyncio\nasync def main():\n    while True:\n        try: await asyncio.sleep(3600)\n        except BaseException: pass\nasyncio.run(main())",
    ),
    (
        "a thread without end",
        "import threading\ndef work():\n    while True: pass\nthreading.Thread(target=work).start()",
    ),
    (
        "a pool of endless jobs",
        "from concurrent.futures import ThreadPoolExecutor\ndef work(_):\n    while True: pass\nwith ThreadPoolExecutor() as pool: list(pool.map(work, range(4)))",
    ),
    (
        "a timer far away",
        "import threading\nthreading.Timer(10**6, print).start()",
    ),
    (
        "a database query without end",
        "import sqlite3\nsqlite3.connect(':memory:').execute('with recursive c(n) as (select 1 union all select n + 1 from c) select max(n) from c').fetchone()",
    ),
    (
        "decompression without end",
        "import zlib\nbomb = zlib.compress(bytes(10**8), 9)\nwhile True: zlib.decompress(bomb)",
    ),
    (
        "a trace function without end",
        "import sys\ndef trace(*_):\n    while True: pass\nsys.settrace(trace)\n(lambda: 0)()",
    ),
    (
        "a parser at work",
        "while True: compile('x = 1\\n' * 100_000, 'x', 'exec')",
    ),
    (
        "a search in a long text",
        "import re\nre.search('(x+x+)+y', 'x' * 100)",
    ),
    (
        "work that only the host does",
        "import _hermes\narguments = '\"' + 'a' * 50_000_000 + '\"'\nwhile True: _hermes.call('nope', arguments)",
    ),
    (
        "a call of many tools",
        "from hermes_tools import web_extract\nwhile True: web_extract([])",
    ),
];

#[tokio::test]
async fn every_endless_script_is_stopped_with_its_output_kept() {
    every_row(ENDLESS, async |(_, script)| {
        let starts_threads = script.contains("threading.");
        if starts_threads && is_for_strict_only("threads of a process live on between cells") {
            return;
        }
        let session = Session::fresh();
        session.run("x = 1").await.succeeds();
        let finished = session
            .case(format!("print('start')\n{script}"))
            .timeout_ms(1_000)
            .run()
            .await;
        finished
            .times_out("1", "start\n")
            .kernel(true, 2)
            .ended(false);
        session
            .run("print('x' in globals())")
            .await
            .succeeds()
            .output("False\n")
            .kernel(false, 1)
            .state_reset(false);
    })
    .await;
}

#[tokio::test]
async fn a_blocked_tool_call_is_stopped_and_the_tool_is_told() {
    let stuck = Stuck::default();
    let runtime = builder().tool(stuck.clone()).build().unwrap();
    let session = Session::on(&runtime);
    let finished = session
        .case("from hermes_tools import stuck\nprint('start')\nstuck()")
        .timeout_ms(500)
        .run()
        .await;
    finished.times_out("0.5", "start\n").tool_calls(1);
    stuck.dropped.notified().await;
    session.is_healthy().await;
}

#[tokio::test]
async fn the_limit_is_named_as_it_was_given() {
    every_row(
        [(1_000, "1"), (500, "0.5"), (250, "0.25"), (1_500, "1.5")],
        async |(milliseconds, seconds)| {
            Session::fresh()
                .case("while True: pass")
                .timeout_ms(milliseconds)
                .run()
                .await
                .times_out(seconds, "");
        },
    )
    .await;
}

#[tokio::test]
async fn stderr_is_kept_when_the_time_is_over() {
    let finished = Session::fresh()
        .case("import sys\nprint('o')\nprint('e', file=sys.stderr)\nwhile True: pass")
        .timeout_ms(500)
        .run()
        .await;
    finished
        .times_out("0.5", "o\n\n--- stderr ---\ne\n")
        .bytes(2, 2, 0);
}

#[tokio::test]
async fn what_is_still_in_a_buffer_of_the_module_is_kept() {
    let finished = Session::fresh()
        .case("import os\nprint('no line end', end='')\nos.write(1, b'!')\nwhile True: pass")
        .timeout_ms(500)
        .run()
        .await;
    finished.times_out("0.5", "no line end!");
}

#[tokio::test]
async fn a_cell_within_its_time_is_not_touched() {
    let session = Session::fresh();
    session
        .case("import time\ntime.sleep(0.05)\nprint('slept')")
        .timeout_ms(60_000)
        .run()
        .await
        .succeeds()
        .output("slept\n");
}

#[tokio::test]
async fn no_limit_is_too_large() {
    Session::fresh()
        .case("print('x')")
        .timeout_ms(u64::MAX)
        .run()
        .await
        .succeeds()
        .output("x\n");
}

#[tokio::test]
async fn a_time_that_is_over_at_once_still_gives_a_result() {
    let session = Session::fresh();
    session
        .case("while True: pass")
        .timeout_ms(0)
        .run()
        .await
        .times_out("0", "");
    session.is_healthy().await;
}
