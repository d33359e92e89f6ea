//! The one namespace that a session's cells share.

use hermes_tests::{Case, Session, is_for_strict_only};

#[tokio::test]
async fn the_last_expression_is_not_echoed() {
    Case::new("x = 41\n1+1\n'text'\nx")
        .run()
        .await
        .succeeds()
        .output("")
        .kernel(false, 1)
        .bytes(0, 0, 0);
}

#[tokio::test]
async fn names_live_on_in_the_next_cell() {
    let session = Session::fresh();
    session
        .run("x = 41")
        .await
        .succeeds()
        .output("")
        .kernel(false, 1)
        .state_reset(false);
    session
        .run("x += 1; print(x)")
        .await
        .succeeds()
        .output("42\n")
        .kernel(true, 2)
        .bytes(3, 3, 0);
}

#[tokio::test]
async fn imports_classes_and_functions_live_on() {
    let session = Session::fresh();
    session.run("import math\nclass Point:\n    def __init__(self, x): self.x = x\ndef double(n): return n * 2").await.succeeds();
    session
        .run("print(math.pi, double(Point(21).x))")
        .await
        .succeeds()
        .output("3.141592653589793 42\n");
}

#[tokio::test]
async fn a_failed_cell_keeps_what_it_had_bound() {
    let session = Session::fresh();
    session.run("a = 1").await.succeeds();
    session
        .run("b = 2\nraise ValueError('stop')\nc = 3")
        .await
        .raises("ValueError: stop")
        .kernel(true, 2);
    session
        .run("print(a, b, 'c' in globals())")
        .await
        .succeeds()
        .output("1 2 False\n")
        .kernel(true, 3);
}

#[tokio::test]
async fn a_cell_that_does_not_compile_binds_nothing_and_counts() {
    let session = Session::fresh();
    session
        .run("a = 1\ndef f(:")
        .await
        .raises("SyntaxError: invalid syntax")
        .kernel(false, 1);
    session
        .run("print('a' in globals())")
        .await
        .succeeds()
        .output("False\n")
        .kernel(true, 2);
}

#[tokio::test]
async fn a_cell_runs_as_main_and_has_no_file() {
    Case::new("print(__name__, '__file__' in globals(), __builtins__.__name__)\nimport __main__, sys\nprint(__main__.__dict__ is globals(), sys.argv)")
        .run()
        .await
        .succeeds()
        .output("__main__ False builtins\nTrue ['']\n");
}

#[tokio::test]
async fn a_fresh_namespace_holds_only_what_python_puts_there() {
    Case::new("print(sorted(globals()))")
        .run()
        .await
        .succeeds()
        .output(
            "['__builtins__', '__doc__', '__loader__', '__name__', '__package__', '__spec__']\n",
        );
}

#[tokio::test]
async fn classes_of_a_cell_can_be_pickled() {
    let session = Session::fresh();
    session
        .run("import pickle\nclass Point:\n    x = 1\nsaved = pickle.dumps(Point())")
        .await
        .succeeds();
    session
        .run("print(type(pickle.loads(saved)) is Point)")
        .await
        .succeeds()
        .output("True\n");
}

#[tokio::test]
async fn the_source_of_a_cell_can_be_inspected_later() {
    if is_for_strict_only(
        "before Python 3.13.1 the standard library knows one source for each file name",
    ) {
        return;
    }
    let session = Session::fresh();
    session.run("def f():\n    return 'one'\n").await.succeeds();
    session.run("def g():\n    return 'two'\n").await.succeeds();
    session
        .run("import inspect\nprint(inspect.getsource(f) + inspect.getsource(g), end='')")
        .await
        .succeeds()
        .output("def f():\n    return 'one'\ndef g():\n    return 'two'\n");
}

#[tokio::test]
async fn dataclasses_enums_and_typing_work_in_main() {
    Case::new(
        "from dataclasses import dataclass\nfrom enum import Enum\nfrom typing import NamedTuple, get_type_hints\n\
         @dataclass(order=True)\nclass A:\n    x: int = 1\n\
         class Colour(Enum):\n    RED = 1\n\
         class P(NamedTuple):\n    x: int\n\
         print(A(), A(1) < A(2), Colour.RED, P(3), get_type_hints(A))",
    )
    .run()
    .await
    .succeeds()
    .output("A(x=1) True Colour.RED P(x=3) {'x': <class 'int'>}\n");
}

#[tokio::test]
async fn future_imports_hold_for_their_own_cell_only() {
    let session = Session::fresh();
    session
        .run(
            "from __future__ import annotations\ndef f(x: Missing): pass\nprint(f.__annotations__)",
        )
        .await
        .succeeds()
        .output("{'x': 'Missing'}\n");
    session
        .run("def g(x: int): pass\nprint(g.__annotations__)")
        .await
        .succeeds()
        .output("{'x': <class 'int'>}\n");
}
