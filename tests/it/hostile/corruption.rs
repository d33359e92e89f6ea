//! Attacks on the interpreter's own memory: code that no compiler makes, objects that were never made right.
//!
//! CPython trusts its bytecode; what comes of it is a trap of the sandbox or an exception, and the loss of that one kernel at most.

use hermes_tests::{Session, every_row};

const SCRIPTS: &[&str] = &[
    "def f(): pass\nf.__code__ = f.__code__.replace(co_code=b'\\xff' * 1000)\nf()",
    "def f(a): return a\nf.__code__ = f.__code__.replace(co_code=bytes([124, 255, 83, 0] * 10))\nf(1)",
    "def f(): return 1\nf.__code__ = f.__code__.replace(co_stacksize=0, co_consts=())\nf()",
    "def f(): return x\nf.__code__ = f.__code__.replace(co_names=())\nf()",
    "import types\nexec(types.CodeType(0, 0, 0, 0, 1 << 20, 0, b'd\\x7f' * 500, (), (), (), 'f', 'n', 'q', 1, b'', b'', (), ()))",
    "import types\nexec(types.CodeType(0, 0, 0, 2**31 - 1, 2**31 - 1, 0, b'\\x97\\0', (), (), (), 'f', 'n', 'q', 1, b'', b'', (), ()))",
    "import marshal\nexec(marshal.loads(marshal.dumps(compile('x = 1', '', 'exec')).replace(b'd', b'\\xe9')))",
    "import marshal, os\nfor _ in range(2000):\n    try: marshal.loads(os.urandom(64))\n    except Exception: pass",
    "import pickle, os\nfor _ in range(2000):\n    try: pickle.loads(b'\\x80\\x04' + os.urandom(64))\n    except Exception: pass",
    "import gc\nfor each in gc.get_objects():\n    try: each.clear()\n    except Exception: pass",
    "import _ctypes",
    "import faulthandler\nfaulthandler._sigsegv()",
    "import faulthandler\nfaulthandler._fatal_error_c_thread()",
    "import faulthandler\nfaulthandler._stack_overflow()",
    "import _testcapi",
    "import sys\nsys._getframe().clear()",
    "import sys\nfor name in dir(sys):\n    if name.startswith('_') and callable(getattr(sys, name)):\n        try: getattr(sys, name)()\n        except BaseException: pass",
    "import _hermes\nfor name in dir(_hermes):\n    for arguments in ((), (1,), (-1, -1), (None, None), (b'', b''), ('x', 'y', 'z')):\n        try: getattr(_hermes, name)(*arguments)\n        except BaseException: pass",
    "it = iter([])\nit.__reduce__()\nit.__setstate__(-10**6)\nnext(it, None)",
    "import itertools\nx = itertools.chain()\nfor _ in range(50): x = itertools.tee(x)[0]\nlist(x)",
    "class A:\n    def __del__(self):\n        import gc\n        gc.collect()\nfor _ in range(100): A().x = A()",
    "import array\na = array.array('B', bytes(8))\nclass I:\n    def __index__(self):\n        del a[:]\n        return 5\ntry: a[0] = I()\nexcept IndexError: pass",
    "a = [1] * 100\nclass E:\n    def __eq__(self, other):\n        a.clear()\n        return False\na.index(E()) if False else a.count(E())",
    "a = [*range(1000)]\ntry: a.sort(key=lambda _: a.append(1))\nexcept ValueError: pass",
    "d = {n: n for n in range(100)}\nclass K:\n    def __hash__(self): return 1\n    def __eq__(self, other):\n        d.clear()\n        return False\nd.get(K())",
    "m = memoryview(bytearray(8))\nm.release()\ntry: m[0]\nexcept ValueError: pass",
    "import io\nb = io.BytesIO(b'x' * 100)\nv = b.getbuffer()\ntry: b.close()\nexcept BufferError: pass",
    "import re\nclass S(str): pass\nre.sub('a', lambda m: m.re.sub('b', lambda m: 'c', 'b' * 100), 'a' * 100)",
    "import xml.parsers.expat as e\np = e.ParserCreate()\np.StartElementHandler = lambda *_: p.Parse('<b>', 0)\ntry: p.Parse('<a><a>', 1)\nexcept Exception: pass",
    "import sqlite3\ndb = sqlite3.connect(':memory:')\ndb.create_function('f', 0, lambda: db.close())\ntry: db.execute('select f()').fetchall()\nexcept sqlite3.Error: pass",
    "import zlib\nd = zlib.decompressobj()\nfor n in range(1000):\n    try: d.decompress(bytes([n % 256]) * 100)\n    except zlib.error: pass",
    "import decimal\ntry: decimal.Decimal(10) ** decimal.Decimal(10**9)\nexcept decimal.DecimalException: pass",
];

#[tokio::test]
async fn no_script_takes_more_than_its_own_kernel() {
    every_row(SCRIPTS, async |script| {
        let session = Session::fresh();
        let finished = session.case(*script).timeout_ms(20_000).run().await;
        let lost = finished.outcome().exit_code == -1;
        if !lost {
            // An interpreter that gives itself up lists all its frames on stderr; that is no traceback.
            finished.shows_no_frame_of_the_runtime();
        }
        // A kernel that says that it lives has to be as good as any other; one that was lost is replaced.
        let case = session.case("print('healthy')");
        let after = if lost {
            case.run().await
        } else {
            case.reset().run().await
        };
        after.succeeds().output("healthy\n").kernel(false, 1);
    })
    .await;
}

#[tokio::test]
async fn others_do_not_notice() {
    let bystander = Session::fresh();
    bystander.run("x = [*range(1000)]").await.succeeds();
    every_row(SCRIPTS.iter().take(8), async |script| {
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
