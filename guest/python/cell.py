"""Begins and ends cells in the one namespace that lives as long as the kernel, and hands tracebacks to the host.

The code between the two is evaluated by the Rust side, so that no frame of ours is below a script's own. What is used here is bound to
names of this module when it is loaded: a script that replaces functions of the standard library does not break the next cell.
"""

import builtins
import sys
import tempfile
import types
from builtins import BaseException, MemoryError, SystemExit, ValueError, compile, enumerate, int, issubclass, len, str, type
from io import BufferedReader, FileIO, TextIOWrapper
from linecache import _register_code
from os import urandom
from random import seed
from sys import getprofile, gettrace, setprofile, settrace
from traceback import StackSummary, TracebackException, clear_frames

import _hermes
from hermes_guest import waiting
from hermes_guest.exceptions import FRAMES, is_honest, lines_of, plain, trace_of
from hermes_guest.output import OUTPUT, write_out

FILENAME = "<cell>"
#: File names of our own code begin with this; no frame of it is shown.
OWN = "<hermes"
#: How long a traceback may be, in characters; of a longer one the beginning and the end are kept.
LENGTH = 200_000

ENDED, RAISED, EXITED = 0, 1, 2

main = types.ModuleType("__main__")
namespace = main.__dict__

_fresh = True
_profile = _trace = None


def _output(descriptor):
    stream = TextIOWrapper(FileIO(descriptor, "w", closefd=False))
    stream.reconfigure(**OUTPUT)
    return stream


def _input():
    return TextIOWrapper(BufferedReader(FileIO(0, "r", closefd=False)), "utf-8")


def _open_streams():
    """Restores the standard streams: whatever a script did to them ends with its cell."""
    for number, stream in enumerate(_streams):
        try:
            stream.__dict__.clear()
            if number:
                stream.reconfigure(**OUTPUT)
            if stream.closed:
                raise ValueError
        except ValueError:
            # Closed or detached: that cannot be undone.
            _streams[number] = _output(number) if number else _input()
    sys.stdin, sys.stdout, sys.stderr = sys.__stdin__, sys.__stdout__, sys.__stderr__ = _streams


_streams = [_input(), _output(1), _output(2)]


def begin(source):
    """Makes the sandbox ready for a cell and returns its code; `None` when it does not compile, which is then reported."""
    global _fresh
    if _fresh:
        _fresh = False
        # Entropy of its own for each sandbox. The byte in front keeps the length, and so the work, the same for each, from the first step on.
        seed(int.from_bytes(b"\1" + urandom(32)))
        tempfile._name_sequence = None
    _open_streams()
    waiting.forget_running()
    namespace["__name__"] = "__main__"
    namespace["__builtins__"] = builtins
    sys.modules["__main__"] = main
    try:
        text = str(source, "utf-8")
        code = compile(text, FILENAME, "exec", dont_inherit=True)
        _register_code(code, "".join(lines_of(text)), FILENAME)
        # From the second cell on there may be a script's own.
        if _trace is not None:
            settrace(_trace)
        if _profile is not None:
            setprofile(_profile)
        return code
    except BaseException as error:
        _report(error)
        return None


def end(error):
    """Ends a cell whose code ended with that exception, or with none; returns how it ended."""
    global _profile, _trace
    # A script's functions for such events are for its own code.
    _profile, _trace = getprofile(), gettrace()
    setprofile(None)
    settrace(None)
    ending = ENDED
    if error is None:
        try:
            waiting.finish()
        except BaseException as late:
            error = late
    if issubclass(type(error), SystemExit):
        ending = EXITED
    elif error is not None:
        _report(error)
        ending = RAISED
    write_out(_streams[1:])
    return ending


def _report(error):
    """Hands the traceback of a cell's exception to the host."""
    try:
        if issubclass(type(error), MemoryError):
            clear_frames(trace_of(error))
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
    if not is_honest(error):
        return _plain(error)
    trace = trace_of(error)
    while trace is not None and _is_own(trace.tb_frame):
        trace = trace.tb_next
    text = "".join(TracebackException(type(error), error, trace, limit=-FRAMES, compact=True).format())
    if trace is None and issubclass(type(error), MemoryError):
        # Not even the traceback could be made when the exception was raised.
        return f"Traceback (most recent call last):\n  (there was no memory left for it)\n{text}"
    return text


def _plain(error):
    return plain(error, _is_own_file)


def _is_own(frame):
    return _is_own_file(frame.f_code.co_filename)


def _is_own_file(filename):
    return filename.startswith(OWN)


_extract = StackSummary._extract_from_extended_frame_gen.__func__


def _extract_foreign(cls, frames, **options):
    return _extract(cls, (each for each in frames if not _is_own(each[0])), **options)


def install():
    """Hides the frames of our own code from every traceback that is printed or formatted."""
    StackSummary._extract_from_extended_frame_gen = classmethod(_extract_foreign)
