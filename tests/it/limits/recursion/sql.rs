//! The recursion of `SQLite`: statements that are nested deeply are refused by `SQLite` itself, wherever they are executed.

use super::every_shape;

const LEVELS: &str = "sqlite3.OperationalError: too many levels of nesting (maximum 1000)";
const HEIGHT: &str = "sqlite3.OperationalError: Expression tree is too large (maximum depth 1000)";
const PARSER: &str = "sqlite3.OperationalError: parser stack overflow";
const PATTERN: &str = "sqlite3.OperationalError: LIKE or GLOB pattern too complex";

/// Statements of `n` levels, as Python's expressions, and how 3,000 of them are refused.
const NESTED: &[(&str, &str)] = &[
    ("'select * from (' * n + 'select 1' + ')' * n", LEVELS),
    (
        "'select 1 from (select 1 union ' * n + 'select 1' + ')' * n",
        LEVELS,
    ),
    (
        "'select * from (' * n + 'select 1' + ' union all select 2)' * n",
        LEVELS,
    ),
    (
        "'select count(*) over () from (' * n + 'select 1' + ')' * n",
        LEVELS,
    ),
    (
        "'select count(*) x from (' * n + 'select 1 x' + ') group by x order by x' * n",
        LEVELS,
    ),
    ("'select * from (' * n + 'values (1)' + ')' * n", LEVELS),
    (
        "'with a as (' * n + 'select 1' + ') select * from a' * n",
        LEVELS,
    ),
    (
        "'with c0 as (select 1 x)' + ''.join(f', c{i} as (select x from c{i - 1})' for i in range(1, n)) + f' select * from c{n - 1}'",
        LEVELS,
    ),
    ("'select 1' + ' union select 1' * n", LEVELS),
    ("'select 1' + ' collate nocase' * n", LEVELS),
    ("'select ' + 'not ' * n + '1'", HEIGHT),
    ("'create table t (a default (' + '~' * n + '1))'", HEIGHT),
    (
        "'select ' + '1 between 0 and (' * n + '1' + ')' * n",
        LEVELS,
    ),
    (
        "'select ' + 'case when 1 then ' * n + '1' + ' end' * n",
        HEIGHT,
    ),
    ("'select ' + 'abs(' * n + '1' + ')' * n", HEIGHT),
    (
        "\"select '\" + 'a' * n + \"' like '\" + '%a' * n + \"'\"",
        PATTERN,
    ),
];

/// Databases in which `n` things lead to each other, the statement that follows them, and how 3,000 are refused.
const LINKED: &[(&str, &str, &str)] = &[
    (
        "c.execute('create view v0 as select 1 x')\nfor i in range(1, n): c.execute(f'create view v{i} as select x from v{i - 1}')",
        "f'select * from v{n - 1}'",
        LEVELS,
    ),
    (
        "c.execute('create view v0 as select 1 x')\nfor i in range(1, n): c.execute(f'create view v{i} as select x from v{i - 1} union select 2')",
        "f'select * from v{n - 1}'",
        LEVELS,
    ),
    (
        "for i in range(n): c.execute(f'create table t{i} (a)')\nfor i in range(1, n): c.execute(f'create trigger g{i} after insert on t{i} begin insert into t{i - 1} values (new.a); end')",
        "f'insert into t{n - 1} values (1)'",
        LEVELS,
    ),
    (
        "c.execute('pragma foreign_keys = on')\nc.execute('create table t0 (a primary key)')\nfor i in range(1, n): c.execute(f'create table t{i} (a primary key references t{i - 1} on delete cascade)')",
        "'delete from t0'",
        LEVELS,
    ),
    (
        "n = min(n, 1_900)\nc.execute('create table t (c0' + ''.join(f', c{i} as (c{i - 1} + 1)' for i in range(1, n)) + ')')",
        "f'select c{n - 1} from t'",
        LEVELS,
    ),
    (
        "c.execute('pragma recursive_triggers = on')\nc.execute('create table t (a)')\nc.execute(f'create trigger g after insert on t when new.a < {n} begin insert into t values (new.a + 1); end')",
        "'insert into t values (1)'",
        "sqlite3.OperationalError: too many levels of trigger recursion",
    ),
];

