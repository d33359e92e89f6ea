"""Runs the cells of one session kernel, in one namespace that lives as long as the process.

Requests come, and replies go, over the socket that the process is started with as its descriptor 0; it is moved out of the way at once,
so that a script that reads its input finds the end of a file. What a cell prints goes straight into pipes to the host: nothing that was
printed is lost with the process, and no output is kept here. Where no descriptors can be inherited, this program connects to its host for
all of that. As little as possible is imported: every module costs each kernel its start.
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
from builtins import BaseException, MemoryError, OSError, SystemExit, ValueError, compile, exec, isinstance, len, map, memoryview, str, type
from io import BufferedReader, FileIO, RawIOBase, TextIOWrapper

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

FILENAME = "<cell>"
#: How many frames of a traceback are kept, the innermost ones.
FRAMES = 1000
#: How long a traceback may be, in characters; of a longer one the beginning and the end are kept.
LENGTH = 200_000
#: How many cells, and how much text of them, are remembered for the source lines of tracebacks.
REMEMBERED, REMEMBERED_LENGTH = 200, 8_000_000
#: How many bytes this program may use beyond the limit of a script's memory, to answer for a script that has used up all of its own.
RESERVE = 16 << 20
#: How the streams of a script's output are set up, in whatever way a script may have changed them.
OUTPUT = {"encoding": "utf-8", "errors": "backslashreplace", "newline": "\n", "line_buffering": False, "write_through": True}

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


#: The line with which the host asks for an end in order.
GOODBYE = b"goodbye"


def serve():
    """Answers requests until a cell or the host asks for the end, and returns whether one did: else the host is gone."""
    executed = 0
    while True:
        line, is_whole = _line()
        if line is None or line == GOODBYE:
            return line == GOODBYE
        request = _request(line, is_whole)
        if request is None:
            continue
        identifier, text = request
        line = request = None
        executed += 1
        if executed == 1:
            # It was filled meanwhile: what an import has seen of it before, such as that of `sitecustomize`, is not all.
            sys.path_importer_cache.pop(DIRECTORY, None)
        if text is None:
            status, traceback, code = "error", "MemoryError\n", "null"
        else:
            status, traceback, code = _run(text)
        if getpid() != PROCESS:
            _end_fork(status, traceback, code)
        _reply(
            '{"id":%s,"status":"%s","traceback":%s,"execution_count":%d,"exit_status":%s}'
            % (encode_basestring_ascii(identifier), status, encode_basestring_ascii(traceback), executed, code)
        )
        if status == "exit":
            return True


def _line():
    """Reads a line, or only its beginning where the whole takes more memory than there is, and returns which; `None` if the host is gone.

    The host sends nothing more before it has its answer.
    """
    pieces = []
    size = 1 << 16
    while True:
        try:
            pieces.append(_surely(receive, size))
            if not pieces[-1]:
                return None, False
            if pieces[-1].endswith(b"\n"):
                return b"".join(pieces)[:-1], True
            size = 1 << 20
        except MemoryError:
            is_whole = bool(pieces) and pieces[-1].endswith(b"\n")
            head = pieces[0][:HEAD] if pieces else b""
            pieces.clear()
            while not is_whole:
                piece = _surely(receive, 1 << 12)
                if not piece:
                    return None, False
                head = head or piece[:HEAD]
                is_whole = piece.endswith(b"\n")
            return head, False


#: How many bytes of a request its beginning has, with all of its id.
HEAD = 100


def _request(line, is_whole):
    """Reads `{"id": …, "code": …}` as the host writes it; `None` for anything else, and for code that is too large for the memory."""
    try:
        head = line[:HEAD].decode("utf-8", "ignore")
        if not head.startswith('{"id":"'):
            return None
        identifier, at = scanstring(head, 7, True)
        if not head.startswith(',"code":"', at):
            return None
        if not is_whole:
            return identifier, None
        try:
            text = line.decode()
            code, at = scanstring(text, at + 9, True)
        except MemoryError:
            return identifier, None
        return (identifier, code) if text[at:] == "}" else None
    except ValueError:
        return None


def _reply(text):
    body = text.encode()
    frame = b"\n%s %d\n%s" % (SENTINEL, len(body), body)
    while frame:
        frame = frame[_surely(send, frame) :]


def _surely(function, argument):
    """Calls a function that waits, whatever a script's handlers of signals raise meanwhile: no cell runs that it could be told.

    The function is called from C, and its answer kept there: a handler may raise when it has received or sent something, too.
    """
    answers = []
    while not answers:
        try:
            answers.extend(map(function, (argument,)))
        except BaseException as error:
            is_its_own = isinstance(error, (OSError, MemoryError)) and trace_of(error).tb_next is None
            if is_its_own and not answers:
                raise
    return answers[0]


def _run(text):
    """Runs a cell; returns how it ended, its traceback, and the code of an exit as JSON."""
    _open_streams()
    namespace["__name__"] = "__main__"
    namespace["__builtins__"] = builtins
    sys.modules["__main__"] = main
    try:
        _use_memory(limited)
        code = compile(text, FILENAME, "exec", 0, True)
        _remember(code, text)
        exec(code, namespace)
        _flush()
        _use_memory(unlimited)
        return "ok", "", "null"
    except SystemExit as error:
        _use_memory(unlimited)
        _flush()
        return "exit", "", _exit_status(error)
    except BaseException as error:
        _use_memory(unlimited)
        _flush()
        return "error", _traceback(error), "null"


def _end_fork(status, traceback, code):
    """Ends a process that a cell has forked and that has come to the end of the cell, as it would end with a script: in order."""
    try:
        if code.startswith('"'):
            traceback = scanstring(code, 1, True)[0] + "\n"
        left = traceback.encode("utf-8", "backslashreplace")
        while left:
            left = left[write(2, left) :]
        code = 1 if traceback else int(code) & 255 if status == "exit" else 0
    except BaseException:
        # Whatever a script may have done: it is never served here.
        leave(1)
    raise SystemExit(code)


def _hang_up():
    """After a fork: the host is served by one process, and another one would take a part of each request for itself."""
    global close
    hang_up, close = close, None
    if hang_up is not None:
        # A fork of the fork may have something else at its number.
        try:
            hang_up()
        except OSError:
            pass


def _exit_status(error):
    """Returns the code of an exit, or the message that stands in its place, as JSON."""
    try:
        try:
            code = error.code
        except BaseException:
            # As the interpreter does it: what has no code is shown itself.
            code = error
        if code is None:
            return "0"
        if isinstance(code, int):
            return "%d" % max(-(1 << 31), min((1 << 31) - 1, int(code)))
        return encode_basestring_ascii(str(code)[:2000].encode("utf-8", "backslashreplace").decode())
    except BaseException:
        return "1"


# Streams


def _output(wire):
    """Makes a standard stream of a descriptor or a connection."""
    raw = _Pipe(wire, "w", closefd=False) if isinstance(wire, int) else _Connection(wire)
    stream = TextIOWrapper(raw, encoding="utf-8")
    stream.reconfigure(**OUTPUT)
    return stream


class _Pipe(FileIO):
    """Writes all of what it is given, which a signal or another process that shares the pipe can keep the system from doing at once."""

    def write(self, data):
        done = _write(self, data)
        size = len(data) if type(data) is bytes else memoryview(data).nbytes
        if done != size:
            data = memoryview(data).cast("B")
            done = done or 0
            while done < size:
                put = _write(self, data[done:])
                if put is None:
                    # The host reads on: there is room soon.
                    os.set_blocking(self.fileno(), True)
                done += put or 0
        return size


_write = FileIO.write


class _Connection(RawIOBase):
    """Writes into a connection, which stays open whatever a script closes."""

    def __init__(self, wire):
        self._wire = wire

    def writable(self):
        return True

    def write(self, data):
        self._wire.sendall(data)
        return len(memoryview(data).cast("B"))


def _open_streams():
    """Restores the standard streams: whatever a script did to them ends with its cell."""
    _open_input()
    for number, wire in enumerate(captured):
        for descriptor in (wire, number + 1):
            try:
                set_blocking(descriptor, True)
            except BaseException:
                # Closed, or a connection.
                pass
        stream = streams[number]
        try:
            stream.__dict__.clear()
            if type(stream.buffer) is _Pipe:
                stream.buffer.__dict__.clear()
            stream.reconfigure(**OUTPUT)
            if stream.closed:
                raise ValueError
        except (AttributeError, ValueError):
            # Closed or detached: that cannot be undone.
            streams[number] = _output(wire)
    sys.stdin = sys.__stdin__ = TextIOWrapper(BufferedReader(FileIO(0, "r", closefd=False)), encoding="utf-8")
    sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__ = streams


def _open_input():
    """Lets the descriptor of the standard input be one at which nothing can be read, whatever a script has put there."""
    global nothing
    try:
        dup2(nothing, 0)
    except BaseException:
        # A script has closed this one, too.
        try:
            nothing = open_file(null, read_only)
            dup2(nothing, 0)
        except BaseException:
            # It has all descriptors that there are.
            pass


dup2, open_file, null, read_only = os.dup2, os.open, os.devnull, os.O_RDONLY
#: Windows has no such pipes.
set_blocking = getattr(os, "set_blocking", lambda _descriptor, _blocking: None)


def _flush():
    """Writes out what a script's own wrappers around the standard streams may hold."""
    for stream in (sys.__dict__.get("stdout"), sys.__dict__.get("stderr")):
        try:
            stream.flush()
        except BaseException:
            # A script may put anything in place of its streams; what the real ones got is already with the host.
            pass


