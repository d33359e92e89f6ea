//! Deep recursion of every kind is a Python exception: never a trap, never the end of the host.

use hermes_tests::{Session, every_row};

const DEEP: &str = "RecursionError: maximum recursion depth exceeded";
const DEEP_COMPARISON: &str = "RecursionError: maximum recursion depth exceeded in comparison";
const DEEP_SOURCE: &str =
    "MemoryError: Parser stack overflowed - Python source too complex to parse";
const DEEP_TREE: &str = "RecursionError: maximum recursion depth exceeded during compilation";

/// Shapes of recursion and the last line of what they raise; an empty one succeeds.
const SHAPES: &[(&str, &str)] = &[
    ("def f(): f()\nf()", DEEP),
    ("f = lambda: f()\nf()", DEEP),
    (
        "import sys\nsys.setrecursionlimit(10**6)\ndef f(): f()\nf()",
        "RecursionError: maximum recursion depth exceeded",
    ),
    (
        "import sys\nsys.setrecursionlimit(10**6)\ndef f(n): return n and f(n - 1)\nprint(f(5_000))",
        "",
    ),
    (
        "class A:\n    def __repr__(self): return repr(self)\nrepr(A())",
        DEEP,
    ),
    (
        "class A:\n    def __str__(self): return str(self)\nstr(A())",
        DEEP,
    ),
    (
        "class A:\n    def __getattr__(self, name): return getattr(self, name)\nA().x",
        DEEP,
    ),
    (
        "class A:\n    def __eq__(self, other): return self == other\nA() == A()",
        DEEP,
    ),
    (
        "class A:\n    def __hash__(self): return hash(self)\nhash(A())",
        DEEP,
    ),
    (
        "class A:\n    def __call__(self): return self()\nA()()",
        DEEP,
    ),
    (
        "class A:\n    def __add__(self, other): return self + other\nA() + A()",
        DEEP,
    ),
    ("class A:\n    def __del__(self): A()\nA()", ""),
    (
        "a = []\nfor _ in range(100_000): a = [a]\nrepr(a)",
        "RecursionError: maximum recursion depth exceeded while getting the repr of an object",
    ),
    (
        "a = {}\nfor _ in range(100_000): a = {1: a}\nrepr(a)",
        "RecursionError: maximum recursion depth exceeded while getting the repr of an object",
    ),
    (
        "a = ()\nfor _ in range(100_000): a = (a,)\nhash(a)",
        "RecursionError: maximum recursion depth exceeded while hashing a tuple",
    ),
    (
        "a, b = [], []\nfor _ in range(100_000): a, b = [a], [b]\na == b",
        DEEP_COMPARISON,
    ),
    (
        "a = []\nfor _ in range(100_000): a = [a]\nimport copy; copy.deepcopy(a)",
        DEEP,
    ),
    (
        "a = []\nfor _ in range(100_000): a = [a]\nimport pickle; pickle.dumps(a)",
        "RecursionError: maximum recursion depth exceeded while pickling an object",
    ),
    (
        "a = []\nfor _ in range(100_000): a = [a]\nimport json; json.dumps(a)",
        "RecursionError: maximum recursion depth exceeded while encoding a JSON object",
    ),
    (
        "a = []\nfor _ in range(100_000): a = [a]\nimport marshal; marshal.dumps(a)",
        "ValueError: object too deeply nested to marshal",
    ),
    (
        "a = []\nfor _ in range(100_000): a = [a]\nimport pprint; pprint.pformat(a)",
        DEEP,
    ),
    (
        "a = []\nfor _ in range(1_000_000): a = [a]\ndel a\nprint('freed')",
        "",
    ),
    (
        "a = lambda: 0\nfor _ in range(100_000):\n    a = __import__('functools').partial(a)\na()",
        "",
    ),
    (
        "import json; json.loads('[' * 100_000)",
        "RecursionError: maximum recursion depth exceeded while decoding a JSON array from a unicode string",
    ),
    (
        "import json; json.loads('{\"a\":' * 100_000)",
        "RecursionError: maximum recursion depth exceeded while decoding a JSON object from a unicode string",
    ),
    (
        "import pickle; pickle.loads(b'(' * 100_000 + b'.')",
        "_pickle.UnpicklingError: unexpected MARK found",
    ),
    ("eval('(' * 200 + ')' * 200)", DEEP_SOURCE),
    ("eval('(' * 100 + ')' * 100)", ""),
    ("eval('[' * 100_000)", DEEP_SOURCE),
    ("import ast; ast.parse('-' * 5_000 + '1')", DEEP_SOURCE),
    ("eval('+'.join(['1'] * 100_000))", DEEP_TREE),
    ("eval('1' + '**1' * 100_000)", DEEP_SOURCE),
    ("eval('lambda: ' * 100_000 + '0')", DEEP_SOURCE),
    ("eval('not ' * 100_000 + '1')", DEEP_SOURCE),
    ("eval('a' + '.a' * 100_000)", DEEP_TREE),
    ("eval('a' + '()' * 100_000)", DEEP_TREE),
    (
        "exec('if 1:\\n' + ''.join(' ' * n + 'if 1:\\n' for n in range(1, 200)) + ' ' * 200 + 'pass')",
        "IndentationError: too many levels of indentation",
    ),
    (
        "eval('f\"' + '{f\"' * 300 + '\"}' * 300 + '\"')",
        DEEP_SOURCE,
    ),
    ("import re; re.compile('(' * 50_000 + ')' * 50_000)", DEEP),
    ("import re; re.match('(?:a|b)*' * 50, 'ab' * 100_000)", ""),
    ("import re; re.match(r'((a)|b)*c', 'ab' * 500_000)", ""),
    (
        "import xml.etree.ElementTree as e; e.fromstring('<a>' * 100_000 + '</a>' * 100_000)",
        "",
    ),
    (
        "import tomllib; tomllib.loads('a = ' + '[' * 100_000)",
        DEEP,
    ),
    (
        "import itertools\na = iter([])\nfor _ in range(100_000): a = itertools.chain(a, [])\nlist(a)",
        "RecursionError: maximum recursion depth exceeded while iterating",
    ),
    (
        "def g(n):\n    if n: yield from g(n - 1)\nlist(g(100_000))",
        DEEP,
    ),
    (
        "import threading\ndef f(): f()\nt = threading.Thread(target=f)\nt.start()\nt.join()\nprint('on')",
        "",
    ),
    (
        "async def f(): await f()\nimport asyncio\nasyncio.run(f())",
        DEEP,
    ),
    (
        "class A: pass\nfor _ in range(2_000): A = type('A', (A,), {})\nA()",
        "",
    ),
    (
        "isinstance(1, __import__('functools').reduce(lambda a, _: (a,), range(100_000), int))",
        "RecursionError: maximum recursion depth exceeded in __instancecheck__",
    ),
    (
        "error = None\nfor _ in range(100_000):\n    new = ValueError()\n    new.__context__ = error\n    error = new\nraise error",
        "ValueError",
    ),
    (
        "error = ValueError()\nfor _ in range(10_000): error = ExceptionGroup('g', [error])\nraise error",
        "                      +------------------------------------",
    ),
];

#[tokio::test]
async fn deep_recursion_is_a_python_exception() {
    every_row(SHAPES, async |(shape, last_line)| {
        let session = Session::fresh();
        let finished = session.case(*shape).timeout_ms(30_000).run().await;
        if last_line.is_empty() {
            finished.succeeds();
        } else {
            finished.raises(last_line);
        }
        session.is_healthy().await;
    })
    .await;
}

#[tokio::test]
async fn the_recursion_limit_is_cpythons_own() {
    let code = "import sys\ndef depth(n):\n    try: return depth(n + 1)\n    except RecursionError: return n\nprint(sys.getrecursionlimit(), depth(1) >= 990)";
    Session::fresh()
        .run(code)
        .await
        .succeeds()
        .output("1000 True\n");
}
