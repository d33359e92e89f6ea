//! Whole tracebacks, letter by letter as CPython prints them for a script.

use hermes_tests::{Case, Session, every_row, is_for_newer_python, is_for_strict_only};

const ROWS: &[(&str, &str)] = &[
    (
        "def f(x):\n    return g(x) + 1\n\ndef g(x):\n    return {'a': 1}[x]\n\nf('b')\n",
        r#"Traceback (most recent call last):
  File "<cell>", line 7, in <module>
    f('b')
    ~^^^^^
  File "<cell>", line 2, in f
    return g(x) + 1
           ~^^^
  File "<cell>", line 5, in g
    return {'a': 1}[x]
           ~~~~~~~~^^^
KeyError: 'b'
"#,
    ),
    (
        "try:\n    {}['k']\nexcept KeyError as error:\n    raise RuntimeError('no k') from error\n",
        r#"Traceback (most recent call last):
  File "<cell>", line 2, in <module>
    {}['k']
    ~~^^^^^
KeyError: 'k'

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "<cell>", line 4, in <module>
    raise RuntimeError('no k') from error
RuntimeError: no k
"#,
    ),
    (
        "try:\n    1/0\nexcept ZeroDivisionError:\n    int('x')\n",
        r#"Traceback (most recent call last):
  File "<cell>", line 2, in <module>
    1/0
    ~^~
ZeroDivisionError: division by zero

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "<cell>", line 4, in <module>
    int('x')
    ~~~^^^^^
ValueError: invalid literal for int() with base 10: 'x'
"#,
    ),
    (
        "try:\n    1/0\nexcept ZeroDivisionError:\n    raise ValueError('only me') from None\n",
        r#"Traceback (most recent call last):
  File "<cell>", line 4, in <module>
    raise ValueError('only me') from None
ValueError: only me
"#,
    ),
    (
        "def fail(n):\n    raise ValueError(n)\n\nerrors = []\nfor n in range(2):\n    try:\n        fail(n)\n    except ValueError as error:\n        errors.append(error)\nraise ExceptionGroup('all', errors)\n",
        r#"  + Exception Group Traceback (most recent call last):
  |   File "<cell>", line 10, in <module>
  |     raise ExceptionGroup('all', errors)
  | ExceptionGroup: all (2 sub-exceptions)
  +-+---------------- 1 ----------------
    | Traceback (most recent call last):
    |   File "<cell>", line 7, in <module>
    |     fail(n)
    |     ~~~~^^^
    |   File "<cell>", line 2, in fail
    |     raise ValueError(n)
    | ValueError: 0
    +---------------- 2 ----------------
    | Traceback (most recent call last):
    |   File "<cell>", line 7, in <module>
    |     fail(n)
    |     ~~~~^^^
    |   File "<cell>", line 2, in fail
    |     raise ValueError(n)
    | ValueError: 1
    +------------------------------------
"#,
    ),
    (
        "error = ValueError('x')\nerror.add_note('first note')\nerror.add_note('second note')\nraise error",
        "Traceback (most recent call last):\n  File \"<cell>\", line 4, in <module>\n    raise error\nValueError: x\nfirst note\nsecond note\n",
    ),
    (
        "import math\nmath.sqroot(2)",
        r#"Traceback (most recent call last):
  File "<cell>", line 2, in <module>
    math.sqroot(2)
    ^^^^^^^^^^^
AttributeError: module 'math' has no attribute 'sqroot'. Did you mean: 'sqrt'?
"#,
    ),
    (
        "raise KeyboardInterrupt",
        "Traceback (most recent call last):\n  File \"<cell>\", line 1, in <module>\n    raise KeyboardInterrupt\nKeyboardInterrupt\n",
    ),
    (
        "class Stop(BaseException): pass\nraise Stop('now')",
        "Traceback (most recent call last):\n  File \"<cell>\", line 2, in <module>\n    raise Stop('now')\nStop: now\n",
    ),
    (
        "class Bad(Exception):\n    def __str__(self):\n        raise ValueError\nraise Bad",
        "Traceback (most recent call last):\n  File \"<cell>\", line 4, in <module>\n    raise Bad\nBad: <exception str() failed>\n",
    ),
    (
        r"raise ValueError('\udc80')",
        "Traceback (most recent call last):\n  File \"<cell>\", line 1, in <module>\n    raise ValueError('\\udc80')\nValueError: \\udc80\n",
    ),
    (
        "exec(compile('1/0', 'inner.py', 'exec'))",
        r#"Traceback (most recent call last):
  File "<cell>", line 1, in <module>
    exec(compile('1/0', 'inner.py', 'exec'))
    ~~~~^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  File "inner.py", line 1, in <module>
ZeroDivisionError: division by zero
"#,
    ),
    (
        "def f(n):\n    return f(n + 1)\n\nf(0)\n",
        r#"Traceback (most recent call last):
  File "<cell>", line 4, in <module>
    f(0)
    ~^^^
  File "<cell>", line 2, in f
    return f(n + 1)
  File "<cell>", line 2, in f
    return f(n + 1)
  File "<cell>", line 2, in f
    return f(n + 1)
  [Previous line repeated 996 more times]
RecursionError: maximum recursion depth exceeded
"#,
    ),
    (
        "import json\njson.loads('{')",
        r#"Traceback (most recent call last):
  File "<cell>", line 2, in <module>
    json.loads('{')
    ~~~~~~~~~~^^^^^
  File "/lib/python313.zip/json/__init__.py", line 346, in loads
    return _default_decoder.decode(s)
           ~~~~~~~~~~~~~~~~~~~~~~~^^^
  File "/lib/python313.zip/json/decoder.py", line 345, in decode
    obj, end = self.raw_decode(s, idx=_w(s, 0).end())
               ~~~~~~~~~~~~~~~^^^^^^^^^^^^^^^^^^^^^^^
  File "/lib/python313.zip/json/decoder.py", line 361, in raw_decode
    obj, end = self.scan_once(s, idx)
               ~~~~~~~~~~~~~~^^^^^^^^
json.decoder.JSONDecodeError: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)
"#,
    ),
];

