"""The standard streams of a script's output; the code of both engines, which is part of the program of a kernel, too."""

import sys
from builtins import BaseException
from io import TextIOWrapper

#: How the streams are set up, in whatever way a script may have changed them.
OUTPUT = {"encoding": "utf-8", "errors": "backslashreplace", "newline": "\n", "line_buffering": False, "write_through": True}

flush = TextIOWrapper.flush


def write_out(streams):
    """Writes out what a script's own wrappers around its standard streams may hold, and then what these do."""
    for stream in (sys.__dict__.get("stdout"), sys.__dict__.get("stderr")):
        try:
            stream.flush()
        except BaseException:
            # A script may put anything in place of its streams.
            pass
    for stream in streams:
        try:
            flush(stream)
        except BaseException:
            # It may have closed them, too.
            pass