# Tracebacks


def _remember(code, text):
    """Keeps the source of a cell for the tracebacks of this cell and of later ones."""
    sources.append((code, text))
    while len(sources) > 1 and (len(sources) > REMEMBERED or sum(len(each) for _, each in sources) > REMEMBERED_LENGTH):
        del sources[0]
    if "linecache" in sys.modules:
        _register(code, text)


def _register(code, text):
    """Lets the standard library find the lines of a cell."""
    linecache = sys.modules["linecache"]
    try:
        if hasattr(linecache, "_code_key"):
            linecache._register_code(code, text, FILENAME)
        else:
            # Before Python 3.13.1 there is one source for each name: that of the latest cell.
            linecache.cache[FILENAME] = len(text), None, text.splitlines(True), FILENAME
    except BaseException:
        # Whatever a script has made of the module is its own affair.
        pass


class _OnLinecache:
    """Registers the cells that have run when `linecache` is imported; to import it ahead would slow every start down."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name != "linecache":
            return None
        sys.meta_path.remove(_OnLinecache)
        for finder in sys.meta_path:
            spec = finder.find_spec(name, path, target)
            if spec is not None:
                execute = spec.loader.exec_module

                def exec_module(module):
                    execute(module)
                    for code, text in sources:
                        _register(code, text)

                spec.loader.exec_module = exec_module
                return spec
        return None


#: What an exception really has, whatever its class says.
trace_of = BaseException.__traceback__.__get__
cause_of, context_of = BaseException.__cause__.__get__, BaseException.__context__.__get__


def _is_own(filename):
    return filename.startswith("<hermes") or filename.startswith(DIRECTORY)


def _traceback(error):
    try:
        text = _render(error)
    except BaseException:
        try:
            text = _plain(error)
        except BaseException:
            # A class can make anything of what belongs to it.
            text = "Traceback (most recent call last):\n<an exception that cannot be shown>\n"
    if len(text) > LENGTH:
        omitted = len(text) - LENGTH
        text = f"{text[: LENGTH // 2]}\n... [{omitted:,} characters of the traceback omitted] ...\n{text[-LENGTH // 2 :]}"
    return text.encode("utf-8", "backslashreplace").decode()


def _render(error):
    """Returns the traceback as the interpreter prints it, without frames of our own code."""
    from traceback import TracebackException

    if not _is_honest(error):
        # The standard library could follow it without end.
        return _plain(error)
    trace = trace_of(error)
    while trace is not None and _is_own(trace.tb_frame.f_code.co_filename):
        trace = trace.tb_next
    rendered = TracebackException(type(error), error, trace, limit=-FRAMES)
    _complete(rendered, error, trace, _lines(), set())
    return "".join(rendered.format())


def _is_honest(error):
    """Tells whether an exception, and those that it is caused by, have the tracebacks that they say they have."""
    seen, pending = set(), [error]
    while pending:
        error = pending.pop()
        if error is None or id(error) in seen:
            continue
        seen.add(id(error))
        for each in type(error).__mro__:
            if each is BaseException:
                break
            if "__traceback__" in each.__dict__ or "__getattribute__" in each.__dict__:
                return False
        pending += cause_of(error), context_of(error)
    return True


def _complete(rendered, error, trace, lines, seen):
    """Takes our own frames out of a traceback and of those that it is caused by, and gives each frame the line of its own cell."""
    if rendered is None or error is None or id(rendered) in seen:
        return
    seen.add(id(rendered))
    frames = []
    while trace is not None:
        frames.append((trace.tb_frame.f_code, trace.tb_lineno))
        trace = trace.tb_next
    if rendered.stack is not None:
        for summary, (code, number) in zip(reversed(rendered.stack), reversed(frames)):
            text = lines.get(code)
            if text is not None and summary.filename == FILENAME and number is not None and 0 < number <= len(text):
                _set_line(summary, text, number)
        rendered.stack[:] = [each for each in rendered.stack if not _is_own(each.filename)]
    for name, other in (("__cause__", cause_of(error)), ("__context__", context_of(error))):
        _complete(getattr(rendered, name), other, None if other is None else trace_of(other), lines, seen)
    for inner, other in zip(getattr(rendered, "exceptions", None) or (), getattr(error, "exceptions", None) or ()):
        _complete(inner, other, trace_of(other), lines, seen)


def _set_line(summary, text, number):
    """Gives a frame its line, or all lines of its expression where this version of Python shows them."""
    if hasattr(summary, "_lines"):
        last = max(number, summary.end_lineno or number)
        summary._lines = "".join(line.rstrip() + "\n" for line in text[number - 1 : last])
    else:
        summary._line = text[number - 1].rstrip()


def _lines():
    """Returns the lines of the remembered cells for each of their code objects."""
    found = {}
    for code, text in sources:
        lines, pending = text.splitlines(True), [code]
        while pending:
            code = pending.pop()
            found[code] = lines
            pending.extend(each for each in code.co_consts if isinstance(each, type(code)))
    return found


def _plain(error):
    """Returns a traceback without source lines, made with nothing that a script can have replaced."""
    lines = ["Traceback (most recent call last):\n"]
    trace = trace_of(error)
    while trace is not None and len(lines) < FRAMES:
        code = trace.tb_frame.f_code
        if not _is_own(code.co_filename):
            lines.append(f'  File "{code.co_filename}", line {trace.tb_lineno}, in {code.co_name}\n')
        trace = trace.tb_next
    try:
        message = str(error)
    except BaseException:
        message = "<exception str() failed>"
    name = type(error).__name__
    lines.append(f"{name}: {message}\n" if message else f"{name}\n")
    return "".join(lines)


# The host's death


def _watch(descriptor):
    """Waits until the host is gone, however it went, and ends everything that this kernel has started."""
    try:
        if descriptor is not None:
            os.read(descriptor, 1)
    except BaseException:
        pass
    try:
        _kill_marked()
        _remove_files()
    except BaseException:
        pass
    try:
        os.killpg(0, 9)
    finally:
        os._exit(1)


class _OnlyThisThread:
    """Matches the warning that a process with threads forks, where the only other thread is the one that waits here and holds nothing."""

    @staticmethod
    def match(text):
        threading = sys.modules.get("threading")
        return "is multi-threaded, use of " in text and (threading is None or threading.active_count() == 1)


def _kill_marked():
    """Kills what carries one of this kernel's marks, also what left its process group; known on systems with a process table only.

    The marks are a variable, and a limit that the host has set for this process; one that the host has itself is no mark.
    """
    if not os.path.isdir("/proc"):
        return
    own = _limit("self")
    if UNMARKED is None or own == UNMARKED:
        own = None
    # What is started while the table is read is found the next time.
    for name in os.listdir("/proc") + os.listdir("/proc"):
        if name.isdigit() and int(name) != os.getpid():
            try:
                if (own is not None and _limit(name) == own) or MARKER in _contents(f"/proc/{name}/environ").split(b"\0"):
                    os.kill(int(name), 9)
            except OSError:
                # It has ended since, or belongs to somebody else.
                pass


def _limit(process):
    """Returns the hard limit of file locks, by which the host marks processes; `None` where it cannot be known."""
    try:
        for line in _contents(f"/proc/{process}/limits").splitlines():
            if line.startswith(b"Max file locks "):
                return line.split()[4]
    except OSError:
        pass
    return None


def _contents(path):
    with FileIO(path) as file:
        return file.readall()


def _remove_files():
    """Removes what the host can remove no more."""
    cache = os.path.join(DIRECTORY, "__pycache__")
    paths = [os.path.join(directory, name) for directory in (cache, DIRECTORY) if os.path.isdir(directory) for name in os.listdir(directory)]
    for path in [*paths, ADDRESS]:
        try:
            os.unlink(path)
        except OSError:
            pass
    for directory in (cache, DIRECTORY):
        try:
            os.rmdir(directory)
        except OSError:
            pass


ADDRESS = os.environ.get("HERMES_RPC_SOCKET", "")
UNMARKED = _limit(os.getppid())


def _connect():
    """Connects to the host three times; returns how to receive, to send and to close, and the connections for output."""
    from _socket import AF_INET, SOCK_STREAM, socket

    host, _, port = os.environ.pop("HERMES_KERNEL_CONNECT").rpartition(":")
    wires = []
    for role in ("control", "stdout", "stderr"):
        wire = socket(AF_INET, SOCK_STREAM)
        wire.connect((host, int(port)))
        wire.sendall(("%s %s\n" % (os.environ["HERMES_RPC_TOKEN"], role)).encode())
        wires.append(wire)
    return wires[0].recv, wires[0].send, wires[0].close, wires[1:]


def _inherit():
    """Takes over what was inherited; returns how to receive, to send and to close, the descriptors for output, and the one that tells the
    host's death."""
    control, inherited, death = _own_descriptors()
    return partial(os.read, control), partial(write, control), partial(os.close, control), inherited, death


