"""The host's death, and what this process ends then."""


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
