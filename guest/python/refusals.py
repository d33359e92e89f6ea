"""What cannot work in the sandbox says so in a sentence, with the tool to use instead."""

import builtins
import errno
import functools
import http.client
import multiprocessing
import os
import select
import selectors
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from concurrent.futures.process import ProcessPoolExecutor
from multiprocessing import context, process

PROCESSES = "processes are not available in the sandbox; use terminal() from hermes_tools if it is enabled"
NETWORK = "the network is not available in the sandbox; use web_extract() or web_search() from hermes_tools, or terminal(), if enabled"
PARALLEL = "processes are not available in the sandbox; use ThreadPoolExecutor or a plain loop (both run one thing after another here)"
NATIVE = "native libraries are not available in the sandbox; use the Python standard library, or terminal() from hermes_tools if it is enabled"
PACKAGES = "packages cannot be installed in the sandbox; use the Python standard library, or terminal() from hermes_tools if it is enabled"
SIGNALS = "timer signals are not available in the sandbox; the runtime's own time limit holds"
TERMINAL = "there is no terminal in the sandbox"
PIPES = "pipes are not available in the sandbox; use io.BytesIO or queue.Queue, or terminal() from hermes_tools if it is enabled"
WAITING = "there are no sockets, pipes or terminals to wait for in the sandbox; use terminal() from hermes_tools if it is enabled"
FATAL = "a signal without a handler would end the sandbox; use sys.exit(), or set a handler with signal.signal() first"
USERS = "there are no users and groups in the sandbox; use terminal() from hermes_tools, if it is enabled, for those of the host"
LOCKS = "files cannot be locked or controlled in the sandbox, and nobody else uses them: leave the lock out"
LIMITS = "resources of processes are not counted in the sandbox; the runtime's own limits of time and memory hold"
MAPS = "files and memory cannot be mapped or shared in the sandbox; use open() and read() instead"
LOG = "there is no system log in the sandbox; use print() or logging, or terminal() from hermes_tools if it is enabled"
DATABASES = "this kind of database is not available in the sandbox; use dbm.open(), dbm.sqlite3 or sqlite3"
TESTS = "the tests of CPython are not part of the sandbox; use unittest for your own"

#: Modules that CPython does not have here, and why.
ABSENT = {
    "_ctypes": NATIVE,
    "_curses": TERMINAL,
    "_multiprocessing": PARALLEL,
    "_posixshmem": PARALLEL,
    "_posixsubprocess": PROCESSES,
    "_ssl": NETWORK,
    "_tkinter": TERMINAL,
    "antigravity": TERMINAL,
    "ctypes": NATIVE,
    "curses": TERMINAL,
    "dbm.gnu": DATABASES,
    "dbm.ndbm": DATABASES,
    "ensurepip": PACKAGES,
    "fcntl": LOCKS,
    "grp": USERS,
    "idlelib": TERMINAL,
    "mmap": MAPS,
    "pip": PACKAGES,
    "pty": TERMINAL,
    "pwd": USERS,
    "readline": TERMINAL,
    "resource": LIMITS,
    "ssl": NETWORK,
    "syslog": LOG,
    "termios": TERMINAL,
    "test": TESTS,
    "tkinter": TERMINAL,
    "tty": TERMINAL,
    "turtle": TERMINAL,
    "turtledemo": TERMINAL,
    "venv": PACKAGES,
}

_COMMANDS = "system popen fork forkpty posix_spawn posix_spawnp"
_REPLACEMENTS = "execl execle execlp execlpe execv execve execvp execvpe"
_SPAWNS = "spawnl spawnle spawnlp spawnlpe spawnv spawnve spawnvp spawnvpe"
_OTHERS = "kill killpg wait wait3 wait4 waitid waitpid pidfd_open"
_SERVICE_LOOKUPS = "getservbyname getservbyport getprotobyname if_nameindex if_nametoindex if_indextoname"
_ADDRESS_LOOKUPS = "getaddrinfo gethostbyname gethostbyname_ex gethostbyaddr getnameinfo"
_CONNECTIONS = "create_connection create_server socketpair fromfd dup send_fds recv_fds"

