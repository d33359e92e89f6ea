"""What cannot work in the sandbox says so in a sentence, with the tool to use instead."""

import builtins
import errno
import functools
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

PROCESSES = "processes are not available in the sandbox; use terminal() from hermes_tools if it is enabled"
NETWORK = "the network is not available in the sandbox; use web_extract() or web_search() from hermes_tools, or terminal(), if enabled"
PARALLEL = "processes are not available in the sandbox; use ThreadPoolExecutor or a plain loop (both run one thing after another here)"
NATIVE = "native libraries are not available in the sandbox; use the Python standard library, or terminal() from hermes_tools if it is enabled"
PACKAGES = "packages cannot be installed in the sandbox; use the Python standard library, or terminal() from hermes_tools if it is enabled"
SIGNALS = "timer signals are not available in the sandbox; the runtime's own time limit holds"
TERMINAL = "there is no terminal in the sandbox"

#: Modules that CPython does not have here, and why.
ABSENT = {
    "_ctypes": NATIVE,
    "_curses": TERMINAL,
    "_multiprocessing": PARALLEL,
    "_posixshmem": PARALLEL,
    "_posixsubprocess": PROCESSES,
    "_ssl": NETWORK,
    "_tkinter": TERMINAL,
    "ctypes": NATIVE,
    "curses": TERMINAL,
    "ensurepip": PACKAGES,
    "idlelib": TERMINAL,
    "pip": PACKAGES,
    "pty": TERMINAL,
    "readline": TERMINAL,
    "ssl": NETWORK,
    "termios": TERMINAL,
    "tkinter": TERMINAL,
    "tty": TERMINAL,
    "turtle": TERMINAL,
    "turtledemo": TERMINAL,
    "venv": PACKAGES,
}


class _AbsentFinder:
    """The last finder: names the reason where a module of the standard library cannot exist here."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        reason = ABSENT.get(name)
        if reason is not None:
            raise ModuleNotFoundError(f"{name} cannot be imported: {reason}", name=name)
        return None


def _refuse(message, error=OSError):
    def refuse(*args, **kwargs):
        raise error(message)

    return refuse


def _refuse_processes():
    subprocess.Popen.__init__ = _refuse(PROCESSES)
    subprocess.Popen.__del__ = lambda self, *_: None
    for name in "fork forkpty popen posix_spawn posix_spawnp system".split():
        setattr(os, name, _refuse(PROCESSES))
    for name in "execl execle execlp execlpe execv execve execvp execvpe spawnl spawnle spawnv spawnve".split():
        setattr(os, name, _refuse(PROCESSES))
    from concurrent.futures.process import ProcessPoolExecutor
    from multiprocessing import context, process

    ProcessPoolExecutor.__init__ = _refuse(PARALLEL)
    process.BaseProcess.start = _refuse(PARALLEL)
    for name in "Pool Manager Queue JoinableQueue SimpleQueue Pipe Lock RLock Event Semaphore Value Array".split():
        setattr(context.BaseContext, name, _refuse(PARALLEL))
    import multiprocessing

    for name in "Pool Manager Queue JoinableQueue SimpleQueue Pipe Lock RLock Event Semaphore Value Array".split():
        setattr(multiprocessing, name, _refuse(PARALLEL))


def _refuse_network():
    socket.socket.__init__ = _refuse(NETWORK)
    socket.socket.__del__ = lambda self: None
    for name in "create_connection create_server socketpair getaddrinfo gethostbyname gethostbyname_ex gethostbyaddr getnameinfo".split():
        setattr(socket, name, _refuse(NETWORK))
    local_schemes = ("data:", "file:")
    open_locally = urllib.request.OpenerDirector.open

    def open_url(self, fullurl, *args, **kwargs):
        url = getattr(fullurl, "full_url", fullurl)
        if isinstance(url, str) and not url.lower().startswith(local_schemes):
            raise urllib.error.URLError(NETWORK)
        return open_locally(self, fullurl, *args, **kwargs)

    urllib.request.OpenerDirector.open = open_url


def _fill_gaps():
    """Adds small functions that CPython leaves out on this platform, and keeps a wrong clock from being followed as an address."""
    socket.gethostname = lambda: "sandbox"
    os.getlogin = lambda: os.environ.get("USER", "sandbox")
    time.thread_time = time.process_time
    time.thread_time_ns = time.process_time_ns
    clocks = {getattr(time, name) for name in dir(time) if name.startswith("CLOCK_")}
    for name in ("clock_gettime", "clock_gettime_ns", "clock_getres", "clock_settime", "clock_settime_ns"):
        function = getattr(time, name, None)
        if function is not None:
            setattr(time, name, _with_known_clock(function, clocks))


def _with_known_clock(function, clocks):
    @functools.wraps(function)
    def checked(clk_id, /, *args):
        if clk_id not in clocks:
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        return function(clk_id, *args)

    return checked


def _end_of_input(prompt="", /):
    if prompt != "":
        print(prompt, end="", flush=True)
    raise EOFError("EOF when reading a line")


def install():
    """Puts the refusals in place."""
    _refuse_processes()
    _refuse_network()
    _fill_gaps()
    builtins.input = _end_of_input
    for name in ("alarm", "setitimer"):
        setattr(signal, name, _refuse(SIGNALS))
    sys.meta_path.append(_AbsentFinder)
