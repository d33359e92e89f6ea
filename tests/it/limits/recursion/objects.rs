//! Questions that objects of C pass on to each other: representation, hash, comparison, items, attributes, calls, copies.

use super::{IMPORTS, every_shape, long, too_deep};

const REPR: &str =
    "RecursionError: maximum recursion depth exceeded while getting the repr of an object";
const HASH: &str = "RecursionError: maximum recursion depth exceeded while hashing an object";
const COMPARISON: &str = "RecursionError: maximum recursion depth exceeded in comparison";
const ITEM: &str = "RecursionError: maximum recursion depth exceeded while getting an item";
const ATTRIBUTE: &str =
    "RecursionError: maximum recursion depth exceeded while getting an attribute";
const PROXY: &str = "RecursionError: maximum recursion depth exceeded while asking a mappingproxy";
const CALL: &str = "RecursionError: maximum recursion depth exceeded while calling a Python object";
const PICKLE: &str = "RecursionError: maximum recursion depth exceeded while pickling an object";
const DEEP: &str = "RecursionError: maximum recursion depth exceeded";

/// The first object, what holds the next one, what it is asked, and the last line of what that raises.
const QUESTIONS: &[(&str, &str, &str, &str)] = &[
    ("a = 1", "[a]", "repr(a)", REPR),
    ("a = 1", "{1: a}", "repr(a)", REPR),
    ("a = 1", "collections.deque([a])", "repr(a)", REPR),
    ("a = 1", "(a,)", "hash(a)", HASH),
    ("a = 1", "slice(a)", "hash(a)", HASH),
    ("a = 1", "types.GenericAlias(list, a)", "hash(a)", HASH),
    ("a = print", "types.MethodType(a, 1)", "hash(a)", HASH),
    ("a = {}", "types.MappingProxyType(a)", "hash(a)", HASH),
    ("a = 1", "[a]", "a == copy.copy(a)", ""),
    ("a = b = []", "[a]; b = [b]", "a == b", COMPARISON),
    ("a = b = 1", "slice(a); b = slice(b)", "a == b", COMPARISON),
    ("a = {}", "types.MappingProxyType(a)", "a == a", COMPARISON),
    ("a = {}", "types.MappingProxyType(a)", "a[1]", ITEM),
    ("a = {}", "types.MappingProxyType(a)", "len(a)", PROXY),
    ("a = {}", "types.MappingProxyType(a)", "1 in a", PROXY),
    ("a = {}", "types.MappingProxyType(a)", "iter(a)", PROXY),
    ("a = {}", "types.MappingProxyType(a)", "a | {}", PROXY),
    ("a = {}", "types.MappingProxyType(a)", "a.get(1)", CALL),
    ("a = print", "types.MethodType(a, 1)", "a()", CALL),
    ("a = print", "types.MethodType(a, 1)", "a.name", ATTRIBUTE),
    (
        "a = print",
        "property(a)",
        "a.__isabstractmethod__",
        ATTRIBUTE,
    ),
    ("a = print", "property(a)", "a.__name__", ATTRIBUTE),
    ("a = list", "types.GenericAlias(a, int)", "a()", CALL),
    (
        "a = list",
        "types.GenericAlias(a, int)",
        "a.name",
        ATTRIBUTE,
    ),
    ("a = print", "functools.partial(a); a.name = 1", "a()", CALL),
    ("a = 1", "[a]", "copy.deepcopy(a)", DEEP),
    ("a = 1", "(a,)", "copy.deepcopy(a)", DEEP),
    ("a = 1", "[a]", "pickle.dumps(a)", PICKLE),
    (
        "a = 1",
        "[a]",
        "json.dumps(a)",
        "RecursionError: maximum recursion depth exceeded while encoding a JSON object",
    ),
    (
        "a = 1",
        "[a]",
        "marshal.dumps(a)",
        "ValueError: object too deeply nested to marshal",
    ),
    (
        "a = 1",
        "frozenset([a])",
        "marshal.dumps(a)",
        "ValueError: unmarshallable object",
    ),
    ("a = 1", "[a]", "pprint.pformat(a)", DEEP),
    ("a = 1", "[a]", "gc.collect(); gc.get_referrers(a)", ""),
    (
        "a = int",
        "(a,)",
        "isinstance(1, a)",
        "RecursionError: maximum recursion depth exceeded in __instancecheck__",
    ),
];

/// What recurses through more than one kind of question, so that the limit may be met at either.
const MIXED: &[(&str, &str)] = &[
    (
        "a = 1\nfor _ in range(100_000): a = types.SimpleNamespace(a=a)",
        "repr(a)",
    ),
    (
        "a = 1\nfor _ in range(100_000): a = types.GenericAlias(list, a)",
        "repr(a)",
    ),
    (
        "a = print\nfor _ in range(100_000): a = types.MethodType(a, 1)",
        "repr(a)",
    ),
    (
        "class A: pass\na = A()\nA.__getitem__ = operator.itemgetter(a)",
        "a[a]",
    ),
    (
        "class A: pass\na = A()\nA.name = property(operator.attrgetter('name'))",
        "a.name",
    ),
    (
        "class A: pass\na = A()\nA.name = operator.methodcaller('name', a)",
        "a.name(a)",
    ),
    (
        "class A: pass\na = A()\nA.__getattr__ = functools.partial(getattr, a)",
        "a.name",
    ),
    (
        "class A:\n    @functools.cached_property\n    def name(self): return self.name\nimport sys\nsys.setrecursionlimit(10**6)",
        "A().name",
    ),
    ("", "operator.call(*[operator.call] * 100_000)"),
    (
        "first, *rest = [contextvars.Context().run for _ in range(100_000)]",
        "first(*rest, print)",
    ),
];

#[tokio::test]
async fn a_question_that_is_passed_on_is_a_python_exception() {
    let shapes = QUESTIONS
        .iter()
        .map(|(first, holder, question, last_line)| (long(first, holder, question), *last_line));
    every_shape(shapes).await;
}

#[tokio::test]
async fn questions_of_several_kinds_in_each_other_are_a_recursion_error() {
    let shapes = MIXED
        .iter()
        .map(|(first, question)| (format!("{IMPORTS}\n{first}\n{}", too_deep(question)), ""));
    every_shape(shapes).await;
}
