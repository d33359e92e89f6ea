//! Which modules there are: loaded in every fresh sandbox, importable on demand, or refused with a reason.

use hermes_tests::{Case, Session, every_row};

/// Modules that models import most; all are loaded before a script begins.
const TOP: &str = "argparse ast asyncio base64 bisect bz2 calendar collections concurrent.futures configparser contextlib copy csv \
    dataclasses datetime decimal difflib email.message enum fnmatch fractions functools glob gzip hashlib heapq hmac html html.parser \
    importlib.util inspect io ipaddress itertools json logging lzma math mimetypes operator os pathlib pickle platform pprint queue \
    random re secrets shlex shutil signal sqlite3 statistics string struct subprocess sys tarfile tempfile textwrap threading time \
    tomllib traceback types typing unicodedata unittest urllib.parse urllib.request uuid warnings weakref xml.etree.ElementTree zipfile \
    zlib zoneinfo";

/// Modules of the standard library that a script finds although no directory of the host holds them for it.
const IMPORTABLE: &str = "abc argparse array ast asyncio asyncio.taskgroups atexit base64 bdb binascii bisect builtins bz2 cProfile calendar \
    cmath cmd code codecs codeop collections collections.abc colorsys compileall concurrent.futures configparser contextlib contextvars \
    copy copyreg csv dataclasses datetime dbm dbm.dumb dbm.sqlite3 decimal difflib dis doctest email email.mime.image encodings \
    encodings.cp1252 encodings.idna encodings.latin_1 encodings.utf_16 enum errno faulthandler filecmp fileinput fnmatch fractions ftplib \
    functools gc genericpath getopt getpass gettext glob graphlib gzip hashlib heapq hmac html html.entities http.client http.cookiejar \
    http.cookies http.server imaplib importlib importlib.metadata importlib.resources inspect io ipaddress itertools json json.tool \
    keyword linecache locale logging logging.config logging.handlers lzma mailbox marshal math mimetypes modulefinder multiprocessing \
    netrc ntpath nturl2path numbers opcode operator optparse os os.path pathlib pdb pickle pickletools pkgutil platform plistlib poplib \
    posix posixpath pprint profile pstats py_compile pyclbr pydoc pydoc_data.topics pyexpat queue quopri random re reprlib rlcompleter \
    runpy sched secrets select selectors shelve shlex shutil signal site smtplib socket socketserver sqlite3 sre_compile sre_constants \
    sre_parse stat statistics string stringprep struct subprocess symtable sys sysconfig tabnanny tarfile tempfile textwrap this \
    threading time timeit token tokenize tomllib trace traceback tracemalloc types typing unicodedata unittest unittest.mock urllib \
    urllib.error urllib.parse urllib.request urllib.response urllib.robotparser uuid warnings wave weakref webbrowser wsgiref \
    wsgiref.simple_server xml xml.dom.minidom xml.dom.pulldom xml.etree.ElementTree xml.sax xml.sax.saxutils xmlrpc.client xmlrpc.server \
    zipapp zipfile zipimport zlib zoneinfo";

#[tokio::test]
async fn at_least_two_hundred_modules_are_loaded_in_a_fresh_sandbox() {
    Case::new("import sys; print(len(sys.modules) >= 200, len(sys.modules)) if len(sys.modules) < 200 else print('enough')")
        .run()
        .await
        .succeeds()
        .output("enough\n");
}

#[tokio::test]
async fn the_most_used_modules_are_loaded_before_a_script_begins() {
    Case::new(format!(
        "import sys\nprint([name for name in '{TOP}'.split() if name not in sys.modules])"
    ))
    .run()
    .await
    .succeeds()
    .output("[]\n");
}

#[tokio::test]
async fn every_module_that_can_work_is_importable() {
    let code = format!(
        "import contextlib, importlib, io\nfailed = []\nfor name in '{IMPORTABLE}'.split():\n    try:\n        \
         with contextlib.redirect_stdout(io.StringIO()): importlib.import_module(name)\n    \
         except BaseException as error:\n        failed.append((name, repr(error)))\nprint(failed)"
    );
    Case::new(code).run().await.succeeds().output("[]\n");
}

#[tokio::test]
async fn each_of_them_is_importable_in_a_sandbox_of_its_own() {
    every_row(IMPORTABLE.split_whitespace(), async |name| {
        Case::new(format!("import io, sys, warnings\nwarnings.simplefilter('ignore', DeprecationWarning)\nreal, sys.stdout = sys.stdout, io.StringIO()\nimport {name}\nsys.stdout = real\nprint('imported')"))
            .run()
            .await
            .succeeds()
            .output("imported\n");
    })
    .await;
}

#[tokio::test]
async fn every_name_of_the_standard_library_is_importable_or_says_why_not() {
    // What is not there is refused as a missing module: a script that looks for an alternative finds the exception it expects.
    let code = "import contextlib, importlib, io, sys\nodd = []\nfor name in sorted(sys.stdlib_module_names):\n    try:\n        \
                with contextlib.redirect_stdout(io.StringIO()): importlib.import_module(name)\n    \
                except ModuleNotFoundError: pass\n    except BaseException as error: odd.append((name, repr(error)))\nprint(odd)";
    Case::new(code).run().await.succeeds().output("[]\n");
}

#[tokio::test]
async fn modules_that_cannot_work_name_the_reason() {
    const NATIVE: &str = "native libraries are not available in the sandbox; use the Python standard library, or terminal() from hermes_tools if it is enabled";
    const NETWORK: &str = "the network is not available in the sandbox; use web_extract() or web_search() from hermes_tools, or terminal(), if enabled";
    const TERMINAL: &str = "there is no terminal in the sandbox";
    every_row(
        [
            ("ctypes", NATIVE),
            ("ssl", NETWORK),
            ("curses", TERMINAL),
            ("readline", TERMINAL),
            ("termios", TERMINAL),
            ("tkinter", TERMINAL),
            ("turtle", TERMINAL),
        ],
        async |(name, reason)| {
            Case::new(format!("import {name}"))
                .run()
                .await
                .raises(&format!(
                    "ModuleNotFoundError: {name} cannot be imported: {reason}"
                ));
        },
    )
    .await;
}

#[tokio::test]
async fn help_and_pydoc_work() {
    let session = Session::fresh();
    let finished = session.run("import json\nhelp(json.dumps)").await;
    finished.succeeds();
    assert!(
        finished
            .outcome()
            .output
            .starts_with("Help on function dumps in module json:\n"),
        "{finished}"
    );
}

#[tokio::test]
async fn the_environment_describes_itself() {
    Case::new("import sys, platform, os\nprint(sys.version_info[:2], sys.implementation.name, sys.platform, os.name, sys.maxsize > 2**30, platform.python_version().startswith('3.13.'))")
        .run()
        .await
        .succeeds()
        .output("(3, 13) cpython wasi posix True True\n");
}
