"""Runs the cells of one session kernel, in one namespace that lives as long as the process.

Requests come, and replies go, over the socket that the process is started with as its descriptor 0; it is moved out of the way at once,
so that a script that reads its input finds the end of a file. What a cell prints goes straight into pipes to the host: nothing that was
printed is lost with the process, and no output is kept here. Where no descriptors can be inherited, this program connects to its host for
all of that. As little as possible is imported: every module costs each kernel its start.

The files of this directory are one program with those of the guest about exceptions and output: they are compiled as one text, in the order
imports, exceptions, output, requests, cells, streams, tracebacks, death, main.
"""

import os
import sys

#: What a user has put on the path must not stand in for the standard library here; cells see all of it.
_path = sys.path[:]
_added = os.environ.get("PYTHONPATH", "").split(os.pathsep)
_added = [*_added, *(os.path.abspath(directory) for directory in _added)] if _added != [""] else []
_library = os.path.dirname(os.__file__)
sys.path[:] = [directory for directory in _path if directory not in _added or directory.startswith(_library)]

from _functools import partial
from _thread import start_new_thread
from _warnings import filters
from builtins import (
    AttributeError,
    BaseException,
    DeprecationWarning,
    ImportError,
    IndexError,
    MemoryError,
    OSError,
    SystemExit,
    TypeError,
    ValueError,
    any,
    bytes,
    compile,
    delattr,
    dict,
    exec,
    getattr,
    hasattr,
    id,
    int,
    isinstance,
    issubclass,
    iter,
    len,
    map,
    max,
    memoryview,
    min,
    range,
    reversed,
    set,
    setattr,
    staticmethod,
    str,
    sum,
    type,
    vars,
    zip,
)
from io import BufferedReader, BytesIO, FileIO, RawIOBase, TextIOWrapper

try:
    from _json import encode_basestring_ascii, scanstring
except ImportError:
    # Interpreters without the C module.
    from json.decoder import scanstring
    from json.encoder import encode_basestring_ascii
if "HERMES_KERNEL_MEMORY_LIMIT" in os.environ and os.name == "posix":
    # A limit that cannot be kept is none: where this fails, there is no kernel.
    from resource import RLIM_INFINITY, RLIMIT_AS, getrlimit, setrlimit

    # A script may have a module of that name.
    del sys.modules["resource"]
else:
    # Windows limits no address space.
    setrlimit = None

sys.path[:] = _path

DIRECTORY = os.environ["HERMES_KERNEL_SPILL_DIR"]
MARKER = os.fsencode("HERMES_KERNEL_SPILL_DIR=" + DIRECTORY)
SENTINEL = os.environ.pop("HERMES_KERNEL_SENTINEL").encode()
#: The process that serves the host. One that a cell forks is a process of the cell's own.
PROCESS = os.getpid()
getpid, leave, write = os.getpid, os._exit, os.write

#: This module is taken out of `sys.modules` by that of the cells; it must not be cleared for that.
own = sys.modules["__main__"]
main = type(sys)("__main__")
namespace = main.__dict__
sources = []