/// What is deep in other ways than by its levels, with its own limits.
const DEEP: &[(&str, &str)] = &[
    ("'select ' + '(' * 20_000 + '1' + ')' * 20_000", ""),
    ("'values (1)' + ',(1)' * 30_000", ""),
    (
        "'select * from (' * 30_000 + 'select 1' + ')' * 30_000",
        PARSER,
    ),
    ("'select ' + 'not ' * 50_000 + '1'", PARSER),
    (
        "\"select json('\" + '[' * 100_000 + ']' * 100_000 + \"')\"",
        "sqlite3.OperationalError: malformed JSON",
    ),
    (
        "\"select json_extract('[]', '$\" + '[0]' * 100_000 + \"')\"",
        "",
    ),
    (
        "\"select json(x'\" + __import__('functools').reduce(lambda blob, _: b'\\xdb' + len(blob).to_bytes(2, 'big') + blob, range(2_000), b'').hex() + \"')\"",
        "sqlite3.OperationalError: malformed JSON",
    ),
];

fn prelude(n: u32) -> String {
    format!("import sqlite3\nc = sqlite3.connect(':memory:')\nn = {n}\n")
}

fn linked(n: u32) -> impl Iterator<Item = (String, &'static str)> {
    LINKED.iter().map(move |(make, sql, refusal)| {
        let first = prelude(n);
        (
            format!("{first}{make}\nc.execute({sql}).fetchall()"),
            *refusal,
        )
    })
}

fn nested(n: u32) -> impl Iterator<Item = (String, &'static str)> {
    NESTED.iter().map(move |(sql, refusal)| {
        let first = prelude(n);
        (format!("{first}c.execute({sql}).fetchall()"), *refusal)
    })
}

#[tokio::test]
async fn sql_that_is_nested_too_deeply_is_refused() {
    every_shape(nested(3_000)).await;
    every_shape(linked(3_000)).await;
}

#[tokio::test]
async fn sql_that_is_nested_less_deeply_works() {
    let shapes = nested(150).chain(linked(150));
    every_shape(shapes.map(|(shape, _)| (shape, ""))).await;
}

#[tokio::test]
async fn sql_that_is_deep_in_other_ways_has_other_limits() {
    let shapes = DEEP.iter().map(|(sql, last_line)| {
        let first = prelude(0);
        (format!("{first}c.execute({sql}).fetchall()"), *last_line)
    });
    every_shape(shapes).await;
}

/// At the end of every kind of recursion `SQLite` has what is left of the stack, and no more.
#[tokio::test]
async fn nested_sql_below_deep_recursion_is_an_exception() {
    const RECURSIONS: &[&str] = &[
        "def f(_): return body(), sorted([1, 2], key=f)",
        "import re\ndef f(_): return body(), re.sub('a', f, 'a')",
        "from xml.parsers import expat\ndef f(*_):\n    body()\n    p = expat.ParserCreate()\n    p.StartElementHandler = f\n    p.Parse('<a/>', True)",
        "d = sqlite3.connect(':memory:')\ndef f(_=0): return body(), d.execute('select f()').fetchone()\nd.create_function('f', 0, f)",
    ];
    let shapes = RECURSIONS.iter().flat_map(|recursion| {
        NESTED.iter().map(move |(sql, _)| {
            let first = prelude(0);
            // The first time finds how deep it goes; the second time the deepest calls execute statements.
            let code = format!(
                "import sys\nsys.setrecursionlimit(10**6)\n{first}statements = [{sql} for n in (600, 300, 150)]\n\
                 depth = last = 0\n\
                 def body():\n    global depth\n    depth += 1\n    if last and depth > last - 8:\n        for sql in statements:\n            \
                 try: c.execute(sql).fetchall()\n            except (RecursionError, sqlite3.OperationalError): pass\n\
                 {recursion}\n\
                 for _ in range(2):\n    depth = 0\n    try: f(1)\n    except (RecursionError, sqlite3.OperationalError): pass\n    last = depth"
            );
            (code, "")
        })
    });
    every_shape(shapes).await;
}

/// `SQLite` calls Python while it has a large part of the stack: what that recurses in has less.
#[tokio::test]
async fn recursion_in_what_sqlite_calls_for_a_nested_statement_is_an_exception() {
    let callbacks = [
        "c.set_authorizer(lambda *_: f(1) and 0)",
        "c.set_progress_handler(lambda: f(1), 1)",
    ];
    let shapes = callbacks.iter().flat_map(|callback| {
        NESTED.iter().map(move |(sql, _)| {
            let first = prelude(0);
            let code = format!(
                "import sys, re\nsys.setrecursionlimit(10**6)\n{first}sql = [{sql} for n in (330,)][0]\n\
                 def g(_): return re.sub('a', g, 'a')\n\
                 left = 5\n\
                 def f(_):\n    global left\n    left -= 1\n    if left > 0:\n        try: g(1)\n        except RecursionError: pass\n    return 0\n\
                 {callback}\n\
                 try: c.execute(sql).fetchall()\nexcept sqlite3.Error: pass"
            );
            (code, "")
        })
    });
    every_shape(shapes).await;
}
