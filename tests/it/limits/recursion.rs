//! Deep recursion of every kind is a Python exception, or works: never a trap, never the end of the host.
//!
//! Here is what every kind shares, and the recursion of Python itself; the files below hold the other kinds.

mod deallocation;
mod iterators;
mod libraries;
mod objects;
mod source;
mod sql;

use hermes_tests::{Session, every_row};

const DEEP: &str = "RecursionError: maximum recursion depth exceeded";

/// The modules that the shapes of [`long`] use.
const IMPORTS: &str = "import collections, contextvars, copy, functools, gc, itertools, json, marshal, operator, pickle, pprint, types";

/// Shapes of recursion in Python and the last line of what they raise; an empty one succeeds.
const SHAPES: &[(&str, &str)] = &[
    ("def f(): f()\nf()", DEEP),
    ("f = lambda: f()\nf()", DEEP),
    (
        "import sys\nsys.setrecursionlimit(10**6)\ndef f(): f()\nf()",
        DEEP,
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
        "class A: pass\nfor _ in range(2_000): A = type('A', (A,), {})\nA()",
        "",
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

/// Python that C calls and that calls C again, without a limit of frames: what is defined and what is asked.
const MIXED: &[(&str, &str)] = &[
    (
        "class A:\n    def __repr__(self): return repr(self)",
        "repr(A())",
    ),
    (
        "class A:\n    def __hash__(self): return hash((self,))",
        "hash(A())",
    ),
    (
        "class A:\n    def __lt__(self, other): return sorted([A(), A()])",
        "sorted([A(), A()])",
    ),
    (
        "import struct\nclass A:\n    def __index__(self): return struct.pack('i', self)",
        "struct.pack('i', A())",
    ),
    (
        "class A:\n    def __radd__(self, other): return sum([self])",
        "sum([A()])",
    ),
    (
        "import pickle\nclass A:\n    def __reduce__(self): return pickle.dumps(self)",
        "pickle.dumps(A())",
    ),
    (
        "import json\ndef f(_): return json.dumps(A, default=f)\nclass A: pass",
        "f(A)",
    ),
    ("import re\ndef f(_): return re.sub('a', f, 'a')", "f('a')"),
    (
        "import ast\nclass A(ast.Name):\n    id = property(lambda self: f())\ndef f(): compile(ast.Expression(A(lineno=1, col_offset=0, ctx=ast.Load())), '', 'eval')",
        "f()",
    ),
    (
        "class A:\n    def __init_subclass__(cls): type('B', (A,), {})",
        "type('B', (A,), {})",
    ),
    (
        "import functools\ndef f(*_): return sorted([1, 2], key=functools.cmp_to_key(f))",
        "f()",
    ),
    ("code = 'exec(code)'", "exec(code)"),
];

#[tokio::test]
async fn recursion_in_python_is_a_python_exception() {
    every_shape(SHAPES.iter().copied()).await;
}

#[tokio::test]
async fn python_and_c_in_each_other_are_a_recursion_error() {
    let shapes = MIXED.iter().map(|(code, ask)| {
        let limit = "import sys\nsys.setrecursionlimit(10**6)";
        (format!("{limit}\n{code}\n{}", too_deep(ask)), "")
    });
    every_shape(shapes).await;
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

/// Runs every shape in a session of its own, which outlives it. A shape ends in the exception with that last line; with an empty one it
/// succeeds.
async fn every_shape<S: AsRef<str> + std::fmt::Debug>(
    shapes: impl IntoIterator<Item = (S, &'static str)>,
) {
    every_row(shapes, async |(shape, last_line)| {
        let session = Session::fresh();
        let finished = session.case(shape.as_ref()).timeout_ms(60_000).run().await;
        if last_line.is_empty() {
            finished.succeeds();
        } else {
            finished.raises(last_line);
        }
        session.is_healthy().await;
    })
    .await;
}

/// Returns a script that begins with `first`, makes `a` what holds the last `a` 100,000 times, and then asks it something.
fn long(first: &str, holder: &str, ask: &str) -> String {
    format!("{IMPORTS}\n{first}\nfor _ in range(100_000):\n    a = {holder}\n{ask}")
}

/// Returns statements that succeed where the question is a `RecursionError`, whatever it is about.
fn too_deep(question: &str) -> String {
    format!(
        "try:\n    {question}\nexcept RecursionError: pass\nelse: raise AssertionError('not too deep')"
    )
}
