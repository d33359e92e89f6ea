"""Requests and replies: what goes over the socket to the host.

A script's handler of a signal can raise between any two steps of this program, where no cell runs that could be told. So what was done of a
request is noted in its cycle, and whatever was interrupted goes on from there; nothing is received, run or sent twice.
"""

#: The line with which the host asks for an end in order.
GOODBYE = b"goodbye\n"
#: How many bytes of a request its beginning has, with all of its id.
HEAD = 100
#: How often a request is taken up again before its cell runs in whatever surroundings there are; twice as often, and this is given up.
PATIENCE = 1000


class _Gone(BaseException):
    """The host is gone."""


class _Cycle:
    """What was done of a request, the one of that number."""

    def __init__(self, number):
        self.number = number
        self.pieces = []
        #: Whether there was room for all of the line.
        self.is_whole = True
        #: The id, and the code if there was room for it.
        self.request = None
        self.has_begun = False
        #: How the cell ended, its traceback, and the code of an exit as JSON.
        self.outcome = None
        self.frame = None
        self.sent = []
        self.failures = []


def serve():
    """Answers requests until a cell or the host asks for the end."""
    global cycle
    cycle = _Cycle(1)
    while True:
        try:
            # Called from C: a handler does not raise between two of these.
            if any(map(_advance, iter(int, 1))):
                return
        except _Gone:
            raise
        except BaseException as error:
            if getpid() != PROCESS or len(cycle.failures) == 2 * PATIENCE:
                raise
            cycle.failures.append(error)


def _advance(_):
    """Goes on with a request until it is answered; returns whether it asks for the end."""
    global cycle
    now = cycle
    if now.request is None:
        _receive(now)
        line = _whole_line(now)
        if line == GOODBYE:
            return True
        now.request = _parse(line, now.is_whole)
        if now.request is None:
            cycle = _Cycle(now.number)
            return False
        now.pieces = []
    identifier, text = now.request
    if now.outcome is None:
        if now.has_begun:
            now.outcome = "error", _traceback(now.failures[-1]), "null"
        elif text is None:
            now.outcome = "error", "MemoryError\n", "null"
        else:
            if len(now.failures) < PATIENCE:
                _prepare(now.number)
            now.has_begun = True
            now.outcome = _run(text)
    status, traceback, code = now.outcome
    if getpid() != PROCESS:
        _end_fork(status, traceback, code)
    if now.frame is None:
        body = '{"id":%s,"status":"%s","traceback":%s,"execution_count":%d,"exit_status":%s}' % (
            encode_basestring_ascii(identifier),
            status,
            encode_basestring_ascii(traceback),
            now.number,
            code,
        )
        now.frame = memoryview(b"\n%s %d\n%s" % (SENTINEL, len(body), body.encode()))
    while sum(now.sent) < len(now.frame):
        _record(now.sent, send, now.frame[sum(now.sent) :])
    cycle = _Cycle(now.number + 1)
    return status == "exit"


def _receive(now):
    """Receives a line, or where that takes more memory than there is its beginning and its end. Nothing follows it before it is answered."""
    pieces = now.pieces
    while not pieces or not pieces[-1].endswith(b"\n"):
        if pieces and not pieces[-1]:
            raise _Gone
        try:
            _record(pieces, receive, 1 << 12 if not now.is_whole else 1 << 20 if pieces else 1 << 16)
        except MemoryError:
            now.is_whole = False
            pieces[:1] = [piece[:HEAD] for piece in pieces[:1]]
        if not now.is_whole:
            del pieces[1:-1]


def _whole_line(now):
    try:
        if now.is_whole:
            return _surely(b"".join, now.pieces)
    except MemoryError:
        now.is_whole = False
    return now.pieces[0]


def _parse(line, is_whole):
    """Reads `{"id": …, "code": …}` as the host writes it; `None` for anything else, and for code that is too large for the memory."""
    identifier = None
    head = line[:HEAD].decode("utf-8", "ignore")
    if not head.startswith('{"id":"'):
        return None
    try:
        identifier, at = _surely(scanstring, head, 7, True)
        if not head.startswith(',"code":"', at):
            return None
        if not is_whole:
            return identifier, None
        text = _surely(bytes.decode, line)
        code, at = _surely(scanstring, text, at + 9, True)
    except MemoryError:
        if identifier is None:
            raise
        return identifier, None
    except ValueError as error:
        if not _comes_from_here(error):
            raise
        return None
    return (identifier, code) if text[at:] == "}\n" else None


def _surely(function, *arguments):
    """Calls a function that is none of Python's, once, whatever a script's handlers of signals raise meanwhile."""
    answers = []
    _record(answers, function, *arguments)
    return answers[0]


def _record(answers, function, *arguments):
    """Adds what a function returns to a list.

    It is called from C, and its answer kept there: a handler may raise when it has received or sent something, too.
    """
    count = len(answers)
    while len(answers) == count:
        try:
            answers.extend(map(function, *[(each,) for each in arguments]))
        except BaseException as error:
            is_its_own = issubclass(type(error), (OSError, MemoryError, ValueError)) and trace_of(error).tb_next is None
            if is_its_own and len(answers) == count:
                if issubclass(type(error), OSError):
                    raise _Gone from None
                raise
