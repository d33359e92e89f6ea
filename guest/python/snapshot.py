"""What is done once, before the snapshot: imports that scripts need most, our own parts, and a warm-up."""

import builtins
import gc
import importlib
import linecache
import os
import sys

import _hermes
import _sitebuiltins

from hermes_guest import cell, derivation, eventloop, refusals, threads, tools

#: Imported ahead: these and all that they import themselves, so that a script finds them loaded.
AHEAD = """
abc argparse array ast asyncio atexit base64 binascii bisect bz2 calendar cmath cmd code codecs codeop collections.abc colorsys
compileall concurrent.futures configparser contextlib contextvars copy copyreg csv dataclasses datetime decimal difflib dis doctest
email email.header email.message email.mime.multipart email.mime.text email.parser email.policy email.utils enum errno faulthandler
fileinput filecmp fnmatch fractions functools gc getopt getpass gettext glob graphlib gzip hashlib heapq hmac html html.entities
html.parser http http.client http.cookies importlib.metadata importlib.resources importlib.util inspect io ipaddress itertools json
json.tool keyword linecache locale logging logging.handlers lzma mailbox marshal math mimetypes multiprocessing numbers opcode operator
optparse os pathlib pickle pickletools pkgutil platform plistlib pprint profile pstats py_compile queue quopri random re reprlib
sched secrets select selectors shelve shlex shutil signal site socket sqlite3 stat statistics string stringprep struct subprocess
symtable sysconfig tarfile tempfile textwrap threading time timeit token tokenize tomllib trace traceback tracemalloc types typing
unicodedata unittest unittest.mock urllib.error urllib.parse urllib.request urllib.robotparser uuid warnings wave weakref webbrowser
xml.dom.minidom xml.etree.ElementTree xml.sax zipapp zipfile zipimport zlib zoneinfo
""".split()

#: Runs once so that code paths of every cell are specialised and their caches filled.
WARM_UP = """
import json, re, math, os, sys
from collections import Counter, defaultdict
def warm(n):
    total = 0
    for i in range(n):
        total += i * 2 % 7
    return total
class Point:
    def __init__(self, x, y):
        self.x, self.y = x, y
print(warm(100), f"{1.5:.2f}", [str(i) for i in range(5)], {"a": 1}, Point(1, 2).x)
print(json.dumps(json.loads('{"a": [1, 2.5, null, "x"]}')), re.sub(r"\\d+", "n", "a1b22"), Counter("hello").most_common(1))
print("x", file=sys.stderr)
"""


def prepare():
    """Brings the interpreter into the state that every sandbox starts from."""
    _add_site_builtins()
    for name in AHEAD:
        importlib.import_module(name)
    threads.install()
    eventloop.install()
    derivation.install()
    refusals.install()
    tools.install()
    cell.install()
    sys.modules["__main__"] = cell.main
    sys.path.insert(0, "/scratch")
    sys.argv = [""]
    _warm_up()
    # Objects of the snapshot are never garbage. Neither the collector nor the counting of references is to touch them: the first write
    # to a page copies it.
    gc.collect()
    _hermes.immortalise(gc.get_objects())
    gc.freeze()
    # These two are for here only.
    del _hermes.run, _hermes.immortalise


def _add_site_builtins():
    builtins.quit = _sitebuiltins.Quitter("quit", "Ctrl-D (i.e. EOF)")
    builtins.exit = _sitebuiltins.Quitter("exit", "Ctrl-D (i.e. EOF)")
    builtins.help = _sitebuiltins._Helper()


def _warm_up():
    before = dict(cell.namespace)
    for source in (WARM_UP, WARM_UP, "1/0", "def f(:", "raise SystemExit"):
        _hermes.run(source.encode())
    cell.namespace.clear()
    cell.namespace.update(before)
    cell._fresh = True
    os.chdir("/scratch")
    linecache.clearcache()
    linecache._interactive_cache.clear()
    sys.last_exc = None
    del sys.last_exc
