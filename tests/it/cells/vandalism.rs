//! Scripts that break their own interpreter: the next cell, or the next kernel, works.

use hermes_tests::{Session, every_row, is_for_strict_only};

/// Damage that a session has to survive: the next cell runs in the same kernel.
const SURVIVED: &[&str] = &[
    "del __builtins__",
    "__builtins__ = None",
    "globals().clear()",
    "import sys; sys.path.clear(); sys.meta_path.clear(); sys.path_hooks.clear(); sys.path_importer_cache.clear()",
    "import sys; sys.excepthook = None; sys.displayhook = None; sys.unraisablehook = None",
    "import sys; sys.settrace(lambda *_: 1 / 0)",
    "import sys; sys.setprofile(lambda *_: None)",
    "import sys; sys.setrecursionlimit(50)",
    "import sys; sys.setrecursionlimit(10**6)",
    "import gc; gc.disable(); gc.set_threshold(1)",
    "import gc; gc.freeze(); gc.collect()",
    "import linecache; linecache.getline = None; linecache._register_code = None",
    "import traceback; traceback.TracebackException = None",
    "import time; time.sleep = time.monotonic = None",
    "import threading, queue; threading.Thread = threading.Lock = queue.Queue = None",
    "import random, tempfile; random.seed = None; tempfile._name_sequence = 7",
    "import io; io.TextIOWrapper = io.FileIO = None",
    "import json; json.loads = json.dumps = json.JSONEncoder = None; import json.decoder; json.decoder.scanstring = None",
    "import os; os.chdir('/'); os.environ.clear()",
    "import os, shutil; shutil.rmtree(os.getcwd(), ignore_errors=True)",
    "import sys; sys.stdout.flush = None; sys.exit = None",
    "import warnings; warnings.simplefilter('error')",
    "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)",
    "import locale; locale.setlocale(locale.LC_ALL, 'C')",
    "import decimal; decimal.getcontext().prec = 1",
    "import __main__, sys; sys.modules['__main__'] = None; del __main__",
    "__name__ = 'other'; import __main__; __main__.__dict__.clear()",
    "import hermes_guest.cell as cell",
    "class Bomb:\n    def __del__(self): raise ValueError('late')\nbomb = Bomb()\ndel bomb",
    "class Bomb:\n    def __del__(self):\n        global bomb\n        bomb = self\nbomb = Bomb()\ndel bomb",
    "import contextvars; contextvars.ContextVar('x').set(1)",
    "import asyncio; asyncio.set_event_loop_policy(None); asyncio.new_event_loop = None",
    "import concurrent.futures as c; c.ThreadPoolExecutor.submit = None",
    "import codecs; codecs.lookup_error('strict'); codecs.register_error('backslashreplace', lambda e: ('', e.end))",
];

#[tokio::test]
async fn a_kernel_survives_what_a_script_does_to_itself() {
    if is_for_strict_only("project mode is no sandbox: this damage would be real") {
        return;
    }
    every_row(SURVIVED, async |damage| {
        let session = Session::fresh();
        session.run(*damage).await.shows_no_frame_of_the_runtime();
        session
            .run("print('healthy')")
            .await
            .succeeds()
            .output("healthy\n")
            .kernel(true, 2);
        session
            .run("1/0")
            .await
            .raises("ZeroDivisionError: division by zero")
            .kernel(true, 3);
    })
    .await;
}

/// Damage to what the runtime itself uses: a cell may fail in whatever way, and a reset gives a fresh kernel.
const RESET: &[&str] = &[
    "import sys; sys.modules.clear()",
    "import builtins\nfor name in list(vars(builtins)):\n    if name not in ('vars', 'delattr', 'list', 'builtins', 'name'): delattr(builtins, name)",
    "import builtins\nbuiltins.print = builtins.exec = builtins.compile = builtins.len = builtins.isinstance = None",
    "import builtins\nbuiltins.BaseException = builtins.Exception = builtins.SystemExit = int",
    "import sys\nfor name in list(sys.modules):\n    if name.startswith('hermes'): del sys.modules[name]\nfor f in (sys._getframe().f_back,):\n    f and f.f_globals.clear()",
    "import gc\nfor each in gc.get_objects():\n    if isinstance(each, dict) and each.get('__name__', '').startswith('hermes_guest'): each.clear()",
];

#[tokio::test]
async fn a_reset_undoes_whatever_a_script_has_done() {
    if is_for_strict_only("project mode is no sandbox: this damage would be real") {
        return;
    }
    every_row(RESET, async |damage| {
        let session = Session::fresh();
        let _whatever = session.run(*damage).await;
        let _whatever = session.run("print('perhaps')").await;
        session
            .case("print('healthy')")
            .reset()
            .run()
            .await
            .succeeds()
            .output("healthy\n")
            .kernel(false, 1);
    })
    .await;
}

#[tokio::test]
async fn the_working_directory_comes_back_when_it_was_deleted() {
    if is_for_strict_only("project mode is no sandbox: this damage would be real") {
        return;
    }
    let session = Session::fresh();
    session
        .run("import os, shutil\nshutil.rmtree(os.getcwd(), ignore_errors=True)")
        .await;
    session.run("import os\nos.makedirs('/tmp/new', exist_ok=True)\nos.chdir('/tmp/new')\nopen('f', 'w').write('x')\nprint(open('f').read())").await.succeeds().output("x\n");
}
