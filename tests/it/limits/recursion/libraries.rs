//! The recursion of libraries: regular expressions, JSON, XML, SQL functions, pickles, TOML.

use super::{DEEP, every_shape};

/// Shapes and the last line of what they raise; an empty one succeeds.
const SHAPES: &[(&str, &str)] = &[
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
    (
        "import tomllib; tomllib.loads('a = ' + '[' * 100_000)",
        DEEP,
    ),
    ("import re; re.compile('(' * 50_000 + ')' * 50_000)", DEEP),
    ("import re; re.match('(?:a|b)*' * 50, 'ab' * 100_000)", ""),
    ("import re; re.match(r'((a)|b)*c', 'ab' * 500_000)", ""),
    (
        "import _sre\nn, end = 100_000, [1]\ncode = [word for level in range(n, 0, -1) for word in (4, 4 * level - 1, 0)]\n_sre.compile('', 0, code + end * (n + 1), 0, {}, ())",
        "RecursionError: maximum recursion depth exceeded while checking a pattern",
    ),
    (
        "import xml.etree.ElementTree as e; e.fromstring('<a>' * 100_000 + '</a>' * 100_000)",
        "",
    ),
    (
        "import copy, xml.etree.ElementTree as e\na = e.fromstring('<a>' * 100_000 + '</a>' * 100_000)\ncopy.deepcopy(a)",
        "RecursionError: maximum recursion depth exceeded while copying an element",
    ),
    (
        "import xml.etree.ElementTree as e\na = e.fromstring('<a>' * 100_000 + '</a>' * 100_000)\nlist(a.iter()), list(a.itertext())",
        "",
    ),
    (
        "from xml.parsers import expat\np = expat.ParserCreate()\np.ElementDeclHandler = print\np.Parse('<!DOCTYPE a [<!ELEMENT a ' + '(' * 100_000 + 'b' + ')' * 100_000 + '>]><a/>')",
        "RecursionError: maximum recursion depth exceeded while reading a content model",
    ),
    (
        "from xml.parsers import expat\ndef f(*_):\n    p = expat.ParserCreate()\n    p.StartElementHandler = f\n    p.Parse('<a/>', True)\nf()",
        "RecursionError: maximum recursion depth exceeded while parsing XML",
    ),
    (
        "import sqlite3\nc = sqlite3.connect(':memory:')\ndef f(): return c.execute('select f()').fetchone()[0]\nc.create_function('f', 0, f)\nf()",
        "sqlite3.OperationalError: user-defined function raised exception",
    ),
    (
        "import sqlite3\nc = sqlite3.connect(':memory:')\nc.execute('select ' + 'abs(' * 100_000 + '1' + ')' * 100_000)",
        "sqlite3.OperationalError: parser stack overflow",
    ),
];

#[tokio::test]
async fn a_library_that_recurses_is_a_python_exception() {
    every_shape(SHAPES.iter().copied()).await;
}
