"""Clipping: of a cell that prints more than `CLIP` characters, the rest goes into a file of this kernel's directory.

The file has all that the cell printed, up to a limit, and goes with the kernel. Beyond both limits a little more goes on: by that the host
sees how a secret at the edge continues, and masks it. What other processes write into the same pipe is not counted here.
"""

#: How many characters of a cell's standard output are shown at most, and how many its file holds.
CLIP, SPILL = 1_000_000, 5_000_000
#: How many bytes go on beyond either limit.
EDGE = 64 << 10
#: How many of the files are kept, the latest ones.
FILES = 20
#: The bytes of a character in UTF-8 but for its first.
CONTINUATION = bytes(range(0x80, 0xC0))


class _Clip:
    """Decides where the standard output of the cell that runs goes.

    All of it is kept as long as it may be shown, and then goes into a file. Where there is neither, the host gets everything.
    """

    def __init__(self):
        self._paths = []
        self.leave_alone()

    def leave_alone(self):
        """Lets everything pass. After a fork, too: the host reads what the other process prints, and keeps what it can."""
        #: A handler of a signal may print in the middle of a print.
        self.lock = RLock()
        self.kept = self._file = None

    def begin(self, number):
        self._number = number
        self.kept, self._file = bytearray(), None
        #: From how many bytes on there may be too many characters.
        self.enough = CLIP + 1

    def end(self):
        """Lets what is printed from now on pass; returns as JSON how the output was clipped."""
        with self.lock:
            file, self._file, self.kept = self._file, None, None
        if file is None:
            return "null"
        file.close()
        return '{"sent":%d,"withheld":%d,"is_whole":%s}' % (self._sent, self._withheld, "true" if file.is_whole else "false")

    def divide(self, data):
        """Takes bytes that are printed, which are kept already if anything is, and returns how many of them the host is sent."""
        if self.kept is not None:
            position, missing = _find(self.kept, CLIP)
            if missing:
                self.enough = len(self.kept) + missing
                return len(data)
            self._create(self.kept)
            self._sent, self._withheld = len(self.kept) - len(data), 0
            self._room = max(0, position + EDGE - self._sent)
            self.kept = None
        elif self._file is not None:
            self._file.add(data)
        else:
            return len(data)
        sent = min(self._room, len(data))
        self._room -= sent
        self._sent += sent
        self._withheld += len(data) - sent
        return sent

    def _create(self, data):
        path = os.path.join(DIRECTORY, "cell_%06d_stdout.txt" % self._number)
        file = _SpillFile(path)
        try:
            file.write(data)
        except BaseException:
            file.close()
            _remove(path)
            raise
        self._file = file
        self._paths.append(path)
        if len(self._paths) > FILES:
            _remove(self._paths.pop(0))


class _SpillFile:
    """The file of a cell's output, up to a limit."""

    def __init__(self, path):
        self._path = path
        #: How many characters there is room for, and how many bytes beyond them.
        self._left, self._edge = SPILL, EDGE
        self.is_whole = True
        self._descriptor = open_file(path, write_only | create_new, 0o600)
        self._identity = fstat(self._descriptor)[1:3]

    def add(self, data):
        """Writes what comes next, up to the limit; where there is no room for it, the file ends here."""
        try:
            self.write(data)
        except (MemoryError, OSError) as error:
            self.is_whole = False
            if not _comes_from_here(error):
                raise

    def write(self, data):
        if not self.is_whole:
            return
        position, missing = _find(data, self._left)
        if missing:
            self._left = missing - 1
        else:
            self._left = 0
            self._edge += position
            self.is_whole = len(data) <= self._edge
            data = data[: self._edge]
            self._edge -= len(data)
        while data:
            if not self._is_open():
                self._descriptor = open_file(self._path, write_only | append)
            data = data[write(self._descriptor, data) :]

    def close(self):
        if self._is_open():
            shut(self._descriptor)

    def _is_open(self):
        """Tells whether the descriptor is still this file's: a script can close any, and get its number for a file of its own."""
        try:
            return fstat(self._descriptor)[1:3] == self._identity
        except OSError:
            return False


def _find(data, number):
    """Looks for the character after that many; returns where it begins, or how many are missing until then."""
    position, missing = 0, number + 1
    while missing and position < len(data):
        # A character is a byte at least: this never goes beyond the first byte of the one that is looked for.
        piece = data[position : position + missing]
        position += len(piece)
        missing -= len(piece) if piece.isascii() else len(piece.translate(None, CONTINUATION))
    return position - 1, missing


def _remove(path):
    try:
        unlink(path)
    except OSError:
        pass


class _Clipped:
    """Sends the host what it shows of a standard output."""

    def write(self, data):
        if type(data) is not bytes:
            data = bytes(memoryview(data).cast("B"))
        sent = len(data)
        try:
            with clip.lock:
                kept = clip.kept
                if kept is not None:
                    kept += data
                if kept is None or len(kept) >= clip.enough:
                    sent = clip.divide(data)
        except (MemoryError, OSError) as error:
            if not _comes_from_here(error):
                raise
            # There is no room for a file.
            clip.leave_alone()
        if sent:
            self._send(data if sent == len(data) else data[:sent])
        return len(data)


class _ClippedPipe(_Clipped, _Pipe):
    _send = _Pipe.write


class _ClippedConnection(_Clipped, _Connection):
    _send = _Connection.write


#: As they are, whatever a script makes of them.
fstat, shut, unlink = os.fstat, os.close, os.unlink
write_only, create_new, append = os.O_WRONLY | getattr(os, "O_BINARY", 0), os.O_CREAT | os.O_EXCL, os.O_APPEND
clip = _Clip()
#: The classes of the standard streams, as they should be.
CLASSES = [(each, dict(vars(each))) for each in (_Pipe, _Connection, _Clipped, _ClippedPipe, _ClippedConnection)]
