"""The way from a script to the host's tools: one connection for each call that runs, used again when the call is over.

A request is a line of JSON and the arguments as they are; the answer is a line that tells its length, and the answer as it is. The host
serves connections side by side, so calls of several threads do not wait for each other.
"""

import os
import sys
from _socket import AF_INET, MSG_PEEK, SOCK_STREAM, socket

from time import monotonic

try:
    from _socket import AF_UNIX, MSG_DONTWAIT
except ImportError:
    # Windows: the address is always one of TCP, and a connection is told not to wait beforehand.
    AF_UNIX, MSG_DONTWAIT = None, 0

#: How many connections are kept that no call uses.
IDLE = 4
#: For how many seconds an answer is looked for before its thread sleeps: waking a processor that has gone idle takes longer than most
#: calls. The processor is offered to others at each look.
WATCH = 50e-6 if MSG_DONTWAIT and hasattr(os, "sched_yield") else 0.0

#: The kernel itself keeps what it was started with, whatever becomes of its environment.
_environment = getattr(sys, "_hermes_kernel", os.environ)
_address = _environment.get("HERMES_RPC_SOCKET", "")
_token = _environment.get("HERMES_RPC_TOKEN", "")
_directory = _environment.get("HERMES_KERNEL_SPILL_DIR", "")
_idle = []
_yield = getattr(os, "sched_yield", None)


def _forget():
    """After a fork: the connections belong to the parent."""
    _idle.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


def _connect():
    if _address.startswith("tcp://"):
        host, _, port = _address[6:].rpartition(":")
        connection = socket(AF_INET, SOCK_STREAM)
        connection.connect((host, int(port)))
    else:
        connection = socket(AF_UNIX, SOCK_STREAM)
        connection.connect(_address)
    # A default that a script has set is not meant for tools, which have time limits of their own.
    connection.settimeout(None)
    return connection


def _connection():
    """Returns a connection that the host has not closed."""
    while True:
        try:
            connection = _idle.pop()
        except IndexError:
            return _connect()
        try:
            # Nothing is due on a connection that waits, so whatever can be read is its end.
            if not MSG_DONTWAIT:
                connection.setblocking(False)
            try:
                connection.recv(1, MSG_PEEK | MSG_DONTWAIT)
            finally:
                if not MSG_DONTWAIT:
                    connection.setblocking(True)
        except BlockingIOError:
            return connection
        except OSError:
            pass
        connection.close()


def call(name, arguments):
    """Sends a call, its arguments as JSON, and returns the text of the answer."""
    body = arguments.encode("utf-8", "backslashreplace")
    request = b'{"id":0,"tool":"%s","token":"%s","bytes":%d}\n%s' % (name.encode(), _token.encode(), len(body), body)
    connection = _connection()
    try:
        try:
            connection.sendall(request)
            received = _first(connection)
        except ConnectionError as error:
            if not _is_own(error):
                raise
            # The host hangs up on connections that wait, where others want in. What it has not begun to answer it has not begun to do.
            connection.close()
            connection = _connect()
            connection.sendall(request)
            received = _first(connection)
        while b"\n" not in received:
            received += _more(connection, 1 << 16)
        head, _, answer = received.partition(b"\n")
        length = int(head[head.rindex(b":") + 1 : -1])
        if len(answer) < length:
            pieces, missing = [answer], length - len(answer)
            while missing > 0:
                pieces.append(_more(connection, min(missing, 1 << 20)))
                missing -= len(pieces[-1])
            answer = b"".join(pieces)
    except OSError as error:
        connection.close()
        if not _is_own(error):
            raise
        raise RuntimeError("Agent process disconnected") from error
    except BaseException:
        # The answer that is still to come belongs to nobody.
        connection.close()
        raise
    if len(_idle) < IDLE:
        _idle.append(connection)
    else:
        connection.close()
    return answer.decode()


def _first(connection):
    """Waits for an answer to begin."""
    until = monotonic() + WATCH
    while WATCH:
        try:
            return _more(connection, 1 << 16, MSG_DONTWAIT)
        except BlockingIOError:
            if monotonic() > until:
                break
            _yield()
    return _more(connection, 1 << 16)


def _more(connection, limit, flags=0):
    received = connection.recv(limit, flags)
    if not received:
        raise ConnectionResetError("the connection was closed")
    return received


def _is_own(error):
    """Tells whether an error is the connection's, and not one that a script's handler of a signal has raised meanwhile."""
    trace = BaseException.__traceback__.__get__(error)
    while trace.tb_next is not None:
        trace = trace.tb_next
    return trace.tb_frame.f_code in _codes


_codes = [function.__code__ for function in (call, _connection, _connect, _first, _more)]


def tools():
    """Returns the description of the tools, as the host wrote it beside this file."""
    with open(os.path.join(_directory, "tools.json"), encoding="utf-8") as file:
        return file.read()
