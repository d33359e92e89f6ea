"""The standard streams of cells."""


def _output(number):
    """Makes the standard output (0) or error (1) of its descriptor or connection."""
    wire = captured[number]
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

    # Apart from what a script gives it.
    __slots__ = ("_wire",)

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
    _restore_classes()
    for number in range(2):
        _restore_raw(number + 1)
        _restore_captured(number)
        wire = captured[number]
        for descriptor in (wire, number + 1):
            try:
                set_blocking(descriptor, True)
            except BaseException:
                # Closed, or a connection.
                pass
        stream = streams[number]
        try:
            stream.__dict__.clear()
            if type(stream) is not TextIOWrapper or type(stream.buffer) not in (_Pipe, _Connection):
                raise ValueError
            stream.buffer.__dict__.clear()
            stream.reconfigure(**OUTPUT)
            if stream.closed or type(stream.buffer) is _Pipe and number_of(stream.buffer) != wire:
                raise ValueError
        except (AttributeError, ValueError):
            # Closed, detached, of another class or descriptor: that cannot be undone.
            streams[number] = _output(number)
    try:
        source = FileIO(0, "r", closefd=False)
    except BaseException:
        # A script has all descriptors, or has a say in what is opened.
        source = BytesIO()
    sys.stdin = sys.__stdin__ = TextIOWrapper(BufferedReader(source), encoding="utf-8")
    sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__ = streams


def _restore_raw(descriptor):
    """Lets what other processes write go where it belongs again, whatever a script has put there."""
    identity, spare = raw[descriptor - 1]
    if _identity(descriptor) != identity and _identity(spare) == identity:
        dup2(spare, descriptor)


def _restore_captured(number):
    """Takes another descriptor for what is captured where a script has closed or redirected the one that there was.

    What it has put at that number stays its own.
    """
    if not isinstance(captured[number], int):
        return
    identity, spare = kept[number]
    if _identity(captured[number]) == identity or _identity(spare) != identity:
        return
    # A program would take one of the first for a standard stream.
    free = [each for each in range(64, 128) if _identity(each) is None]
    try:
        captured[number] = dup2(spare, free[0], False)
    except (IndexError, OSError):
        # There is none.
        captured[number] = spare


def _identity(descriptor):
    """Returns what a descriptor stands for; `None` where it is closed, or no descriptor."""
    try:
        return fstat(descriptor)[1:3]
    except (OSError, TypeError):
        return None


def _restore_classes():
    """Takes back what a script has made of the classes of its streams."""
    for each, attributes in CLASSES:
        if vars(each) != attributes:
            for name in [*vars(each)]:
                if name not in attributes:
                    delattr(each, name)
            for name, value in attributes.items():
                if vars(each).get(name) is not value:
                    setattr(each, name, value)


def _open_input():
    """Lets the descriptor of the standard input be one at which nothing can be read, whatever a script has put there."""
    global nothing
    try:
        if _identity(nothing) != NOTHING:
            raise ValueError
        dup2(nothing, 0)
    except BaseException:
        # A script has closed this one, too.
        try:
            nothing = open_file(null, read_only)
            dup2(nothing, 0)
        except BaseException:
            # It has all descriptors that there are.
            pass


number_of = FileIO.fileno
fstat, dup = os.fstat, os.dup
#: The classes of the standard streams, as they should be.
CLASSES = [(each, dict(vars(each))) for each in (_Pipe, _Connection)]
dup2, open_file, null, read_only = os.dup2, os.open, os.devnull, os.O_RDONLY
#: Windows has no such pipes.
set_blocking = getattr(os, "set_blocking", lambda _descriptor, _blocking: None)
