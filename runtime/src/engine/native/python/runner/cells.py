"""Cells: how one is run, and how it ends, in this process or in a fork of it."""

FILENAME = "<cell>"
#: How many bytes this program may use beyond the limit of a script's memory, to answer for a script that has used up all of its own.
RESERVE = 16 << 20
#: How deep calls may go at least, for this program itself.
LEAST_DEPTH = 200


def _prepare(number):
    """Lets the surroundings of a cell be as they should, whatever earlier ones have made of them."""
    if number == 1:
        # It was filled meanwhile: what an import has seen of it before, such as that of `sitecustomize`, is not all.
        sys.path_importer_cache.pop(DIRECTORY, None)
    _open_streams()
    namespace["__name__"] = "__main__"
    namespace["__builtins__"] = builtins
    sys.modules["__main__"] = main


def _run(text):
    """Runs a cell; returns how it ended, its traceback, and the code of an exit as JSON."""
    global _profile, _trace, _events
    error = None
    try:
        _use_memory(limited)
        code = compile(text, FILENAME, "exec", 0, True)
        _remember(code, text)
        # From the second cell on there may be a script's own.
        for tool, name, events in _events:
            # A thread may have given it up meanwhile.
            if monitoring.get_tool(tool) == name:
                monitoring.set_events(tool, events)
        if _trace is not None:
            settrace(_trace)
        if _profile is not None:
            setprofile(_profile)
        exec(code, namespace)
    except BaseException as raised:
        error = raised
    # A script's functions for such events are for its own code. They are taken back right here: they can raise where another one is called.
    _profile, _trace = getprofile(), gettrace()
    setprofile(None)
    settrace(None)
    if monitoring is not None:
        used = [(tool, monitoring.get_tool(tool)) for tool in range(TOOLS)]
        _events = [(tool, name, monitoring.get_events(tool)) for tool, name in used if name is not None]
        for tool, _, _ in _events:
            monitoring.set_events(tool, 0)
    if getrecursionlimit() < LEAST_DEPTH:
        setrecursionlimit(LEAST_DEPTH)
    _use_memory(unlimited)
    write_out(streams)
    if error is None:
        return "ok", "", "null"
    if issubclass(type(error), SystemExit):
        outcome = "exit", "", _exit_status(error)
    else:
        outcome = "error", _traceback(error), "null"
    # Its traceback holds this frame, and what the cell had in its own.
    error = None
    return outcome


_profile, _trace, _events = None, None, ()
getprofile, gettrace, setprofile, settrace = sys.getprofile, sys.gettrace, sys.setprofile, sys.settrace
#: From Python 3.12 on, and how many tools it knows.
monitoring, TOOLS = getattr(sys, "monitoring", None), 6
getrecursionlimit, setrecursionlimit = sys.getrecursionlimit, sys.setrecursionlimit


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
