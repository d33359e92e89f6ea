//! Iterators over iterators, generators over generators, and coroutines that wait for coroutines.

use super::{DEEP, every_shape, long};

const ITERATING: &str = "RecursionError: maximum recursion depth exceeded while iterating";

/// Iterators over an iterator `a`.
const OVER: &[&str] = &[
    "map(int, a)",
    "filter(None, a)",
    "zip(a)",
    "enumerate(a)",
    "itertools.accumulate(a)",
    "itertools.batched(a, 2)",
    "itertools.chain(a, [])",
    "itertools.compress(a, itertools.repeat(1))",
    "itertools.cycle(a)",
    "itertools.dropwhile(bool, a)",
    "itertools.filterfalse(None, a)",
    "itertools.groupby(a)",
    "itertools.islice(a, 9)",
    "itertools.pairwise(a)",
    "itertools.starmap(print, a)",
    "itertools.takewhile(bool, a)",
    "itertools.zip_longest(a)",
];

/// Shapes of which Python is a part, and the last line of what they raise.
const SHAPES: &[(&str, &str)] = &[
    (
        "def g(n):\n    if n: yield from g(n - 1)\nlist(g(100_000))",
        DEEP,
    ),
    (
        "def g(a): yield from a\na = []\nfor _ in range(100_000): a = g(a)\nlist(a)",
        DEEP,
    ),
    (
        "a = iter([])\nfor _ in range(100_000): a = (b for b in a)\nlist(a)",
        "",
    ),
    (
        "async def f(): await f()\nimport asyncio\nasyncio.run(f())",
        DEEP,
    ),
    (
        "async def f(a): await a\nasync def g(): pass\na = g()\nfor _ in range(100_000): a = f(a)\na.send(None)",
        DEEP,
    ),
    (
        "class A:\n    def __init__(self, a): self.a = a\n    def __anext__(self): return self.a\nasync def g(): pass\na = g()\nfor _ in range(100_000): a = anext(A(a), None)\na.send(None)",
        "RecursionError: maximum recursion depth exceeded while calling a Python object",
    ),
    (
        "import threading\ndef f(): f()\nt = threading.Thread(target=f)\nt.start()\nt.join()",
        "",
    ),
];

#[tokio::test]
async fn an_iterator_over_iterators_is_a_python_exception() {
    let shapes = OVER
        .iter()
        .map(|over| (long("a = iter([])", over, "list(a)"), ITERATING));
    every_shape(shapes).await;
}

#[tokio::test]
async fn generators_and_coroutines_in_each_other_are_a_python_exception() {
    every_shape(SHAPES.iter().copied()).await;
}