#: Functions that cannot work here, those that CPython leaves out on this platform among them, and why.
FUNCTIONS = (
    (os, f"{_COMMANDS} {_REPLACEMENTS} {_SPAWNS} {_OTHERS}", PROCESSES),
    (os, "pipe pipe2 mkfifo", PIPES),
    (os, "openpty login_tty", TERMINAL),
    (socket, f"{_CONNECTIONS} {_ADDRESS_LOOKUPS} {_SERVICE_LOOKUPS}", NETWORK),
    (signal, "alarm setitimer getitimer", SIGNALS),
    (signal, "pause sigwait sigwaitinfo sigtimedwait pthread_kill pidfd_send_signal", PROCESSES),
)

#: What `multiprocessing` makes, at its top and in each of its contexts.
_SHARED = (
    "Array Barrier BoundedSemaphore Condition Event JoinableQueue Lock Manager Pipe Pool Queue RLock RawArray RawValue Semaphore "
    "SimpleQueue Value"
).split()


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


class HTTPSConnection(http.client.HTTPConnection):
    """Stands where CPython has no such class without `ssl`."""

    default_port = http.client.HTTPS_PORT

    def __init__(self, *args, **kwargs):
        raise OSError(NETWORK)


class HTTPSHandler(urllib.request.AbstractHTTPHandler):
    """The handler that `urllib.request` looks for where there is an `HTTPSConnection`."""

    def __init__(self, debuglevel=None, context=None, check_hostname=None):
        super().__init__(debuglevel)

    def https_open(self, req):
        raise urllib.error.URLError(NETWORK)

    https_request = urllib.request.AbstractHTTPHandler.do_request_


class _Poll:
    """A poll object that nothing can be registered with."""

    def register(self, fd, eventmask=0, /):
        raise OSError(WAITING)

    def modify(self, fd, eventmask, /):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))

    def unregister(self, fd, /):
        raise KeyError(fd)

    def poll(self, timeout=None, /):
        if timeout is None or timeout < 0:
            raise OSError(WAITING)
        time.sleep(timeout / 1000)
        return []


def _select(rlist, wlist, xlist, timeout=None, /):
    """Sleeps, if there is nothing to wait for but the time."""
    if timeout is None or any(list(files) for files in (rlist, wlist, xlist)):
        raise OSError(WAITING)
    if timeout < 0:
        raise ValueError("timeout must be non-negative")
    time.sleep(timeout)
    return [], [], []


def _refuse_functions():
    for module, names, reason in FUNCTIONS:
        for name in names.split():
            setattr(module, name, _refuse(reason))


def _refuse_processes():
    subprocess.Popen.__init__ = _refuse(PROCESSES)
    subprocess.Popen.__del__ = lambda self, *_: None
    ProcessPoolExecutor.__init__ = _refuse(PARALLEL)
    process.BaseProcess.start = _refuse(PARALLEL)
    for name in _SHARED:
        for owner in (context.BaseContext, multiprocessing):
            setattr(owner, name, _refuse(PARALLEL))


def _refuse_network():
    socket.socket.__init__ = _refuse(NETWORK)
    socket.socket.__del__ = lambda self: None
    http.client.HTTPSConnection = HTTPSConnection
    urllib.request.HTTPSHandler = HTTPSHandler
    local_schemes = ("data:", "file:")
    open_locally = urllib.request.OpenerDirector.open

    def open_url(self, fullurl, *args, **kwargs):
        url = getattr(fullurl, "full_url", fullurl)
        if isinstance(url, str) and not url.lower().startswith(local_schemes):
            raise urllib.error.URLError(NETWORK)
        return open_locally(self, fullurl, *args, **kwargs)

    urllib.request.OpenerDirector.open = open_url


def _refuse_waiting():
    select.select, select.poll = _select, _Poll
    selectors.SelectSelector._select = staticmethod(_select)
    if hasattr(selectors, "PollSelector"):
        selectors.PollSelector._selector_cls = _Poll


def _refuse_fatal_signals():
    """Keeps `raise_signal` for signals that a handler takes or that are ignored; another would end the interpreter."""
    harmless = {getattr(signal, name, None) for name in ("SIGCHLD", "SIGCONT", "SIGURG", "SIGWINCH")}
    raise_signal = signal.raise_signal

    @functools.wraps(raise_signal)
    def checked(signalnum, /):
        if signalnum not in harmless and signal.getsignal(signalnum) in (signal.SIG_DFL, None):
            raise OSError(FATAL)
        return raise_signal(signalnum)

    signal.raise_signal = checked


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
    _refuse_functions()
    _refuse_processes()
    _refuse_network()
    _refuse_waiting()
    _refuse_fatal_signals()
    _fill_gaps()
    builtins.input = _end_of_input
    sys.meta_path.append(_AbsentFinder)
