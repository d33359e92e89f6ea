"""Requests and replies: what goes over the socket to the host."""

#: The line with which the host asks for an end in order.
GOODBYE = b"goodbye"
#: How many bytes of a request its beginning has, with all of its id.
HEAD = 100


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
        clip.begin(executed)
        if executed == 1:
            # It was filled meanwhile: what an import has seen of it before, such as that of `sitecustomize`, is not all.
            sys.path_importer_cache.pop(DIRECTORY, None)
        if text is None:
            status, traceback, code = "error", "MemoryError\n", "null"
        else:
            status, traceback, code = _run(text)
        if getpid() != PROCESS:
            _end_fork(status, traceback, code)
        # What is printed on the way out belongs to the cell that asked for it.
        clipped = "null" if status == "exit" else clip.end()
        _reply(
            '{"id":%s,"status":"%s","traceback":%s,"execution_count":%d,"exit_status":%s,"stdout_clipped":%s}'
            % (encode_basestring_ascii(identifier), status, encode_basestring_ascii(traceback), executed, code, clipped)
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
