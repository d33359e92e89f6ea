"""Begins and ends cells in the one namespace that lives as long as the kernel, and hands tracebacks to the host.

The code between the two is evaluated by the Rust side, so that no frame of ours is below a script's own. What is used here is bound to
names of this module when it is loaded: a script that replaces functions of the standard library does not break the next cell.
"""

import builtins
import sys
import tempfile
import types
from builtins import BaseException, MemoryError, SystemExit, bytes, compile, id, int, isinstance, len, str, type
from io import BufferedReader, FileIO, TextIOWrapper
from linecache import _register_code
from os import urandom
from random import seed
from traceback import StackSummary, TracebackException, clear_frames

import _hermes
from hermes_guest import waiting

FILENAME = "<cell>"
#: File names of our own code begin with this; no frame of it is shown.
OWN = "<hermes"
#: How many frames of a traceback are kept, the innermost ones; as many as CPython's default recursion limit lets there be.
FRAMES = 1000
#: How long a traceback may be, in characters; of a longer one the beginning and the end are kept.
LENGTH = 200_000

ENDED, RAISED, EXITED = 0, 1, 2

main = types.ModuleType("__main__")
namespace = main.__dict__

_fresh = True
#: The streams of the last cell.
_streams = []


def _output(descriptor):
    return TextIOWrapper(FileIO(descriptor, "w", closefd=False), "utf-8", "backslashreplace", "\n", write_through=True)


def _open_streams():
    """Opens the standard streams anew: whatever a script did to the last ones ends with its cell."""
    for stream in _streams:
        # What a script hung on them would be called, and could complain, when they go.
        stream.__dict__.clear()
    sys.stdout = sys.__stdout__ = _output(1)
    sys.stderr = sys.__stderr__ = _output(2)
    sys.stdin = sys.__stdin__ = TextIOWrapper(BufferedReader(FileIO(0, "r", closefd=False)), "utf-8")
    _streams[:] = sys.stdout, sys.stderr, sys.stdin


def begin(source):
    """Makes the sandbox ready for a cell and returns its code; `None` when it does not compile, which is then reported."""
    global _fresh
    if _fresh:
        _fresh = False
        # Entropy of its own for each sandbox. The extra bit keeps the length, and so the work, the same for each.
        seed(int.from_bytes(urandom(32)) | 1 << 256)
        tempfile._name_sequence = None
    _open_streams()
    waiting.forget_running()
    namespace["__name__"] = "__main__"
    namespace["__builtins__"] = builtins
    sys.modules["__main__"] = main
    try:
        text = str(source, "utf-8")
        code = compile(text, FILENAME, "exec", dont_inherit=True)
        _register_code(code, text, FILENAME)
        return code
    except BaseException as error:
        _report(error)
        return None


def end(error):
    """Ends a cell whose code ended with that exception, or with none; returns how it ended."""
    ending = ENDED
    if error is None:
        try:
            waiting.finish()
        except BaseException as late:
            error = late
    if isinstance(error, SystemExit):
        ending = EXITED
    elif error is not None:
        _report(error)
        ending = RAISED
    _flush()
    return ending


def _flush():
    """Writes out what a script's own wrappers around the standard streams may hold."""
    for stream in (sys.__dict__.get("stdout"), sys.__dict__.get("stderr")):
        try:
            stream.flush()
        except BaseException:
            # A script may put anything in place of its streams; what the real ones got is already with the host.
            pass


def _report(error):
    """Hands the traceback of a cell's exception to the host."""
    try:
        if isinstance(error, MemoryError):
            clear_frames(error.__traceback__)
            _hermes.release_reserve()
        text = _render(error)
    except MemoryError:
        _hermes.release_reserve()
        text = _plain(error)
    except BaseException:
        text = _plain(error)
    if len(text) > LENGTH:
        omitted = len(text) - LENGTH
        text = f"{text[: LENGTH // 2]}\n... [{omitted:,} characters of the traceback omitted] ...\n{text[-LENGTH // 2 :]}"
    _hermes.traceback(text.encode("utf-8", "backslashreplace"))


def _render(error):
    """Returns the traceback as CPython prints it, without the frames of our own code."""
    trace = error.__traceback__
    while trace is not None and _is_own(trace.tb_frame):
        trace = trace.tb_next
    text = "".join(TracebackException(type(error), error, trace, limit=-FRAMES, compact=True).format())
    if trace is None and isinstance(error, MemoryError):
        # Not even the traceback could be made when the exception was raised.
        return f"Traceback (most recent call last):\n  (there was no memory left for it)\n{text}"
    return text


def _plain(error):
    """Returns a traceback without source lines, made with nothing that a script can have replaced."""
    lines = ["Traceback (most recent call last):\n"]
    trace = error.__traceback__
    while trace is not None and len(lines) < FRAMES:
        code = trace.tb_frame.f_code
        if not _is_own(trace.tb_frame):
            lines.append(f'  File "{code.co_filename}", line {trace.tb_lineno}, in {code.co_name}\n')
        trace = trace.tb_next
    try:
        message = str(error)
    except BaseException:
        message = "<exception str() failed>"
    name = type(error).__name__
    lines.append(f"{name}: {message}\n" if message else f"{name}\n")
    return "".join(lines)


def _is_own(frame):
    return frame.f_code.co_filename.startswith(OWN)


_extract = StackSummary._extract_from_extended_frame_gen.__func__


def _extract_foreign(cls, frames, **options):
    return _extract(cls, (each for each in frames if not _is_own(each[0])), **options)


def install():
    """Hides the frames of our own code from every traceback that is printed or formatted."""
    StackSummary._extract_from_extended_frame_gen = classmethod(_extract_foreign)
