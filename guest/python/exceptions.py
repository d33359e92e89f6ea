"""What exceptions are and have, whatever their classes say; the code of both engines, which is part of the program of a kernel, too.

What is used here is bound to names when it is loaded: a script can replace everything else.
"""

from builtins import BaseException, ImportError, dict, id, issubclass, len, map, ord, set, str, type

#: How many frames of a traceback are shown, the innermost ones; as many as CPython's default recursion limit lets there be.
FRAMES = 1000
#: By what a class can say that its exceptions have what they have not.
LIES = {"__traceback__", "__cause__", "__context__", "__suppress_context__", "exceptions", "__getattribute__"}
#: What ends a line for `str.splitlines`, and does not for the interpreter.
SEPARATORS = dict.fromkeys(map(ord, "\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"), " ")

trace_of = BaseException.__traceback__.__get__
cause_of, context_of = BaseException.__cause__.__get__, BaseException.__context__.__get__
classes_of, attributes_of = type.__dict__["__mro__"].__get__, type.__dict__["__dict__"].__get__
try:
    from builtins import BaseExceptionGroup

    members_of = BaseExceptionGroup.exceptions.__get__
except ImportError:
    # Python 3.10 and older.
    BaseExceptionGroup = ()


def is_honest(error):
    """Tells whether an exception, and those that it leads to, have the tracebacks, causes and members that they say they have.

    The standard library could follow the others without end.
    """
    seen, pending = set(), [error]
    while pending:
        error = pending.pop()
        if error is None or id(error) in seen:
            continue
        seen.add(id(error))
        for each in classes_of(type(error)):
            if each is BaseException or each is BaseExceptionGroup:
                break
            if not LIES.isdisjoint(attributes_of(each)):
                return False
        pending += cause_of(error), context_of(error)
        if issubclass(type(error), BaseExceptionGroup):
            pending += members_of(error)
    return True


def plain(error, is_own):
    """Returns a traceback without source lines, made with nothing that a script can have replaced."""
    lines = ["Traceback (most recent call last):\n"]
    trace = trace_of(error)
    while trace is not None and len(lines) < FRAMES:
        code = trace.tb_frame.f_code
        if not is_own(code.co_filename):
            lines.append(f'  File "{code.co_filename}", line {trace.tb_lineno}, in {code.co_name}\n')
        trace = trace.tb_next
    try:
        message = str(error)
    except BaseException:
        message = "<exception str() failed>"
    name = type(error).__name__
    lines.append(f"{name}: {message}\n" if message else f"{name}\n")
    return "".join(lines)


def lines_of(source):
    """Returns the lines of a source, as the interpreter counts them."""
    return source.translate(SEPARATORS).splitlines(True)
