//! Attacks on the end of a cell: code that will not stop, or that goes on afterwards.

use super::attack::{Attack, End, repel};

const ATTACKS: &[Attack] = &[
    (
        "everything is caught",
        "print('start')\nwhile True:\n    try:\n        while True: pass\n    except BaseException: continue",
        End::TimesOut("start\n"),
    ),
    (
        "a finally that goes on",
        "print('start')\ndef f():\n    try: return\n    finally:\n        while True: pass\nf()",
        End::TimesOut("start\n"),
    ),
    (
        "a context that swallows",
        "class C:\n    def __enter__(self): return self\n    def __exit__(self, *_): return True\nwhile True:\n    with C():\n        while True: pass",
        End::TimesOut(""),
    ),
    (
        "a generator that refuses to close",
        "def g():\n    while True:\n        try: yield\n        except GeneratorExit: pass\nx = g()\nnext(x)\ntry: x.close()\nexcept RuntimeError as error: print(error)",
        End::Prints("generator ignored GeneratorExit\n"),
    ),
    (
        "a task that refuses to end",
        "import asyncio\nasync def work():\n    while True:\n        try: await asyncio.sleep(1000)\n        except asyncio.CancelledError: pass\nasync def main(): asyncio.create_task(work()); await asyncio.sleep(0)\nasyncio.run(main())",
        End::TimesOut(""),
    ),
    (
        "a task that is left running",
        "import asyncio\nasync def main(): asyncio.create_task(asyncio.sleep(1000)); await asyncio.sleep(0)\nasyncio.run(main())\nprint('end')",
        End::Prints("end\n"),
    ),
    (
        "a daemon thread that is left running",
        "import threading\ndef work():\n    while True: pass\nthreading.Thread(target=work, daemon=True).start()\nprint('end')",
        End::Prints("end\n"),
    ),
    (
        "an exit that raises",
        "class S(SystemExit):\n    def __init__(self): raise ValueError('no')\nraise S",
        End::Raises("ValueError: no"),
    ),
    (
        "a signal handler",
        "import signal\nsignal.signal(signal.SIGINT, lambda *_: print('handled'))\nsignal.raise_signal(signal.SIGINT)\nprint('end')",
        End::Prints("handled\nend\n"),
    ),
    (
        "an exception that cannot be shown",
        "class E(Exception):\n    def __str__(self): raise E\n    __repr__ = __str__\nraise E",
        End::Raises("E: <exception str() failed>"),
    ),
    (
        "an exception of a strange class",
        "class M(type):\n    @property\n    def __name__(self): raise ValueError\nclass E(Exception, metaclass=M): pass\nraise E('x')",
        End::Raises("E: x"),
    ),
    (
        "an exception with a false module",
        "class E(Exception): pass\nE.__module__ = 7\nraise E('x')",
        End::Raises("<unknown>.E: x"),
    ),
    (
        "a traceback without end",
        "try:\n    1 / 0\nexcept ZeroDivisionError as error: e = error\nfor _ in range(10_000):\n    try: raise e\n    except ZeroDivisionError as error: e = error\nraise e",
        End::Raises("ZeroDivisionError: division by zero"),
    ),
    (
        "a cause that is itself",
        "e = ValueError('x')\ne.__cause__ = e\nraise e",
        End::Raises("ValueError: x"),
    ),
    (
        "causes in a circle",
        "a, b = ValueError('a'), ValueError('b')\na.__cause__, b.__cause__ = b, a\nraise a",
        End::Raises("ValueError: a"),
    ),
    (
        "notes that are none",
        "e = ValueError('x')\ne.__notes__ = 7\nraise e",
        End::Raises("7"),
    ),
    (
        "a hard exit",
        "import os\nos._exit(0)",
        End::Dies("the interpreter exited with code 0"),
    ),
    (
        "a kill of itself",
        "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)",
        End::Raises(
            "OSError: processes are not available in the sandbox; use terminal() from hermes_tools if it is enabled",
        ),
    ),
    (
        "an import hook",
        "import sys\nclass F:\n    def find_spec(self, *_): raise ValueError('hooked')\nsys.meta_path.insert(0, F())\nimport nothing",
        End::Raises("ValueError: hooked"),
    ),
];

#[tokio::test]
async fn the_end_of_a_cell_is_the_hosts_to_decide() {
    repel(ATTACKS).await;
}