def _own_descriptors():
    """Moves the host's socket out of a script's way and takes over the descriptors that were inherited; no other process gets them."""
    moved = os.dup(0)
    _open_input()
    inherited = [int(each) for each in os.environ.pop("HERMES_KERNEL_CAPTURE_FDS").split(",")]
    death = int(os.environ.pop("HERMES_KERNEL_PARENT_DEATH_FD"))
    for each in (*inherited, death):
        os.set_inheritable(each, False)
    return moved, inherited, death


def _memory():
    """Returns how the limit of memory is changed, its value for scripts, and its value for this program."""
    limit = os.environ.pop("HERMES_KERNEL_MEMORY_LIMIT", None)
    if limit is None or setrlimit is None:
        return lambda _: None, None, None

    def use(limits):
        try:
            setrlimit(RLIMIT_AS, limits)
        except (OSError, ValueError):
            # A script has lowered it for good.
            pass

    most, inherited = min(int(limit), 1 << 62) + RESERVE, getrlimit(RLIMIT_AS)[1]
    if inherited != RLIM_INFINITY:
        most = min(most, inherited)
    limit = min(int(limit), most)
    use((most, most))
    return use, (limit, most), (most, most)


try:
    # A session of its own: no terminal of the user's to read from, and one group for everything that is started here.
    os.setsid()
