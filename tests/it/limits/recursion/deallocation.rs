//! Long chains of objects are dropped without recursion, whatever holds the next one, and finalizers run all the same.

use super::{every_shape, long};

/// What holds the next object, and the first one.
const HOLDERS: &[(&str, &str)] = &[
    ("a = None", "[a]"),
    ("a = None", "(a,)"),
    ("a = None", "{1: a}"),
    ("a = None", "frozenset([a])"),
    ("a = None", "slice(a)"),
    ("a = None", "iter((a,))"),
    ("a = None", "iter([a])"),
    ("a = None", "iter({1: a}.values())"),
    ("a = None", "[a].append"),
    ("a = None", "[a].__len__"),
    ("a = None", "staticmethod(a)"),
    ("a = None", "classmethod(a)"),
    ("a = None", "property(a)"),
    ("a = 1", "types.MethodType(print, a)"),
    ("a = None", "types.MappingProxyType({1: a})"),
    ("a = None", "types.CellType(a)"),
    ("a = None", "types.SimpleNamespace(a=a)"),
    ("a = None", "types.GenericAlias(list, a)"),
    ("a = None", "(lambda: 0).__code__.replace(co_consts=(a,))"),
    ("a = None", "functools.partial(print, a)"),
    ("a = None", "functools.cmp_to_key(print)(a)"),
    ("a = None", "operator.itemgetter(a)"),
    ("a = None", "collections.deque([a])"),
    ("a = None", "collections.OrderedDict(a=a)"),
    ("a = None", "collections.defaultdict(int, a=a)"),
    ("a = None", "contextvars.ContextVar('c', default=a)"),
    ("a = None", "ValueError(a)"),
    ("a = None", "(lambda b: lambda: b)(a)"),
    ("a = None", "type('C', (), {})().__class__(), a"),
    ("a = iter([])", "map(print, a)"),
    ("a = iter([])", "filter(None, a)"),
    ("a = iter([])", "itertools.islice(a, 9)"),
    ("a = iter([])", "itertools.tee(a)[0]"),
    ("a = iter([])", "(b for b in a)"),
    (
        "def g(a):\n    try: yield\n    finally: a = None\na = None",
        "g(a)\n    next(a)",
    ),
    ("async def f(a): pass\na = None", "f(a)"),
    (
        "class C:\n    def __init__(self, a): self.a = a\na = None",
        "C(a)",
    ),
    (
        "class C:\n    def __init__(self, a): self.a = a\n    def __del__(self): self.b = 1\na = None",
        "C(a)",
    ),
    (
        "import sys\ndef f(a): return sys._getframe()\na = None",
        "f(a)",
    ),
];

#[tokio::test]
async fn a_long_chain_is_dropped_whatever_holds_the_next_object() {
    let shapes = HOLDERS
        .iter()
        .map(|(first, holder)| (long(first, holder, "del a"), ""));
    every_shape(shapes).await;
}

#[tokio::test]
async fn every_finalizer_of_a_long_chain_runs_once() {
    let code = "class C:\n    def __init__(self, a): self.a = a\n    def __del__(self):\n        global count\n        count += 1\ncount = 0";
    let shape = long(
        &format!("{code}\na = 1"),
        "C(types.MethodType(print, a))",
        "del a\nassert count == 100_000, count",
    );
    every_shape([(shape, "")]).await;
}

#[tokio::test]
async fn an_object_that_comes_back_to_life_in_a_long_chain_is_whole() {
    let code = "class C:\n    def __del__(self): kept.append(self)\nkept = []\na = None";
    let ask = "del a\nassert len(kept) == 100_000, len(kept)\nassert all(map(gc.is_tracked, kept))\nkept.clear()\ngc.collect()\nassert not kept, kept";
    let shape = long(code, "[a, C()]", ask);
    every_shape([(shape, "")]).await;
}
