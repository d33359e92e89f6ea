"""Runs cells in the one namespace that lives as long as the kernel, and hands tracebacks to the host."""

import builtins
import io
import linecache
import os
import random
import sys
import tempfile
import traceback
import types

import _hermes
from hermes_guest import waiting

FILENAME = "<cell>"
#: File names of our own code begin with this; no frame of it is shown.
OWN = "<hermes"
#: How many frames of a traceback are kept, the innermost ones; as many as CPython's default recursion limit lets there be.
FRAMES = 1000

ENDED, RAISED, EXITED = 0, 1, 2

main = types.ModuleType("__main__")
main.__builtins__ = builtins
namespace = main.__dict__

_fresh = True


def _stream(descriptor):
    return io.TextIOWrapper(io.FileIO(descriptor, "w", closefd=False), "utf-8", "backslashreplace", "\n", write_through=True)


def open_streams():
    """Opens the standard streams again where a script closed or replaced them."""
    if sys.stdout is not streams[0] or sys.stdout.closed:
        if streams[0].closed:
            streams[0] = _stream(1)
        sys.stdout = sys.__stdout__ = streams[0]
    if sys.stderr is not streams[1] or sys.stderr.closed:
        if streams[1].closed:
            streams[1] = _stream(2)
        sys.stderr = sys.__stderr__ = streams[1]
    if sys.stdin is not streams[2] or sys.stdin.closed:
        if streams[2].closed:
            streams[2] = _empty_input()
        sys.stdin = sys.__stdin__ = streams[2]


def _empty_input():
    return io.TextIOWrapper(io.BufferedReader(io.FileIO(0, "r", closefd=False)), "utf-8")


streams = [_stream(1), _stream(2), _empty_input()]


def begin():
    """Makes the sandbox ready for a cell: entropy of its own the first time, and streams."""
    global _fresh
    if _fresh:
        _fresh = False
        random.seed(int.from_bytes(os.urandom(32)))
        tempfile._name_sequence = None
    open_streams()
    waiting.forget_running()


def run(source):
    """Runs one cell, given as UTF-8; returns how it ended."""
    begin()
    try:
        text = source.decode()
        code = compile(text, FILENAME, "exec", dont_inherit=True)
        linecache._register_code(code, text, FILENAME)
        exec(code, namespace)
        waiting.finish()
        ending = ENDED
    except SystemExit:
        ending = EXITED
    except BaseException as error:
        report(error)
        ending = RAISED
    flush()
    return ending


def flush():
    """Writes out what a script's own wrappers around the standard streams may hold."""
    for stream in {id(each): each for each in (sys.stdout, sys.stderr, *streams[:2])}.values():
        try:
            stream.flush()
        except BaseException:
            # A script may put anything in place of its streams; what the real ones got is already with the host.
            pass


def report(error):
    """Hands the traceback of a cell's exception to the host."""
    try:
        if isinstance(error, MemoryError):
            _hermes.release_reserve()
            traceback.clear_frames(error.__traceback__)
        text = render(error)
    except BaseException as second:
        _hermes.release_reserve()
        text = f"{type(error).__name__}\n(the traceback could not be made: {type(second).__name__})\n"
    _hermes.traceback(text.encode("utf-8", "backslashreplace"))


def render(error):
    """Returns the traceback as CPython prints it, without the frames of our own code."""
    trace = error.__traceback__
    while trace is not None and _is_own(trace.tb_frame):
        trace = trace.tb_next
    return "".join(traceback.TracebackException(type(error), error, trace, limit=-FRAMES, compact=True).format())


def _is_own(frame):
    return frame.f_code.co_filename.startswith(OWN)


_extract = traceback.StackSummary._extract_from_extended_frame_gen.__func__


def _extract_foreign(cls, frames, **options):
    return _extract(cls, (each for each in frames if not _is_own(each[0])), **options)


def install():
    """Hides the frames of our own code from every traceback that is printed or formatted."""
    traceback.StackSummary._extract_from_extended_frame_gen = classmethod(_extract_foreign)