#[tokio::test]
async fn tracebacks_are_those_of_cpython() {
    if is_for_newer_python("older versions mark the place of an error otherwise") {
        return;
    }
    every_row(ROWS, async |(code, expected)| {
        let counts_frames = expected.contains("[Previous line repeated");
        let shows_library = expected.contains("/lib/python313.zip/");
        if counts_frames && is_for_strict_only("the frames of our own program count as well")
            || shows_library && is_for_strict_only("the standard library is elsewhere")
        {
            return;
        }
        Case::new(*code)
            .run()
            .await
            .traceback(expected)
            .output(&format!("\n--- stderr ---\n{expected}"));
    })
    .await;
}

#[tokio::test]
async fn a_raising_cell_shows_its_output_first_and_counts_only_that() {
    if is_for_newer_python("older versions mark the place of an error otherwise") {
        return;
    }
    let traceback = "Traceback (most recent call last):\n  File \"<cell>\", line 1, in <module>\n    print('before'); 1/0\n                     ~^~\nZeroDivisionError: division by zero\n";
    let finished = Case::new("print('before'); 1/0").run().await;
    finished
        .traceback(traceback)
        .output(&format!("before\n\n--- stderr ---\n{traceback}"))
        .bytes(7, 7, 0)
        .hint(None);
}

#[tokio::test]
async fn each_frame_shows_the_source_of_its_own_cell() {
    if is_for_newer_python("older versions mark the place of an error otherwise") {
        return;
    }
    let session = Session::fresh();
    session
        .run("def f():\n    raise ValueError('from the first cell')\n")
        .await
        .succeeds();
    session.run("def g():\n    f()\n").await.succeeds();
    session.run("y = 1\n\n\ng()\n").await.traceback(
        r#"Traceback (most recent call last):
  File "<cell>", line 4, in <module>
    g()
    ~^^
  File "<cell>", line 2, in g
    f()
    ~^^
  File "<cell>", line 2, in f
    raise ValueError('from the first cell')
ValueError: from the first cell
"#,
    );
}

#[tokio::test]
async fn a_traceback_that_a_script_prints_itself_has_its_lines_too() {
    if is_for_newer_python("older versions mark the place of an error otherwise") {
        return;
    }
    Case::new("import traceback\ntry:\n    1/0\nexcept ZeroDivisionError:\n    print(traceback.format_exc(), end='')")
        .run()
        .await
        .succeeds()
        .output("Traceback (most recent call last):\n  File \"<cell>\", line 3, in <module>\n    1/0\n    ~^~\nZeroDivisionError: division by zero\n");
}

#[tokio::test]
async fn a_line_ends_only_where_the_interpreter_ends_it() {
    for separator in [
        '\u{b}', '\u{c}', '\u{1c}', '\u{1d}', '\u{1e}', '\u{85}', '\u{2028}', '\u{2029}',
    ] {
        // Both in a comment and in a text; a form feed may also stand alone.
        let code = format!("s = 'a{separator}b' # {separator}\n\u{c}\nraise ValueError(len(s))");
        let finished = Case::new(code).run().await;
        finished.raises("ValueError: 3");
        let error = finished.outcome().error.as_deref().unwrap();
        let shown = "File \"<cell>\", line 3, in <module>\n    raise ValueError(len(s))\n";
        assert!(error.contains(shown), "{separator:?}: {finished}");
    }
}
