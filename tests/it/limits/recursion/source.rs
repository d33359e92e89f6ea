//! Source code that is deep: what the parser refuses, what the compiler refuses, what a syntax tree of one's own does.

use super::{every_shape, long};

const PARSER: &str = "MemoryError: Parser stack overflowed - Python source too complex to parse";
const COMPILER: &str = "RecursionError: maximum recursion depth exceeded during compilation";

/// Shapes and the last line of what they raise; an empty one succeeds.
const SHAPES: &[(&str, &str)] = &[
    ("eval('(' * 200 + ')' * 200)", PARSER),
    ("eval('(' * 100 + ')' * 100)", ""),
    ("eval('[' * 100_000)", PARSER),
    ("import ast; ast.parse('-' * 5_000 + '1')", PARSER),
    ("eval('1' + '**1' * 100_000)", PARSER),
    ("eval('lambda: ' * 100_000 + '0')", PARSER),
    ("eval('not ' * 100_000 + '1')", PARSER),
    ("eval('f\"' + '{f\"' * 300 + '\"}' * 300 + '\"')", PARSER),
    ("eval('+'.join(['1'] * 100_000))", COMPILER),
    ("eval('a' + '.a' * 100_000)", COMPILER),
    ("eval('a' + '()' * 100_000)", COMPILER),
    (
        "exec('if 1:\\n' + ''.join(' ' * n + 'if 1:\\n' for n in range(1, 200)) + ' ' * 200 + 'pass')",
        "IndentationError: too many levels of indentation",
    ),
];

#[tokio::test]
async fn deep_source_is_a_python_exception() {
    every_shape(SHAPES.iter().copied()).await;
}

/// Trees of one's own: what holds the last one, how deep, and the last line of what compiling it raises.
const TREES: &[(&str, usize, &str)] = &[
    ("ast.List([a], load, **at)", 4_000, ""),
    ("ast.List([a], load, **at)", 5_000, COMPILER),
    ("ast.Dict([b], [a], **at)", 5_000, COMPILER),
    (
        "ast.Lambda(ast.arguments([], [], None, [], [], None, []), a, **at)",
        2_000,
        "",
    ),
    (
        "ast.Lambda(ast.arguments([], [], None, [], [], None, []), a, **at)",
        4_000,
        COMPILER,
    ),
    (
        "ast.GeneratorExp(a, [ast.comprehension(ast.Name('c', ast.Store(), **at), b, [], 0)], **at)",
        4_000,
        COMPILER,
    ),
];

#[tokio::test]
async fn a_deep_tree_of_ones_own_is_a_python_exception() {
    let shapes = TREES.iter().map(|(holder, depth, last_line)| {
        let first = "import ast\nload, at = ast.Load(), {'lineno': 1, 'col_offset': 0}\na = b = ast.Name('b', load, **at)";
        let compiling = "compile(ast.Expression(a), '', 'eval')";
        (format!("{first}\nfor _ in range({depth}): a = {holder}\n{compiling}"), *last_line)
    });
    every_shape(shapes).await;
}

#[tokio::test]
async fn deep_constants_of_a_code_object_are_a_python_exception() {
    let ask = "(lambda: 0).__code__.replace(co_consts=a)";
    let last_line = "RecursionError: maximum recursion depth exceeded while interning constants";
    every_shape([(long("a = ()", "(a,)", ask), last_line)]).await;
}