except (AttributeError, OSError):
    # Windows has no sessions: the host has put this process into a job.
    pass
builtins = sys.modules["builtins"]
#: A descriptor at which nothing can be read.
nothing = os.open(os.devnull, os.O_RDONLY)
if "HERMES_KERNEL_CONNECT" in os.environ:
    receive, send, close, captured = _connect()
    _death = None
else:
    receive, send, close, captured, _death = _inherit()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_hang_up)
#: For the tools, also where a script has emptied its environment before it imports them.
sys._hermes_kernel = {name: os.environ.get(name, "") for name in ("HERMES_RPC_SOCKET", "HERMES_RPC_TOKEN", "HERMES_KERNEL_SPILL_DIR")}
streams = [_output(each) for each in captured]
#: Kept, for a stream that nobody holds is closed with its descriptor.
standard_input, _raw = sys.stdin, (sys.stdout, sys.stderr)
filters.insert(0, ("ignore", _OnlyThisThread, DeprecationWarning, None, 0))
sys.meta_path.insert(0, _OnLinecache)
sys.modules["__main__"] = main
sys.argv = [""]
if _death is not None:
    start_new_thread(_watch, (_death,))
_use_memory, limited, unlimited = _memory()
try:
    _is_asked = serve()
except OSError:
    # The host went while it was written to.
    _is_asked = False
if not _is_asked:
    # Not simply to the end: the interpreter would stop the thread that cleans up in the middle of it.
    _watch(_death)
