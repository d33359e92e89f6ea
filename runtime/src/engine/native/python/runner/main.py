"""Takes over what the process was started with, and serves the host."""


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


try:
    # A session of its own: no terminal of the user's to read from, and one group for everything that is started here.
    os.setsid()
except (AttributeError, OSError):
    # Windows has no sessions: the host has put this process into a job.
    pass
builtins = sys.modules["builtins"]
#: A descriptor at which nothing can be read.
nothing = os.open(os.devnull, os.O_RDONLY)
NOTHING = _identity(nothing)
if "HERMES_KERNEL_CONNECT" in os.environ:
    receive, send, close, captured = _connect()
    _death = None
else:
    receive, send, close, captured, _death = _inherit()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_hang_up)
#: For the tools, also where a script has emptied its environment before it imports them.
sys._hermes_kernel = {name: os.environ.get(name, "") for name in ("HERMES_RPC_SOCKET", "HERMES_RPC_TOKEN", "HERMES_KERNEL_SPILL_DIR")}
#: What the descriptors stand for, and others for the same.
kept = [(_identity(each), dup(each)) if isinstance(each, int) else None for each in captured]
raw = [(_identity(each), dup(each)) for each in (1, 2)]
streams = [_output(0), _output(1)]
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
    serve()
except _Gone:
    # Not simply to the end: the interpreter would stop the thread that cleans up in the middle of it.
    _watch(_death)
except SystemExit:
    # This is a fork of a cell.
    raise
except BaseException:
    # There is no cell that could be told.
    leave(1)
# Nothing here is to outlive what the cells have left, as nothing of a script does.
cycle = main = namespace = None
sources.clear()
