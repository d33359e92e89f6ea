"""Tracebacks: of the frames of cells, with the lines of each, whatever a script has done to what makes them."""

#: How long a traceback may be, in characters; of a longer one the beginning and the end are kept.
LENGTH = 200_000
#: How many cells, and how much text of them, are remembered for the source lines of tracebacks.
REMEMBERED, REMEMBERED_LENGTH = 200, 8_000_000


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
            linecache._register_code(code, "".join(lines_of(text)), FILENAME)
        else:
            # Before Python 3.13.1 there is one source for each name: that of the latest cell.
            linecache.cache[FILENAME] = len(text), None, lines_of(text), FILENAME
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


def _is_own(filename):
    return filename.startswith("<hermes") or filename.startswith(DIRECTORY)


def _comes_from_here(error):
    """Tells whether an exception that passes was raised by what this program did, and not by a script's handler of a signal meanwhile."""
    trace = trace_of(error)
    while trace.tb_next is not None:
        trace = trace.tb_next
    return _is_own(trace.tb_frame.f_code.co_filename)


def _traceback(error):
    try:
        text = _render(error)
    except BaseException:
        try:
            text = plain(error, _is_own)
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

    if not is_honest(error):
        return plain(error, _is_own)
    trace = trace_of(error)
    while trace is not None and _is_own(trace.tb_frame.f_code.co_filename):
        trace = trace.tb_next
    rendered = TracebackException(type(error), error, trace, limit=-FRAMES)
    _complete(rendered, error, trace, _lines(), set())
    return "".join(rendered.format())


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
        lines, pending = lines_of(text), [code]
        while pending:
            code = pending.pop()
            found[code] = lines
            pending.extend(each for each in code.co_consts if isinstance(each, type(code)))
    return found
