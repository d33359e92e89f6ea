//! Attacks on the interpreter's own memory: code that no compiler makes, objects that were never made right.
//!
//! CPython trusts its bytecode. What comes of it is an exception, after which the kernel is as good as before, or a trap of the
//! sandbox, which costs that one kernel. Which of the two is written in each row: where things lie is the same in every sandbox.

use hermes_tests::{Session, every_row};

use super::attack::{Attack, End, repel};

const ATTACKS: &[Attack] = &[
    (
        "opcodes that do not exist",
        "def f(): pass\nf.__code__ = f.__code__.replace(co_code=b'\\xff' * 1000)\nf()",
        End::Raises("SystemError: <cell>:1: unknown opcode 255"),
    ),
    (
        "opcodes of another version",
        "def f(a): return a\nf.__code__ = f.__code__.replace(co_code=bytes([124, 255, 83, 0] * 10))\nf(1)",
        End::Raises("SystemError: <cell>:1: unknown opcode 124"),
    ),
    (
        "a constant that is not there",
        "def f(): return 1\nf.__code__ = f.__code__.replace(co_stacksize=0, co_consts=())\nf()",
        End::Dies("wasm trap: uninitialized element"),
    ),
    (
        "a name that is not there",
        "def f(): return x\nf.__code__ = f.__code__.replace(co_names=())\nf()",
        End::Raises("SystemError: Type does not define the tp_name field."),
    ),
    (
        "a code object of caches",
        "import types\nexec(types.CodeType(0, 0, 0, 0, 1 << 20, 0, b'd\\x7f' * 500, (), (), (), 'f', 'n', 'q', 1, b'', b'', (), ()))",
        End::Dies("wasm trap: wasm `unreachable` instruction executed"),
    ),
    (
        "a code object of two thousand million locals",
        "import types\nexec(types.CodeType(0, 0, 0, 2**31 - 1, 2**31 - 1, 0, b'\\x97\\0', (), (), (), 'f', 'n', 'q', 1, b'', b'', (), ()))",
        End::Raises("ValueError: code: co_nlocals != len(co_varnames)"),
    ),
    (
        "a marshalled code object with other bytes",
        "import marshal\nexec(marshal.loads(marshal.dumps(compile('x = 1', '', 'exec')).replace(b'd', b'\\xe9')))",
        End::Prints(""),
    ),
    (
        "noise to marshal",
        "import marshal, random\nnoise = random.Random(7)\nfor _ in range(2000):\n    try: marshal.loads(noise.randbytes(64))\n    except Exception: pass",
        End::Prints(""),
    ),
    (
        "noise to pickle",
        "import pickle, random\nnoise = random.Random(8)\nfor _ in range(2000):\n    try: pickle.loads(b'\\x80\\x04' + noise.randbytes(64))\n    except Exception: pass",
        End::Prints(""),
    ),
    (
        "foreign functions",
        "import _ctypes",
        End::Raises(
            "ModuleNotFoundError: _ctypes cannot be imported: native libraries are not available in the sandbox; use the Python standard library, or terminal() from hermes_tools if it is enabled",
        ),
    ),
    (
        "a segmentation fault",
        "import faulthandler\nfaulthandler._sigsegv()",
        End::Dies("wasm trap: wasm `unreachable` instruction executed"),
    ),
    (
        "a fatal error in a thread",
        "import faulthandler\nfaulthandler._fatal_error_c_thread()",
        End::Raises("RuntimeError: unable to start the thread"),
    ),
    (
        "a stack overflow by request",
        "import faulthandler\nfaulthandler._stack_overflow()",
        End::Raises("AttributeError: module 'faulthandler' has no attribute '_stack_overflow'"),
    ),
    (
        "the interpreter's own test module",
        "import _testcapi",
        End::Raises("ModuleNotFoundError: No module named '_testcapi'"),
    ),
    (
        "a running frame is cleared",
        "import sys\nsys._getframe().clear()",
        End::Raises("RuntimeError: cannot clear an executing frame"),
    ),
    (
        "the interpreter's private functions",
        "import sys\ntried = 0\nfor name in dir(sys):\n    # One prints statistics, one starts the debugger.\n    if name.startswith('_') and callable(getattr(sys, name)) and name not in ('_debugmallocstats', '__breakpointhook__'):\n        tried += 1\n        try: getattr(sys, name)()\n        except BaseException: pass\nprint(tried > 10)",
        End::Prints("True\n"),
    ),
    (
        "odd arguments to the host's functions",
        "import _hermes\nfor name in dir(_hermes):\n    for arguments in ((), (1,), (-1, -1), (None, None), (b'', b''), ('x', 'y', 'z')):\n        try: getattr(_hermes, name)(*arguments)\n        except BaseException: pass",
        End::Prints(""),
    ),
    (
        "an iterator set to before its beginning",
        "it = iter([])\nit.__reduce__()\nit.__setstate__(-10**6)\nnext(it, None)",
        End::Prints(""),
    ),
    (
        "tees of tees",
        "import itertools\nx = itertools.chain()\nfor _ in range(50): x = itertools.tee(x)[0]\nprint(list(x))",
        End::Prints("[]\n"),
    ),
    (
        "a collection within a finaliser",
        "class A:\n    def __del__(self):\n        import gc\n        gc.collect()\nfor _ in range(100): A().x = A()",
        End::Prints(""),
    ),
    (
        "an array that shrinks under its index",
        "import array\na = array.array('B', bytes(8))\nclass I:\n    def __index__(self):\n        del a[:]\n        return 5\ntry: a[0] = I()\nexcept IndexError: print('refused', len(a))",
        End::Prints(""),
    ),
    (
        "a list that is cleared while it is counted",
        "a = [1] * 100\nclass E:\n    def __eq__(self, other):\n        a.clear()\n        return False\nprint(a.count(E()), a)",
        End::Prints("0 []\n"),
    ),
    (
        "a list that grows while it is sorted",
        "a = [*range(1000)]\ntry: a.sort(key=lambda n: a.append(1) or -n)\nexcept ValueError as error: print(error, len(a))",
        End::Prints("list modified during sort 1000\n"),
    ),
    (
        "a dictionary that is cleared by its key",
        "d = {n: n for n in range(100)}\nclass K:\n    def __hash__(self): return 1\n    def __eq__(self, other):\n        d.clear()\n        return False\nprint(d.get(K()), len(d))",
        End::Prints("None 0\n"),
    ),
    (
        "a view that was released",
        "m = memoryview(bytearray(8))\nm.release()\ntry: m[0]\nexcept ValueError as error: print(error)",
        End::Prints("operation forbidden on released memoryview object\n"),
    ),
    (
        "a buffer that is closed under its view",
        "import io\nb = io.BytesIO(b'x' * 100)\nv = b.getbuffer()\ntry: b.close()\nexcept BufferError as error: print(error)",
        End::Prints("Existing exports of data: object cannot be re-sized\n"),
    ),
    (
        "a substitution within a substitution",
        "import re\nprint(re.sub('a', lambda m: m.re.sub(lambda n: 'c', 'a' * 10), 'a' * 3))",
        End::Prints("cccccccccccccccccccccccccccccc\n"),
    ),
    (
        "a parser that is fed by its own handler",
        "import xml.parsers.expat as e\np = e.ParserCreate()\np.StartElementHandler = lambda *_: p.Parse('<b>', 0)\ntry: p.Parse('<a><a>', 1)\nexcept Exception as error: print(type(error).__name__, error)",
        End::Prints("RecursionError maximum recursion depth exceeded while parsing XML\n"),
    ),
    (
        "a database that is closed by its own function",
        "import sqlite3\ndb = sqlite3.connect(':memory:')\ndb.create_function('f', 0, lambda: db.close())\ntry: db.execute('select f()').fetchall()\nexcept sqlite3.Error as error: print(type(error).__name__, error)",
        End::Prints("ProgrammingError Cannot operate on a closed database.\n"),
    ),
    (
        "a decompressor fed with noise",
        "import zlib\nd = zlib.decompressobj()\nfor n in range(1000):\n    try: d.decompress(bytes([n % 256]) * 100)\n    except zlib.error: pass",
        End::Prints(""),
    ),
    (
        "a power without end",
        "import decimal\ntry: decimal.Decimal(10) ** decimal.Decimal(10**9)\nexcept decimal.DecimalException as error: print(type(error).__name__)",
        End::Prints("Overflow\n"),
    ),
];

#[tokio::test]
async fn no_script_takes_more_than_its_own_kernel() {
    repel(ATTACKS).await;
}

#[tokio::test]
async fn a_kernel_whose_every_container_was_cleared_still_runs_cells() {
    let session = Session::fresh();
    session
        .run("import gc\nsurvivor = 1\nfor each in gc.get_objects():\n    try: each.clear()\n    except Exception: pass")
        .await
        .succeeds();
    // The script cleared its own globals too; the interpreter goes on without them.
    session
        .run("print('healthy', 'survivor' in globals())")
        .await
        .succeeds()
        .output("healthy False\n")
        .kernel(true, 2);
}

#[tokio::test]
async fn others_do_not_notice() {
    let bystander = Session::fresh();
    bystander.run("x = [*range(1000)]").await.succeeds();
    every_row(ATTACKS.iter().take(8), async |(_, script, _)| {
        let _whatever = Session::fresh()
            .case(*script)
            .timeout_ms(20_000)
            .run()
            .await;
    })
    .await;
    bystander
        .run("print(sum(x))")
        .await
        .succeeds()
        .output("499500\n")
        .kernel(true, 2);
}
